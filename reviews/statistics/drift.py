"""Drift: whether a rater moves away from the others in the course of their ratings.

What is followed is the own value minus the mean of the others on the same unit, in a rater's sequence of ratings.
The intervals take ratings as independent; where neighbours in the sequence are alike they are too short. What the
others do shows too: where one of two raters drifts by a level, the other drifts by a level the other way.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from .measured import ROUNDING, Measured
from .patterns import DimensionRatings
from .reasons import Reason

PER = 100  # a slope is given in levels per so many ratings


@dataclass(frozen=True)
class _Sequence:
    """Shared ratings, (N,): their rater, place in the rater's whole sequence, half, and distance from the others."""

    rater: np.ndarray
    position: np.ndarray
    late: np.ndarray
    apart: np.ndarray
    raters: int


def drifts(ratings: DimensionRatings) -> np.ndarray:
    """Own value minus the mean of the others, in the second half of a rater's sequence minus in the first.

    (R,), in levels; NaN where a half holds no unit that others rated.
    """
    found = _sequence(ratings)
    late, early = (_moments(found, half) for half in (found.late, ~found.late))
    return late[1] - early[1]


def drift_intervals(ratings: DimensionRatings) -> list[Measured]:
    """`drifts` of each rater with Welch's 95 % interval, Student's with his degrees of freedom.

    No interval where a half holds fewer than two shared ratings, or where the distance from the others is one and
    the same all through each half. Source: Welch (1947), Biometrika 34, 28-35.
    """
    found = _sequence(ratings)
    halves = [_moments(found, half) for half in (found.late, ~found.late)]
    result = []
    for j in range(found.raters):
        (n, mean, squares), (m, base, others) = ((often[j], mean[j], squares[j]) for often, mean, squares in halves)
        if not n or not m:
            result.append(Measured(None, reason=Reason.TOO_FEW_RATINGS))
            continue
        value = float(mean - base)
        if min(n, m) < 2 or squares + others <= 0:
            reason = Reason.TOO_FEW_RATINGS if min(n, m) < 2 else Reason.NO_ERROR
            result.append(Measured(value, reason=reason))
            continue
        one, other = squares / (n - 1) / n, others / (m - 1) / m
        freedom = (one + other) ** 2 / (one**2 / (n - 1) + other**2 / (m - 1))
        reach = float(stdtrit(freedom, 0.975)) * float(one + other) ** 0.5
        result.append(Measured(value, value - reach, value + reach))
    return result


def drift_slopes(ratings: DimensionRatings) -> list[Measured]:
    """Least-squares slope of the distance from the others on the place in the sequence, in levels per 100 ratings.

    A place is counted among all of a rater's ratings of the dimension, shared or not. Student's 95 % interval; none
    under three shared ratings, or where they lie on a line.
    """
    found = _sequence(ratings)
    n = np.bincount(found.rater, minlength=found.raters)
    often = np.maximum(n, 1)

    def added(values: np.ndarray) -> np.ndarray:
        return np.bincount(found.rater, weights=values, minlength=found.raters)

    x = found.position - (added(found.position) / often)[found.rater]
    y = found.apart - (added(found.apart) / often)[found.rater]
    xx, xy, yy, raw = added(x * x), added(x * y), added(y * y), added(found.apart**2)
    result = []
    for j in range(found.raters):
        if n[j] < 2:
            result.append(Measured(None, reason=Reason.TOO_FEW_RATINGS))
            continue
        slope = float(xy[j] / xx[j]) if yy[j] > ROUNDING * raw[j] else 0.0
        left = float(yy[j] - slope * xy[j])
        if n[j] < 3 or left <= ROUNDING * raw[j]:
            reason = Reason.TOO_FEW_RATINGS if n[j] < 3 else Reason.NO_ERROR
            result.append(Measured(slope * PER, reason=reason))
            continue
        reach = float(stdtrit(n[j] - 2, 0.975)) * (left / (n[j] - 2) / float(xx[j])) ** 0.5
        result.append(Measured(slope * PER, (slope - reach) * PER, (slope + reach) * PER))
    return result


def _sequence(ratings: DimensionRatings) -> _Sequence:
    """The ratings of units that others rated too, in their places."""
    raters = len(ratings.rater_names)
    assert ratings.rater is not None
    y = ratings.numbers[ratings.code]
    size = np.bincount(ratings.unit, minlength=ratings.units)[ratings.unit]
    total = np.bincount(ratings.unit, weights=y, minlength=ratings.units)[ratings.unit]
    apart = y - (total - y) / np.maximum(size - 1, 1)
    order = np.argsort(ratings.rater, kind="stable")
    n = np.bincount(ratings.rater, minlength=raters)
    position = np.empty(len(y), dtype=np.int64)
    position[order] = np.arange(len(y)) - np.repeat(np.cumsum(n) - n, n)
    late = position >= (n // 2)[ratings.rater]
    here = size >= 2
    return _Sequence(ratings.rater[here], position[here].astype(float), late[here], apart[here], raters)


def _moments(found: _Sequence, half: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number, mean (NaN of none) and sum of squares about the mean of the distances in one half, each (R,)."""
    rater, apart = found.rater[half], found.apart[half]
    n = np.bincount(rater, minlength=found.raters)
    added = np.bincount(rater, weights=apart, minlength=found.raters)
    mean = np.divide(added, n, out=np.full(found.raters, np.nan), where=n > 0)
    squares = np.bincount(rater, weights=(apart - mean[rater]) ** 2, minlength=found.raters)
    raw = np.bincount(rater, weights=apart**2, minlength=found.raters)
    return n, mean, np.where(squares > ROUNDING * raw, squares, 0.0)
