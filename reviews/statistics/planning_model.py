"""The model that a plan is worked out on: an ordered probit with scenarios, items and rater noise.

    latent rating = scenario + item + noise     normal, variances sum to 1
    score         = the level between whose cuts the latent rating falls

The cuts are those that give the stated shares of the levels. The variance of scenario + item, the correlation of two
raters of an item, is the one that gives the stated alpha; the scenario's part of it is the stated scenario share.
The noise of two ratings is independent: that a rater is severe throughout is part of it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from .planning_limits import MOST_LEVELS
from .planning_refusals import PlanRefused, Refusal
from .results import rounded
from .scales import MOST_LEVELS as MOST_ON_A_SCALE
from .scales import Scale, label_of, parse_scale

CLOSEST = 1 - 1e-6  # correlation of two raters beyond which nothing is left to plan for
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(128)


@dataclass(frozen=True)
class Assumptions:
    """What is supposed of the ratings of one dimension.

    shares: (K,) share of the ratings at each level of the scale; they sum to 1.
    alpha: ordinal alpha, 0 to below 1. scenario_share: share of the scenario in the variance of the items' true
    values, 0 to 1.
    """

    scale: Scale
    shares: tuple[float, ...]
    alpha: float
    scenario_share: float

    def to_json(self) -> dict[str, object]:
        return {
            "scale": self.scale.text(),
            "distribution": {
                label: rounded(share) for label, share in zip(self.scale.labels, self.shares, strict=True)
            },
            "alpha": rounded(self.alpha),
            "scenario_share": rounded(self.scenario_share),
        }


@dataclass(frozen=True)
class Model:
    """Assumptions as an ordered probit, over the levels in use only: unused ones change nothing.

    levels: (K,) their values. shares: (K,). cuts: (K-1,) on the latent scale of variance 1.
    item: variance of an item's true value, scenario's part included. scenario: the scenario's part.
    """

    levels: np.ndarray
    shares: np.ndarray
    cuts: np.ndarray
    item: float
    scenario: float


def parse_distribution(text: str) -> dict[float, float]:
    """Read "1:2,2:5,3:13": level and weight, in any unit (percent, counts). Raises PlanRefused."""
    found: dict[float, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        try:
            level, weight = (float(number) for number in part.split(":"))
        except ValueError:
            raise PlanRefused(Refusal.NOT_LEVEL_WEIGHT, part=repr(part)) from None
        if level in found:
            raise PlanRefused(Refusal.LEVEL_TWICE, level=label_of(level))
        found[level] = weight
    return found


def assume(
    distribution: Mapping[float, float], *, alpha: float, scenario_share: float, scale: str | Scale | None = None
) -> Assumptions:
    """Checked assumptions.

    distribution: {level: weight}, weights in any unit; levels not named have none. scale: as `parse_scale` reads it;
    None takes the whole numbers from the lowest to the highest level named.
    Raises PlanRefused and ScaleRefused.
    """
    if not all(map(math.isfinite, distribution)):
        raise PlanRefused(Refusal.LEVEL_NO_NUMBER)
    if not all(math.isfinite(weight) and weight >= 0 for weight in distribution.values()):
        raise PlanRefused(Refusal.WEIGHT_BELOW_ZERO)
    if sum(weight > 0 for weight in distribution.values()) < 2:
        raise PlanRefused(Refusal.ONE_LEVEL)
    declared = parse_scale(scale if scale is not None else _whole_numbers(distribution))
    codes = declared.codes(np.array(list(distribution), dtype=float))
    for level, code in zip(distribution, codes, strict=True):
        if code < 0:
            raise PlanRefused(Refusal.NOT_ON_SCALE, level=label_of(level), scale=declared.text())
    if not 0 <= alpha < 1:
        raise PlanRefused(Refusal.ALPHA_OUT, alpha=f"{alpha:g}")
    if not 0 <= scenario_share <= 1:
        raise PlanRefused(Refusal.SHARE_OUT, share=f"{scenario_share:g}")
    shares = np.zeros(len(declared.levels))
    shares[codes] = list(distribution.values())
    if (shares > 0).sum() > MOST_LEVELS:
        raise PlanRefused(Refusal.MANY_LEVELS, most=str(MOST_LEVELS))
    return Assumptions(declared, tuple((shares / shares.sum()).tolist()), alpha, scenario_share)


def _whole_numbers(distribution: Mapping[float, float]) -> str:
    low, high = min(distribution), max(distribution)
    if not (float(low).is_integer() and float(high).is_integer()):
        raise PlanRefused(Refusal.NO_WHOLE_LEVELS)
    if high - low >= MOST_ON_A_SCALE:
        raise PlanRefused(Refusal.LEVELS_FAR_APART, low=f"{low:g}", high=f"{high:g}")
    return f"{low:.0f}-{high:.0f}"


def fit(assumptions: Assumptions) -> Model:
    """The model of the assumptions. Raises PlanRefused if no rater noise gives the stated alpha."""
    used = np.flatnonzero(np.asarray(assumptions.shares) > 0)
    shares = np.asarray(assumptions.shares)[used]
    item = correlation_for(shares, assumptions.alpha)
    return Model(
        levels=np.asarray(assumptions.scale.levels, dtype=float)[used],
        shares=shares,
        cuts=cuts_of(shares),
        item=item,
        scenario=item * assumptions.scenario_share,
    )


def cuts_of(shares: np.ndarray) -> np.ndarray:
    """(K-1,) where a standard normal is cut so that the levels have these shares (K,), none of them 0."""
    return np.asarray(ndtri(np.cumsum(shares)[:-1]))


def pair_probabilities(shares: np.ndarray, correlation: float) -> np.ndarray:
    """(K, K) how often two ratings have each pair of levels, if their latent values correlate so (0 to CLOSEST).

    The bivariate normal distribution function is the integral of its density over the correlation (Plackett 1954),
    here over the correlation's arc sine, by Gauss and Legendre.
    """
    cuts, below = cuts_of(shares), np.cumsum(shares)
    end = math.asin(correlation)
    angle, weight = (_NODES + 1) / 2 * end, _WEIGHTS / 2 * end
    a, b = cuts[:, None, None], cuts[None, :, None]
    density = np.exp(-(a**2 + b**2 - 2 * a * b * np.sin(angle)) / (2 * np.cos(angle) ** 2)) / (2 * math.pi)
    both_below = np.zeros((len(shares) + 1, len(shares) + 1))
    both_below[1:-1, 1:-1] = np.outer(below[:-1], below[:-1]) + density @ weight
    both_below[-1, 1:] = both_below[1:, -1] = below
    return np.diff(np.diff(both_below, axis=0), axis=1)


def expected_alpha(shares: np.ndarray, correlation: float) -> float:
    """Ordinal alpha of very many ratings: 1 - D_o/D_e on expected coincidences. Rises with the correlation, from 0."""
    rank = np.cumsum(shares) - shares / 2 - 0.5
    return float(rank @ pair_probabilities(shares, correlation) @ rank / (shares @ rank**2))


def correlation_for(shares: np.ndarray, alpha: float) -> float:
    """The correlation of two raters' latent values at which alpha is expected; 0 for an alpha of 0 or below.

    Raises PlanRefused above the alpha that the closest raters reach.
    """
    if alpha <= 0:
        return 0.0
    most = expected_alpha(shares, CLOSEST)
    if alpha > most:
        raise PlanRefused(Refusal.ALPHA_TOO_HIGH, alpha=f"{alpha:g}", most=f"{most:.4f}")
    low, high = 0.0, CLOSEST
    for _ in range(50):  # halvings: to the last digit or so
        middle = (low + high) / 2
        low, high = (middle, high) if expected_alpha(shares, middle) < alpha else (low, middle)
    return (low + high) / 2
