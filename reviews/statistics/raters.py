"""What each rater is like: severity, drift, monotony, and what alpha is without them."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.special import stdtrit

from .alpha import alpha_of_sums, alpha_sums, fits, sums_of_patterns
from .patterns import DimensionRatings, Patterns
from .reasons import Reason

MOST_RATERS = 2000  # severity inverts a raters x raters matrix


@dataclass(frozen=True)
class Severity:
    """How much lower a rater rates than the panel on the same units, in levels, with a 95 % interval."""

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    reason: Reason | None = None


@dataclass(frozen=True)
class Severities:
    """One Severity a rater, and the block of each: raters of two blocks share no unit and cannot be compared."""

    raters: list[Severity]
    block: np.ndarray
    blocks: int


def rater_severities(ratings: DimensionRatings) -> Severities:
    """Severity s of the additive model y_ij = mu_i - s_j + e, centred on 0 in each block of raters.

    Solved as L s = -b with the Laplacian L = D_r - N' D_i^-1 N of the design, and L+ = (L + 11'/R)^-1 - 11'/R, in
    each block by itself; the standard error is sigma sqrt(L+_jj), the interval Student's.
    """
    raters = len(ratings.rater_names)
    assert ratings.rater is not None
    y = ratings.numbers[ratings.code]
    size = np.bincount(ratings.unit, minlength=ratings.units)
    paired = size[ratings.unit] >= 2
    unit, rater, y = ratings.unit[paired], ratings.rater[paired], y[paired]
    inverse = 1 / np.maximum(size, 1)
    design = sparse.csr_array((np.ones(len(unit)), (unit, rater)), shape=(ratings.units, raters))
    shared = design.T @ (design * inverse[:, None])
    blocks, block = _blocks(sparse.coo_array(shared))
    if raters > MOST_RATERS:
        return Severities([Severity(None, reason=Reason.TOO_MANY_RATERS)] * raters, block, blocks)
    laplacian = np.diag(np.bincount(rater, minlength=raters).astype(float)) - shared.toarray()
    unit_mean = np.bincount(unit, weights=y, minlength=ratings.units) * inverse
    b = np.bincount(rater, weights=y - unit_mean[unit], minlength=raters)
    s, spread = np.zeros(raters), np.zeros(raters)
    for at in range(blocks):
        here = np.flatnonzero(block == at)
        if len(here) > 1:
            ones = np.full((len(here), len(here)), 1 / len(here))
            plus = np.linalg.inv(laplacian[np.ix_(here, here)] + ones) - ones
            s[here], spread[here] = -plus @ b[here], np.maximum(np.diag(plus), 0)
    adjusted = y + s[rater]
    residual = adjusted - (np.bincount(unit, weights=adjusted, minlength=ratings.units) * inverse)[unit]
    alone = np.bincount(block, minlength=blocks)[block] == 1
    together = len(np.unique(block[~alone]))
    freedom = len(y) - int((size >= 2).sum()) - (raters - int(alone.sum())) + together
    sigma = math.sqrt(max(float(residual @ residual), 0.0) / freedom) if freedom > 0 else None
    reach = float(stdtrit(freedom, 0.975)) * sigma if sigma is not None else None
    found = [
        Severity(None, reason=Reason.NO_COMMON_ITEM)
        if alone[j]
        else Severity(float(s[j]), reason=Reason.TOO_FEW_RATINGS)
        if reach is None
        else Severity(float(s[j]), float(s[j] - reach * spread[j] ** 0.5), float(s[j] + reach * spread[j] ** 0.5))
        for j in range(raters)
    ]
    return Severities(found, block, together)


def _blocks(shared: sparse.coo_array) -> tuple[int, np.ndarray]:
    """How many groups raters form by the units they share, and the group of each rater."""
    one, other = shared.coords
    label = np.arange(shared.shape[0])
    while True:
        before = label.copy()
        np.minimum.at(label, one, before[other])
        label = label[label]
        if np.array_equal(label, before):
            names, block = np.unique(label, return_inverse=True)
            return len(names), block


def drifts(ratings: DimensionRatings) -> np.ndarray:
    """Own value minus the mean of the others, in the second half of a rater's sequence minus in the first.

    (R,); NaN where a half holds no unit that others rated.
    """
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
    means = []
    for half in (late, ~late):
        here = half & (size >= 2)
        rater = ratings.rater[here]
        often = np.bincount(rater, minlength=raters)
        added = np.bincount(rater, weights=apart[here], minlength=raters)
        means.append(np.divide(added, often, out=np.full(raters, np.nan), where=often > 0))
    return means[0] - means[1]


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
    assert ratings.rater is not None
    longest = np.zeros(len(ratings.rater_names), dtype=np.int64)
    order = np.argsort(ratings.rater, kind="stable")
    rater, code = ratings.rater[order], ratings.code[order]
    starts = np.flatnonzero(np.append(True, (np.diff(rater) != 0) | (np.diff(code) != 0)))
    np.maximum.at(longest, rater[starts], np.diff(np.append(starts, len(rater))))
    return longest


def alphas_without(ratings: DimensionRatings, patterns: Patterns, *, levels: np.ndarray) -> np.ndarray:
    """Alpha of the ratings of all others, for each rater, (R,); NaN where it is undefined.

    Taking a rating away changes its unit's pattern; what each change is worth is computed once.
    """
    assert ratings.rater is not None
    raters, level = len(ratings.rater_names), ratings.level
    if patterns.counts is None and level != "interval":
        return np.full(raters, np.nan)
    count = max(len(ratings.scale.levels), 1)
    changes, which = np.unique(patterns.of_unit[ratings.unit] * count + ratings.code, return_inverse=True)
    pattern, code = np.divmod(changes, count)
    if not fits(len(changes), level=level, levels=levels):
        return np.full(raters, np.nan)
    counts = None
    if patterns.counts is not None:
        counts = patterns.counts[pattern]
        counts[np.arange(len(code)), code] -= 1
    value = ratings.numbers[code]
    every = sums_of_patterns(patterns, level=level, levels=levels)
    less = alpha_sums(
        counts,
        patterns.size[pattern] - 1,
        patterns.total[pattern] - value,
        patterns.squares[pattern] - value**2,
        level=level,
        levels=levels,
    )
    how_often = sparse.csr_array((np.ones(len(which)), (ratings.rater, which)), shape=(raters, len(changes)))
    sums = patterns.n @ every + how_often @ (less - every[pattern])
    # what is left of a sum after all of it was taken away is rounding
    sums[np.abs(sums) < 1e-11 * np.abs(patterns.n @ every)[None, :]] = 0.0
    return alpha_of_sums(sums, level=level, levels=levels)
