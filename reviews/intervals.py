"""A share with its interval. Pure, and without numpy: pages show it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from reviews.statistics.wilson import wilson

ENOUGH_CLUSTERS = 30


@dataclass(frozen=True)
class Proportion:
    """hits of n; share and the ends of its 95 % interval are None where n is 0. how: which interval it is."""

    hits: int
    n: int
    share: float | None
    low: float | None
    high: float | None
    how: str  # "scenario clusters", "Wilson", "" without any


def proportion(observed: Sequence[tuple[str, bool]]) -> Proportion:
    """The share of hits among (cluster, hit), with a 95 % interval.

    From 30 clusters on, Wilson's interval on the effective sample size, n divided by the design effect of the
    clusters (Korn and Graubard 1998; never taken below 1); with fewer, Wilson's as if all were independent.
    """
    n, hits = len(observed), sum(hit for _cluster, hit in observed)
    if not n:
        return Proportion(0, 0, None, None, None, "")
    clustered = len({cluster for cluster, _hit in observed}) >= ENOUGH_CLUSTERS
    low, high = wilson(hits / n, n / _design_effect(observed) if clustered else n)
    return Proportion(hits, n, hits / n, low, high, "scenario clusters" if clustered else "Wilson")


def _design_effect(observed: Sequence[tuple[str, bool]]) -> float:
    """Variance of the share by clusters (ratio estimator) over that of independent observations."""
    n = len(observed)
    share = sum(hit for _cluster, hit in observed) / n
    if share in (0, 1):
        return 1.0
    off: dict[str, float] = defaultdict(float)
    for cluster, hit in observed:
        off[cluster] += hit - share
    by_clusters = len(off) / (len(off) - 1) * sum(total**2 for total in off.values()) / n**2
    return max(1.0, by_clusters / (share * (1 - share) / n))
