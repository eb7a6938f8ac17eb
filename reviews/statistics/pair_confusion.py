"""Which level one rater gives where another gives which: a table of counts for every two raters."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from .kappa import levels_met
from .patterns import DimensionRatings

MOST_RATERS = 30  # of so many, those with most ratings, every two are kept: 435 tables
MOST_LEVELS = 25  # a finer scale has more cells than ratings


@dataclass(frozen=True)
class PairConfusion:
    """counts: (K, K) units by the levels of a, row by row, and of b, column by column."""

    a: str
    b: str
    counts: np.ndarray


@dataclass(frozen=True)
class PairConfusions:
    """Of one dimension: the pairs with a unit in common, in the order of `pair_table`.

    raters: how many raters' pairs these are; of: how many raters there are.
    """

    levels: list[str]
    raters: int
    of: int
    pairs: list[PairConfusion]

    def to_json(self) -> dict[str, Any]:
        """Lists throughout: a database may keep the keys of an object in an order of its own."""
        return {
            "levels": self.levels,
            "raters": self.raters,
            "of": self.of,
            "pairs": [{"a": one.a, "b": one.b, "counts": one.counts.astype(int).tolist()} for one in self.pairs],
        }


def pair_confusions(ratings: DimensionRatings) -> PairConfusions | None:
    """None of fewer than two raters, where ratings are anonymous, or on an open or very fine scale."""
    levels, raters = len(ratings.scale.levels), len(ratings.rater_names)
    if ratings.rater is None or raters < 2 or ratings.scale.open or levels > MOST_LEVELS:
        return None
    often = np.bincount(ratings.rater, minlength=raters)
    kept = np.zeros(raters, dtype=bool)
    kept[np.argsort(-often, kind="stable")[:MOST_RATERS]] = True
    met = levels_met(ratings)
    both = np.flatnonzero(kept[met.first] & kept[met.second])
    keys, which = np.unique(met.first[both] * raters + met.second[both], return_inverse=True)
    counts = np.zeros((len(keys), levels, levels))
    counts[which, met.k[both], met.m[both]] = met.often[both]
    names = ratings.rater_names
    return PairConfusions(
        levels=ratings.scale.labels,
        raters=int(kept.sum()),
        of=raters,
        pairs=[
            PairConfusion(names[key // raters], names[key % raters], table)
            for key, table in zip(keys.tolist(), counts, strict=True)
        ],
    )
