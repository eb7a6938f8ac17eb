"""Straight-lining: raters who give one level again and again, and what their ratings have to do with the others'."""

from typing import NamedTuple

import numpy as np

from .measured import ROUNDING, Measured
from .patterns import DimensionRatings, ends
from .reasons import Reason
from .tidy import Ratings

STRAIGHT_SHARE = 0.9  # of a rater's ratings at one level
STRAIGHT_RATINGS = 30  # under which such a share says nothing
STRAIGHT_RUN = 20  # equal ratings one after the other
FEWEST_CORRELATED = 3  # any two points lie on a line

BY_SHARE = "modal_share"
BY_RUN = "run"


class EqualShare(NamedTuple):
    """Of the `n` units a rater rated on every dimension, the share where all values are equal; None of no unit."""

    share: float | None
    n: int


def modal_shares(ratings: DimensionRatings) -> np.ndarray:
    """Share of a rater's ratings that are at their most frequent level, (R,)."""
    assert ratings.rater is not None
    raters, levels = len(ratings.rater_names), max(len(ratings.scale.levels), 1)
    cells, often = np.unique(ratings.rater * levels + ratings.code, return_counts=True)
    most = np.zeros(raters)
    np.maximum.at(most, cells // levels, often)
    return most / np.bincount(ratings.rater, minlength=raters)


def longest_runs(ratings: DimensionRatings) -> np.ndarray:
    """Longest run of one level in a rater's sequence, (R,)."""
    longest = np.zeros(len(ratings.rater_names), dtype=np.int64)
    order, starts, length = _runs(ratings)
    assert ratings.rater is not None
    np.maximum.at(longest, ratings.rater[order[starts]], length)
    return longest


def constant_raters(ratings: DimensionRatings) -> np.ndarray:
    """Whether all ratings of a rater are equal, (R,)."""
    assert ratings.rater is not None
    low, high = ends(ratings.rater, ratings.code, len(ratings.rater_names))
    return low == high


def straight_lining(ratings: DimensionRatings) -> list[tuple[str, ...]]:
    """By what each rater is seen to straight-line: "modal_share", "run", both or none.

    modal_share: nine ratings of ten or more, of thirty or more, are at one level. run: twenty or more ratings one
    after the other are equal while the others vary: what they gave to the units of that very run is not all equal.
    """
    assert ratings.rater is not None
    n = np.bincount(ratings.rater, minlength=len(ratings.rater_names))
    # a share of exactly nine of ten counts, however it is rounded
    often = (n >= STRAIGHT_RATINGS) & (modal_shares(ratings) >= STRAIGHT_SHARE - 1e-12)
    run = np.zeros(len(n), dtype=bool)
    run[_long_runs(ratings)] = True
    found = ((BY_SHARE, often), (BY_RUN, run))
    return [tuple(name for name, flags in found if flags[j]) for j in range(len(n))]


def _runs(ratings: DimensionRatings) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ratings ordered by rater and sequence, where in that order runs of one level start, and how long they are."""
    assert ratings.rater is not None
    order = np.argsort(ratings.rater, kind="stable")
    rater, code = ratings.rater[order], ratings.code[order]
    starts = np.flatnonzero(np.append(True, (np.diff(rater) != 0) | (np.diff(code) != 0)))
    return order, starts, np.diff(np.append(starts, len(rater)))


def _long_runs(ratings: DimensionRatings) -> np.ndarray:
    """The rater of each long run during which the others vary."""
    assert ratings.rater is not None
    order, starts, length = _runs(ratings)
    long = length >= STRAIGHT_RUN
    if not long.any():
        return np.zeros(0, dtype=np.int64)
    run = np.repeat(np.cumsum(long) - 1, length)
    here = order[np.repeat(long, length)]
    run = run[np.repeat(long, length)]
    low, high = _others(ratings, here)
    lowest = np.full(int(long.sum()), np.iinfo(np.int64).max)
    highest = np.full(len(lowest), -1)
    np.minimum.at(lowest, run, low)
    np.maximum.at(highest, run, high)
    return ratings.rater[order[starts[long]]][lowest < highest]


def _others(ratings: DimensionRatings, here: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest code the others gave to the unit of each rating in `here`; above and below all of none."""
    unit, code = ratings.unit, ratings.code
    low, high = ends(unit, code, ratings.units)
    at_low, at_high = code == low[unit], code == high[unit]
    next_low, _ = ends(unit[~at_low], code[~at_low], ratings.units)
    _, next_high = ends(unit[~at_high], code[~at_high], ratings.units)
    once_low = np.bincount(unit[at_low], minlength=ratings.units) == 1
    once_high = np.bincount(unit[at_high], minlength=ratings.units) == 1
    of = unit[here]
    return (
        np.where(at_low[here] & once_low[of], next_low[of], low[of]),
        np.where(at_high[here] & once_high[of], next_high[of], high[of]),
    )


def rest_correlations(ratings: DimensionRatings) -> list[Measured]:
    """Pearson's correlation of a rater's value with the mean of the others on shared units; no interval.

    Undefined where the own values or those means do not vary ("constant"), under three shared units, and at nominal
    level.
    """
    assert ratings.rater is not None
    raters = len(ratings.rater_names)
    if ratings.level == "nominal":
        return [Measured(None, reason=Reason.NOT_NOMINAL)] * raters
    value = ratings.numbers[ratings.code]
    size = np.bincount(ratings.unit, minlength=ratings.units)[ratings.unit]
    total = np.bincount(ratings.unit, weights=value, minlength=ratings.units)[ratings.unit]
    here = size >= 2
    rater = ratings.rater[here]
    n = np.bincount(rater, minlength=raters)

    def added(values: np.ndarray) -> np.ndarray:
        return np.bincount(rater, weights=values, minlength=raters)

    def centred(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances from the rater's mean, and their sum of squares, (R,), 0 where it is rounding."""
        apart = values - (added(values) / np.maximum(n, 1))[rater]
        squares = added(apart**2)
        return apart, np.where(squares > ROUNDING * added(values**2), squares, 0.0)

    own, own_squares = centred(value[here])
    rest, rest_squares = centred((total - value)[here] / (size[here] - 1))
    both = added(own * rest)
    found = []
    for j in range(raters):
        if n[j] < FEWEST_CORRELATED:
            found.append(Measured(None, reason=Reason.TOO_FEW_RATINGS if n[j] else Reason.NO_COMMON_ITEM))
        elif not own_squares[j] or not rest_squares[j]:
            found.append(Measured(None, reason=Reason.CONSTANT))
        else:
            r = both[j] / (own_squares[j] ** 0.5 * rest_squares[j] ** 0.5)
            found.append(Measured(float(np.clip(r, -1, 1))))
    return found


def equal_across_dimensions(ratings: Ratings) -> list[EqualShare]:
    """How often each rater gave one value to all dimensions of a unit, in the order of `ratings.rater_names`.

    Counted are units the rater rated on every dimension of the data. Values are compared as such: a 1 of a scale
    0-1 equals a 1 of a scale 1-5. Empty where there are no rater ids or fewer than two dimensions.
    """
    dimensions = len(ratings.dimension_names)
    if ratings.rater is None or dimensions < 2:
        return []
    levels = [ratings.scales[name].levels for name in ratings.dimension_names]
    every = {level: at for at, level in enumerate(dict.fromkeys(level for own in levels for level in own))}
    given = np.flatnonzero(ratings.code >= 0)
    value = np.zeros(len(given), dtype=np.int64)
    for at, own in enumerate(levels):
        here = ratings.dimension[given] == at
        value[here] = np.array([every[level] for level in own], dtype=np.int64)[ratings.code[given[here]]]
    raters = len(ratings.rater_names)
    cells, cell = np.unique(ratings.item[given].astype(np.int64) * raters + ratings.rater[given], return_inverse=True)
    low, high = ends(cell, value, len(cells))
    complete = np.bincount(cell, minlength=len(cells)) == dimensions
    rater = cells % raters
    n = np.bincount(rater[complete], minlength=raters)
    equal = np.bincount(rater[complete & (low == high)], minlength=raters)
    return [EqualShare(float(equal[j] / n[j]) if n[j] else None, int(n[j])) for j in range(raters)]
