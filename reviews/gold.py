"""What the judgements of an item come to. Pure: the same function for one item, for a release, and for the rebuild.

    adjudicated   the expert gave a value
    ambiguous     the expert said that it cannot be decided: no value, the distribution is kept
    consensus     otherwise: the median of the counted ratings, a half point may stand

No label before the item is complete; on a closed campaign two counted ratings make a consensus that is marked short.
An item whose case is open is left out, unless the case is an audit: its consensus stands until the expert has spoken.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median

from reviews.intervals import Proportion, proportion


class Method(StrEnum):
    CONSENSUS = "consensus"
    ADJUDICATED = "adjudicated"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True)
class RatingGiven:
    """One counted rating. marks: types marked; None where marks were not asked for (imported ratings)."""

    rater: int
    scores: Mapping[str, int]
    marks: frozenset[str] | None = frozenset()


@dataclass(frozen=True)
class DecisionGiven:
    """The standing decision of the item's case. values: None where the dimension cannot be decided."""

    number: int
    values: Mapping[str, int | None]
    marks: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class ItemHistory:
    """Everything an item's labels are made from.

    needed: raters it wants. ratings: the counted ones in order of rank. case_open: an expert has still to decide.
    audit: its case was drawn at random, its raters had agreed. cluster: its scenario.
    """

    item_id: str
    cluster: str
    needed: int
    ratings: Sequence[RatingGiven]
    withdrawn: bool = False
    case_open: bool = False
    audit: bool = False
    decision: DecisionGiven | None = None

    @property
    def is_complete(self) -> bool:
        return len(self.ratings) >= self.needed

    @property
    def is_held_back(self) -> bool:
        """Left out of gold until its case is decided; a reopened audit too, since a decision stood on it."""
        return self.case_open and not (self.audit and self.decision is None)

    def scores(self, dimension: str) -> list[int]:
        return [rating.scores[dimension] for rating in self.ratings if dimension in rating.scores]


@dataclass(frozen=True)
class GoldLabel:
    """Value per (item, dimension) with how it came to be.

    value: a level or a half point; None where ambiguous. short: fewer raters than the item needed.
    raters, spread (highest minus lowest), distribution: of the counted ratings. decision: its number, where one spoke.
    """

    item_id: str
    dimension: str
    value: float | None
    method: Method
    short: bool
    raters: int
    spread: int | None
    distribution: Mapping[int, int]
    decision: int | None


@dataclass(frozen=True)
class ViolationLabel:
    """Whether a violation stands on an item: gold is None where nobody could say."""

    item_id: str
    type: str
    votes: int
    raters: int
    gold: bool | None
    how: str  # adjudicated, unanimous, undecided


def labels_of(item: ItemHistory, *, dimensions: Sequence[str], closed: bool) -> list[GoldLabel]:
    """The gold labels of one item, a dimension at most one, in the order of `dimensions`."""
    if item.withdrawn or item.is_held_back or not (item.is_complete or closed):
        return []
    return [label for dimension in dimensions if (label := _label(item, dimension)) is not None]


def _label(item: ItemHistory, dimension: str) -> GoldLabel | None:
    scores, decision = item.scores(dimension), None if item.case_open else item.decision
    value: float | None
    if decision is not None and dimension in decision.values:
        value = decision.values[dimension]
        method = Method.AMBIGUOUS if value is None else Method.ADJUDICATED
    elif len(scores) >= min(2, item.needed):
        value, method, decision = median(scores), Method.CONSENSUS, None
    else:
        return None
    return GoldLabel(
        item_id=item.item_id,
        dimension=dimension,
        value=value,
        method=method,
        short=len(scores) < item.needed,
        raters=len(scores),
        spread=max(scores) - min(scores) if scores else None,
        distribution=dict(sorted(Counter(scores).items())),
        decision=decision.number if decision else None,
    )


def violations_of(item: ItemHistory, *, closed: bool) -> list[ViolationLabel]:
    """The violations that any rater marked or the expert ruled on: what the expert said, else what all raters said."""
    if item.withdrawn or item.is_held_back or not (item.is_complete or closed):
        return []
    asked = [rating.marks for rating in item.ratings if rating.marks is not None]
    ruled = item.decision.marks if item.decision and not item.case_open else {}
    labels = []
    for kind in sorted(frozenset().union(*asked) | ruled.keys()):
        votes = sum(kind in marks for marks in asked)
        gold = ruled.get(kind)
        how = "adjudicated" if gold is not None else "unanimous" if votes == len(asked) else "undecided"
        gold = True if how == "unanimous" else gold
        labels.append(ViolationLabel(item.item_id, kind, votes, len(asked), gold, how))
    return labels


@dataclass(frozen=True)
class ConsensusError:
    """How often an expert who looked at agreed items differed from their consensus, on one dimension.

    audited: audited items with a decided value. off_by_one: by 1 or more; off_at_all: by any amount.
    undecidable: audited items where the expert said that it cannot be decided; not among the audited.
    """

    dimension: str
    audited: int
    off_by_one: Proportion
    off_at_all: Proportion
    undecidable: int


def consensus_errors(items: Iterable[ItemHistory], *, dimensions: Sequence[str]) -> list[ConsensusError]:
    """The error of consensus, measured on the audit's decided items."""
    audited = [item for item in items if item.audit and item.decision and not item.case_open and not item.withdrawn]
    return [_consensus_error(audited, dimension) for dimension in dimensions]


def _consensus_error(audited: Sequence[ItemHistory], dimension: str) -> ConsensusError:
    differences: list[tuple[str, float]] = []
    undecidable = 0
    for item in audited:
        scores = item.scores(dimension)
        if item.decision is None or dimension not in item.decision.values or not scores:
            continue
        value = item.decision.values[dimension]
        if value is None:
            undecidable += 1
        else:
            differences.append((item.cluster, abs(value - median(scores))))
    return ConsensusError(
        dimension=dimension,
        audited=len(differences),
        off_by_one=proportion([(cluster, difference >= 1) for cluster, difference in differences]),
        off_at_all=proportion([(cluster, difference > 0) for cluster, difference in differences]),
        undecidable=undecidable,
    )
