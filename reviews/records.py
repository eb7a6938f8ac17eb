"""What is on record of each item of a campaign, as plain data: what gold, releases and reports are made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from annotation.models import Rating
from reviews.expert_agreement import CaseJudged, OpinionGiven
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
    """One submitted rating, whatever became of it. rater: the annotator's key. rank: which rater of the item.

    is_extra: asked because the first raters disagreed.
    """

    number: int
    rater: int
    status: str
    rank: int
    is_extra: bool
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
    """One decision. values: None where the dimension cannot be decided.

    kind: a ruling stands, an opinion is one of several given independently; round: of an opinion, see the model.
    """

    number: int
    expert: int
    kind: str
    round: int
    values: Mapping[str, int | None]
    marks: Mapping[str, bool]
    rationale: str
    quick_reason: str
    decided_at: datetime
    superseded: bool


@dataclass(frozen=True)
class ItemRecord:
    """One item with everything that was said of it: ratings in order of rank and time, decisions in order of time.

    arrival: SHA-256 of the file that the response came from. case_open, audit, twice: of its standing case.
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
    twice: bool = False
    ratings: Sequence[RatingRecord] = field(default=())
    decisions: Sequence[DecisionRecord] = field(default=())

    @property
    def standing_decision(self) -> DecisionRecord | None:
        """The latest ruling; opinions make no gold."""
        return next((decision for decision in reversed(self.rulings) if not decision.superseded), None)

    @property
    def rulings(self) -> list[DecisionRecord]:
        return [decision for decision in self.decisions if decision.kind == Decision.Kind.RULING]

    def judged(self) -> CaseJudged | None:
        """As `reviews.expert_agreement` reads it; None where nobody gave an independent opinion.

        None of a withdrawn item too: nothing said of it is in any figure.
        """
        if self.withdrawn:
            return None
        opinions = [
            OpinionGiven(decision.round, decision.values, decision.marks)
            for decision in self.decisions
            if decision.kind == Decision.Kind.OPINION
        ]
        return CaseJudged(self.key, self.twice, opinions) if opinions else None

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


@dataclass(frozen=True)
class RulingRecord:
    """What an expert ruled about a scenario itself. version: of the scenario; revised_to: of the one that replaces it.

    superseded: a later ruling on the same scenario stands.
    """

    key: str
    task: str
    version: int
    verdict: str
    fault: str
    reason: str
    expert: int
    revised_to: int | None
    ruled_at: datetime
    superseded: bool
