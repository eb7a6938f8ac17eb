"""The rating form: what it is filled with, and how it is read. The rules of a rating are in the services."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.errors import RatingInvalid
from annotation.models import Rating, Rubric
from annotation.validation import NOTE as NOTE_TYPE
from annotation.validation import can_be_stored
from annotation.views.sent import number_or_text, typed

SCORE = "score."
NOTE = "note."


@dataclass(frozen=True)
class Filled:
    """What stands in the form: blank, a rating to edit, or what was sent. A level that is no number stays as sent."""

    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    scores: dict[str, Any] = field(default_factory=dict)
    marks: list[dict[str, Any]] = field(default_factory=list)
    rationale: str = ""
    needs_expert: bool = False
    seconds: int = 0
    supersedes: int | None = None

    @property
    def marks_json(self) -> str:
        return json.dumps(self.marks, ensure_ascii=False)

    def marks_of(self, kind: str) -> list[dict[str, Any]]:
        return [mark for mark in self.marks if mark["type"] == kind]

    def as_arguments(self) -> dict[str, Any]:
        """For `services.ratings.submit_rating`. Raises RatingInvalid where the client_id is none."""
        try:
            client_id = uuid.UUID(self.client_id)
        except ValueError as error:
            raise RatingInvalid(fields={"client_id": [_("The form is damaged: reload the page.")]}) from error
        names = ("scores", "marks", "rationale", "needs_expert", "seconds", "supersedes")
        return {"client_id": client_id, **{name: getattr(self, name) for name in names}}


def filled_with(rating: Rating) -> Filled:
    """The form as it was submitted, to be edited."""
    return Filled(
        scores={score.dimension: score.value for score in rating.scores.all()},
        marks=rating.marks_as_json(),
        rationale=rating.rationale,
        needs_expert=rating.needs_expert,
        seconds=rating.seconds,
        supersedes=rating.pk,
    )


def read_form(sent: QueryDict, rubric: Rubric) -> Filled:
    """The form as it was sent, by a script or without one."""
    given = {dimension.key: sent.get(SCORE + dimension.key, "") for dimension in rubric.dimensions}
    scores = {key: number_or_text(level) for key, level in given.items() if level}
    marks = _marks(sent.get("marks", ""))
    seconds, supersedes = number_or_text(sent.get("seconds", "0")), number_or_text(sent.get("supersedes", ""))
    return Filled(
        client_id=sent.get("client_id", ""),
        scores=scores,
        marks=_marks_without_script(sent, marks, rubric) if "plain" in sent else marks,
        rationale=typed(sent.get("rationale", "")),
        needs_expert="needs_expert" in sent,
        seconds=seconds if isinstance(seconds, int) else 0,
        supersedes=supersedes if isinstance(supersedes, int) else None,
    )


def _marks(text: str) -> list[dict[str, Any]]:
    try:
        marks = json.loads(text or "[]")
    except (ValueError, RecursionError):
        marks = None
    damaged = not isinstance(marks, list) or not all(isinstance(mark, dict) for mark in marks)
    # JSON can spell half of a surrogate pair, which no page could show again.
    if damaged or not can_be_stored(json.dumps(marks, ensure_ascii=False)):
        raise RatingInvalid(fields={"marks": [_("The form is damaged: reload the page.")]})
    blank = {"type": "", "start": None, "end": None, "quote": "", "note": ""}
    return [blank | {key: mark[key] for key in blank.keys() & mark.keys()} for mark in marks]


def _marks_without_script(sent: QueryDict, before: list[dict[str, Any]], rubric: Rubric) -> list[dict[str, Any]]:
    """Without a script a kind is a box with a note; a mark made earlier keeps its passage while its box is ticked."""
    marks = []
    for kind in rubric.violation_types:
        if kind.key not in sent.getlist("mark"):
            continue
        note = typed(sent.get(NOTE + kind.key, ""))
        earlier = [mark for mark in before if mark["type"] == kind.key]
        kept = [mark | {"note": note} if i == 0 else mark for i, mark in enumerate(earlier)]
        marks += kept or [{"type": kind.key, "start": None, "end": None, "quote": "", "note": note}]
    return marks + [mark for mark in before if mark["type"] == NOTE_TYPE]
