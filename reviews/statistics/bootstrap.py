"""Resampling of clusters, and the BCa interval.

Responses to one scenario are not independent: a bootstrap of units covered .79 instead of .95 at twenty units a
scenario. So whole clusters are drawn, and a statistic is computed from the sum of what the drawn ones add.
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np
from scipy import sparse
from scipy.special import ndtr, ndtri

from .reasons import Reason

FEWEST_CLUSTERS = 30
FEWEST_REPLICATES = 40  # fewer have none in the tails of 2.5 % that an interval leaves out
MOST_DROPPED = 0.05
CHUNK = 250
CHUNK_CELLS = 16_000_000
KEPT_CELLS = 100_000_000  # of draws that are kept, 100 MB in all
COVERAGE = 0.95

Statistic = Callable[[np.ndarray], np.ndarray]


class TooFewClusters(ValueError):
    """Fewer than thirty clusters: the interval would be too short (Cameron, Gelbach and Miller 2008)."""


@dataclass(frozen=True)
class Interval:
    """A BCa interval, or why there is none. dropped: replicates in which the statistic was undefined."""

    low: float | None
    high: float | None
    reason: Reason | None = None
    dropped: int = 0
    replicates: np.ndarray | None = None

    def share_at_least(self, bound: float) -> float | None:
        """Share of the replicates at `bound` or above: P(statistic >= bound)."""
        if self.low is None or self.replicates is None:
            return None
        return float(np.mean(self.replicates >= bound))


def sums_by_cluster(sums: np.ndarray, pattern: np.ndarray, cluster: np.ndarray) -> np.ndarray:
    """What each cluster adds, (S, F). sums: (P, F) a pattern; pattern, cluster: (U,) of each unit."""
    clusters = int(cluster.max()) + 1
    how_often = sparse.csr_array(
        (np.ones(len(cluster)), (cluster, pattern)), shape=(clusters, len(sums)), dtype=np.float64
    )
    return np.asarray(how_often @ sums)


def replicate_sums(rows: np.ndarray, often: np.ndarray | None, *, replicates: int, seed: int) -> np.ndarray:
    """Sums of resampled clusters, (B, F).

    rows: (S, F) what a cluster adds. often: (S,) how many clusters are equal to each row, or None for one each.
    As many clusters are drawn, with replacement, as there are. The same seed gives the same draws.
    Raises TooFewClusters below thirty clusters.
    """
    clusters = len(rows) if often is None else int(often.sum())
    if clusters < FEWEST_CLUSTERS:
        raise TooFewClusters(f"{clusters} clusters, {FEWEST_CLUSTERS} are needed")
    result = np.empty((replicates, rows.shape[1]))
    chunk = max(1, min(CHUNK, CHUNK_CELLS // len(rows)))  # one draw after the other: its size changes no draw
    kept = often is None and clusters * replicates <= KEPT_CELLS
    drawn = _drawn(clusters, replicates, seed) if kept else None
    kind = np.float32 if drawn is not None and _exact_in_single(rows) else np.float64
    rows = rows.astype(kind, copy=False)
    generator = np.random.Generator(np.random.SFC64(seed))
    for start in range(0, replicates, chunk):
        size = min(chunk, replicates - start)
        if drawn is not None:
            weights = drawn[start : start + size].astype(kind)
        elif often is None:
            weights = np.array([_draw(generator, clusters) for _ in range(size)], dtype=float)
        else:
            weights = generator.multinomial(clusters, often / clusters, size=size).astype(float)
        result[start : start + size] = weights @ rows
    return result


def _exact_in_single(rows: np.ndarray) -> bool:
    """Whether every sum of resampled rows is a whole number of halves that single precision holds: twice as fast.

    So it is of coincidences where units have two or three ratings, or one.
    """
    halves = 2 * rows
    largest = float(np.abs(halves).max(initial=0)) * len(rows)  # the same row drawn each time
    return largest < 2**24 and bool((halves == np.rint(halves)).all())


def _drawn(clusters: int, replicates: int, seed: int) -> np.ndarray:
    """(B, S) the draws of all resamples, a byte each: a report asks for the same ones again and again."""
    asked = (clusters, replicates, seed)
    with _keeping:
        weights = _kept.pop(asked, None)
        if weights is None:
            while sum(one.size for one in _kept.values()) + clusters * replicates > KEPT_CELLS:
                del _kept[next(iter(_kept))]
            generator = np.random.Generator(np.random.SFC64(seed))
            weights = np.empty((replicates, clusters), dtype=np.uint8)
            for row in range(replicates):
                weights[row] = _draw(generator, clusters)  # 256 times the same one of thirty or more does not happen
            weights.flags.writeable = False
        _kept[asked] = weights  # the last asked for goes last, the first in line goes first
    return weights


_kept: dict[tuple[int, int, int], np.ndarray] = {}
_keeping = Lock()


def _draw(generator: np.random.Generator, clusters: int) -> np.ndarray:
    """How often each cluster is drawn in one resample, (S,)."""
    kind = np.uint16 if clusters <= 2**16 else np.uint32
    return np.bincount(generator.integers(0, clusters, size=clusters, dtype=kind), minlength=clusters)


def bca_interval(
    value: float,
    statistic: Statistic,
    *,
    rows: np.ndarray,
    often: np.ndarray | None,
    resampled: np.ndarray,
) -> Interval:
    """95 % BCa interval (Efron 1987) of a statistic of sums.

    value: the statistic of all. statistic: rows of sums (B, F) -> (B,), NaN where undefined.
    rows, often: as in `replicate_sums`; resampled: its result. The acceleration is from the cluster jackknife.
    """
    every = statistic(resampled)
    found = np.sort(every[~np.isnan(every)])
    dropped = len(every) - len(found)
    if dropped > MOST_DROPPED * len(every):
        return Interval(None, None, Reason.MANY_DROPPED, dropped)
    total = (rows if often is None else rows * often[:, None]).sum(axis=0)
    without = statistic(total[None, :] - rows)
    low, high = bca_bounds(value, found, without, np.ones(len(rows)) if often is None else often)
    return Interval(low, high, None, dropped, found)


def bca_bounds(value: float, found: np.ndarray, without: np.ndarray, often: np.ndarray) -> tuple[float, float]:
    """BCa bounds from sorted replicates and the jackknife values `without`, each counted `often` times."""
    near = 1e-10 * max(1.0, abs(value))  # a replicate of all clusters differs from the value by rounding only
    below = np.searchsorted(found, value - near)
    ties = np.searchsorted(found, value + near, side="right") - below
    count = len(found)
    share = np.clip((below + ties / 2) / count, 0.5 / count, 1 - 0.5 / count)
    bias = float(ndtri(share))
    acceleration = _acceleration(without, often)
    tail = float(ndtri((1 - COVERAGE) / 2))
    bounds = []
    for z in (tail, -tail):
        shifted = bias + z
        stretch = 1 - acceleration * shifted
        # a stretch of 0 or less would turn the quantiles round: the bias alone is corrected then
        at = float(ndtr(bias + (shifted / stretch if stretch > 0 else shifted)))
        bounds.append(float(np.quantile(found, at)))
    return bounds[0], bounds[1]


def _acceleration(without: np.ndarray, often: np.ndarray) -> float:
    """Skewness of the jackknife values, by Efron's formula."""
    defined = ~np.isnan(without)
    values, weights = without[defined], often[defined]
    if not len(values):
        return 0.0
    apart = np.average(values, weights=weights) - values
    squares = float(weights @ apart**2)
    if squares <= 1e-28:
        return 0.0
    return float(weights @ apart**3) / (6 * squares**1.5)
