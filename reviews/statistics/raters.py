"""What each rater is like: severity, drift, monotony, and what alpha is without them."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from .additive import Additive, additive_model
from .drift import drift_intervals, drift_slopes
from .leave_one_out import alphas_without, leave_one_out
from .measured import Measured
from .monotony import constant_raters, longest_runs, modal_shares, rest_correlations, straight_lining
from .patterns import DimensionRatings, Patterns
from .reasons import Reason
from .results import RaterDetail

__all__ = ["Severities", "alphas_without", "rater_details", "rater_severities"]


@dataclass(frozen=True)
class Severities:
    """One severity a rater, and the block of each: raters of two blocks share no unit and cannot be compared."""

    raters: list[Measured]
    block: np.ndarray
    blocks: int


def rater_severities(ratings: DimensionRatings, model: Additive | None = None) -> Severities:
    """How much lower each rater rates than the panel on the same units, in levels, with a 95 % interval.

    It is s of the additive model (see `additive`), centred on 0 in each block of raters. The standard error is
    sigma sqrt(L+_jj), the interval Student's. model: `additive_model` of the same ratings, where it is at hand.
    """
    model = additive_model(ratings) if model is None else model
    if not model.solved:
        too_many = Measured(None, reason=Reason.TOO_MANY_RATERS)
        return Severities([too_many] * len(model.severity), model.block, model.together)
    reach = None if model.sigma is None else float(stdtrit(model.freedom, 0.975)) * model.sigma
    found = []
    for s, spread, alone in zip(model.severity.tolist(), model.spread.tolist(), model.alone, strict=True):
        if alone:
            found.append(Measured(None, reason=Reason.NO_COMMON_ITEM))
        elif reach is None:
            found.append(Measured(s, reason=Reason.TOO_FEW_RATINGS))
        else:
            found.append(Measured(s, s - reach * spread**0.5, s + reach * spread**0.5))
    return Severities(found, model.block, model.together)


def rater_details(
    ratings: DimensionRatings, patterns: Patterns, model: Additive, *, levels: np.ndarray, replicates: int, seed: int
) -> tuple[RaterDetail, ...]:
    """What each rater is like, in the order of their names.

    model: `additive_model` of the ratings. levels: (K,) values of the scale. replicates: 0 for no intervals of what
    alpha is without a rater.
    """
    assert ratings.rater is not None
    raters = len(ratings.rater_names)
    severities = rater_severities(ratings, model).raters
    drifts, slopes = drift_intervals(ratings), drift_slopes(ratings)
    if ratings.level == "nominal":
        severities = drifts = slopes = [Measured(None, reason=Reason.NOT_NOMINAL)] * raters
    without = leave_one_out(ratings, patterns, levels=levels, replicates=replicates, seed=seed)
    modal, longest = modal_shares(ratings), longest_runs(ratings)
    straight, constant = straight_lining(ratings), constant_raters(ratings)
    correlations = rest_correlations(ratings)
    often = np.bincount(ratings.rater, minlength=raters)
    return tuple(
        RaterDetail(
            rater=name,
            n=int(often[j]),
            severity=severities[j],
            block=int(model.block[j]) + 1,
            drift=drifts[j],
            slope=slopes[j],
            modal_share=float(modal[j]),
            longest_run=int(longest[j]),
            straight_lining=straight[j],
            constant=bool(constant[j]),
            rest_correlation=correlations[j],
            alpha_without=None if np.isnan(without.without[j]) else float(without.without[j]),
            alpha_change=without.changes[j],
        )
        for j, name in enumerate(ratings.rater_names)
    )
