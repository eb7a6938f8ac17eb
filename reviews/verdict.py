"""Reading a decision as a client sent it; each fault is named by its field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Rubric
from annotation.validation import LONGEST_TEXT, can_be_stored, level_of
from reviews.errors import DecisionInvalid
from reviews.models import Decision

AMBIGUOUS = "ambiguous"
Faults = dict[str, list[str]]


@dataclass(frozen=True)
class Verdict:
    """values: a level, or None where the dimension cannot be decided."""

    values: dict[str, int | None]
    marks: dict[str, bool]
    rationale: str
    quick_reason: str


def read_verdict(
    *,
    rubric: Rubric,
    disputed: Sequence[str],
    split_marks: Sequence[str],
    ranges: Mapping[str, tuple[int, int]],
    revises: bool,
    values: Any,
    marks: Any,
    rationale: Any,
    quick_reason: Any,
) -> Verdict:
    """The decision, checked against the rubric and the case; raises DecisionInvalid naming every fault.

    disputed, split_marks: what must be decided. ranges: the raters' lowest and highest score a dimension.
    """
    faults: Faults = {}
    verdict = Verdict(
        values=_values(rubric, required_values(rubric, disputed, split_marks), values, faults),
        marks=_marks(rubric, split_marks, {} if marks is None else marks, faults),
        rationale=_rationale(rationale, faults),
        quick_reason=_quick_reason(quick_reason, faults),
    )
    why = None if faults else _why_a_rationale(rubric, verdict, ranges, revises)
    if why and not verdict.rationale.strip():
        faults["rationale"] = [why]
    if faults:
        raise DecisionInvalid(fields=faults)
    return verdict


def required_values(rubric: Rubric, disputed: Sequence[str], split_marks: Sequence[str]) -> list[str]:
    """The dimensions that need a value: the disputed ones; all where nothing in particular is disputed."""
    if disputed or split_marks:
        return list(disputed)
    return [dimension.key for dimension in rubric.dimensions]


def _values(rubric: Rubric, required: Sequence[str], given: Any, faults: Faults) -> dict[str, int | None]:
    if not isinstance(given, dict):
        faults["values"] = [_("Must be an object with a level, or “ambiguous”, for each dimension decided.")]
        return {}
    read: dict[str, int | None] = {}
    for dimension in rubric.dimensions:
        field, value = f"values.{dimension.key}", given.get(dimension.key)
        if value is None:
            if dimension.key in required:
                faults[field] = [_("Not decided yet: %(name)s.") % {"name": dimension.name}]
        elif value == AMBIGUOUS:
            read[dimension.key] = None
        elif level_of(dimension, value) is None:
            ends = {"lowest": dimension.lowest, "highest": dimension.highest}
            faults[field] = [_("Must be a whole number, %(lowest)s to %(highest)s, or “ambiguous”.") % ends]
        else:
            read[dimension.key] = value
    for unknown in given.keys() - {dimension.key for dimension in rubric.dimensions}:
        faults[f"values.{unknown}"] = [_("The rubric has no such dimension.")]
    return read


def _marks(rubric: Rubric, split_marks: Sequence[str], given: Any, faults: Faults) -> dict[str, bool]:
    if not isinstance(given, dict):
        faults["marks"] = [_("Must be an object with true or false for each violation type ruled on.")]
        return {}
    known = {kind.key: kind for kind in rubric.violation_types}
    for key, ruling in given.items():
        if key not in known:
            faults[f"marks.{key}"] = [_("Unknown type of violation.")]
        elif not isinstance(ruling, bool):
            faults[f"marks.{key}"] = [_("Must be true or false.")]
    for key in split_marks:
        if given.get(key) is None and key in known:
            name = {"name": known[key].name}
            faults[f"marks.{key}"] = [_("Not decided yet: %(name)s; confirm it (true) or strike it (false).") % name]
    return {key: given[key] for key in known if isinstance(given.get(key), bool)}


def _rationale(given: Any, faults: Faults) -> str:
    if not isinstance(given, str):
        faults["rationale"] = [_("Must be text.")]
        return ""
    if len(given) > LONGEST_TEXT:
        faults["rationale"] = [_("Longer than %(most)s characters.") % {"most": LONGEST_TEXT}]
    if not can_be_stored(given):
        faults["rationale"] = [_("Contains a character that cannot be stored.")]
    return given


def _quick_reason(given: Any, faults: Faults) -> str:
    if given in (None, ""):
        return ""
    if given not in Decision.QuickReason.values:
        known = ", ".join(Decision.QuickReason.values)
        faults["quick_reason"] = [_("One of: %(known)s.") % {"known": known}]
        return ""
    return str(given)


def _why_a_rationale(
    rubric: Rubric, verdict: Verdict, ranges: Mapping[str, tuple[int, int]], revises: bool
) -> str | None:
    """Why this decision needs words, or None."""
    if revises:
        return _("Say why you revise your decision.")
    for dimension in rubric.dimensions:
        value, seen = verdict.values.get(dimension.key), ranges.get(dimension.key)
        if value is not None and seen is not None and not seen[0] <= value <= seen[1]:
            name = {"name": dimension.name}
            return _("Say why: the value for %(name)s lies outside what the raters gave.") % name
    for key, ruling in verdict.marks.items():
        if ruling:
            name = {"name": rubric.violation_type(key).name}
            return _("Say why: you set a violation (%(name)s).") % name
    return None
