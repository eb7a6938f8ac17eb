"""How wide alpha's interval will be: studies of a design are simulated, and each prints the interval it would print."""

import math
from dataclasses import dataclass

import numpy as np

from .alpha import alpha_of_sums, alpha_sums
from .bootstrap import FEWEST_CLUSTERS, bca_interval, replicate_sums
from .planning_model import Model
from .reasons import Reason

REPLICATES = 1000  # a study's own number is larger; its width is the same but for chance, which the median takes out
TOGETHER = 10  # studies that share one set of draws
SCENARIOS_AT_MOST, SCENARIOS_AT_LEAST = 400, 100
RATINGS_A_STUDY = 100_000


@dataclass(frozen=True, order=True)
class Design:
    """Scenarios, responses a scenario, raters an item."""

    scenarios: int
    responses: int
    raters: int

    @property
    def items(self) -> int:
        return self.scenarios * self.responses

    @property
    def ratings(self) -> int:
        return self.items * self.raters


@dataclass(frozen=True)
class ExpectedAlpha:
    """alpha: mean over the studies where it is defined. half_width: median over all studies of half the length of the
    95 % interval; None with the reason where a study of this design prints none."""

    alpha: float | None
    half_width: float | None
    reason: Reason | None = None


def expected_alpha_of(model: Model, design: Design, *, simulations: int, seed: int) -> ExpectedAlpha:
    """Alpha and its half width in studies of a design.

    The interval is the one `agreement` prints: BCa, from cluster replicates by scenario, here 1,000 of them. A study
    without an interval counts as one of endless width. Large studies are simulated with fewer scenarios (400, or as
    many as make 100,000 ratings but 100 at least) and the width is scaled by the root of the scenarios.
    The same seed gives the same numbers, whatever other designs are looked at.
    """
    if design.raters < 2:
        return ExpectedAlpha(None, None, Reason.ONE_RATER)
    scenarios = _simulated_scenarios(design)
    generator = np.random.Generator(
        np.random.SFC64(np.random.SeedSequence([seed, design.scenarios, design.responses, design.raters]))
    )
    alphas: list[float] = []
    widths: list[float] = []
    for start in range(0, simulations, TOGETHER):
        sums = _studies(model, design, scenarios, min(TOGETHER, simulations - start), generator)
        alphas += alpha_of_sums(sums.sum(axis=1), level="ordinal", levels=model.levels).tolist()
        if scenarios >= FEWEST_CLUSTERS:
            widths += _half_widths(model, sums, int(generator.integers(2**62)))
    defined = [value for value in alphas if not math.isnan(value)]
    if len(defined) * 2 < len(alphas):
        return ExpectedAlpha(None, None, Reason.ALL_EQUAL)
    mean = math.fsum(defined) / len(defined)
    if not widths:
        return ExpectedAlpha(mean, None, Reason.FEW_CLUSTERS)
    width = float(np.quantile(widths, 0.5, method="higher"))  # of two in the middle no mean: one may have no end
    if math.isinf(width):
        return ExpectedAlpha(mean, None, Reason.MANY_DROPPED)
    return ExpectedAlpha(mean, width * math.sqrt(scenarios / design.scenarios))


def _simulated_scenarios(design: Design) -> int:
    """As many as the design has, if these are not too many."""
    most = max(SCENARIOS_AT_LEAST, RATINGS_A_STUDY // (design.responses * design.raters))
    return min(design.scenarios, SCENARIOS_AT_MOST, most)


def _studies(model: Model, design: Design, scenarios: int, studies: int, generator: np.random.Generator) -> np.ndarray:
    """What each scenario of each study adds to alpha, (studies, scenarios, F) (see `alpha_sums`)."""
    shape = (scenarios, design.responses, design.raters)
    scenario, item, noise = (math.sqrt(part) for part in (model.scenario, model.item - model.scenario, 1 - model.item))
    sums = []
    for _ in range(studies):
        latent = noise * generator.standard_normal(shape)
        latent += item * generator.standard_normal(shape[:2])[:, :, None]
        latent += scenario * generator.standard_normal(shape[0])[:, None, None]
        below = np.stack([(latent <= cut).sum(axis=2) for cut in model.cuts], axis=2).reshape(-1, len(model.cuts))
        full = np.full((len(below), 1), design.raters)
        counts = np.diff(np.hstack([below, full]), axis=1, prepend=0).astype(float)
        none = np.zeros(0)
        each = alpha_sums(counts, full[:, 0], none, none, level="ordinal", levels=model.levels)
        sums.append(each.reshape(scenarios, design.responses, -1).sum(axis=1))
    return np.stack(sums)


def _half_widths(model: Model, sums: np.ndarray, seed: int) -> list[float]:
    """Half the length of each study's interval; without end where it has none."""

    def statistic(rows: np.ndarray) -> np.ndarray:
        return alpha_of_sums(rows, level="ordinal", levels=model.levels)

    studies, scenarios, columns = sums.shape
    side_by_side = sums.transpose(1, 0, 2).reshape(scenarios, studies * columns)
    resampled = replicate_sums(side_by_side, None, replicates=REPLICATES, seed=seed)
    found = []
    for at, rows in enumerate(sums):
        value = float(statistic(rows.sum(axis=0)[None, :])[0])
        if math.isnan(value):
            found.append(math.inf)
            continue
        mine = resampled[:, at * columns : (at + 1) * columns]
        interval = bca_interval(value, statistic, rows=rows, often=None, resampled=mine)
        ends = (interval.low, interval.high)
        found.append(math.inf if ends[0] is None or ends[1] is None else (ends[1] - ends[0]) / 2)
    return found
