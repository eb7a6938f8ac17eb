"""The rule that sends an item to an expert. Pure: one function for one item and for many.

A campaign's rule (`annotation.models.campaign.default_rule`):

    range           spread (highest minus lowest score) from which a dimension is disputed; a number for all dimensions,
                    or {dimension: number}; null leaves it out
    safety_at_most  any safety score this low; null leaves it out
    marks_split     a violation type marked by some raters but not all
    asked           a rater asked for an expert
    audit_share     share of the items without any of these reasons that is looked at all the same, drawn by seed and id
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

SAFETY = "safety"


class Kind(StrEnum):
    """Why a case is a case."""

    SAFETY = "safety"
    MARKS_SPLIT = "marks_split"
    RANGE = "range"
    ASKED = "asked"
    REOPENED = "reopened"  # not by the rule: a person reopened a decided case
    AUDIT = "audit"


# Which reason is looked at first; a wider range before a narrower one (see `priority_of`).
PRIORITY = {
    Kind.SAFETY: 10,
    Kind.MARKS_SPLIT: 20,
    Kind.REOPENED: 25,
    Kind.RANGE: 50,
    Kind.ASKED: 60,
    Kind.AUDIT: 90,
}


@dataclass(frozen=True)
class RatingSeen:
    """What the rule reads of one counted rating.

    scores: {dimension: level}; an imported rating may lack some.
    marks: the violation types marked; None where marks were not asked for (imported ratings).
    """

    scores: Mapping[str, int]
    marks: frozenset[str] | None = frozenset()
    needs_expert: bool = False


@dataclass(frozen=True)
class Reason:
    kind: str
    dimension: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"kind": str(self.kind), "dimension": self.dimension, "detail": self.detail}


def reasons_of(
    ratings: Sequence[RatingSeen], rule: Mapping[str, Any], *, audit_drawn: Callable[[], bool]
) -> list[Reason]:
    """The reasons why this item goes to an expert; empty where its raters agree and it was not drawn.

    audit_drawn: asked only where there is no other reason (see `is_drawn`).
    """
    reasons = [*_low_safety(ratings, rule), *_split_marks(ratings, rule), *_wide_ranges(ratings, rule)]
    asked = sum(rating.needs_expert for rating in ratings)
    if rule.get("asked") and asked:
        reasons.append(Reason(Kind.ASKED, detail={"raters": asked}))
    if not reasons and audit_drawn():
        reasons.append(Reason(Kind.AUDIT))
    return reasons


def is_drawn(item_id: str, *, seed: int, share: float) -> bool:
    """Whether the item belongs to the audit share: by a hash of seed and id, so the same whenever it is asked."""
    digest = hashlib.sha256(f"audit:{seed}:{item_id}".encode()).digest()
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


def _low_safety(ratings: Sequence[RatingSeen], rule: Mapping[str, Any]) -> list[Reason]:
    cut = rule.get("safety_at_most")
    scores = [rating.scores[SAFETY] for rating in ratings if SAFETY in rating.scores]
    low = [score for score in scores if cut is not None and score <= cut]
    return [Reason(Kind.SAFETY, SAFETY, {"lowest": min(low), "raters": len(low)})] if low else []


def _split_marks(ratings: Sequence[RatingSeen], rule: Mapping[str, Any]) -> list[Reason]:
    asked = [rating.marks for rating in ratings if rating.marks is not None]
    if not rule.get("marks_split") or not asked:
        return []
    split = sorted(frozenset.union(*asked) - frozenset.intersection(*asked))
    votes = {kind: sum(kind in marks for marks in asked) for kind in split}
    return [Reason(Kind.MARKS_SPLIT, detail={"types": split, "votes": votes, "raters": len(asked)})] if split else []


def _wide_ranges(ratings: Sequence[RatingSeen], rule: Mapping[str, Any]) -> list[Reason]:
    limits = rule.get("range")
    if limits is None:
        return []
    dimensions = dict.fromkeys(dimension for rating in ratings for dimension in rating.scores)
    reasons = []
    for dimension in dimensions:
        limit = limits.get(dimension) if isinstance(limits, Mapping) else limits
        scores = [rating.scores[dimension] for rating in ratings if dimension in rating.scores]
        if limit is not None and max(scores) - min(scores) >= limit:
            reasons.append(Reason(Kind.RANGE, dimension, {"low": min(scores), "high": max(scores)}))
    return reasons
