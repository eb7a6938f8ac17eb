"""A part of the ratings of one dimension, numbered as if there were no others."""

import numpy as np

from .patterns import DimensionRatings


def part_of(whole: DimensionRatings, rated: np.ndarray, missing: int = 0) -> DimensionRatings:
    """Some ratings of a dimension, as `dimension_of` gives them when it is given no others.

    rated: (n,) positions of the ratings in `whole`, ascending. missing: how many ratings of the part have no value.
    Units, raters and clusters that the part does not hold are left out; the others keep their order, on which the
    draws of a bootstrap depend.
    """
    unit, units = _renumbered(whole.unit[rated], whole.units)
    rater, names = None, []
    if whole.rater is not None:
        rater, who = _renumbered(whole.rater[rated], len(whole.rater_names))
        names = [whole.rater_names[at] for at in who]
    return DimensionRatings(
        name=whole.name,
        level=whole.level,
        scale=whole.scale,
        unit=unit,
        code=whole.code[rated],
        rater=rater,
        rater_names=names,
        cluster=_renumbered(whole.cluster[units], whole.clusters)[0],
        own_clusters=whole.own_clusters,
        units=len(units),
        missing=missing,
    )


def _renumbered(codes: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Codes below `count` numbered anew without gaps, and the old code of each new one, ascending."""
    there = np.zeros(count, dtype=bool)
    there[codes] = True
    return (np.cumsum(there) - 1)[codes], np.flatnonzero(there)
