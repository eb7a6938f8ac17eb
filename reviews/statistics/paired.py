"""Two groups of ratings drawn together: what each cluster adds to both, and the replicates of both.

Where the groups share clusters, the clusters of both together are drawn: what a shared cluster adds to one group and
to the other moves together, and which clusters a group has is part of the chance. Where they share none they are two
independent samples whose sizes were chosen, not drawn: each is drawn by itself, as many clusters as it has (Efron and
Tibshirani 1993, An Introduction to the Bootstrap, section 8.3), from two streams of random numbers. From one stream,
groups of one size would get the same draws, and so move together.
"""

from dataclasses import dataclass

import numpy as np

from .bootstrap import replicate_sums, sums_by_cluster
from .parts import part_of
from .patterns import DimensionRatings, Patterns, pattern_table


@dataclass(frozen=True)
class Group:
    """The ratings of one group. cluster: (U,) of each of its units, as numbered in the whole dimension."""

    ratings: DimensionRatings
    patterns: Patterns
    cluster: np.ndarray


@dataclass(frozen=True)
class Paired:
    """What clusters add to group a and to group b.

    rows: (R, F + F) the sums of a, then of b; 0 in a group that does not hold the cluster.
    often: (R,) how many clusters are equal to each row, or None for one each. in_a, in_b: (R,) who holds it.
    """

    rows: np.ndarray
    often: np.ndarray | None
    in_a: np.ndarray
    in_b: np.ndarray

    @property
    def shared_clusters(self) -> int:
        """How many clusters both groups hold."""
        both = self.in_a & self.in_b
        return int(both.sum() if self.often is None else self.often[both].sum())


def group_of(whole: DimensionRatings, rated: np.ndarray) -> Group:
    """The group of the ratings at the positions `rated` of a dimension, ascending."""
    ratings = part_of(whole, rated)
    return Group(ratings, pattern_table(ratings), whole.cluster[np.unique(whole.unit[rated])])


def paired_rows(a: Group, b: Group, sums_a: np.ndarray, sums_b: np.ndarray) -> Paired:
    """What each cluster of the two groups adds. sums_a, sums_b: (P, F) of the patterns of each."""
    clusters = np.union1d(a.cluster, b.cluster)
    places = [np.searchsorted(clusters, group.cluster) for group in (a, b)]
    if a.ratings.own_clusters:
        return _paired_units(a, b, sums_a, sums_b, places, len(clusters))
    rows = np.zeros((len(clusters), sums_a.shape[1] + sums_b.shape[1]))
    members = np.zeros((2, len(clusters)), dtype=bool)
    for at, (group, sums, place) in enumerate(zip((a, b), (sums_a, sums_b), places, strict=True)):
        members[at, place] = True
        if len(place):
            added = sums_by_cluster(sums, group.patterns.of_unit, place)
            start = at * sums_a.shape[1]
            rows[: len(added), start : start + added.shape[1]] = added
    return Paired(rows, None, members[0], members[1])


def _paired_units(
    a: Group, b: Group, sums_a: np.ndarray, sums_b: np.ndarray, places: list[np.ndarray], units: int
) -> Paired:
    """The same where each unit is its own cluster: units with the same pattern in both groups are one row."""
    kinds = np.full((2, units), -1)  # -1 points to the row of a unit that a group does not hold
    for kind, group, place in zip(kinds, (a, b), places, strict=True):
        kind[place] = group.patterns.of_unit
    often: np.ndarray | None
    _, first, often = np.unique(kinds, axis=1, return_index=True, return_counts=True)
    if len(first) * 10 > units:  # few units are alike: drawing them one by one is faster
        first, often = np.arange(units), None
    kinds = kinds[:, first]
    rows = [
        np.vstack([sums, np.zeros((1, sums.shape[1]))])[kind] for sums, kind in ((sums_a, kinds[0]), (sums_b, kinds[1]))
    ]
    return Paired(np.hstack(rows), often, kinds[0] >= 0, kinds[1] >= 0)


def paired_replicates(paired: Paired, *, replicates: int, seed: int) -> np.ndarray:
    """Sums of both groups in resamples of the clusters, (B, F + F). Raises TooFewClusters below thirty in a draw."""
    rows, often = paired.rows, paired.often
    if (paired.in_a & paired.in_b).any():
        return replicate_sums(rows, often, replicates=replicates, seed=seed)
    half = rows.shape[1] // 2
    other = int(np.random.SeedSequence([seed, 1]).generate_state(1, np.uint64)[0])
    return np.hstack(
        [
            replicate_sums(
                rows[member, columns], None if often is None else often[member], replicates=replicates, seed=own
            )
            for member, columns, own in (
                (paired.in_a, slice(None, half), seed),
                (paired.in_b, slice(half, None), other),
            )
        ]
    )
