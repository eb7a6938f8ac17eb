"""Item misfit: on which units raters quarrel more than they are wont to. There the guideline is to be mended first.

The mean over a unit's raters of (residual / sigma_j)^2, with the residuals of the additive model (see `additive`) and
a standard deviation sigma_j for each rater, so that a quarrel among the most consistent raters weighs most.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .additive import Additive, additive_model
from .patterns import DimensionRatings, ends
from .reasons import Reason

WORST = 200
LOWEST_SIGMA = 0.25  # of the panel's
SAME = 12  # digits: values equal to so many are ties


@dataclass(frozen=True)
class Misfit:
    """Misfit of each unit, (U,), 1 or so where a quarrel is of the usual size, NaN where there is none.

    raters: (U,) ratings of each unit. range: (U,) highest minus lowest of them, in levels.
    sigma: (R,) standard deviation of each rater about the model, in levels, NaN of a rater who shares no unit.
    """

    value: np.ndarray
    raters: np.ndarray
    range: np.ndarray
    sigma: np.ndarray
    reason: Reason | None = None

    @property
    def mean(self) -> float | None:
        """Mean of the units that have a value."""
        return None if self.reason else float(np.nanmean(self.value))


@dataclass(frozen=True)
class MisfitItem:
    """One unit by the id of its item."""

    item: str
    value: float
    raters: int
    range: float


def item_misfit(ratings: DimensionRatings, model: Additive | None = None) -> Misfit:
    """Misfit of every unit with two ratings or more.

    model: `additive_model` of the same ratings, where it is at hand.
    sigma_j^2 = (sum of j's squared residuals) / df_j, df_j = f sum_i (1 - 1/m_i) over j's units with m_i ratings; f
    shares out what severities cost, so that the df_j add up to the model's degrees of freedom. In a complete panel
    df_j = (U-1)(R-1)/R, its exact part. A residual holds some of the others' scatter too, since a unit's mean does.
    sigma_j is never under a quarter of the panel's: a rater without any residual weighs sixteen times the average at
    most, not infinitely.
    """
    nothing = np.full(ratings.units, np.nan)
    raters = len(ratings.rater_names)
    size = np.bincount(ratings.unit, minlength=ratings.units)
    spread = _range(ratings)
    why = _why_none(ratings, size)
    if why is None:
        model = additive_model(ratings) if model is None else model
        sigma = model.sigma
        if not model.solved:
            why = Reason.TOO_MANY_RATERS
        elif sigma is None:
            why = Reason.TOO_FEW_RATINGS
        else:
            # residuals of ratings of some levels that fit to all digits but the last are rounding
            why = Reason.NO_ERROR if sigma <= 1e-9 * max(float(spread.max()), 1e-9) else None
    if why is not None:
        return Misfit(nothing, size, spread, np.full(raters, np.nan), why)
    assert model is not None
    assert sigma is not None
    own = rater_sigmas(model, raters)
    scaled = (model.residual / own[model.rater]) ** 2
    added = np.bincount(model.unit, weights=scaled, minlength=ratings.units)
    value = np.where(size >= 2, added / np.maximum(size, 1), np.nan)
    return Misfit(value, size, spread, own)


def rater_sigmas(model: Additive, raters: int) -> np.ndarray:
    """Standard deviation of each rater about the model, (R,), in levels; see `item_misfit`. NaN without a unit shared.

    model: one that has degrees of freedom left.
    """
    assert model.sigma is not None
    squares = np.bincount(model.rater, weights=model.residual**2, minlength=raters)
    part = np.bincount(model.rater, weights=1 - 1 / model.size, minlength=raters)
    freedom = part * (model.freedom / part.sum())
    sigma = np.sqrt(np.divide(squares, freedom, out=np.full(raters, np.nan), where=part > 0))
    return np.maximum(sigma, LOWEST_SIGMA * model.sigma)


def worst_items(misfit: Misfit, name_of: Callable[[int], str], *, most: int = WORST) -> tuple[MisfitItem, ...]:
    """The units with most misfit, most first; of equal ones in the order of their numbers, which is that of their ids.

    name_of: the item id of unit 0..U-1.
    """
    defined = np.flatnonzero(~np.isnan(misfit.value))
    value = np.round(misfit.value[defined], SAME)
    worst = defined[np.argsort(-value, kind="stable")[:most]]
    return tuple(
        MisfitItem(name_of(int(unit)), float(misfit.value[unit]), int(misfit.raters[unit]), float(misfit.range[unit]))
        for unit in worst
    )


def _why_none(ratings: DimensionRatings, size: np.ndarray) -> Reason | None:
    if not ratings.units:
        return Reason.NO_RATINGS
    if ratings.level == "nominal":
        return Reason.NOT_NOMINAL
    if ratings.rater is None:
        return Reason.NO_RATER_IDS
    if len(ratings.rater_names) == 1:
        return Reason.ONE_RATER
    return None if (size >= 2).any() else Reason.NO_PAIRS


def _range(ratings: DimensionRatings) -> np.ndarray:
    """Highest minus lowest value of each unit, (U,), in levels."""
    low, high = ends(ratings.unit, ratings.code, ratings.units)
    return ratings.numbers[high] - ratings.numbers[low]
