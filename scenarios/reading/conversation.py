"""What Chat JSONL and ShareGPT have in common: a list of messages under one name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.context import COMPANION, role_of
from scenarios.reading.faults import BadLine, quoted
from scenarios.reading.records import Place, ResponseRecord, ScenarioRecord, list_of

SYSTEM = "system"


@dataclass(frozen=True)
class Form:
    """How a format names the list, who says a message, and what they say."""

    messages: str
    said_by: str
    text: str


@dataclass(frozen=True)
class _Conversation:
    persona: str
    before: list[dict[str, Any]]  # turns before the last answer
    answer: str | None
    after: int  # messages behind it


def readers(
    form: Form,
) -> tuple[Callable[[dict[str, Any], Place], ScenarioRecord], Callable[[dict[str, Any], Place], ResponseRecord]]:
    """The two readers of a format: for scenarios, for responses."""

    def scenario(data: dict[str, Any], place: Place) -> ScenarioRecord:
        talk = _read(data, form)
        assert place.task is not None
        return ScenarioRecord(
            key=_key(place),
            task=place.task,
            language=place.language,
            persona=talk.persona,
            turns=talk.before,
            reference=talk.answer or "",
            ignored=_ignored(data, form, [_noted("after the answer")] if talk.after else []),
        )

    def response(data: dict[str, Any], place: Place) -> ResponseRecord:
        """Everything but the answer is left out: a system prompt here would betray the condition."""
        talk = _read(data, form)
        if talk.answer is None:
            raise BadLine(_("%(name)s holds no answer of the assistant") % {"name": quoted(form.messages)})
        others = [_noted("others")] if talk.before or talk.persona or talk.after else []
        return ResponseRecord(key=_key(place), text=talk.answer, ignored=_ignored(data, form, others))

    def _noted(what: str) -> str:
        return f"{form.messages} ({what})"

    return scenario, response


def _key(place: Place) -> str:
    return f"{place.task}/l{place.line:06d}"


def _ignored(data: dict[str, Any], form: Form, more: list[str]) -> tuple[str, ...]:
    return tuple(sorted([*(data.keys() - {form.messages}), *more]))


def _read(data: dict[str, Any], form: Form) -> _Conversation:
    if form.messages not in data:
        raise BadLine(_("%(name)s is missing") % {"name": quoted(form.messages)})
    persona: list[str] = []
    turns: list[dict[str, Any]] = []
    for message in list_of(data, form.messages):
        if not isinstance(message, dict) or not isinstance(message.get(form.text), str):
            said = {"role": quoted(form.said_by), "text": quoted(form.text)}
            raise BadLine(_("a message needs %(role)s and a text under %(text)s") % said)
        if message.get(form.said_by) == SYSTEM:
            persona.append(message[form.text])
        else:
            turns.append({"role": role_of(message.get(form.said_by)), "text": message[form.text]})
    if not turns:
        raise BadLine(_("%(name)s holds no message") % {"name": quoted(form.messages)})
    last = max((index for index, turn in enumerate(turns) if turn["role"] == COMPANION), default=None)
    if last is None:
        return _Conversation(persona="\n\n".join(persona), before=turns, answer=None, after=0)
    return _Conversation(
        persona="\n\n".join(persona), before=turns[:last], answer=turns[last]["text"], after=len(turns) - last - 1
    )
