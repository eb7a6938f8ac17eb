"""Alpha and its interval as items came in: has it settled, or does it still move with every few items?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .alpha import fits
from .patterns import DimensionRatings, dimension_of
from .reasons import Reason
from .results import Estimate, plain
from .running import RunningAlpha
from .tidy import Ratings

POINTS = 20
REPLICATES = 1_000  # a report has 10,000: of so few the ends of an interval still move by about a hundredth of it


@dataclass(frozen=True)
class Step:
    """Alpha of the first `items` that were complete, in so many scenarios."""

    items: int
    scenarios: int
    alpha: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"items": self.items, "scenarios": self.scenarios, **self.alpha.to_json()}


@dataclass(frozen=True)
class Sequence:
    """The steps of one dimension, the last one of all its items; reason: why there is none."""

    steps: tuple[Step, ...] = ()
    reason: Reason | None = None

    def to_json(self) -> dict[str, Any]:
        return {"steps": [step.to_json() for step in self.steps], "reason": plain(self.reason)}


def sequences(
    ratings: Ratings,
    *,
    level: str = "ordinal",
    points: int = POINTS,
    replicates: int = REPLICATES,
    seed: int = 0,
    pulse: Callable[[], None] = lambda: None,
) -> dict[str, Sequence]:
    """`sequence_of` every dimension of coded ratings."""
    return {
        name: sequence_of(
            dimension_of(ratings, at, level), points=points, replicates=replicates, seed=seed, pulse=pulse
        )
        for at, name in enumerate(ratings.dimension_names)
    }


def sequence_of(
    ratings: DimensionRatings,
    *,
    points: int = POINTS,
    replicates: int = REPLICATES,
    seed: int = 0,
    pulse: Callable[[], None] = lambda: None,
) -> Sequence:
    """Alpha after the first n items, n in about `points` equal steps up to all.

    Items with two ratings or more count, in the order in which their last rating came in; each stands with all its
    ratings. Every step draws from the same seed, so that equal ratings have equal intervals. Between two steps only
    the new items are counted. pulse: called after each step, to show life.
    """
    if not ratings.units:
        return Sequence(reason=Reason.NO_RATINGS)
    size = np.bincount(ratings.unit, minlength=ratings.units)
    if not (size >= 2).any():
        alone = ratings.rater is not None and len(ratings.rater_names) == 1
        return Sequence(reason=Reason.ONE_RATER if alone else Reason.NO_PAIRS)
    levels = ratings.values
    if ratings.scale.open or not fits(ratings.units, level=ratings.level, levels=levels):
        return Sequence(reason=Reason.TOO_MANY_LEVELS)
    running = RunningAlpha(ratings.cluster, level=ratings.level, levels=levels)
    steps = []
    for unit, code in _coming_in(ratings, size, points):
        running.add(unit, code)
        steps.append(_step(running, replicates, seed))
        pulse()
    return Sequence(tuple(steps))


def _coming_in(ratings: DimensionRatings, size: np.ndarray, points: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Units and codes of the ratings of the items between two steps."""
    last = np.zeros(ratings.units, dtype=np.int64)
    np.maximum.at(last, ratings.unit, np.arange(len(ratings.unit)))
    complete = np.flatnonzero(size >= 2)
    complete = complete[np.argsort(last[complete])]
    place = np.full(ratings.units, -1)
    place[complete] = np.arange(len(complete))
    order = np.argsort(place[ratings.unit], kind="stable")
    places = place[ratings.unit][order]
    items = np.unique(np.rint(np.linspace(0, len(complete), min(points, len(complete)) + 1)).astype(int))
    bounds = np.searchsorted(places, items)  # what lies before the first is of items with one rating
    for start, end in pairwise(bounds):
        yield ratings.unit[order[start:end]], ratings.code[order[start:end]]


def _step(running: RunningAlpha, replicates: int, seed: int) -> Step:
    value = running.alpha()
    if isinstance(value, Reason):
        return Step(running.pairable_units, running.clusters, Estimate(None, reason=value))
    found = running.interval(replicates=replicates, seed=seed)
    estimate = Estimate(value, found.low, found.high, found.reason, found.dropped)
    return Step(running.pairable_units, running.clusters, estimate)
