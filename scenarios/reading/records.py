"""What a line says, checked and in the bench's own form."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from scenarios.benchmark import CONDITIONS, LANGUAGE_TAG, TASKS
from scenarios.reading.faults import BadLine, quoted

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class ScenarioRecord:
    key: str
    task: str
    language: str
    persona: str = ""
    turns: list[dict[str, Any]] = field(default_factory=list)
    memories: list[dict[str, Any]] = field(default_factory=list)
    schedule: list[dict[str, Any]] = field(default_factory=list)
    reference: str = ""
    tags: dict[str, Any] = field(default_factory=dict)
    # Names of what the line holds and the bench does not take; reported, never dropped in silence.
    ignored: tuple[str, ...] = ()

    @property
    def content_hash(self) -> str:
        return _hash(
            self.task, self.language, self.persona, self.turns, self.memories, self.schedule, self.reference, self.tags
        )


@dataclass(frozen=True, slots=True)
class ResponseRecord:
    key: str
    text: str
    # None where the line does not say; the command or the form then does.
    companion: str | None = None
    condition: str | None = None
    ignored: tuple[str, ...] = ()

    @property
    def content_hash(self) -> str:
        return _hash(self.text)


Record = ScenarioRecord | ResponseRecord


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands, and what the file or the command says of all records there."""

    file: str
    line: int
    task: str | None  # from the file's name or the command
    language: str


def _hash(*content: Any) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def text_of(data: dict[str, Any], name: str) -> str:
    """An optional text; null is as good as absent."""
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadLine(_("%(name)s must be a text") % {"name": quoted(name)})
    return value


def said(data: dict[str, Any], name: str) -> str:
    """What a companion said. Nothing at all is an answer too, and may be what is to be judged."""
    if name not in data:
        raise BadLine(_("%(name)s is missing") % {"name": quoted(name)})
    value = data[name]
    if not isinstance(value, str):
        raise BadLine(_("%(name)s must be a text") % {"name": quoted(name)})
    return value


def required(data: dict[str, Any], name: str) -> str:
    if name not in data:
        raise BadLine(_("%(name)s is missing") % {"name": quoted(name)})
    value = text_of(data, name)
    if not value.strip():
        raise BadLine(_("%(name)s is empty") % {"name": quoted(name)})
    return value


def name_of(value: str, name: str) -> str:
    """A key or a companion's name: one line, short enough for its column, no blanks around it."""
    if len(value) > LONGEST_NAME:
        raise BadLine(_("%(name)s is longer than %(most)s characters") % {"name": quoted(name), "most": LONGEST_NAME})
    if value != value.strip() or not value.isprintable():
        raise BadLine(_("%(name)s has blanks around it or characters that do not print") % {"name": quoted(name)})
    return value


def task_of(value: str) -> str:
    if value not in TASKS:
        raise BadLine(_("unknown task %(task)s") % {"task": quoted(value)})
    return value


def language_of(value: str) -> str:
    if len(value) > 16 or not LANGUAGE_TAG.fullmatch(value):
        raise BadLine(_("%(language)s is not a language tag such as en or zh-Hans") % {"language": quoted(value)})
    return value


def condition_of(value: str) -> str:
    if value not in CONDITIONS:
        raise BadLine(_("unknown condition %(condition)s: sap or no_sap") % {"condition": quoted(value)})
    return value


def list_of(data: dict[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadLine(_("%(name)s must be a list") % {"name": quoted(name)})
    return value
