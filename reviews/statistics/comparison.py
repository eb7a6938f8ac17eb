"""Two groups of ratings side by side: two periods, two rubric versions, two panels, a rater before and after.

The difference of two intervals is no interval of the difference: groups that share scenarios move together. So both
groups are computed from the same draws of clusters, and the difference gets its own BCa interval (Efron 1987).
Every difference is b minus a.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from .alpha import alpha_of_sums, fits, sums_of_patterns
from .bootstrap import FEWEST_CLUSTERS, FEWEST_REPLICATES, Statistic, bca_interval
from .compared import Comparison, Difference, DimensionComparison
from .paired import Group, Paired, group_of, paired_replicates, paired_rows
from .patterns import dimension_of
from .reasons import Reason
from .slices import Part, slices_of
from .tidy import Ratings, code_ratings


def compare(
    ratings: Ratings,
    a: np.ndarray,
    b: np.ndarray,
    *,
    level: str,
    bootstrap: int,
    seed: int,
    names: tuple[str, str] = ("a", "b"),
    pulse: Callable[[], None] = lambda: None,
) -> Comparison:
    """Compare two groups of ratings in every dimension.

    a, b: (N,) bool, which ratings are in each group; a rating may be in both, or in neither.
    bootstrap: replicates, 0 for no intervals. pulse: called after each dimension, to show life.
    Raises ValueError where a or b is not as long as the ratings.
    """
    if not len(a) == len(b) == len(ratings.item):
        raise ValueError(f"groups of {len(a)} and {len(b)}, {len(ratings.item)} are needed")
    dimensions = {}
    for at, name in enumerate(ratings.dimension_names):
        whole = dimension_of(ratings, at, level)
        given = np.flatnonzero((ratings.dimension == at) & (ratings.code >= 0))
        in_a, in_b = (group_of(whole, np.flatnonzero(np.asarray(member, dtype=bool)[given])) for member in (a, b))
        dimensions[name] = compare_groups(in_a, in_b, bootstrap=bootstrap, seed=seed, names=names)
        pulse()
    return Comparison(names, dimensions)


def compare_frames(
    a: pd.DataFrame,
    b: pd.DataFrame,
    *,
    level: str = "ordinal",
    scale: Any = None,
    cluster: str | None = None,
    bootstrap: int = 10_000,
    seed: int,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two tidy frames (see `agreement`); a rater may have rated the same item in both, as after a training.

    Without a declared scale, the scale is taken from what is seen in both. Raises RatingsRefused and ScaleRefused.
    """
    both = []
    for mark, frame in zip("ab", (a, b), strict=True):
        coded = code_ratings(frame, level=level, scale=scale, cluster=cluster)  # names lines of this frame
        own = frame.iloc[coded.kept].copy()
        if "line" not in frame.columns:
            own["line"] = coded.kept + 1
        if coded.rater is not None:  # a second rating in the other frame is no second rating
            own["rater_id"] = [f"{mark} {coded.rater_names[rater]}" for rater in coded.rater]
        both.append(own)
    ratings = code_ratings(pd.concat(both, ignore_index=True), level=level, scale=scale, cluster=cluster)
    of_a = ratings.kept < len(both[0])
    return compare(ratings, of_a, ~of_a, level=level, bootstrap=bootstrap, seed=seed, names=names)


def compare_groups(
    a: Group, b: Group, *, bootstrap: int, seed: int, names: tuple[str, str] = ("a", "b")
) -> DimensionComparison:
    """Compare two groups of ratings of one dimension (see `group_of`)."""
    parts = [Part("group", name, group.ratings) for name, group in zip(names, (a, b), strict=True)]
    alone = slices_of(parts, bootstrap=bootstrap, seed=seed)
    level, levels = a.ratings.level, a.ratings.values
    rows = len(a.patterns.n) + len(b.patterns.n) + a.ratings.clusters + b.ratings.clusters
    with_alpha = all(one.alpha.value is not None for one in alone) and fits(rows, level=level, levels=levels)
    paired = paired_rows(a, b, _sums(a, with_alpha=with_alpha), _sums(b, with_alpha=with_alpha))
    why_pairs, why_ratings = (_why_none(a, b, bootstrap, ratings=ratings) for ratings in (2, 1))
    resampled = None if why_ratings else paired_replicates(paired, replicates=bootstrap, seed=seed)

    def difference(values: list[float | Reason], why: Reason | None, statistic: Statistic) -> Difference:
        return _difference(values, why, statistic, paired, resampled)

    means = [_mean(group) for group in (a, b)]
    return DimensionComparison(
        name=a.ratings.name,
        names=names,
        a=alone[0],
        b=alone[1],
        shared_clusters=paired.shared_clusters,
        difference=difference(
            [_defined(one.alpha.value, one.alpha.reason) for one in alone],
            why_pairs or (None if with_alpha else Reason.TOO_MANY_LEVELS),
            lambda sums: alpha_of_sums(sums[:, :-4], level=level, levels=levels),
        ),
        mean_a=None if isinstance(means[0], Reason) else means[0],
        mean_b=None if isinstance(means[1], Reason) else means[1],
        mean_difference=difference(means, why_ratings, lambda sums: _ratio(sums[:, -3], sums[:, -4])),
        exact_difference=difference(
            [_defined(one.pair_exact, one.reasons.get("pair_exact")) for one in alone],
            why_pairs,
            lambda sums: _ratio(sums[:, -1], sums[:, -2]),
        ),
        reasons={f"mean_{mark}": mean for mark, mean in zip("ab", means, strict=True) if isinstance(mean, Reason)},
    )


def _difference(
    values: list[float | Reason],
    why: Reason | None,
    statistic: Statistic,
    paired: Paired,
    resampled: np.ndarray | None,
) -> Difference:
    """The second value minus the first. statistic: of the sums of one group. why: there is no interval, if so."""
    first, second = values
    if isinstance(first, Reason):
        return Difference(None, reason=first)
    if isinstance(second, Reason):
        return Difference(None, reason=second)
    if why or resampled is None:
        return Difference(second - first, reason=why)
    half = paired.rows.shape[1] // 2

    def of_both(rows: np.ndarray) -> np.ndarray:
        return statistic(rows[:, half:]) - statistic(rows[:, :half])

    often = np.ones(len(paired.rows)) if paired.often is None else paired.often
    value = float(of_both((often @ paired.rows)[None, :])[0])
    found = bca_interval(value, of_both, rows=paired.rows, often=paired.often, resampled=resampled)
    return Difference(second - first, found.low, found.high, found.reason, found.dropped)


def _why_none(a: Group, b: Group, bootstrap: int, *, ratings: int) -> Reason | None:
    """Why there is no interval: few replicates, or a group with few clusters that hold a unit of so many ratings."""
    if bootstrap < FEWEST_REPLICATES:
        return Reason.FEW_REPLICATES if bootstrap > 0 else Reason.NO_BOOTSTRAP
    clusters = (len(np.unique(one.cluster[one.patterns.size[one.patterns.of_unit] >= ratings])) for one in (a, b))
    return Reason.FEW_CLUSTERS if min(clusters) < FEWEST_CLUSTERS else None


def _sums(group: Group, *, with_alpha: bool) -> np.ndarray:
    """What each pattern adds, (P, F + 4): to alpha, and ratings, their total, pairs, equal pairs."""
    ratings, patterns = group.ratings, group.patterns
    own = [patterns.size, patterns.total, patterns.size * (patterns.size - 1) / 2, _equal_pairs(group)]
    if with_alpha:
        own.insert(0, sums_of_patterns(patterns, level=ratings.level, levels=ratings.values))
    return np.column_stack(own)


def _equal_pairs(group: Group) -> np.ndarray:
    """Pairs of equal ratings in each pattern, (P,)."""
    ratings, counts = group.ratings, group.patterns.counts
    if counts is not None:
        return (counts * (counts - 1) / 2).sum(axis=1)
    levels = max(len(ratings.scale.levels), 1)
    cells, often = np.unique(ratings.unit * levels + ratings.code, return_counts=True)
    return np.bincount(cells // levels, weights=often * (often - 1) / 2, minlength=ratings.units)


def _mean(group: Group) -> float | Reason:
    """Mean of all ratings of a group: a unit counts as often as it was rated."""
    ratings = group.ratings
    if ratings.level == "nominal":
        return Reason.NOT_NOMINAL
    if not ratings.units:
        return Reason.NO_RATINGS
    return float(ratings.scale.levels[0]) + float(ratings.numbers[ratings.code].mean())


def _defined(value: float | None, reason: Reason | None) -> float | Reason:
    """A value, or the reason why there is none."""
    if value is not None:
        return value
    assert reason is not None
    return reason


def _ratio(top: np.ndarray, bottom: np.ndarray) -> np.ndarray:
    return np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0)
