"""Leave one rater out: what alpha is without each rater, and whether that differs by more than chance.

Taking a rating away changes its unit's pattern, and so the unit's sums. What each change is worth is computed once;
a rater's sums are added changes, for all units and for each cluster, so that resamples cost a matrix product.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from .alpha import alpha, alpha_of_sums, alpha_sums, fits, sums_of_patterns
from .bootstrap import FEWEST_CLUSTERS, FEWEST_REPLICATES, Interval, bca_interval, replicate_sums
from .measured import Measured
from .parts import part_of
from .patterns import MOST_CELLS, DimensionRatings, Patterns, pattern_table
from .reasons import Reason

BATCH_CELLS = 5_000_000  # 40 MB of sums of one batch of raters
MOST_WORK = 200_000_000_000  # multiplications: some ten seconds


@dataclass(frozen=True)
class LeaveOneOut:
    """without: (R,) alpha of the others, NaN where undefined. changes: that minus alpha of all, for each rater."""

    without: np.ndarray
    changes: list[Measured]


@dataclass(frozen=True)
class _Changes:
    """every: (P, F) sums of each pattern. which: (N,) change each rating's absence is; worth: (C, F) of each."""

    every: np.ndarray
    which: np.ndarray
    worth: np.ndarray


@dataclass(frozen=True)
class _Rows:
    """What is resampled: clusters, or, where each unit is its own, units that are rated alike.

    of: (N,) row of each rating, -1 of units that another one stands for. unit: (U,) the same of units.
    often: (S,) units that are like each row, or None for one each.
    """

    of: np.ndarray
    unit: np.ndarray
    count: int
    often: np.ndarray | None


def leave_one_out(
    ratings: DimensionRatings, patterns: Patterns, *, levels: np.ndarray, replicates: int, seed: int
) -> LeaveOneOut:
    """Alpha without each rater, and the difference from alpha of all with its 95 % BCa interval.

    levels: (K,) values of the scale. replicates: 0 for no intervals.
    Both alphas of a difference are computed from the same resampled clusters, under one seed those of alpha's own
    interval. (Where each unit is its own cluster, units that the same raters rated alike are drawn as one kind, and
    alpha's own interval may have other draws.) There is no interval where fewer than thirty clusters hold a pair of
    ratings with the rater, or without: from the first comes all the difference.
    """
    changes = _changes(ratings, patterns, levels)
    if changes is None:
        return _one_by_one(ratings, patterns, levels)
    every = alpha_of_sums((patterns.n @ changes.every)[None, :], level=ratings.level, levels=levels)
    without = _alphas_without(ratings, patterns, changes, levels)
    differences = without - every
    found = [
        Measured(None, reason=_why_none(ratings, j)) if np.isnan(d) else Measured(float(d), reason=Reason.FEW_CLUSTERS)
        for j, d in enumerate(differences)
    ]
    enough = np.flatnonzero(_have_clusters(ratings) & ~np.isnan(differences))
    if replicates < FEWEST_REPLICATES:
        none = Reason.NO_BOOTSTRAP if replicates <= 0 else Reason.FEW_REPLICATES
        return LeaveOneOut(without, [one if one.value is None else replace(one, reason=none) for one in found])
    rows = _rows(ratings)
    columns = changes.every.shape[1]
    cells = max(rows.count, replicates) * columns
    if 2 * cells > BATCH_CELLS or (len(enough) + 1) * columns * rows.count * replicates > MOST_WORK:
        for j in enough:
            found[j] = replace(found[j], reason=Reason.TOO_LARGE)
        return LeaveOneOut(without, found)
    batch = BATCH_CELLS // cells - 1
    for start in range(0, len(enough), batch):
        some = enough[start : start + batch]
        intervals = _intervals(ratings, patterns, changes, rows, some, levels, replicates, seed)
        for j, interval in zip(some, intervals, strict=True):
            found[j] = Measured(found[j].value, interval.low, interval.high, interval.reason)
    return LeaveOneOut(without, found)


def alphas_without(ratings: DimensionRatings, patterns: Patterns, *, levels: np.ndarray) -> np.ndarray:
    """Alpha of the ratings of all others, for each rater, (R,); NaN where it is undefined.

    levels: (K,) values of the scale.
    """
    return leave_one_out(ratings, patterns, levels=levels, replicates=0, seed=0).without


def _one_by_one(ratings: DimensionRatings, patterns: Patterns, levels: np.ndarray) -> LeaveOneOut:
    """The same without intervals where the scale is too fine for a table of changes: each rater's others anew."""
    assert ratings.rater is not None
    raters = len(ratings.rater_names)
    none = Reason.ONE_RATER if raters <= 2 else Reason.TOO_MANY_LEVELS
    every = alpha(patterns, level=ratings.level, levels=levels, raters=raters)
    if raters <= 2 or isinstance(every, Reason) or raters * len(ratings.unit) > MOST_CELLS:
        return LeaveOneOut(np.full(raters, np.nan), [Measured(None, reason=none)] * raters)
    without, changes = np.full(raters, np.nan), []
    for j in range(raters):
        others = part_of(ratings, np.flatnonzero(ratings.rater != j))
        value = alpha(pattern_table(others), level=ratings.level, levels=levels)
        if isinstance(value, Reason):
            changes.append(Measured(None, reason=value))
        else:
            without[j] = value
            changes.append(Measured(value - every, reason=none))
    return LeaveOneOut(without, changes)


def _alphas_without(ratings: DimensionRatings, patterns: Patterns, changes: _Changes, levels: np.ndarray) -> np.ndarray:
    assert ratings.rater is not None
    raters, ones = len(ratings.rater_names), np.ones(len(changes.which))
    how_often = sparse.csr_array((ones, (ratings.rater, changes.which)), shape=(raters, len(changes.worth)))
    sums = _left(patterns.n @ changes.every, how_often @ changes.worth)
    return alpha_of_sums(sums, level=ratings.level, levels=levels)


def _why_none(ratings: DimensionRatings, rater: int) -> Reason:
    """Why there is no alpha without a rater."""
    if len(ratings.rater_names) <= 2:
        return Reason.ONE_RATER
    others = np.bincount(ratings.unit[ratings.rater != rater], minlength=ratings.units)
    return Reason.ALL_EQUAL if (others >= 2).any() else Reason.NO_PAIRS


def _changes(ratings: DimensionRatings, patterns: Patterns, levels: np.ndarray) -> _Changes | None:
    """What the absence of each rating is worth; None where there is no table of patterns, or it is too large."""
    level = ratings.level
    if patterns.counts is None and level != "interval":
        return None
    count = max(len(ratings.scale.levels), 1)
    kinds, which = np.unique(patterns.of_unit[ratings.unit] * count + ratings.code, return_inverse=True)
    pattern, code = np.divmod(kinds, count)
    if not fits(len(kinds), level=level, levels=levels):
        return None
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
    return _Changes(every, which, less - every[pattern])


def _left(every: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Sums after a change. What is left of a sum after all of it was taken away is rounding."""
    sums = every + change
    sums[np.abs(sums) < 1e-11 * np.abs(every)] = 0.0
    return sums


def _intervals(
    ratings: DimensionRatings,
    patterns: Patterns,
    changes: _Changes,
    rows: _Rows,
    raters: np.ndarray,
    levels: np.ndarray,
    replicates: int,
    seed: int,
) -> list[Interval]:
    """The interval of the difference each of `raters` makes."""
    assert ratings.rater is not None
    width = changes.every.shape[1]
    place = np.full(len(ratings.rater_names), -1)
    place[raters] = np.arange(len(raters))
    here = np.flatnonzero((place[ratings.rater] >= 0) & (rows.of >= 0))
    cell = rows.of[here] * len(raters) + place[ratings.rater[here]]
    how_often = sparse.csr_array(
        (np.ones(len(here)), (cell, changes.which[here])), shape=(rows.count * len(raters), len(changes.worth))
    )
    mine = np.asarray(how_often @ changes.worth).reshape(rows.count, len(raters) * width)
    units = np.flatnonzero(rows.unit >= 0)
    of_all = sparse.csr_array(
        (np.ones(len(units)), (rows.unit[units], patterns.of_unit[units])), shape=(rows.count, len(changes.every))
    )
    both = np.hstack([np.asarray(of_all @ changes.every), mine])
    resampled = replicate_sums(both, rows.often, replicates=replicates, seed=seed)

    def difference(sums: np.ndarray) -> np.ndarray:
        every, change = sums[:, :width], sums[:, width:]
        without = alpha_of_sums(_left(every, change), level=ratings.level, levels=levels)
        return without - alpha_of_sums(every, level=ratings.level, levels=levels)

    total = (both if rows.often is None else both * rows.often[:, None]).sum(axis=0)
    found = []
    for at in range(len(raters)):
        columns = np.r_[0:width, (at + 1) * width : (at + 2) * width]
        value = float(difference(total[None, columns])[0])
        found.append(
            bca_interval(value, difference, rows=both[:, columns], often=rows.often, resampled=resampled[:, columns])
        )
    return found


def _rows(ratings: DimensionRatings) -> _Rows:
    """The clusters, or the kinds of units; units one by one where few are alike, which is faster to draw."""
    if not ratings.own_clusters:
        return _Rows(ratings.cluster[ratings.unit], ratings.cluster, ratings.clusters, None)
    first, often = _kinds(ratings)
    if len(first) * 10 > ratings.units:
        return _Rows(ratings.unit, np.arange(ratings.units), ratings.units, None)
    row = np.full(ratings.units, -1)
    row[first] = np.arange(len(first))
    return _Rows(row[ratings.unit], row, len(first), often)


def _kinds(ratings: DimensionRatings) -> tuple[np.ndarray, np.ndarray]:
    """A unit of each kind, and how many there are: units of a kind have the same ratings by the same raters."""
    assert ratings.rater is not None
    cell = ratings.rater * max(len(ratings.scale.levels), 1) + ratings.code
    order = np.lexsort((cell, ratings.unit))
    size = np.bincount(ratings.unit, minlength=ratings.units)
    start = np.cumsum(size) - size
    first, often = [], []
    for m in np.unique(size):
        units = np.flatnonzero(size == m)
        table = cell[order][start[units][:, None] + np.arange(m)]
        _, at, n = np.unique(table, axis=0, return_index=True, return_counts=True)
        first.append(units[at])
        often.append(n)
    return np.concatenate(first), np.concatenate(often)


def _have_clusters(ratings: DimensionRatings) -> np.ndarray:
    """Whether there are clusters enough in which each rater shares a unit, and in which others do without, (R,)."""
    assert ratings.rater is not None
    raters = len(ratings.rater_names)
    size = np.bincount(ratings.unit, minlength=ratings.units)
    pairs = np.bincount(ratings.cluster[size >= 2], minlength=ratings.clusters)  # units in each cluster
    shared = size[ratings.unit] >= 2
    cell = ratings.cluster[ratings.unit[shared]] * raters + ratings.rater[shared]
    ends = size[ratings.unit[shared]] == 2  # without this rater nothing of the unit can be paired
    cells, which = np.unique(cell, return_inverse=True)
    ending = np.bincount(which, weights=ends, minlength=len(cells))
    cluster, rater = np.divmod(cells, raters)
    touched = np.bincount(rater, minlength=raters)
    gone = np.bincount(rater[ending == pairs[cluster]], minlength=raters)
    left = np.count_nonzero(pairs) - gone
    return (touched >= FEWEST_CLUSTERS) & (left >= FEWEST_CLUSTERS)
