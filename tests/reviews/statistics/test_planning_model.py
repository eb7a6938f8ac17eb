"""The model of a plan keeps what is stated: levels, their shares, alpha and what a scenario explains."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume as suppose
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from reviews.statistics.alpha import alpha
from reviews.statistics.patterns import pattern_table
from reviews.statistics.planning import Design, assume, plan
from reviews.statistics.planning_model import cuts_of, expected_alpha, fit, pair_probabilities
from tests.reviews.statistics.planning_made import coded, study, supposed


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.7, 0.95, 0.99])
def test_pairs_of_levels_are_as_likely_as_the_bivariate_normal_says(correlation: float) -> None:
    shares = np.array([0.02, 0.05, 0.13, 0.45, 0.35])
    normal = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    ends = np.concatenate([[-9], cuts_of(shares), [9]])
    whole = np.array([[normal.cdf([a, b]) for b in ends] for a in ends])
    expected = np.diff(np.diff(whole, axis=0), axis=1)
    assert pair_probabilities(shares, correlation) == pytest.approx(expected, abs=2e-6)


def test_alpha_of_two_equal_levels_is_the_arc_sine_of_the_correlation() -> None:
    """Sheppard: two normals correlated r have the same sign with probability 1/2 + asin(r)/pi."""
    for correlation in (0.0, 0.5, 0.9, 0.999):
        expected = 2 * math.asin(correlation) / math.pi
        assert expected_alpha(np.array([0.5, 0.5]), correlation) == pytest.approx(expected, abs=1e-9)


shares_of = st.lists(st.integers(0, 50), min_size=2, max_size=7)


@settings(max_examples=40, deadline=None)
@given(shares_of, st.floats(0.0, 0.99), st.floats(0.0, 1.0))
def test_the_model_keeps_what_is_stated(weights: list[int], value: float, share: float) -> None:
    suppose(sum(weight > 0 for weight in weights) >= 2)
    model = fit(assume({at: float(w) for at, w in enumerate(weights)}, alpha=value, scenario_share=share))
    assert expected_alpha(model.shares, model.item) == pytest.approx(value, abs=1e-8)
    assert pair_probabilities(model.shares, model.item).sum(axis=0) == pytest.approx(model.shares, abs=1e-9)
    assert pair_probabilities(model.shares, model.item).min() > -1e-9
    assert model.scenario == pytest.approx(share * model.item)


@settings(max_examples=30, deadline=None)
@given(shares_of, st.floats(0.0, 0.99), st.floats(0.0, 0.99))
def test_less_noise_means_a_higher_alpha(weights: list[int], one: float, other: float) -> None:
    shares = np.array([weight for weight in weights if weight]) / max(sum(weights), 1)
    suppose(len(shares) >= 2 and abs(one - other) > 1e-4)
    low, high = sorted((one, other))
    assert expected_alpha(shares, low) < expected_alpha(shares, high)


@pytest.mark.parametrize("value", [0.2, 0.6, 0.9])
def test_a_large_study_has_the_stated_alpha_and_distribution(value: float) -> None:
    model = fit(supposed(alpha=value))
    ratings = coded(study(model, Design(6000, 3, 3), seed=3))
    found = alpha(pattern_table(ratings), level="ordinal", levels=np.arange(1.0, 6.0))
    assert found == pytest.approx(value, abs=0.01)
    assert np.bincount(ratings.code) / len(ratings.code) == pytest.approx(model.shares, abs=0.01)


def test_levels_that_are_not_used_change_nothing() -> None:
    narrow = assume({4: 60, 5: 40}, alpha=0.5, scenario_share=0.2)
    wide = assume({4: 60, 5: 40}, alpha=0.5, scenario_share=0.2, scale="1-5")
    assert fit(narrow).item == fit(wide).item
    assert plan({"d": narrow}, [Design(30, 2, 2)], simulations=20).designs[0].half_width is not None
    forecasts = [plan({"d": one}, [Design(30, 2, 2)], simulations=20).designs[0] for one in (narrow, wide)]
    assert forecasts[0] == forecasts[1]
