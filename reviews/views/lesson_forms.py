"""The three forms under a decided case: what fills them. What they do is in services/letters.py and lessons.py."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.errors import ConcordError
from annotation.models import Campaign, Dimension, User, ViolationType, WorkItem
from annotation.models.rubric import reader_language
from annotation.services.messages import LONGEST
from annotation.services.rubrics import LANGUAGES, LONGEST_PASSAGE
from reviews import policy
from reviews.lessons import Decided, answer_of, decided, example_of
from reviews.models import Case, Decision

LEVEL = "level."


@dataclass(frozen=True)
class Form:
    """A form as it stands: what fills it, and what was wrong with what was sent."""

    values: Mapping[str, Any] = field(default_factory=dict)
    error: ConcordError | None = None
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """A dimension whose level the training item still needs, with what was chosen."""

    dimension: Dimension
    value: int | str | None
    error: str


@dataclass(frozen=True)
class Lessons:
    """What the page says and asks of a decided case.

    asked: levels that the training item needs, none where all are decided. scales: (dimension, decided level or None)
    that an example may be of. whys: (language, what was typed). is_settled: not rated again, not withdrawn. closed: the
    campaign takes nothing more.
    """

    letter: Form
    training: Form
    asked: list[Asked]
    example: Form
    scales: list[tuple[Dimension, int | None]]
    confirmed: list[ViolationType]
    whys: list[tuple[str, str]]
    in_guideline: bool
    is_training: bool
    is_settled: bool
    closed: bool
    longest: int = LONGEST
    longest_passage: int = LONGEST_PASSAGE

    @property
    def is_open(self) -> bool:
        """Something was refused: its form is to be seen."""
        return any(form.error for form in (self.letter, self.training, self.example))


def lessons_of(case: Case, viewer: User, sent: Mapping[str, Form] | None = None) -> Lessons | None:
    """None where the case is not decided, or is not theirs to teach from. sent: the form that was refused, by name."""
    if case.state != Case.State.DECIDED or not policy.may_teach_from(viewer, case):
        return None
    item, sent = case.work_item, sent or {}
    item.campaign = case.campaign
    decision = Decision.objects.standing().filter(case=case).latest("pk")
    training, example = sent.get("training", Form()), sent.get("example")
    example = example or Form(example_of(item, decision))
    return Lessons(
        letter=sent.get("letter", Form()),
        training=training,
        asked=[
            Asked(one, training.values.get(one.key), training.faults.get(f"levels.{one.key}", ""))
            for one in answer_of(item, decision).missing
        ],
        example=example,
        **_choices(case.campaign, decided(decision)),
        whys=[(language, (example.values["why"] or {}).get(language, "")) for language in _languages()],
        in_guideline=item.in_guideline,
        is_training=WorkItem.everything.filter(
            campaign=case.campaign, response=item.response_id, purpose=WorkItem.Purpose.TRAINING
        ).exists(),
        is_settled=item.state == WorkItem.State.SETTLED,
        closed=case.campaign.state == Campaign.State.CLOSED,
    )


def _choices(campaign: Campaign, said: Decided) -> dict[str, Any]:
    rubric = campaign.rubric
    return {
        "scales": [(one, said.values[one.key]) for one in rubric.dimensions if one.key in said.values],
        "confirmed": [kind for kind in rubric.violation_types if said.marks.get(kind.key)],
    }


def _languages() -> list[str]:
    """The reader's own first."""
    return sorted(LANGUAGES, key=lambda language: language != reader_language())
