"""Reading what a program sends, strictly: what no text can hold is refused by its field, not met as a server error."""

import re
import uuid
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser

from annotation.api.request import SignedIn
from annotation.errors import RatingInvalid


class StrictJSONParser(JSONParser):
    """JSON nested no deeper than the reader follows, without halves of surrogate pairs: UTF-8 has no bytes for them."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            body = super().parse(stream, media_type, parser_context)
            faults = {field: [_("Contains a character that cannot be stored.")] for field in _unspeakable(body)}
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply.")) from error
        if faults:
            raise ValidationError(faults)
        return body


def _unspeakable(value: Any, field: str = "") -> Iterator[str]:
    """The dotted places (marks.0.quote) of such texts; a name that is one stands under the place it is in."""
    if isinstance(value, str):
        if _has_half_a_pair(value):
            yield field
        return
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        if isinstance(name, str) and _has_half_a_pair(name):
            yield field
        else:
            yield from _unspeakable(part, f"{field}.{name}" if field else str(name))


def _has_half_a_pair(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


def cursor_of(request: SignedIn) -> int:
    cursor = request.query_params.get("cursor", "0")
    if not re.fullmatch(r"[0-9]{1,18}", cursor):
        raise RatingInvalid(_("The cursor is not one this API gave."), fields={"cursor": [cursor]})
    return int(cursor)


def body_of(request: SignedIn) -> dict[str, Any]:
    if not isinstance(request.data, dict):
        raise RatingInvalid(_("The body must be a JSON object."))
    return request.data


def given_or(body: dict[str, Any], field: str, default: Any) -> Any:
    """What the body says of a field that may be left out or null."""
    return default if body.get(field) is None else body[field]


def client_id_of(body: dict[str, Any]) -> uuid.UUID:
    try:
        return uuid.UUID(body["client_id"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = _("Must be a UUID made by the client, the same one each time this is sent.")
        raise RatingInvalid(fields={"client_id": [message]}) from error
