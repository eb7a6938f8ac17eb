"""The decision's form: what fills it, and how it is read. The rules of a decision are in reviews/verdict.py."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from annotation.models import Rubric
from annotation.views.sent import number_or_text, typed
from reviews.errors import DecisionInvalid
from reviews.shown import ShownDecision, ShownScale, ShownViolation
from reviews.verdict import AMBIGUOUS

VALUE, MARK = "value.", "mark."
# Which button sent the form; without one of these it was "decide".
STOP, UNDECIDABLE, ESCALATE = "stop", "undecidable", "escalate"


@dataclass(frozen=True)
class Filled:
    """What stands in the form: blank, a decision to revise, or what was sent. What cannot be read stays as sent."""

    client_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    values: dict[str, int | str] = field(default_factory=dict)
    marks: dict[str, bool | str] = field(default_factory=dict)
    rationale: str = ""
    quick_reason: str = ""
    supersedes: int | None = None
    panel: int | str | None = None

    def as_arguments(self) -> dict[str, Any]:
        """For `services.decisions.decide_case`. Raises DecisionInvalid where the client_id is none."""
        try:
            client_id = uuid.UUID(self.client_id)
        except ValueError as error:
            raise DecisionInvalid(fields={"client_id": [_("The form is damaged: reload the page.")]}) from error
        names = ("values", "marks", "rationale", "quick_reason", "supersedes", "panel")
        return {"client_id": client_id, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True)
class ScaleField:
    """A scale with what is chosen on it: a level, "ambiguous", or nothing."""

    scale: ShownScale
    value: int | str | None
    error: str


@dataclass(frozen=True)
class RulingField:
    """A violation that raters marked, with the ruling: True (confirmed), False (struck) or nothing."""

    violation: ShownViolation
    ruling: bool | str | None
    error: str


def filled_with(decision: ShownDecision, quick_reason: str) -> Filled:
    """The form as it was decided, to be revised; the reason for revising is still to be written."""
    return Filled(
        values=dict(decision.values), marks=dict(decision.marks), quick_reason=quick_reason, supersedes=decision.id
    )


def read_form(sent: QueryDict, rubric: Rubric, *, required: Sequence[str]) -> Filled:
    """The form as it was sent, by a script or without one. The button "not decidable" fills what is missing."""
    values: dict[str, int | str] = {
        dimension.key: _level(given) for dimension in rubric.dimensions if (given := sent.get(VALUE + dimension.key))
    }
    if sent.get("then") == UNDECIDABLE:
        values = {**dict.fromkeys(required, AMBIGUOUS), **values}
    marks: dict[str, bool | str] = dict.fromkeys(sent.getlist("set"), True)
    for kind in rubric.violation_types:
        if given := sent.get(MARK + kind.key):
            marks[kind.key] = {"true": True, "false": False}.get(given, given)
    supersedes = number_or_text(sent.get("supersedes", ""))
    return Filled(
        client_id=sent.get("client_id", ""),
        values=values,
        marks=marks,
        rationale=typed(sent.get("rationale", "")),
        quick_reason=sent.get("quick_reason", ""),
        supersedes=supersedes if isinstance(supersedes, int) else None,
        panel=number_or_text(sent.get("panel", "")) if sent.get("then") == ESCALATE else None,
    )


def _level(text: str) -> int | str:
    return text if text == AMBIGUOUS else number_or_text(text)
