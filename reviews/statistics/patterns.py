"""Ratings of one dimension, and their pattern table: unit -> counts of levels -> unique patterns.

Three raters on five levels have 35 patterns (56 with missing ratings), however many units there are, so that what
follows the counting pass costs the same for a hundred units and for a million.
"""

from dataclasses import dataclass

import numpy as np

from .scales import Scale, agreement_weights
from .tidy import Ratings

MOST_CELLS = 20_000_000
MOST_TABLE_LEVELS = 4_000  # distances of levels are K x K: 128 MB


@dataclass(frozen=True)
class DimensionRatings:
    """The ratings of one dimension that have a value.

    unit, code: (N,) unit 0..U-1 and index on `scale.levels` of each rating, in sequence.
    rater: (N,) index into `rater_names`, or None where ratings are anonymous.
    cluster: (U,) cluster 0..S-1 of each unit; `own_clusters` where each unit is its own.
    """

    name: str
    level: str
    scale: Scale
    unit: np.ndarray
    code: np.ndarray
    rater: np.ndarray | None
    rater_names: list[str]
    cluster: np.ndarray
    own_clusters: bool
    units: int
    missing: int

    @property
    def clusters(self) -> int:
        """How many clusters hold a rated unit."""
        return int(self.cluster.max()) + 1 if self.units else 0

    @property
    def values(self) -> np.ndarray:
        """(K,) the values of the declared levels, as alpha takes them; at nominal level their places."""
        if self.level == "nominal":
            return np.arange(len(self.scale.levels))
        return np.asarray(self.scale.levels, dtype=float)

    @property
    def weights(self) -> np.ndarray:
        """(K, K) the weights of AC2: quadratic on the scale's distances; at nominal level those of AC1.

        None at all, (0, 0), where AC2 is undefined: on an open scale, and with more levels than a pattern table has.
        """
        if self.scale.open or len(self.scale.levels) > MOST_TABLE_LEVELS:
            return np.zeros((0, 0))
        return agreement_weights("identity" if self.level == "nominal" else "quadratic", self.values)

    @property
    def numbers(self) -> np.ndarray:
        """(K,) the levels as numbers above the lowest one, so that sums of whole ratings are exact."""
        if not self.scale.is_numeric or not self.scale.levels:
            return np.zeros(len(self.scale.levels))
        levels = np.asarray(self.scale.levels, dtype=float)
        return levels - levels[0]


def dimension_of(ratings: Ratings, dimension: int, level: str) -> DimensionRatings:
    """Cut one dimension out of the coded ratings; units, raters and clusters are those with a value in it."""
    here = ratings.dimension == dimension
    given = np.flatnonzero(here & (ratings.code >= 0))
    name = ratings.dimension_names[dimension]
    items, unit = np.unique(ratings.item[given], return_inverse=True)
    rater, names = None, []
    if ratings.rater is not None:
        who, rater = np.unique(ratings.rater[given], return_inverse=True)
        names = [ratings.rater_names[at] for at in who]
    cluster = np.arange(len(items))
    if ratings.cluster is not None and len(items):
        of_unit = np.zeros(len(items), dtype=np.int64)
        of_unit[unit] = ratings.cluster[given]
        cluster = np.unique(of_unit, return_inverse=True)[1]
    return DimensionRatings(
        name=name,
        level=level,
        scale=ratings.scales[name],
        unit=unit,
        code=ratings.code[given].astype(np.int64),
        rater=rater,
        rater_names=names,
        cluster=cluster,
        own_clusters=ratings.cluster is None,
        units=len(items),
        missing=int(here.sum()) - len(given),
    )


@dataclass(frozen=True)
class Patterns:
    """Unique patterns of ratings a unit can have, and which unit has which.

    of_unit: (U,) index of the pattern of each unit. n: (P,) units that have it.
    size, total, squares: (P,) number, sum and sum of squares of a pattern's ratings (values above the lowest level).
    counts: (P, K) ratings at each level; None where they are too many, and on an open scale, where a pattern is a unit.
    open: whether levels are only those seen on an open scale; alpha at ratio level needs their counts all the same.
    """

    of_unit: np.ndarray
    n: np.ndarray
    size: np.ndarray
    total: np.ndarray
    squares: np.ndarray
    counts: np.ndarray | None
    open: bool = False

    @property
    def pairable_units(self) -> int:
        """Units with two ratings or more."""
        return int(self.n[self.size >= 2].sum())


def pattern_table(ratings: DimensionRatings) -> Patterns:
    """The pattern table of a dimension. Where it would not fit into memory the scale is taken as open."""
    levels = len(ratings.scale.levels)
    values = ratings.numbers
    if levels and (not ratings.scale.open or ratings.level == "ratio"):
        of_unit, counts = _unique_counts(ratings.unit, ratings.code, ratings.units, levels)
        if counts is not None:
            return Patterns(
                of_unit=of_unit,
                n=np.bincount(of_unit, minlength=len(counts)),
                size=counts.sum(axis=1),
                total=counts @ values,
                squares=counts @ values**2,
                counts=counts,
                open=ratings.scale.open,
            )
    value = values[ratings.code] if levels else np.zeros(0)
    return Patterns(
        of_unit=np.arange(ratings.units),
        n=np.ones(ratings.units, dtype=np.int64),
        size=np.bincount(ratings.unit, minlength=ratings.units).astype(float),
        total=np.bincount(ratings.unit, weights=value, minlength=ratings.units),
        squares=np.bincount(ratings.unit, weights=value**2, minlength=ratings.units),
        counts=None,
        open=ratings.scale.open,
    )


def _unique_counts(unit: np.ndarray, code: np.ndarray, units: int, levels: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Pattern of each unit and the patterns' counts (P, K), or None for the counts if they are too many."""
    most = int(np.bincount(unit, minlength=1).max()) + 1
    if most**levels < 2**53:  # a pattern is a number whose digits are its counts, exact in a float
        digits = float(most) ** np.arange(levels)
        keys, of_unit = np.unique(np.bincount(unit, weights=digits[code], minlength=units), return_inverse=True)
        counts = (keys.astype(np.int64)[:, None] // digits.astype(np.int64)) % most
        return of_unit, counts.astype(float)
    of_unit, first = alike(unit, code, units)
    if len(first) * levels > MOST_CELLS or levels > MOST_TABLE_LEVELS:
        return np.zeros(0, dtype=np.int64), None
    row = np.full(units, -1)
    row[first] = np.arange(len(first))
    used = row[unit] >= 0
    counts = np.bincount(row[unit[used]] * levels + code[used], minlength=len(first) * levels)
    return of_unit, counts.reshape(len(first), levels).astype(float)


def alike(unit: np.ndarray, cell: np.ndarray, units: int) -> tuple[np.ndarray, np.ndarray]:
    """Units with the same cells, in whatever order: the kind of each unit, and the first unit of each kind.

    unit, cell: (N,) unit 0..U-1 and a number from 0 on of each rating, N > 0; each unit has one.
    The j-th cells of all units that have so many are joined to the key in turn; keys stay exact whole numbers.
    """
    order = np.lexsort((cell, unit))
    cell = cell[order]
    size = np.bincount(unit, minlength=units)
    start = np.cumsum(size) - size
    key, cells = size.astype(np.int64), int(cell.max()) + 1
    for at in range(int(size.max())):
        here = np.flatnonzero(size > at)
        joined = np.unique(key[here] * cells + cell[start[here] + at], return_inverse=True)[1]
        key[here] = joined + int(key.max()) + 1  # above all keys of units that have no more cells
    _, first, of_unit = np.unique(key, return_index=True, return_inverse=True)
    return of_unit, first


def ends(group: np.ndarray, code: np.ndarray, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest code of each group, (groups,); the largest integer and -1 of an empty one."""
    low, high = np.full(groups, np.iinfo(np.int64).max), np.full(groups, -1)
    np.minimum.at(low, group, code)
    np.maximum.at(high, group, code)
    return low, high
