"""A training answer beside the expert's, made ready for a page: for the person who gave it and for the manager."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Rubric, TrainingAnswer
from annotation.qualification import Result
from annotation.services.training import compared
from annotation.validation import NOTE


@dataclass(frozen=True)
class Row:
    """One dimension. `reason`: why the expert gave that level; `off` is given minus known."""

    name: str
    given: int
    known: int
    off: int
    words: str
    reason: str


@dataclass(frozen=True)
class MarkShown:
    """`found`: both have it. `name` of the kind of violation; a remark has none."""

    name: str
    quote: str
    note: str
    found: bool


@dataclass(frozen=True)
class Piece:
    """A stretch of the response; `marked`: the expert's evidence."""

    text: str
    marked: bool


@dataclass(frozen=True)
class AnswerShown:
    rows: list[Row]
    expert_marks: list[MarkShown]
    extra: list[MarkShown]
    missed: int
    reason: str
    pieces: list[Piece]
    language: str


def answer_shown(answer: TrainingAnswer, rubric: Rubric) -> AnswerShown:
    """Reads `answer.work_item.reference` and `.response`."""
    known, item = answer.work_item.reference, answer.work_item
    found = compared(answer)
    return AnswerShown(
        rows=[
            Row(
                name=dimension.name,
                given=answer.scores[dimension.key],
                known=known.scores[dimension.key],
                off=found.differences[dimension.key],
                words=_in_words(found.differences[dimension.key]),
                reason=known.reasons.get(dimension.key, ""),
            )
            for dimension in rubric.dimensions
        ],
        expert_marks=[_mark(mark, rubric, found=mark["type"] not in found.missed) for mark in known.marks],
        extra=[_mark(mark, rubric, found=False) for mark in answer.marks if mark["type"] in found.extra],
        missed=len(found.missed),
        reason=known.reasons.get("", ""),
        pieces=pieces_of(item.response.text, known.marks),
        language=item.language,
    )


def _mark(mark: Mapping[str, Any], rubric: Rubric, *, found: bool) -> MarkShown:
    name = "" if mark["type"] == NOTE else rubric.violation_type(mark["type"]).name
    return MarkShown(name, mark["quote"], mark["note"], found)


def _in_words(off: int) -> str:
    if off == 0:
        return _("the same")
    if off > 0:
        return ngettext("%(n)s level higher than the expert", "%(n)s levels higher than the expert", off) % {"n": off}
    return ngettext("%(n)s level lower than the expert", "%(n)s levels lower than the expert", -off) % {"n": -off}


def pieces_of(text: str, marks: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """The text in stretches, in order and without loss; places in code points, overlapping ones run together."""
    pieces: list[Piece] = []
    at = 0
    for start, end in sorted((mark["start"], mark["end"]) for mark in marks if mark["start"] is not None):
        begin = max(start, at)
        if begin >= end:
            continue
        pieces += [Piece(text[at:begin], False), Piece(text[begin:end], True)]
        at = end
    return [piece for piece in [*pieces, Piece(text[at:], False)] if piece.text]


@dataclass(frozen=True)
class DimensionResult:
    name: str
    mean_difference: float
    words: str


def result_shown(result: Result, rubric: Rubric) -> tuple[list[DimensionResult], list[tuple[str, int]]]:
    """The dimensions, furthest off first, and the violations missed with how often."""
    names = {dimension.key: dimension.name for dimension in rubric.dimensions}
    rows = [
        DimensionResult(names[key], of.mean_difference, _leaning(of.mean_difference, of.leaning))
        for key, of in result.by_dimension.items()
    ]
    rows.sort(key=lambda row: -row.mean_difference)
    return rows, [(rubric.violation_type(kind).name, n) for kind, n in result.missed_types.items()]


def _leaning(mean: float, leaning: float) -> str:
    if mean == 0:
        return _("as the expert, every time")
    if abs(leaning) < mean / 2:
        return _("now higher, now lower than the expert")
    return _("mostly higher than the expert") if leaning > 0 else _("mostly lower than the expert")
