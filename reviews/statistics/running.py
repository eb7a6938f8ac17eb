"""Alpha kept up while ratings come in: what is added costs what it changes, not a pass over what is there."""

import numpy as np

from .alpha import alpha_of_sums, alpha_sums
from .bootstrap import FEWEST_CLUSTERS, FEWEST_REPLICATES, Interval, bca_interval, replicate_sums
from .reasons import Reason


class RunningAlpha:
    """Alpha of the ratings added so far, and its cluster-bootstrap interval.

    What is kept is how often each unit has each level, and what each cluster adds to alpha (see `alpha_sums`). A rating
    takes out of its cluster what its unit added before, and puts in what the unit adds now: a rater's scores that come
    later touch the units that this rater rated, and no other.
    """

    def __init__(self, cluster: np.ndarray, *, level: str, levels: np.ndarray) -> None:
        """cluster: (U,) cluster 0..S-1 of each unit that may come. levels: (K,) values of the scale, in their order.

        At nominal level they are their own numbers, 0..K-1.
        """
        clusters = int(cluster.max(initial=-1)) + 1
        self._cluster, self._level, self._levels = cluster, level, levels
        self._counts = np.zeros((len(cluster), len(levels)))
        self._rows = np.zeros((clusters, self._sums(self._counts[:0]).shape[1]))
        self._rated, self._paired = (np.zeros(clusters, dtype=np.int64) for _ in range(2))

    def add(self, unit: np.ndarray, code: np.ndarray) -> None:
        """unit, code: (N,) of ratings that come in: which unit, and the index of the value in `levels`."""
        units = np.unique(unit)
        before = self._counts[units]
        np.add.at(self._counts, (unit, code), 1)
        after = self._counts[units]
        where = self._cluster[units]
        np.add.at(self._rows, where, self._sums(after) - self._sums(before))
        for kept, least in ((self._rated, 1), (self._paired, 2)):
            reached = (after.sum(axis=1) >= least) & (before.sum(axis=1) < least)
            np.add.at(kept, where[reached], 1)

    @property
    def pairable_units(self) -> int:
        """Units with two ratings or more."""
        return int(self._paired.sum())

    @property
    def clusters(self) -> int:
        """Clusters that hold such a unit."""
        return int((self._paired > 0).sum())

    def alpha(self) -> float | Reason:
        """Alpha of what was added, or why there is none."""
        if not self._rated.any():
            return Reason.NO_RATINGS
        if not self._paired.any():
            return Reason.NO_PAIRS
        value = float(self._alphas(self._rows.sum(axis=0)[None, :])[0])
        return Reason.ALL_EQUAL if np.isnan(value) else value

    def interval(self, *, replicates: int, seed: int) -> Interval:
        """The one that `intervals` gives of the same ratings, replicates and seed."""
        value = self.alpha()
        if isinstance(value, Reason):
            return Interval(None, None, value)
        if replicates < FEWEST_REPLICATES:
            return Interval(None, None, Reason.FEW_REPLICATES if replicates > 0 else Reason.NO_BOOTSTRAP)
        if self.clusters < FEWEST_CLUSTERS:
            return Interval(None, None, Reason.FEW_CLUSTERS)
        rows = self._rows[self._rated > 0]
        resampled = replicate_sums(rows, None, replicates=replicates, seed=seed)
        return bca_interval(value, self._alphas, rows=rows, often=None, resampled=resampled)

    def _sums(self, counts: np.ndarray) -> np.ndarray:
        above = self._levels - self._levels[:1]  # sums of whole ratings are exact
        size, total, squares = counts.sum(axis=1), counts @ above, counts @ above**2
        return alpha_sums(counts, size, total, squares, level=self._level, levels=self._levels)

    def _alphas(self, rows: np.ndarray) -> np.ndarray:
        return alpha_of_sums(rows, level=self._level, levels=self._levels)
