"""The rule that sends an item to an expert. Pure: one function for one item and for many.

A campaign keeps its rule as JSON (`annotation.models.campaign.default_rule`); `Rule` is what it means. A part that is
not named is off:

    range           spread (highest minus lowest score) from which a dimension is disputed; a number for all dimensions,
                    or {dimension: number}
    safety_at_most  any safety score this low
    straddle        {dimension: pass mark}: some raters at or above it, others below
    marks_split     a violation type marked by some raters but not all
    asked           a rater asked for an expert
    hurried         all raters were faster than the text can be read (reviews/pace.py)
    audit_share     share of the items without any of these reasons that is looked at all the same, drawn by seed and id
    extra_raters    so many more raters are asked before an expert is, where the raters merely disagree
    settled_from    share of all its raters who must then agree for the item to need no expert
    twice_share     share of the cases that two experts decide independently, drawn by seed and id
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from statistics import median
from typing import Any

SAFETY = "safety"
SETTLED_FROM = 0.75


class Kind(StrEnum):
    """Why a case is a case."""

    SAFETY = "safety"
    MARKS_SPLIT = "marks_split"
    STRADDLE = "straddle"
    RANGE = "range"
    ASKED = "asked"
    HURRIED = "hurried"
    REOPENED = "reopened"  # not by the rule: a person reopened a decided case
    AUDIT = "audit"


# Which reason is looked at first; a wider range before a narrower one (see `priority_of`).
PRIORITY = {
    Kind.SAFETY: 10,
    Kind.MARKS_SPLIT: 20,
    Kind.REOPENED: 25,
    Kind.STRADDLE: 35,
    Kind.RANGE: 50,
    Kind.ASKED: 60,
    Kind.HURRIED: 70,
    Kind.AUDIT: 90,
}
# What more raters can settle. Danger, and a rater's own wish, go to the expert at once.
DISAGREEMENT = {Kind.MARKS_SPLIT, Kind.STRADDLE, Kind.RANGE, Kind.HURRIED}


@dataclass(frozen=True)
class Rule:
    """A campaign's rule; the fields are said at the head of this file."""

    range: int | Mapping[str, int] | None = None
    safety_at_most: int | None = None
    straddle: Mapping[str, int] = field(default_factory=dict)
    marks_split: bool = False
    asked: bool = False
    hurried: bool = False
    audit_share: float = 0.0
    extra_raters: int = 0
    settled_from: float = SETTLED_FROM
    twice_share: float = 0.0

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "Rule":
        """As a campaign keeps it; null is off."""
        known = {part.name for part in fields(cls)}
        return cls(**{name: value for name, value in kept.items() if name in known and value is not None})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def range_of(self, dimension: str) -> int | None:
        """The spread from which the dimension is disputed."""
        return self.range.get(dimension) if isinstance(self.range, Mapping) else self.range


@dataclass(frozen=True)
class RatingSeen:
    """What the rule reads of one counted rating.

    scores: {dimension: level}; an imported rating may lack some.
    marks: the violation types marked; None where marks were not asked for (imported ratings).
    hurried: faster than the text can be read; unknown time is not held against anyone.
    is_extra: they were asked because the first raters disagreed.
    """

    scores: Mapping[str, int]
    marks: frozenset[str] | None = frozenset()
    needs_expert: bool = False
    hurried: bool = False
    is_extra: bool = False


@dataclass(frozen=True)
class Reason:
    kind: str
    dimension: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"kind": str(self.kind), "dimension": self.dimension, "detail": self.detail}


def reasons_of(
    ratings: Sequence[RatingSeen], rule: Rule, *, after_extra: bool = False, audit_drawn: Callable[[], bool]
) -> list[Reason]:
    """The reasons why this item goes to an expert; empty where its raters agree and it was not drawn.

    after_extra: more raters than the overlap have spoken, so that a clear majority settles what divides them.
    audit_drawn: asked only where there is no other reason (see `is_drawn`).
    """
    settled_from = rule.settled_from if after_extra else None
    reasons = [
        *_low_safety(ratings, rule),
        *_split_marks(ratings, rule, settled_from),
        *_straddles(ratings, rule, settled_from),
        *_wide_ranges(ratings, rule, settled_from),
        *_asked(ratings, rule),
        *_all_hurried(ratings, rule),
    ]
    return reasons if reasons or not audit_drawn() else [Reason(Kind.AUDIT)]


def after_extra(ratings: Sequence[RatingSeen]) -> bool:
    """Whether some have spoken whom the disagreement of the first raters called."""
    return any(rating.is_extra for rating in ratings)


def wants_more_raters(reasons: Sequence[Reason], rule: Rule) -> bool:
    """Whether more raters are asked before an expert is: the raters disagree, and that is all there is."""
    return rule.extra_raters > 0 and bool(reasons) and all(Kind(r.kind) in DISAGREEMENT for r in reasons)


def is_drawn(item_id: str, *, seed: int, share: float, what: str = "audit") -> bool:
    """Whether the item belongs to a share drawn by a hash of seed and id, so the same whenever it is asked.

    what: "audit" or "twice"; the two draws have nothing to do with each other.
    """
    digest = hashlib.sha256(f"{what}:{seed}:{item_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def priority_of(reasons: Sequence[Reason]) -> int:
    """Place in the queue, lowest first."""
    places = [
        PRIORITY[Kind(reason.kind)] - min(10, reason.detail.get("high", 0) - reason.detail.get("low", 0))
        if reason.kind == Kind.RANGE
        else PRIORITY[Kind(reason.kind)]
        for reason in reasons
    ]
    return min(places, default=max(PRIORITY.values()))


def spread_of(ratings: Sequence[RatingSeen]) -> int:
    """The widest range of scores among all dimensions; 0 where nobody differs."""
    return max((max(scores) - min(scores) for scores in _scores_by_dimension(ratings).values()), default=0)


def _scores_by_dimension(ratings: Sequence[RatingSeen]) -> dict[str, list[int]]:
    """{dimension: scores}, in the order in which the ratings name them."""
    scores: dict[str, list[int]] = {}
    for rating in ratings:
        for dimension, value in rating.scores.items():
            scores.setdefault(dimension, []).append(value)
    return scores


def _low_safety(ratings: Sequence[RatingSeen], rule: Rule) -> list[Reason]:
    cut = rule.safety_at_most
    scores = _scores_by_dimension(ratings).get(SAFETY, [])
    low = [score for score in scores if cut is not None and score <= cut]
    return [Reason(Kind.SAFETY, SAFETY, {"lowest": min(low), "raters": len(low)})] if low else []


def _split_marks(ratings: Sequence[RatingSeen], rule: Rule, settled_from: float | None) -> list[Reason]:
    asked = [rating.marks for rating in ratings if rating.marks is not None]
    if not rule.marks_split or not asked:
        return []
    votes = {kind: sum(kind in marks for marks in asked) for kind in sorted(frozenset.union(*asked))}
    split = [kind for kind, n in votes.items() if n < len(asked) and not _is_settled(n, len(asked), settled_from)]
    detail = {"types": split, "votes": {kind: votes[kind] for kind in split}, "raters": len(asked)}
    return [Reason(Kind.MARKS_SPLIT, detail=detail)] if split else []


def _straddles(ratings: Sequence[RatingSeen], rule: Rule, settled_from: float | None) -> list[Reason]:
    reasons = []
    for dimension, scores in _scores_by_dimension(ratings).items():
        cut = rule.straddle.get(dimension)
        above = sum(cut is not None and score >= cut for score in scores)
        if 0 < above < len(scores) and not _is_settled(above, len(scores), settled_from):
            reasons.append(Reason(Kind.STRADDLE, dimension, {"cut": cut, "above": above, "raters": len(scores)}))
    return reasons


def _wide_ranges(ratings: Sequence[RatingSeen], rule: Rule, settled_from: float | None) -> list[Reason]:
    reasons = []
    for dimension, scores in _scores_by_dimension(ratings).items():
        limit, low, high = rule.range_of(dimension), min(scores), max(scores)
        near = sum(abs(score - median(scores)) <= 1 for score in scores)
        settled = settled_from is not None and near >= settled_from * len(scores)
        if limit is not None and high - low >= limit and not settled:
            reasons.append(Reason(Kind.RANGE, dimension, {"low": low, "high": high}))
    return reasons


def _is_settled(votes: int, raters: int, settled_from: float | None) -> bool:
    """A clear majority, on either side."""
    return settled_from is not None and max(votes, raters - votes) >= settled_from * raters


def _asked(ratings: Sequence[RatingSeen], rule: Rule) -> list[Reason]:
    asked = sum(rating.needs_expert for rating in ratings)
    return [Reason(Kind.ASKED, detail={"raters": asked})] if rule.asked and asked else []


def _all_hurried(ratings: Sequence[RatingSeen], rule: Rule) -> list[Reason]:
    hurried = bool(ratings) and all(rating.hurried for rating in ratings)
    return [Reason(Kind.HURRIED, detail={"raters": len(ratings)})] if rule.hurried and hurried else []
