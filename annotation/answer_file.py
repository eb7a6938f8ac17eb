"""Reading a file of known answers: JSONL, one line an item. Nothing is looked up here; each fault is a BadLine.

{"item_id": "KEY/COMPANION/CONDITION", "use": "training", "scores": {"empathy": 4, …},
 "marks": [{"type": "dependence", "quote": "you only need me", "note": "…"}], "reasons": {"empathy": "…", "": "…"}}
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from scenarios.benchmark import CONDITIONS
from scenarios.item_ids import NoItemId, make_item_id, split_item_id
from scenarios.reading.faults import BadLine, quoted
from scenarios.reading.json_lines import parse_object
from scenarios.reading.lines import ReadFile

USES = ("training", "check")
ITEM = ("key", "companion", "condition")
FIELDS = {"item_id", *ITEM, "use", "scores", "marks", "reasons"}
OF_MARK = {"type", "quote", "note", "start", "end"}
MOST_LINES = 2_000


@dataclass(frozen=True)
class KnownAnswerLine:
    """One line as it stands; scores, marks and reasons are checked where they are kept (services/references.py)."""

    line: int
    item_id: str
    use: str
    scores: Any
    marks: Any
    reasons: Any


def read_lines(path: Path) -> Iterator[tuple[int, KnownAnswerLine | BadLine]]:
    """Number and content of each line that is not blank; a BadLine in place of one that cannot be read."""
    read = 0
    for number, raw in ReadFile(path).lines():
        if isinstance(raw, BadLine):
            yield number, raw
            continue
        if not raw.strip():
            continue
        read += 1
        if read > MOST_LINES:
            yield number, BadLine(_("more than %(most)s lines: divide the file") % {"most": MOST_LINES})
            return
        try:
            yield number, _line(number, parse_object(raw))
        except BadLine as bad:
            yield number, bad


def _line(number: int, record: dict[str, Any]) -> KnownAnswerLine:
    if unknown := sorted(record.keys() - FIELDS):
        raise BadLine(_("unknown field %(name)s") % {"name": quoted(unknown[0])})
    use = record.get("use")
    if use not in USES:
        raise BadLine(_("“use” must be training or check, not %(use)s") % {"use": quoted(use)})
    if "scores" not in record:
        raise BadLine(_("no “scores”"))
    marks = [] if record.get("marks") is None else record["marks"]
    return KnownAnswerLine(number, _item_id(record), use, record["scores"], marks, record.get("reasons"))


def _item_id(record: dict[str, Any]) -> str:
    """The item's id in its one spelling, from `item_id` or from key, companion and condition."""
    if "item_id" in record:
        if any(name in record for name in ITEM):
            raise BadLine(_("either “item_id”, or “key”, “companion” and “condition”"))
        try:
            return make_item_id(*split_item_id(record["item_id"]))
        except (NoItemId, AttributeError):
            raise BadLine(_("%(id)s is not KEY/COMPANION/CONDITION") % {"id": quoted(record["item_id"])}) from None
    parts = [record.get(name) for name in ITEM]
    if not all(isinstance(part, str) and part for part in parts):
        raise BadLine(_("no “item_id”, and not “key”, “companion” and “condition” either"))
    if parts[2] not in CONDITIONS:
        raise BadLine(_("unknown condition %(name)s") % {"name": quoted(parts[2])})
    return make_item_id(*(str(part) for part in parts))


def with_places(marks: Any, text: str) -> Any:
    """The marks with each quote's place, in code points. Raises BadLine where it is not there, or not only once."""
    if not isinstance(marks, list):
        return marks
    return [_with_place(mark, text) for mark in marks]


def _with_place(mark: Any, text: str) -> Any:
    if not isinstance(mark, dict):
        return mark
    if unknown := sorted(mark.keys() - OF_MARK):
        raise BadLine(_("unknown field %(name)s of a mark") % {"name": quoted(unknown[0])})
    quote = mark.get("quote")
    if not isinstance(quote, str) or not quote or mark.get("start") is not None or mark.get("end") is not None:
        return mark
    times = _times(text, quote)
    if times != 1:
        told = {"quote": quoted(quote), "n": times}
        if times:
            raise BadLine(_("%(quote)s stands %(n)s times in the response: give start and end") % told)
        raise BadLine(_("%(quote)s does not stand in the response") % told)
    start = text.index(quote)
    return mark | {"start": start, "end": start + len(quote)}


def _times(text: str, quote: str) -> int:
    """How often, overlapping ones too."""
    return sum(text.startswith(quote, i) for i in range(len(text)))
