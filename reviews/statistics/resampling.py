"""One set of cluster replicates for all statistics of a dimension: alpha, AC2 and the ICC move together."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .alpha import alpha_of_sums, fits, sums_of_patterns
from .bootstrap import FEWEST_CLUSTERS, FEWEST_REPLICATES, Interval, bca_interval, replicate_sums, sums_by_cluster
from .chance import ac_of_sums, ac_sums, why_undefined
from .icc import icc_of, oneway, oneway_sums, twoway
from .patterns import DimensionRatings, Patterns
from .reasons import Reason

Statistic = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _Block:
    """The columns of one group of sums, and the statistics read off them."""

    sums: np.ndarray
    statistics: dict[str, Statistic]


def intervals(
    ratings: DimensionRatings,
    patterns: Patterns,
    *,
    levels: np.ndarray,
    weights: np.ndarray,
    panel: np.ndarray | None,
    replicates: int,
    seed: int,
) -> dict[str, Interval]:
    """Intervals of alpha, ac2, icc1_1 and, of a complete panel, icc2_1 and icc2_k.

    levels: (K,) values of the scale. weights: (K, K) of AC2. panel: `twoway_sums`, or None.
    What is absent from the result is undefined at the point already.
    """
    names = ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k")
    if replicates <= 0:
        return dict.fromkeys(names, Interval(None, None, Reason.NO_BOOTSTRAP))
    if replicates < FEWEST_REPLICATES:
        return dict.fromkeys(names, Interval(None, None, Reason.FEW_REPLICATES))
    pairing = ratings.cluster[patterns.size[patterns.of_unit] >= 2]
    if len(np.unique(pairing)) < FEWEST_CLUSTERS:
        return dict.fromkeys(names, Interval(None, None, Reason.FEW_CLUSTERS))
    found: dict[str, Interval] = {}
    rows_at_most = max(len(patterns.n), 1 if ratings.own_clusters else ratings.clusters)
    if not fits(rows_at_most, level=ratings.level, levels=levels):
        found["alpha"] = Interval(None, None, Reason.TOO_MANY_LEVELS)
    by_pattern = _blocks(ratings.level, patterns, levels, weights, with_alpha="alpha" not in found)
    blocks = by_pattern if panel is None else [*by_pattern, _Block(panel, _panel_statistics())]
    rows, often = _rows(ratings, patterns, np.hstack([block.sums for block in by_pattern]), panel)
    resampled = replicate_sums(rows, often, replicates=replicates, seed=seed)
    start = 0
    for block in blocks:
        columns = slice(start, start + block.sums.shape[1])
        start = columns.stop
        mine = rows[:, columns]
        total = (mine if often is None else mine * often[:, None]).sum(axis=0)
        for name, statistic in block.statistics.items():
            value = float(statistic(total[None, :])[0])
            if not np.isnan(value):
                found[name] = bca_interval(value, statistic, rows=mine, often=often, resampled=resampled[:, columns])
    return found


def _blocks(
    level: str, patterns: Patterns, levels: np.ndarray, weights: np.ndarray, *, with_alpha: bool
) -> list[_Block]:
    """Sums that depend on a unit's pattern alone."""
    blocks = []
    if with_alpha and (patterns.counts is not None or level == "interval"):
        sums = sums_of_patterns(patterns, level=level, levels=levels)
        blocks.append(_Block(sums, {"alpha": lambda rows: alpha_of_sums(rows, level=level, levels=levels)}))
    if why_undefined(patterns, weights) is None:
        blocks.append(_Block(ac_sums(patterns, weights), {"ac2": lambda rows: ac_of_sums(rows, weights)}))
    if level != "nominal":
        blocks.append(_Block(oneway_sums(patterns), {"icc1_1": lambda rows: icc_of(oneway(rows), "ICC(1,1)")}))
    return blocks


def _panel_statistics() -> dict[str, Statistic]:
    return {
        "icc2_1": lambda rows: icc_of(twoway(rows), "ICC(2,1)"),
        "icc2_k": lambda rows: icc_of(twoway(rows), "ICC(2,k)"),
    }


def _rows(
    ratings: DimensionRatings, patterns: Patterns, sums: np.ndarray, panel: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray | None]:
    """What each cluster adds, and how many clusters add the same (None: one each)."""
    if not ratings.own_clusters:
        rows = sums_by_cluster(sums, patterns.of_unit, ratings.cluster)
        if panel is not None:
            rows = np.hstack([rows, sums_by_cluster(panel, np.arange(len(panel)), ratings.cluster)])
        return rows, None
    kind = patterns.of_unit
    often: np.ndarray | None = patterns.n
    first = np.zeros(len(patterns.n), dtype=np.int64)
    first[kind[::-1]] = np.arange(len(kind))[::-1]
    if panel is not None:
        raters = panel[:, 1:-2]
        _, first, often = np.unique(raters, axis=0, return_index=True, return_counts=True)
    if len(first) * 10 > len(kind):  # few units are alike: drawing them one by one is faster
        first, often = np.arange(len(kind)), None
    rows = sums[kind[first]]
    return (rows if panel is None else np.hstack([rows, panel[first]])), often
