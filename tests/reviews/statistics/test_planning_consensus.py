"""How far consensus errs, and how much a rule sends to an expert: by enumeration and at its limits."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr

from reviews.statistics.planning import assume
from reviews.statistics.planning_consensus import consensus_error, disputed_share
from reviews.statistics.planning_model import Model, fit
from tests.reviews.statistics.planning_made import SKEWED, supposed


def by_brute_force(model: Model, raters: int, spread: float, cut: float) -> tuple[float, float, float]:
    """Every set of scores of an item, in all its orders, on a fine grid of true values."""
    edges = np.linspace(-8, 8, 20_001)
    values = (edges[1:] + edges[:-1]) / 2
    weight = np.diff(ndtr(edges))
    latent = math.sqrt(model.item) * values
    below = ndtr((model.cuts - latent[:, None]) / math.sqrt(1 - model.item))
    chance = np.diff(np.column_stack([np.zeros(len(values)), below, np.ones(len(values))]), axis=1)
    truth = model.levels[np.searchsorted(model.cuts, latent)]
    error, off, sent = 0.0, 0.0, 0.0
    for codes in itertools.combinations_with_replacement(range(len(model.levels)), raters):
        scores = model.levels[list(codes)]
        orders = len(set(itertools.permutations(codes)))
        mass = orders * weight * np.prod(chance[:, list(codes)], axis=1)
        apart = np.abs(np.median(scores) - truth)
        error += mass @ apart
        off += mass @ (apart >= 1)
        sent += mass.sum() * (scores.max() - scores.min() >= spread or scores.min() <= cut)
    return float(error), float(off), float(sent)


@pytest.mark.parametrize("raters", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("distribution", "scale", "spread", "cut"),
    [(SKEWED, "1-5", 2, 2), ({1: 3, 2: 4, 5: 3}, "1,2,5", 3, 0), ({1: 1, 1.5: 2, 2: 1}, "1-2/0.5", 0.5, 1)],
)
def test_consensus_and_rule_are_what_enumeration_gives(
    raters: int, distribution: dict[float, float], scale: str, spread: float, cut: float
) -> None:
    model = fit(assume(distribution, alpha=0.55, scenario_share=0.3, scale=scale))
    error, off, sent = by_brute_force(model, raters, spread, cut)
    found = consensus_error(model, raters)
    # the grid misses the jumps of the true consensus by a cell
    assert found.error == pytest.approx(error, abs=1e-3)
    assert found.off_by_one == pytest.approx(off, abs=1e-3)
    assert disputed_share(model, raters, spread=spread, cut=cut) == pytest.approx(sent, abs=1e-6)


def test_more_raters_err_less() -> None:
    model = fit(supposed())
    odd = [consensus_error(model, raters).error for raters in (1, 3, 5, 9, 15, 29)]
    assert odd == sorted(odd, reverse=True)
    assert consensus_error(model, 9999).error < 0.01  # very many are right by definition


def test_no_noise_no_error_and_no_dispute() -> None:
    close = fit(supposed(alpha=0.999))
    assert consensus_error(close, 3).error < 0.03
    assert disputed_share(close, 3, spread=2, cut=None) == pytest.approx(0, abs=1e-6)
    assert disputed_share(close, 3, spread=None, cut=2) == pytest.approx(0.07, abs=0.01)


def test_one_rater_is_never_disputed_but_may_be_under_the_cut() -> None:
    model = fit(supposed())
    assert disputed_share(model, 1, spread=2, cut=None) == pytest.approx(0, abs=1e-9)
    assert disputed_share(model, 1, spread=2, cut=2) == pytest.approx(0.07, abs=1e-6)


def test_raters_without_any_agreement_are_disputed_as_independent_ones_are() -> None:
    model = fit(supposed(alpha=0.0))
    apart = sum(model.shares[a] * model.shares[b] for a, b in itertools.product(range(5), repeat=2) if abs(a - b) >= 2)
    assert disputed_share(model, 2, spread=2, cut=None) == pytest.approx(apart, abs=1e-6)
