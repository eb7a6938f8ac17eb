"""One line of JSON, read strictly: what a database or another program would stumble over is refused here."""

import json
import math
from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.faults import BadLine, quoted


def parse_object(raw: bytes) -> dict[str, Any]:
    """The object on a line.

    Raises BadLine where the bytes are no UTF-8, the text is no JSON or no object, a key stands twice in an object, a
    number is not finite, or a text holds NUL (also written as an escape) or half of a surrogate pair.
    """
    if b"\x00" in raw:
        raise BadLine(_("the line holds a NUL character"))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadLine(_("not UTF-8 at byte %(byte)s of the line") % {"byte": error.start + 1}) from None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_not_finite, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise BadLine(_why(error, text)) from None
    except RecursionError:
        raise BadLine(_("the JSON is nested too deeply")) from None
    except ValueError:  # an integer of thousands of digits
        raise BadLine(_("a number is too long")) from None
    if not isinstance(value, dict):
        raise BadLine(_("expected a JSON object, in braces"))
    if "\\u" in text:  # only an escape can bring these in: the bytes were checked above
        check_texts(value)
    return value


def _why(error: json.JSONDecodeError, text: str) -> str:
    if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()):
        return _("the line is cut short: its JSON does not end")
    if error.msg.startswith("Invalid control character"):
        return _("a control character stands unescaped at column %(column)s") % {"column": error.colno}
    return _("not JSON: %(what)s at column %(column)s") % {"what": error.msg, "column": error.colno}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _value in pairs:
            if key in seen:
                raise BadLine(_("%(key)s stands twice in one object") % {"key": quoted(key)})
            seen.add(key)
    return found


def _not_finite(name: str) -> None:
    raise BadLine(_("%(number)s is not a number that JSON knows") % {"number": name})


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise BadLine(_("the number %(number)s is too large") % {"number": quoted(digits)})
    return number


def check_texts(value: Any) -> None:
    """Raises BadLine where any text within the value holds what a database cannot keep."""
    left = [value]
    while left:
        part = left.pop()
        if isinstance(part, str):
            _check_text(part)
        elif isinstance(part, dict):
            left.extend(part)
            left.extend(part.values())
        elif isinstance(part, list):
            left.extend(part)


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise BadLine(_("a text holds an escaped NUL character (\\u0000)"))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadLine(_("a text holds half of a surrogate pair (\\ud800 to \\udfff)")) from None
