"""What is on record of each item of a campaign, as plain data: what gold, releases and reports are made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.models import Rating
from reviews.gold import DecisionGiven, ItemHistory, RatingGiven
from reviews.models import Decision


@dataclass(frozen=True)
class MarkRecord:
    type: str
    start: int | None
    end: int | None
    quote: str
    note: str


@dataclass(frozen=True)
class NoteRecord:
    """A rater's remark on a passage; nothing but a release and an expert's page reads it."""

    start: int
    end: int
    quote: str
    text: str


@dataclass(frozen=True)
class RatingRecord:
    """One submitted rating, whatever became of it. rater: the annotator's key. rank: which rater of the item."""

    number: int
    rater: int
    status: str
    rank: int
    rubric: int
    submitted_at: datetime
    seconds: int
    rationale: str
    needs_expert: bool
    imported: bool
    scores: Mapping[str, int]
    marks: Sequence[MarkRecord]
    notes: Sequence[NoteRecord] = ()

    @property
    def counts(self) -> bool:
        return self.status == Rating.Status.COUNTED


@dataclass(frozen=True)
class DecisionRecord:
    """One decision. values: None where the dimension cannot be decided. kind: a ruling, or one opinion of several."""

    number: int
    kind: str
    round: int
    expert: int
    values: Mapping[str, int | None]
    marks: Mapping[str, bool]
    rationale: str
    quick_reason: str
    decided_at: datetime
    superseded: bool


@dataclass(frozen=True)
class ItemRecord:
    """One item with everything that was said of it: ratings in order of rank and time, decisions in order of time.

    arrival: SHA-256 of the file that the response came from. case_open, audit: of its standing case.
    """

    item_id: str
    key: str
    task: str
    component: str
    language: str
    companion: str
    condition: str
    text: str
    arrival: str
    needed: int
    withdrawn: bool
    case_open: bool = False
    audit: bool = False
    ratings: Sequence[RatingRecord] = field(default=())
    decisions: Sequence[DecisionRecord] = field(default=())

    @property
    def standing_decision(self) -> DecisionRecord | None:
        rulings = (decision for decision in reversed(self.decisions) if decision.kind == Decision.Kind.RULING)
        return next((decision for decision in rulings if not decision.superseded), None)

    def history(self) -> ItemHistory:
        """As `reviews.gold` reads it."""
        decision = self.standing_decision
        return ItemHistory(
            item_id=self.item_id,
            cluster=self.key,
            needed=self.needed,
            ratings=[
                RatingGiven(
                    rater=rating.rater,
                    scores=rating.scores,
                    marks=None if rating.imported else frozenset(mark.type for mark in rating.marks),
                )
                for rating in self.ratings
                if rating.counts
            ],
            withdrawn=self.withdrawn,
            case_open=self.case_open,
            audit=self.audit,
            decision=DecisionGiven(decision.number, decision.values, decision.marks) if decision else None,
        )
