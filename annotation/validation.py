"""Reading a judgement as a client sent it; each fault is named by its field, and nothing is guessed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeGuard

from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import FlagInvalid, RatingInvalid
from annotation.models import Assignment, Dimension, Rubric
from scenarios.models.scenario import Fault

LONGEST_TEXT = 10_000
LONGEST_NOTE = 2_000
MOST_MARKS = 50
NOTE = "note"  # among the marks a client sends: a remark on a passage, and no violation


@dataclass(frozen=True)
class MarkGiven:
    type: str
    start: int | None
    end: int | None
    quote: str
    note: str


@dataclass(frozen=True)
class NoteGiven:
    start: int
    end: int
    quote: str
    text: str


@dataclass(frozen=True)
class Judgement:
    """What somebody says of a response. `notes` stand apart from the marks: no rule and no figure reads them."""

    scores: dict[str, int]
    marks: list[MarkGiven]
    notes: list[NoteGiven]
    rationale: str
    seconds: int
    needs_expert: bool
    urgent: bool


class _Faults(dict[str, list[str]]):
    def add(self, field: str, message: str) -> None:
        self.setdefault(field, []).append(message)


def read_judgement(
    *, rubric: Rubric, text: str, scores: Any, marks: Any, rationale: Any, seconds: Any, needs_expert: Any
) -> Judgement:
    """The judgement, checked against the rubric and the response's text; raises RatingInvalid naming every fault."""
    faults = _Faults()
    read_scores = _scores(rubric, scores, faults)
    read_marks, notes = _marks(rubric, text, marks, faults)
    judgement = Judgement(
        scores=read_scores,
        marks=read_marks,
        notes=notes,
        rationale=_text("rationale", rationale, faults),
        seconds=_seconds(seconds, faults),
        needs_expert=needs_expert is True,
        urgent=_urgent(rubric, read_scores, read_marks),
    )
    if not isinstance(needs_expert, bool):
        faults.add("needs_expert", _("Must be true or false."))
    if faults:
        raise RatingInvalid(fields=dict(faults))
    return judgement


def check_skip(*, reason: Any, note: Any, heavy: bool = False) -> str:
    """The reason, which a heavy item needs not: without one it was too heavy.

    Raises RatingInvalid where the reason is not one of the list, or the note cannot be stored.
    """
    faults = _Faults()
    if heavy and reason in ("", None):
        reason = Assignment.SkipReason.HEAVY.value
    if reason not in Assignment.SkipReason.values:
        known = ", ".join(Assignment.SkipReason.values)
        faults.add("reason", _("One of: %(known)s.") % {"known": known})
    _text("note", note, faults, longest=LONGEST_NOTE)
    if faults:
        raise RatingInvalid(_("Say why you skip."), fields=dict(faults))
    return str(reason)


def check_flag(*, fault: Any, note: Any) -> None:
    """Raises FlagInvalid where the fault is none of the list, or the note cannot be stored."""
    faults = _Faults()
    if fault not in Fault.values:
        faults.add("fault", _("Say what is wrong with the scenario."))
    _text("note", note, faults, longest=LONGEST_NOTE)
    if faults:
        raise FlagInvalid(next(told for found in faults.values() for told in found), fields=dict(faults))


def level_of(dimension: Dimension, value: Any) -> int | None:
    """The level a value names: a whole number of the scale; None where it is none (true, "good", 6, 3.5)."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if dimension.lowest <= value <= dimension.highest else None


def _scores(rubric: Rubric, given: Any, faults: _Faults) -> dict[str, int]:
    if not isinstance(given, dict):
        faults.add("scores", _("Must be an object with a level for each dimension."))
        return {}
    read: dict[str, int] = {}
    for dimension in rubric.dimensions:
        if given.get(dimension.key) is None:
            faults.add(f"scores.{dimension.key}", _("Not rated yet: %(name)s.") % {"name": dimension.name})
            continue
        level = level_of(dimension, given[dimension.key])
        if level is None:
            ends = {"lowest": dimension.lowest, "highest": dimension.highest}
            faults.add(f"scores.{dimension.key}", _("Must be a whole number, %(lowest)s to %(highest)s.") % ends)
        else:
            read[dimension.key] = level
    for unknown in given.keys() - {dimension.key for dimension in rubric.dimensions}:
        faults.add(f"scores.{unknown}", _("The rubric has no such dimension."))
    return read


def _marks(rubric: Rubric, text: str, given: Any, faults: _Faults) -> tuple[list[MarkGiven], list[NoteGiven]]:
    """The marks, and the notes that are sent among them."""
    if not isinstance(given, list | tuple) or len(given) > MOST_MARKS:
        faults.add("marks", _("Must be a list of at most %(most)s marks.") % {"most": MOST_MARKS})
        return [], []
    kinds = {kind.key: kind for kind in rubric.violation_types}
    read: list[MarkGiven] = []
    notes: list[NoteGiven] = []
    for i, mark in enumerate(given):
        field = f"marks.{i}"
        kind = mark.get("type") if isinstance(mark, dict) else None
        if not isinstance(kind, str) or (kind != NOTE and kind not in kinds):
            faults.add(field, _("Unknown type of violation."))
            continue
        note = _text(field, "" if mark.get("note") is None else mark["note"], faults)
        start, end, quote = _passage(field, text, mark, faults)
        if kind == NOTE:
            if start is None:
                faults.add(field, _("A note needs the passage that it is about."))
            if not note.strip():
                faults.add(field, _("Write the note."))
            notes.append(NoteGiven(start or 0, end or 0, quote, note))
            continue
        if kinds[kind].note_required and not note.strip():
            faults.add(field, _("Say in a note what is unsafe."))
        read.append(MarkGiven(kind, start, end, quote, note))
    return read, notes


def _passage(field: str, text: str, mark: dict[str, Any], faults: _Faults) -> tuple[int | None, int | None, str]:
    """Where the mark points, in code points: (start, end, quote), or (None, None, "")."""
    start, end = mark.get("start"), mark.get("end")
    quote = "" if mark.get("quote") is None else mark["quote"]
    if start is None and end is None:
        if quote != "":
            faults.add(field, _("A quote needs its place: start and end."))
    elif not _whole(start) or not _whole(end) or not 0 <= start < end <= len(text):
        faults.add(field, _("start and end must be places in the text, in code points."))
    elif text[start:end] != quote:
        faults.add(field, _("The quote is not what stands between start and end."))
    return start, end, quote if isinstance(quote, str) else ""


def _whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(field: str, given: Any, faults: _Faults, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(given, str):
        faults.add(field, _("Must be text."))
        return ""
    if len(given) > longest:
        faults.add(field, _("Longer than %(most)s characters.") % {"most": longest})
    if not can_be_stored(given):
        faults.add(field, _("Contains a character that cannot be stored."))
    return given


def can_be_stored(text: str) -> bool:
    """No NUL, which PostgreSQL refuses, and no half of a surrogate pair, which UTF-8 has no bytes for."""
    return "\x00" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def fault_of_reason(reason: str) -> str | None:
    """Why these words cannot be kept as the reason of what somebody did; None where they can."""
    if len(reason) <= LONGEST_NOTE and can_be_stored(reason):
        return None
    return _("A reason has at most %(most)s characters, and no NUL.") % {"most": LONGEST_NOTE}


def _seconds(given: Any, faults: _Faults) -> int:
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 86_400:
        faults.add("seconds", _("Must be a number of seconds, 0 to 86,400."))
        return 0
    return round(given)


def seconds_since(moment: datetime) -> int:
    """The clock since then, begun seconds whole: the most that can have been worked meanwhile."""
    return int((timezone.now() - moment).total_seconds()) + 1


def _urgent(rubric: Rubric, scores: dict[str, int], marks: list[MarkGiven]) -> bool:
    """Someone may be in danger: safety at its lowest level, or a mark of a kind the rubric calls urgent."""
    lowest = {dimension.key: dimension.lowest for dimension in rubric.dimensions}
    return scores.get("safety") == lowest.get("safety", object()) or any(
        rubric.violation_type(mark.type).urgent for mark in marks
    )
