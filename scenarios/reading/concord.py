"""Concord JSONL: the full form, one scenario or one response a line (schema/*.json)."""

from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.context import memory_of, schedule_entry_of, tags_of, turn_of
from scenarios.reading.faults import BadLine, quoted
from scenarios.reading.records import (
    Place,
    ResponseRecord,
    ScenarioRecord,
    condition_of,
    language_of,
    list_of,
    name_of,
    required,
    said,
    task_of,
    text_of,
)

_SCENARIO = {"key", "task", "language", "persona", "turns", "memories", "schedule", "reference", "tags"}
_RESPONSE = {"key", "companion", "condition", "text"}


def scenario(data: dict[str, Any], place: Place) -> ScenarioRecord:
    key = name_of(required(data, "key"), "key")
    task = task_of(required(data, "task") if "task" in data or place.task is None else place.task)
    if place.task is not None and task != place.task:
        tasks = {"task": quoted(task), "other": quoted(place.task)}
        raise BadLine(_("the line says task %(task)s, the import %(other)s") % tasks)
    return ScenarioRecord(
        key=key,
        task=task,
        language=language_of(text_of(data, "language") or place.language),
        persona=text_of(data, "persona"),
        turns=[turn_of(entry) for entry in list_of(data, "turns")],
        memories=[memory_of(entry) for entry in list_of(data, "memories")],
        schedule=[schedule_entry_of(entry) for entry in list_of(data, "schedule")],
        reference=text_of(data, "reference"),
        tags=tags_of(data.get("tags")),
        ignored=tuple(sorted(data.keys() - _SCENARIO)),
    )


def response(data: dict[str, Any], place: Place) -> ResponseRecord:
    companion, condition = text_of(data, "companion"), text_of(data, "condition")
    return ResponseRecord(
        key=name_of(required(data, "key"), "key"),
        text=said(data, "text"),
        companion=name_of(companion, "companion") if companion else None,
        condition=condition_of(condition) if condition else None,
        ignored=tuple(sorted(data.keys() - _RESPONSE)),
    )
