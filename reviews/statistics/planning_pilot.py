"""The assumptions of a plan, estimated from ratings that are there: a pilot, or a campaign under way."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .alpha import alpha
from .patterns import DimensionRatings, pattern_table
from .planning_model import Assumptions, assume, correlation_for
from .planning_refusals import PlanRefused, Refusal
from .reasons import Reason


@dataclass(frozen=True)
class Stated:
    """What is stated instead of estimated; None is estimated."""

    distribution: Mapping[float, float] | None = None
    alpha: float | None = None
    scenario_share: float | None = None


def assumptions_from(ratings: DimensionRatings, stated: Stated | None = None) -> Assumptions:
    """Assumptions estimated from the ratings of one dimension; what is stated takes the estimate's place.

    The distribution is that of all ratings, alpha the ordinal one, the scenario share `scenario_share_of`.
    Raises PlanRefused where something can be neither estimated nor taken from what is stated.
    """
    stated = stated or Stated()
    try:
        distribution, value = stated.distribution, stated.alpha
        if distribution is None:
            counts = np.bincount(ratings.code, minlength=len(ratings.scale.levels))
            distribution = dict(zip(ratings.scale.levels, counts.tolist(), strict=True))
        if value is None:
            value = _alpha(ratings)
        share = stated.scenario_share
        if share is None:
            share = scenario_share_of(ratings)
        return assume(distribution, alpha=value, scenario_share=share, scale=ratings.scale)
    except PlanRefused as error:
        raise error.of(ratings.name) from None


def scenario_share_of(ratings: DimensionRatings) -> float:
    """Share of the scenario in the variance of the items' true values, 0 to 1.

    By moments on the latent scale: the agreement of two raters on one item gives the variance of true values, that of
    two raters on two items of a scenario gives the scenario's part. Both are ordinal alphas, turned into correlations
    of latent values by the model. Pairs by one and the same rater are left out where raters are known: they would
    count the rater's severity as the scenario's.
    Raises PlanRefused where scenarios are unknown, or none has two items rated by two raters, or alpha is not above 0.
    """
    if ratings.own_clusters:
        raise PlanRefused(Refusal.NO_CLUSTERS)
    within = _alpha(ratings)
    if within <= 0:
        raise PlanRefused(Refusal.ALPHA_TOO_LOW)
    between = _agreement_between_items(ratings)
    if between is None:
        raise PlanRefused(Refusal.NO_TWO_ITEMS)
    counts = np.bincount(ratings.code, minlength=len(ratings.scale.levels))
    shares = counts[counts > 0] / counts.sum()
    return float(np.clip(correlation_for(shares, between) / correlation_for(shares, within), 0, 1))


def _alpha(ratings: DimensionRatings) -> float:
    raters = None if ratings.rater is None else len(ratings.rater_names)
    if not ratings.scale.is_numeric:
        raise PlanRefused(Refusal.NOT_NUMBERS)
    value = alpha(pattern_table(ratings), level="ordinal", levels=ratings.values, raters=raters)
    if isinstance(value, Reason):
        raise PlanRefused(Refusal.ALPHA_UNDEFINED, why=value.value)
    return value


def _agreement_between_items(ratings: DimensionRatings) -> float | None:
    """Ordinal alpha of pairs of ratings of two items of a scenario; None where there is no such pair."""
    levels = len(ratings.scale.levels)
    scenario = ratings.cluster[ratings.unit]
    pairs = _pairs(scenario, ratings.code, levels) - _pairs(ratings.unit, ratings.code, levels)
    if ratings.rater is not None:
        pairs -= _pairs(scenario * len(ratings.rater_names) + ratings.rater, ratings.code, levels)
    n = pairs.sum()
    if n <= 0:
        return None
    shares = np.bincount(ratings.code, minlength=levels) / len(ratings.code)
    rank = np.cumsum(shares) - shares / 2
    observed = float((pairs * np.subtract.outer(rank, rank) ** 2).sum() / n)
    expected = 2 * float(shares @ (rank - shares @ rank) ** 2)
    return 1 - observed / expected


def _pairs(group: np.ndarray, code: np.ndarray, levels: int) -> np.ndarray:
    """(K, K) ordered pairs of two ratings of one group, by their levels."""
    names, which = np.unique(group, return_inverse=True)
    counts = np.bincount(which * levels + code, minlength=len(names) * levels).reshape(-1, levels).astype(float)
    return np.asarray(counts.T @ counts - np.diag(counts.sum(axis=0)))
