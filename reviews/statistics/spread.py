"""Where ratings of one unit lie apart, how far, and which levels are taken for which."""

from dataclasses import dataclass

import numpy as np

from .pair_confusion import PairConfusions, pair_confusions
from .patterns import DimensionRatings, Patterns, ends


@dataclass(frozen=True)
class Spread:
    """Of one dimension.

    by_ratings: {number of ratings: units that have so many}. ranges: {highest minus lowest level of a unit with two
    ratings or more: units}, in levels of the scale. confusion: (K, K) how often a rating at one level stands beside one
    at the other, over ordered pairs of ratings of one unit, so symmetric; None on an open scale. pairs: the same of
    every two raters, see `pair_confusions`.
    """

    by_ratings: dict[int, int]
    ranges: dict[int, int]
    confusion: np.ndarray | None
    levels: list[str]
    pairs: PairConfusions | None

    def to_json(self) -> dict[str, object]:
        return {
            "by_ratings": {str(size): n for size, n in self.by_ratings.items()},
            "ranges": {str(levels): n for levels, n in self.ranges.items()},
            # Its levels beside it: a database may keep the keys of an object in an order of its own.
            "confusion": None
            if self.confusion is None
            else {"levels": self.levels, "counts": self.confusion.astype(int).tolist()},
            "pair_confusions": None if self.pairs is None else self.pairs.to_json(),
        }


def spread_of(ratings: DimensionRatings, patterns: Patterns) -> Spread:
    """From the pattern table; nothing of it is an estimate."""
    sizes = np.bincount(ratings.unit, minlength=ratings.units)
    counts = None if patterns.open else patterns.counts
    confusion = None
    if counts is not None:
        confusion = counts.T @ (counts * patterns.n[:, None]) - np.diag(patterns.n @ counts)
    return Spread(
        by_ratings=_often(sizes),
        ranges=_often(ranges_of(ratings)[sizes >= 2]) if counts is not None and ratings.level != "nominal" else {},
        confusion=confusion,
        levels=ratings.scale.labels,
        pairs=pair_confusions(ratings),
    )


def ranges_of(ratings: DimensionRatings) -> np.ndarray:
    """Highest minus lowest of each unit, (U,), in steps of the scale."""
    lowest, highest = ends(ratings.unit, ratings.code, ratings.units)
    return highest - lowest


def _often(values: np.ndarray) -> dict[int, int]:
    kinds, often = np.unique(values, return_counts=True)
    return dict(zip(kinds.tolist(), often.tolist(), strict=True))
