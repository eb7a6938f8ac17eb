"""Krippendorff's alpha: the point from the krippendorff package, the sums that resampling adds up from us.

Every form of alpha is a function of sums over units ("sums" below), so that a resample of units or clusters is a
weighted sum of rows. Source: Krippendorff (2018), Content Analysis, 4th ed., chapter 12.
"""

from typing import Any, cast

import krippendorff
import numpy as np

from .patterns import MOST_CELLS, Patterns
from .reasons import Reason

PACKAGE_CELLS = 20_000_000  # the package builds an array of units x levels x levels


def alpha_sums(
    counts: np.ndarray | None,
    size: np.ndarray,
    total: np.ndarray,
    squares: np.ndarray,
    *,
    level: str,
    levels: np.ndarray,
) -> np.ndarray:
    """What each pattern adds to alpha, (P, F); a pattern of fewer than two ratings pairs nothing and adds 0.

    counts: (P, K) over the levels; may be None at interval level, where size, total and squares suffice.
    levels: (K,) the levels' values.
    ordinal: F = K(K+1)/2 coincidences, each pair of levels once. nominal, ratio: the K marginals and the observed
    disagreement. interval: number, sum, sum of squares and the observed disagreement.
    """
    pairs = size >= 2
    inverse = np.where(pairs, 1 / np.maximum(size - 1, 1), 0.0)
    if level == "interval":
        observed = 2 * (size * squares - total**2) * inverse
        return np.column_stack([size * pairs, total * pairs, squares * pairs, observed])
    assert counts is not None
    if level == "ordinal":
        low, high = np.triu_indices(counts.shape[1])
        return (counts[:, low] * counts[:, high] - np.where(low == high, counts[:, low], 0)) * inverse[:, None]
    distance = _distance(level, levels)
    observed = np.einsum("pk,kl,pl->p", counts, distance, counts, optimize=True) * inverse
    return np.column_stack([counts * pairs[:, None], observed])


def _distance(level: str, levels: np.ndarray) -> np.ndarray:
    """Squared distance of each two levels, (K, K), for the levels of measurement where it is fixed."""
    if level == "nominal":
        return 1 - np.eye(len(levels))
    added = np.add.outer(levels, levels)
    return np.divide(np.subtract.outer(levels, levels), added, out=np.zeros_like(added), where=added != 0) ** 2


def disagreements(sums: np.ndarray, *, level: str, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Observed and expected disagreement, each (B,), from rows of sums (B, F): mean squared distances of values.

    Expected disagreement is exactly 0 where all values that can be paired are equal.
    """
    if level == "interval":
        n, total, squares, observed = sums.T
        spread = n * squares - total**2
        # sums of whole numbers are exact; with others an equal panel may leave a rest of rounding
        expected = np.where(spread > 1e-12 * n * squares, 2 * spread, 0.0)
    elif level == "ordinal":
        n, observed, expected = _ordinal(sums, len(levels))
    else:
        n_c, observed = sums[:, :-1], sums[:, -1]
        n = n_c.sum(axis=1)
        expected = np.einsum("bk,kl,bl->b", n_c, _distance(level, levels), n_c, optimize=True)
    return observed / np.maximum(n, 1), expected / np.maximum(n * (n - 1), 1)


def _ordinal(sums: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number of values, and sums of squared distances over the observed and over all pairs, from coincidences."""
    low, high = np.triu_indices(count)
    into = np.zeros((len(low), count))
    into[np.arange(len(low)), low] = 1
    into[np.arange(len(low)), high] = 1
    n_c = sums @ into
    n = n_c.sum(axis=1)
    # ranks from the middle of all: their weighted mean is 0
    rank = np.cumsum(n_c, axis=1) - n_c / 2 - n[:, None] / 2
    observed = 2 * np.einsum("bf,bf->b", sums, (rank[:, low] - rank[:, high]) ** 2)
    expected = 2 * n * np.einsum("bk,bk->b", n_c, rank**2)
    return n, observed, np.where((n_c > 1e-9).sum(axis=1) > 1, expected, 0.0)


def alpha_of_sums(sums: np.ndarray, *, level: str, levels: np.ndarray) -> np.ndarray:
    """Alpha of each row of sums, (B,); NaN where there is no expected disagreement."""
    observed, expected = disagreements(sums, level=level, levels=levels)
    ratio = np.divide(observed, expected, out=np.full(len(expected), np.nan), where=expected > 0)
    return 1 - ratio


def sums_of_patterns(patterns: Patterns, *, level: str, levels: np.ndarray) -> np.ndarray:
    """`alpha_sums` of a pattern table, (P, F)."""
    return alpha_sums(patterns.counts, patterns.size, patterns.total, patterns.squares, level=level, levels=levels)


def total_sums(patterns: Patterns, *, level: str, levels: np.ndarray) -> np.ndarray:
    """The sums of all units, (1, F), without the table of patterns x F at ordinal level."""
    if level != "ordinal":
        return patterns.n[None, :] @ sums_of_patterns(patterns, level=level, levels=levels)
    counts, size = patterns.counts, patterns.size
    assert counts is not None
    weight = np.where(size >= 2, patterns.n / np.maximum(size - 1, 1), 0.0)
    coincidences = counts.T @ (counts * weight[:, None]) - np.diag(weight @ counts)
    return coincidences[np.triu_indices(len(coincidences))][None, :]


def fits(rows: int, *, level: str, levels: np.ndarray) -> bool:
    """Whether a table of `rows` rows of sums fits into memory."""
    count = len(levels)
    return rows * {"interval": 4, "ordinal": count * (count + 1) // 2}.get(level, count + 1) <= MOST_CELLS


def alpha(patterns: Patterns, *, level: str, levels: np.ndarray, raters: int | None = None) -> float | Reason:
    """Alpha of a pattern table, or why there is none.

    levels: (K,) values of the declared levels; unused ones change nothing. raters: how many, None if unknown.
    """
    pairable = patterns.size >= 2
    if not len(patterns.n):
        return Reason.NO_RATINGS
    if raters == 1:
        return Reason.ONE_RATER
    if not pairable.any():
        return Reason.NO_PAIRS
    if patterns.counts is None and level != "interval":
        return Reason.TOO_MANY_LEVELS
    if patterns.counts is not None:
        used = np.flatnonzero(patterns.counts[pairable].sum(axis=0))
        if len(used) == 1:
            return Reason.ALL_EQUAL
        if len(patterns.of_unit) * len(used) ** 2 <= PACKAGE_CELLS:
            counts = patterns.counts[:, used].astype(np.int64)[patterns.of_unit]
            values = np.arange(len(used)) if level == "nominal" else levels[used]
            return float(
                krippendorff.alpha(value_counts=counts, value_domain=values, level_of_measurement=cast(Any, level))
            )
    value = float(alpha_of_sums(total_sums(patterns, level=level, levels=levels), level=level, levels=levels)[0])
    return Reason.ALL_EQUAL if np.isnan(value) else value
