"""The form of a ruling: what fills it, and how the changes of a revision are read from it. Works without a script.

Each turn, memory and entry of the schedule is a row of its own; an emptied row goes, and a few blank ones wait at the
end of each list. What was not touched is no change, to the code point, whatever a browser makes of line ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scenarios.models import Scenario
from scenarios.reading.context import COMPANION, USER

BLANK_ROWS = 2
# What fills a blank row, by its list.
_BLANK: dict[str, dict[str, Any]] = {
    "turns": {"role": USER, "text": ""},
    "memories": {"text": ""},
    "schedule": {"time": "", "activity": ""},
}
_SAYS = {"turns": "text", "memories": "text", "schedule": "activity"}


@dataclass(frozen=True)
class Row:
    """One row of a list in the form; `name` begins the names of its fields."""

    name: str
    number: int
    entry: Mapping[str, Any]
    untouched: bool  # as the scenario has it; a blank one at the end is not


@dataclass(frozen=True)
class Filled:
    """What stands in the form: a blank ruling on the scenario as it is, or what was sent."""

    verdict: str = ""
    fault: str = ""
    reason: str = ""
    persona: str = ""
    reference: str = ""
    turns: list[Row] = field(default_factory=list)
    memories: list[Row] = field(default_factory=list)
    schedule: list[Row] = field(default_factory=list)
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_revised(self) -> bool:
        return bool(self.changes) or self.verdict == "revise"


def read_form(sent: Mapping[str, str], scenario: Scenario, *, with_reference: bool) -> Filled:
    """The form as it was sent; empty for a first look. `changes` holds the parts that differ from the scenario."""
    texts = ["persona", *(["reference"] if with_reference else [])]
    content: dict[str, Any] = {part: _text(sent, part, getattr(scenario, part)) for part in texts}
    rows = {part: _rows(sent, part, getattr(scenario, part)) for part in _BLANK}
    for part, found in rows.items():
        content[part] = [row.entry for row in found if row.untouched or row.entry[_SAYS[part]].strip()]
    changes = {part: value for part, value in content.items() if value != getattr(scenario, part)}
    return Filled(
        verdict=sent.get("verdict", ""),
        fault=sent.get("fault", ""),
        reason=sent.get("reason", "").replace("\r\n", "\n"),
        persona=content["persona"],
        reference=content.get("reference", ""),
        changes=changes if sent else {},
        **rows,
    )


def _rows(sent: Mapping[str, str], part: str, entries: Sequence[dict[str, Any]]) -> list[Row]:
    found = []
    for i in range(len(entries) + BLANK_ROWS):
        name, old = f"{part}.{i}", entries[i] if i < len(entries) else _BLANK[part]
        entry = _entry(sent, name, part, old)
        found.append(Row(name, i + 1, entry, untouched=i < len(entries) and entry == old))
    return found


def _entry(sent: Mapping[str, str], name: str, part: str, old: Mapping[str, Any]) -> dict[str, Any]:
    """The row as it was sent; as it was, where the form did not have it."""
    says = _SAYS[part]
    if f"{name}.{says}" not in sent:
        return dict(old)
    entry = dict(old) | {says: _text(sent, f"{name}.{says}", old[says])}
    if part == "turns":
        entry["role"] = COMPANION if sent.get(f"{name}.role") == COMPANION else USER
    if part == "schedule":
        entry["time"] = _text(sent, f"{name}.time", old["time"]).strip()
        entry.pop("now", None)
        entry |= {"now": True} if f"{name}.now" in sent else {}
    return entry


def _text(sent: Mapping[str, str], name: str, old: str) -> str:
    """What was typed; the text as it is where only its line ends differ, which browsers change on their way."""
    given = sent.get(name)
    if given is None:
        return old
    given = given.replace("\r\n", "\n")
    return old if given == old.replace("\r\n", "\n").replace("\r", "\n") else given
