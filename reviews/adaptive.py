"""What asking more raters only where the first disagree would have cost and saved, by resampling an item's own ratings.

Pure. A design (n, k): n raters of an item first; where the rule then says that they merely disagree, up to k more, one
at a time until there is a clear majority; an expert for what is left. As reviews/services/review_item.py does it.
Beside it: n + k raters of every item, and the expert where the rule says so.

Ratings of one item are drawn without replacement, in every order there is where these are few, else in a seeded sample.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from math import comb, perm
from statistics import median

from reviews.rules import RatingSeen, Rule, reasons_of, wants_more_raters

# So many ways of drawing the first and then the others are gone through one by one; of more, so many are drawn.
EXACT, DRAWN = 720, 200
LARGEST, MOST_MORE = 6, 3
Places = tuple[int, ...]


@dataclass(frozen=True, order=True)
class Design:
    first: int
    more: int

    @property
    def all(self) -> int:
        return self.first + self.more


@dataclass(frozen=True)
class RatedItem:
    """ratings: given independently of each other, in any order; cluster: the scenario."""

    item_id: str
    cluster: str
    ratings: Sequence[RatingSeen]


@dataclass(frozen=True)
class Way:
    """What one way of asking raters comes to on an item: means over the draws.

    ratings: asked for. sent: to an expert. off: {dimension: share of draws without an expert in which the median
    differs from that of all the item's ratings by 1 or more}; off_any: on any dimension.
    """

    ratings: float
    sent: float
    off: Mapping[str, float] = field(default_factory=dict)
    off_any: float = 0.0


@dataclass(frozen=True)
class Compared:
    """One item under a design, and with as many raters as it may ask for at most."""

    cluster: str
    adaptive: Way
    fixed: Way


def designs_for(most: int) -> list[Design]:
    """Those that items with so many ratings can be drawn for: two first or more, as disagreement takes two."""
    found = (Design(first, more) for first in range(2, most) for more in range(1, MOST_MORE + 1))
    return sorted((d for d in found if d.all <= min(most, LARGEST)), key=lambda design: (design.all, design.first))


def compare_item(item: RatedItem, rule: Rule, design: Design, *, seed: int) -> Compared:
    """What the design comes to on an item, which has as many ratings as it may ask for.

    The audit is left out: it is drawn among the agreed, whatever the design.
    """
    rule = replace(rule, audit_share=0.0, extra_raters=design.more)
    judge = _Judge(item, rule)
    adaptive = [judge.adaptive(first, more) for first, more in _draws(item, design, seed)]
    fixed = [judge.fixed(places) for places, _none in _draws(item, Design(design.all, 0), seed)]
    return Compared(item.cluster, _mean(adaptive), _mean(fixed))


def is_exact(ratings: int, design: Design) -> bool:
    """Whether every way of drawing is gone through."""
    return comb(ratings, design.first) * perm(ratings - design.first, design.more) <= EXACT


def _draws(item: RatedItem, design: Design, seed: int) -> Iterator[tuple[Places, Places]]:
    """The first raters, and the others in their order."""
    places = range(len(item.ratings))
    if is_exact(len(item.ratings), design):
        for first in combinations(places, design.first):
            rest = [place for place in places if place not in first]
            for more in permutations(rest, design.more):
                yield first, more
        return
    draw = random.Random(f"{seed}:{item.item_id}:{design.first}:{design.more}")
    for _ in range(DRAWN):
        drawn = draw.sample(places, design.all)
        yield tuple(sorted(drawn[: design.first])), tuple(drawn[design.first :])


class _Judge:
    """One item; what the rule and the median say of a subset of its ratings is worked out once."""

    def __init__(self, item: RatedItem, rule: Rule) -> None:
        self.ratings, self.rule = item.ratings, rule
        self.whole = _medians(item.ratings)
        self._reasons: dict[tuple[Places, bool], tuple[bool, bool]] = {}
        self._off: dict[Places, frozenset[str]] = {}

    def adaptive(self, first: Places, more: Places) -> Way:
        any_reason, wants_more = self._says(first, after_extra=False)
        if not any_reason:
            return self._settled(first)
        if not wants_more:
            return Way(len(first), 1.0)
        asked = first
        for place in more:
            asked = tuple(sorted((*asked, place)))
            any_reason, _wants = self._says(asked, after_extra=True)
            if not any_reason:
                return self._settled(asked)
        return Way(len(asked), 1.0)

    def fixed(self, places: Places) -> Way:
        any_reason, _wants = self._says(places, after_extra=False)
        return Way(len(places), 1.0) if any_reason else self._settled(places)

    def _says(self, places: Places, *, after_extra: bool) -> tuple[bool, bool]:
        """Whether there is a reason, and whether more raters could settle it."""
        key = places, after_extra
        if key not in self._reasons:
            drawn = [self.ratings[place] for place in places]
            reasons = reasons_of(drawn, self.rule, after_extra=after_extra, audit_drawn=lambda: False)
            self._reasons[key] = bool(reasons), wants_more_raters(reasons, self.rule)
        return self._reasons[key]

    def _settled(self, places: Places) -> Way:
        if places not in self._off:
            found = _medians([self.ratings[place] for place in places])
            self._off[places] = frozenset(key for key, value in found.items() if abs(value - self.whole[key]) >= 1)
        off = self._off[places]
        return Way(len(places), 0.0, dict.fromkeys(off, 1.0), float(bool(off)))


def _medians(ratings: Sequence[RatingSeen]) -> dict[str, float]:
    scores: dict[str, list[int]] = {}
    for rating in ratings:
        for dimension, value in rating.scores.items():
            scores.setdefault(dimension, []).append(value)
    return {dimension: median(given) for dimension, given in scores.items()}


def _mean(ways: Sequence[Way]) -> Way:
    n = len(ways)
    dimensions = {key for way in ways for key in way.off}
    return Way(
        ratings=sum(way.ratings for way in ways) / n,
        sent=sum(way.sent for way in ways) / n,
        off={key: sum(way.off.get(key, 0.0) for way in ways) / n for key in dimensions},
        off_any=sum(way.off_any for way in ways) / n,
    )
