"""An H2HTalk folder as released, and as the benchmark's evaluator reads what models answered.

Line N of TASK.jsonl is question qNNN, blank lines counted. The text stands under `response`, else `answer`, else it is
the first message of the assistant in `messages`.
"""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.faults import BadLine
from scenarios.reading.records import Place, ResponseRecord, ScenarioRecord, required, said

_ASSISTANT = {"assistant", "gpt"}


def scenario(data: dict[str, Any], place: Place) -> ScenarioRecord:
    """The released text is the reference response; the files hold no context."""
    text, ignored = _text(data, required)
    assert place.task is not None
    return ScenarioRecord(key=_key(place), task=place.task, language=place.language, reference=text, ignored=ignored)


def response(data: dict[str, Any], place: Place) -> ResponseRecord:
    text, ignored = _text(data, said)
    return ResponseRecord(key=_key(place), text=text, ignored=ignored)


def _key(place: Place) -> str:
    return f"{place.task}/q{place.line:03d}"


def _text(data: dict[str, Any], read: Callable[[dict[str, Any], str], str]) -> tuple[str, tuple[str, ...]]:
    for name in ("response", "answer"):
        if name in data:
            return read(data, name), tuple(sorted(data.keys() - {name}))
    if "messages" not in data:
        raise BadLine(_("none of “response”, “answer” and “messages” is there"))
    messages = data["messages"] if isinstance(data["messages"], list) else []
    for message in messages:
        if isinstance(message, dict) and _said_by(message) in _ASSISTANT:
            name = "value" if "value" in message else "content"
            rest = ["messages (others)"] if len(messages) > 1 else []
            return read(message, name), tuple(sorted([*(data.keys() - {"messages"}), *rest]))
    raise BadLine(_("“messages” holds no answer of the assistant"))


def _said_by(message: dict[str, Any]) -> object:
    said_by = message.get("from", message.get("role"))
    return said_by if isinstance(said_by, str) else None
