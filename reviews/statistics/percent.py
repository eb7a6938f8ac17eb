"""Agreement in percent: of pairs of ratings, and of whole units."""

from dataclasses import dataclass

import numpy as np

from .patterns import DimensionRatings, Patterns, ends


@dataclass(frozen=True)
class Percent:
    """Shares, pooled over units, that agree exactly or within one level. None where nothing pairs or is adjacent."""

    pair_exact: float | None = None
    pair_adjacent: float | None = None
    all_exact: float | None = None
    all_adjacent: float | None = None
    pairs: int = 0
    mean_pair_difference: float | None = None


def percent_agreement(ratings: DimensionRatings, patterns: Patterns) -> Percent:
    """Percent agreement over pairs of ratings of one unit, and over units with two ratings or more."""
    if not patterns.pairable_units:
        return Percent()
    if patterns.open or patterns.counts is None:
        return _of_cells(ratings, patterns)
    counts, size, n = patterns.counts, patterns.size, patterns.n.astype(float)
    pairs = float(n @ (size * (size - 1))) / 2
    exact = counts * (counts - 1) / 2
    beside = counts[:, :-1] * counts[:, 1:]
    used = counts > 0
    lowest, highest = used.argmax(axis=1), used.shape[1] - 1 - used[:, ::-1].argmax(axis=1)
    units = np.where(size >= 2, n, 0)
    ordered = ratings.level != "nominal"
    equal = float(n @ exact.sum(axis=1))
    distance = np.abs(np.subtract.outer(ratings.numbers, ratings.numbers))
    apart = float(n @ np.einsum("pk,kl,pl->p", counts, distance, counts, optimize=True)) / 2
    return Percent(
        pair_exact=equal / pairs,
        pair_adjacent=(equal + float(n @ beside.sum(axis=1))) / pairs if ordered else None,
        all_exact=float(units @ (lowest == highest)) / float(units.sum()),
        all_adjacent=float(units @ (highest - lowest <= 1)) / float(units.sum()) if ordered else None,
        pairs=round(pairs),
        mean_pair_difference=apart / pairs if ordered else None,
    )


def _of_cells(ratings: DimensionRatings, patterns: Patterns) -> Percent:
    """The same from how often each unit has each value; on an open scale no value is beside another."""
    levels = len(ratings.scale.levels)
    cells, often = np.unique(ratings.unit * levels + ratings.code, return_counts=True)
    size = patterns.size[patterns.of_unit]
    pairs = float((size * (size - 1)).sum()) / 2
    equal = float((often * (often - 1)).sum()) / 2
    low, high = ends(ratings.unit, ratings.code, ratings.units)
    apart = (high - low)[size >= 2]
    ordered = ratings.level != "nominal" and not ratings.scale.open
    next_to = (np.diff(cells) == 1) & (np.diff(cells // levels) == 0)
    beside = float((often[:-1] * often[1:])[next_to].sum())
    return Percent(
        pair_exact=equal / pairs,
        pair_adjacent=(equal + beside) / pairs if ordered else None,
        all_exact=float((apart == 0).mean()),
        all_adjacent=float((apart <= 1).mean()) if ordered else None,
        pairs=round(pairs),
    )
