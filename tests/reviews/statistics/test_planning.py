"""Plans: the model gives what is stated, and a plan foretells what `agreement` prints of such a study."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume as suppose
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from reviews.statistics.alpha import alpha
from reviews.statistics.patterns import DimensionRatings, dimension_of, pattern_table
from reviews.statistics.planning import (
    Assumptions,
    Costs,
    Design,
    ExpertRule,
    Plan,
    PlanRefused,
    assume,
    designs_of,
    parse_distribution,
    plan,
)
from reviews.statistics.planning_consensus import consensus_error, disputed_share
from reviews.statistics.planning_model import Model, cuts_of, expected_alpha, fit, pair_probabilities
from reviews.statistics.planning_needed import needed
from reviews.statistics.planning_pilot import Stated, assumptions_from, scenario_share_of
from reviews.statistics.planning_widths import expected_alpha_of
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from reviews.statistics.scales import ScaleRefused
from reviews.statistics.tidy import code_ratings

SKEWED = {1: 2, 2: 5, 3: 13, 4: 45, 5: 35}


def supposed(**changes: Any) -> Assumptions:
    return assume(SKEWED, **({"alpha": 0.6, "scenario_share": 0.3, "scale": "1-5"} | changes))


def study(model: Model, design: Design, seed: int, severity: float = 0.0) -> pd.DataFrame:
    """One study of a design, drawn rating by rating and cut at the model's cuts.

    severity: variance between raters, out of the noise; each scenario then has raters of its own.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for scenario in range(design.scenarios):
        severe = rng.normal(0, math.sqrt(severity), design.raters)
        own = f"s{scenario}" if severity else ""
        shared = rng.normal(0, math.sqrt(model.scenario))
        for response in range(design.responses):
            true = shared + rng.normal(0, math.sqrt(model.item - model.scenario))
            noise = rng.normal(0, math.sqrt(1 - model.item - severity), design.raters)
            scores = model.levels[np.searchsorted(model.cuts, true + severe + noise)]
            item = f"{scenario}/{response}"
            rows += [(item, f"{own}r{j}", "d", score, scenario) for j, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value", "cluster_id"])


def coded(frame: pd.DataFrame, scale: str = "1-5") -> DimensionRatings:
    return dimension_of(code_ratings(frame, scale=scale), 0, "ordinal")


def half_widths(*designs: tuple[int, int, int], **changes: Any) -> list[float]:
    model = fit(supposed(**changes))
    found = [expected_alpha_of(model, Design(*one), simulations=60, seed=1).half_width for one in designs]
    assert None not in found
    return [width for width in found if width is not None]


# The model


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


# The error of consensus and the rule


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


# The width


def test_the_width_shrinks_with_the_root_of_the_scenarios() -> None:
    narrow, wide = half_widths((240, 3, 3), (60, 3, 3))
    assert wide / narrow == pytest.approx(2, rel=0.12)


def test_scenarios_beyond_those_simulated_shrink_it_too() -> None:
    simulated, scaled = half_widths((400, 2, 2), (1600, 2, 2))
    assert simulated / scaled == pytest.approx(2, rel=0.08)


def test_more_raters_make_it_narrower_and_alike_responses_wider() -> None:
    assert half_widths((100, 3, 2)) > half_widths((100, 3, 3)) > half_widths((100, 3, 6))
    apart, alike = (half_widths((60, 8, 3), scenario_share=share)[0] for share in (0.0, 0.9))
    assert alike > 1.3 * apart


def test_of_one_response_the_scenario_share_does_not_matter() -> None:
    apart, alike = (half_widths((100, 1, 3), scenario_share=share)[0] for share in (0.0, 0.9))
    assert alike == pytest.approx(apart, rel=0.1)


@pytest.mark.parametrize("design", [Design(60, 3, 3), Design(150, 1, 2)])
def test_a_study_of_the_design_prints_the_half_width_foretold(design: Design) -> None:
    model = fit(supposed())
    printed = []
    for seed in range(15):
        frame = study(model, design, seed)
        found = agreement(frame, scale="1-5", bootstrap=1000, seed=seed).dimensions["d"].alpha
        assert found.ci_low is not None
        assert found.ci_high is not None
        printed.append((found.ci_high - found.ci_low) / 2)
    foretold = expected_alpha_of(model, design, simulations=60, seed=5).half_width
    assert foretold is not None
    assert np.median(printed) / foretold == pytest.approx(1, abs=0.15)


def test_under_thirty_scenarios_there_is_no_width_but_an_alpha() -> None:
    found = expected_alpha_of(fit(supposed()), Design(29, 5, 3), simulations=20, seed=0)
    assert (found.half_width, found.reason) == (None, Reason.FEW_CLUSTERS)
    assert found.alpha == pytest.approx(0.6, abs=0.05)


def test_one_rater_has_no_alpha() -> None:
    found = expected_alpha_of(fit(supposed()), Design(60, 5, 1), simulations=20, seed=0)
    assert (found.alpha, found.half_width, found.reason) == (None, None, Reason.ONE_RATER)


def test_where_most_studies_see_one_level_only_there_is_no_alpha() -> None:
    model = fit(assume({4: 1, 5: 9999}, alpha=0.5, scenario_share=0.3))
    found = expected_alpha_of(model, Design(40, 1, 2), simulations=20, seed=0)
    assert (found.alpha, found.half_width, found.reason) == (None, None, Reason.ALL_EQUAL)


def test_where_most_studies_print_no_interval_there_is_none() -> None:
    """About two ratings of 240 are no 5: a tenth of the replicates draw none of them."""
    model = fit(assume({4: 1, 5: 119}, alpha=0.5, scenario_share=0.3))
    found = expected_alpha_of(model, Design(60, 1, 4), simulations=40, seed=0)
    assert (found.half_width, found.reason) == (None, Reason.MANY_DROPPED)
    assert found.alpha is not None


# The plan


def small(**options: Any) -> Plan:
    designs = designs_of([20, 40, 80], [2], [2, 3])
    return plan({"d": supposed()}, designs, **({"simulations": 20, "seed": 4} | options))


def test_the_recommended_is_the_cheapest_that_meets_the_width() -> None:
    first = small()
    assert first.recommended is None
    widths = sorted(one.half_width for one in first.designs if one.half_width is not None)
    for width in (widths[0], widths[1], widths[-1]):
        found = small(width=width)
        meets = [one.cost for one in found.designs if one.half_width is not None and one.half_width <= width]
        assert found.recommended is not None
        assert found.designs[found.recommended].cost == min(meets)
        assert found.designs[found.recommended].half_width in widths
        assert "cheapest" in found.why


def test_wages_decide_what_is_cheapest() -> None:
    """Of two designs that both are precise enough, dear experts favour the one with fewer cases."""
    designs = [Design(80, 2, 2), Design(40, 2, 4)]
    options: dict[str, Any] = {"width": 0.5, "simulations": 20}
    cheap = plan({"d": supposed()}, designs, costs=Costs(expert_wage=0, seconds=60), **options)
    assert cheap.designs[0].hours_rating == cheap.designs[1].hours_rating
    dear = plan({"d": supposed()}, designs, costs=Costs(wage=0), **options)
    assert dear.recommended == min((0, 1), key=lambda at: dear.designs[at].hours_expert)


def test_where_none_meets_the_width_the_nearest_is_named_with_the_scenarios_it_would_take() -> None:
    found = small(width=0.01)
    assert found.recommended is None
    nearest = min(one.half_width for one in found.designs if one.half_width is not None)
    assert f"± {nearest:.3f}" in found.why
    assert f"{math.ceil(80 * (nearest / 0.01) ** 2):,} scenarios" in found.why


def test_a_design_without_an_interval_is_listed_and_never_recommended() -> None:
    found = plan({"d": supposed()}, designs_of([10, 29], [5], [3]), width=0.9, simulations=20)
    assert [one.half_width for one in found.designs] == [None, None]
    assert found.recommended is None
    assert Reason.FEW_CLUSTERS.value in found.why


def test_hours_and_cost_are_ratings_and_cases_at_their_price() -> None:
    costs = Costs(seconds=90, case_minutes=3, wage=10, expert_wage=50)
    found = plan({"d": supposed()}, [Design(100, 2, 3)], costs=costs, simulations=20).to_json()["designs"][0]
    disputed = found["dimensions"]["d"]["disputed"]
    assert found["ratings"] == 600
    assert found["hours_rating"] == pytest.approx(15)
    assert found["sent"] == pytest.approx(disputed + 0.05 * (1 - disputed))
    assert found["cases"] == pytest.approx(200 * found["sent"])
    assert found["hours_expert"] == pytest.approx(found["cases"] * 3 / 60)
    assert found["cost"] == pytest.approx(150 + 50 * found["hours_expert"])


def test_several_dimensions_must_all_meet_the_width_and_any_may_send() -> None:
    both = {"empathy": supposed(), "safety": assume({4: 5, 5: 95}, alpha=0.4, scenario_share=0.3, scale="1-5")}
    rule = ExpertRule(cuts={"safety": 4}, audit_share=0)
    found = plan(both, [Design(200, 2, 3)], rule=rule, simulations=20).to_json()["designs"][0]
    empathy, safety = found["dimensions"]["empathy"], found["dimensions"]["safety"]
    assert found["half_width"] == safety["half_width"] > empathy["half_width"]
    assert found["alpha"] == safety["alpha"]
    assert found["consensus_error"] == empathy["consensus_error"] > safety["consensus_error"]
    assert found["sent"] == pytest.approx(1 - (1 - empathy["disputed"]) * (1 - safety["disputed"]))


def test_the_same_seed_gives_the_same_numbers_whatever_stands_beside() -> None:
    first, again = (small(simulations=20) for _ in range(2))
    assert json.dumps(first.to_json(), allow_nan=False) == json.dumps(again.to_json(), allow_nan=False)
    alone = [plan({"d": supposed()}, [Design(40, 2, 3)], simulations=20, seed=seed).designs[0] for seed in (4, 5)]
    assert first.designs[3] == alone[0] != alone[1]


@pytest.mark.parametrize(
    ("distribution", "options", "told"),
    [
        (SKEWED, {"alpha": 1.2}, "alpha 1.2 cannot be reached"),
        (SKEWED, {"alpha": -0.1}, "alpha -0.1 cannot be reached"),
        (SKEWED, {"alpha": 1.0}, "alpha 1 cannot be reached"),
        (SKEWED, {"alpha": math.nan}, "alpha nan"),
        (SKEWED, {"scenario_share": 1.01}, "scenario share 1.01"),
        ({}, {}, "two levels"),
        ({3: 100}, {}, "two levels"),
        ({3: 0, 4: 0}, {}, "two levels"),
        ({3: 50, 6: 50}, {}, "level 6 is not on the scale 1-5"),
        ({3: 50, 3.5: 50}, {}, "level 3.5 is not on the scale 1-5"),
        ({3: 50, 3.5: 50}, {"scale": None}, "need a declared scale"),
        ({3: 50, 4: -1}, {}, "from 0 on"),
        ({3: 50, 4: math.inf}, {}, "from 0 on"),
        ({3: 50, math.inf: 1}, {}, "no number"),
        (dict.fromkeys(range(22), 1), {"scale": None}, "at most 21 levels"),
    ],
)
def test_assumptions_that_cannot_be_are_refused(distribution: Any, options: dict[str, Any], told: str) -> None:
    with pytest.raises(PlanRefused, match=told):
        assume(distribution, **({"alpha": 0.6, "scenario_share": 0.3, "scale": "1-5"} | options))


def test_an_alpha_nearer_to_1_than_any_noise_gives_is_refused() -> None:
    with pytest.raises(PlanRefused, match=r"d: alpha 0\.99999 cannot be reached"):
        plan({"d": supposed(alpha=0.99999)}, [Design(40, 2, 2)])


def test_a_scale_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ScaleRefused):
        supposed(scale="5-1")


@pytest.mark.parametrize("text", ["1", "1:a", "1:2:3", "1:2,1:3", "1=2"])
def test_a_distribution_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(PlanRefused, match="distribution"):
        parse_distribution(text)


def test_weights_may_be_of_any_unit() -> None:
    assert parse_distribution("1:2, 2:5,") == {1.0: 2.0, 2.0: 5.0}
    percent, counts = supposed(), assume({k: 7 * v for k, v in SKEWED.items()}, alpha=0.6, scenario_share=0.3)
    assert percent.shares == pytest.approx(counts.shares)


@pytest.mark.parametrize(
    "sizes", [([60], [5], [0]), ([0], [5], [2]), ([60], [-1], [2]), ([60], [5], []), ([60], [5], [31])]
)
def test_designs_that_cannot_be_are_refused(sizes: Any) -> None:
    with pytest.raises(PlanRefused):
        designs_of(*sizes)


def test_too_many_designs_are_refused() -> None:
    with pytest.raises(PlanRefused, match="too many"):
        designs_of(range(30, 60), range(1, 10), [2])


@pytest.mark.parametrize(
    "options",
    [
        {"width": 0.0},
        {"width": math.nan},
        {"rule": ExpertRule(spread=0)},
        {"rule": ExpertRule(audit_share=1.5)},
        {"rule": ExpertRule(cuts={"other": 2})},
        {"costs": Costs(wage=-1)},
        {"costs": Costs(seconds=math.inf)},
        {"simulations": 0},
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(PlanRefused):
        plan({"d": supposed()}, [Design(40, 2, 2)], **options)
    with pytest.raises(PlanRefused):
        plan({}, [Design(40, 2, 2)])


# From a pilot


@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_a_large_pilot_gives_back_what_it_was_made_of(share: float) -> None:
    made = supposed(scenario_share=share)
    found = assumptions_from(coded(study(fit(made), Design(1500, 4, 3), seed=11)))
    assert found.alpha == pytest.approx(0.6, abs=0.03)
    assert found.scenario_share == pytest.approx(share, abs=0.05)
    assert found.shares == pytest.approx(made.shares, abs=0.02)
    assert found.scale.text() == "1-5"


def test_a_severe_rater_is_not_taken_for_the_scenario() -> None:
    """Each scenario has its own raters: a rater's pairs with themselves would say that the scenarios differ."""
    model = fit(supposed(alpha=0.5, scenario_share=0.0))
    frame = study(model, Design(800, 4, 3), seed=2, severity=0.3)
    assert scenario_share_of(coded(frame)) < 0.1
    assert scenario_share_of(coded(frame.drop(columns="rater_id"))) > 0.1


def test_what_is_stated_takes_the_place_of_the_pilot() -> None:
    ratings = coded(study(fit(supposed()), Design(60, 2, 2), seed=1))
    found = assumptions_from(ratings, Stated({4: 1, 5: 1}, alpha=0.7, scenario_share=0.1))
    assert (found.alpha, found.scenario_share, found.shares) == (0.7, 0.1, (0, 0, 0, 0.5, 0.5))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda frame: frame.drop(columns="cluster_id"), "d: no cluster column"),
        (lambda frame: frame[frame["item_id"].str.endswith("/0")], "d: no scenario has two items"),
        (lambda frame: frame[frame["rater_id"] == "r0"], "d: alpha is undefined .one rater."),
        (lambda frame: frame.assign(value=4.0), "d: alpha is undefined .all ratings equal."),
    ],
)
def test_a_pilot_that_cannot_tell_says_what_to_state(change: Any, told: str) -> None:
    with pytest.raises(PlanRefused, match=told):
        assumptions_from(coded(change(study(fit(supposed()), Design(40, 2, 2), seed=1))))


# Under way


def test_what_is_needed_follows_the_root_of_the_scenarios() -> None:
    model, design = fit(supposed()), Design(60, 3, 3)
    frame = study(model, design, seed=8)
    found = needed(frame, width=0.04, scale="1-5", bootstrap=1000, seed=3, simulations=40)["d"]
    printed = agreement(frame, scale="1-5", bootstrap=1000, seed=3).dimensions["d"].alpha
    assert printed.ci_low is not None
    assert printed.ci_high is not None
    assert found.half_width == (printed.ci_high - printed.ci_low) / 2
    assert found.alpha == printed.value
    assert (found.scenarios, found.items, found.responses, found.raters) == (60, 180, 3, 3)
    assert found.scenarios_needed == math.ceil(60 * (found.half_width / 0.04) ** 2)
    assert found.scenarios_more == found.scenarios_needed - 60
    assert found.items_needed == found.scenarios_needed * 3
    assert found.items_more == found.items_needed - 180
    assert found.half_width_then == pytest.approx(0.04, rel=0.1)
    assert found.half_width_one_more_rater is not None
    assert found.half_width_one_more_rater < found.half_width
    assert found.model_half_width == pytest.approx(found.half_width, rel=0.3)
    assert found.reasons == {}


def test_a_study_with_the_scenarios_needed_has_the_width() -> None:
    model = fit(supposed())
    asked = needed(study(model, Design(60, 2, 3), seed=5), width=0.05, scale="1-5", bootstrap=1000, simulations=20)["d"]
    assert asked.scenarios_needed is not None
    printed = expected_alpha_of(model, Design(asked.scenarios_needed, 2, 3), simulations=40, seed=1).half_width
    assert printed == pytest.approx(0.05, rel=0.25)  # what one study of sixty scenarios can know of it


def test_where_the_width_is_met_no_more_is_needed() -> None:
    found = needed(
        study(fit(supposed()), Design(60, 3, 3), seed=8), width=0.3, scale="1-5", bootstrap=400, simulations=20
    )["d"]
    assert found.scenarios_needed == 30
    assert (found.scenarios_more, found.items_more) == (0, 0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda frame: frame[frame["cluster_id"] < 29], Reason.FEW_CLUSTERS),
        (lambda frame: frame[frame["rater_id"] == "r0"], Reason.ONE_RATER),
        (lambda frame: frame.assign(value=4.0), Reason.ALL_EQUAL),
        (lambda frame: frame.assign(value=math.nan), Reason.NO_RATINGS),
    ],
)
def test_what_cannot_be_said_is_null_with_its_reason(change: Any, reason: Reason) -> None:
    frame = change(study(fit(supposed()), Design(40, 2, 2), seed=1))
    found = needed(frame, width=0.05, scale="1-5", bootstrap=400)["d"].to_json()
    json.dumps(found, allow_nan=False)
    for name in ("half_width", "scenarios_needed", "items_more", "half_width_one_more_rater"):
        assert found[name] is None
        assert found["reasons"][name] == reason.value


def test_raters_who_never_differ_leave_no_width_to_start_from() -> None:
    frame = study(fit(supposed()), Design(40, 2, 2), seed=1)
    frame["value"] = frame.groupby("item_id")["value"].transform("max")
    found = needed(frame, width=0.05, scale="1-5", bootstrap=400)["d"]
    assert (found.alpha, found.half_width) == (1.0, 0.0)
    assert found.scenarios_needed is None
    assert "no width" in found.reasons["scenarios_needed"]


def test_raters_worse_than_chance_have_no_model_but_a_number_of_scenarios() -> None:
    frame = study(fit(supposed()), Design(40, 2, 2), seed=1)
    frame["value"] = np.where(frame["rater_id"] == "r0", frame["value"], 6 - frame["value"])
    found = needed(frame, width=0.05, scale="1-5", bootstrap=400)["d"]
    assert found.alpha is not None
    assert found.alpha < 0
    assert found.scenarios_needed is not None
    assert found.half_width_one_more_rater is None
    assert "alpha is not above 0" in found.reasons["half_width_one_more_rater"]


def test_where_clusters_are_unknown_each_item_stands_for_itself() -> None:
    frame = study(fit(supposed()), Design(80, 1, 3), seed=1).drop(columns="cluster_id")
    found = needed(frame, width=0.05, scale="1-5", bootstrap=400, simulations=20)["d"]
    assert found.scenarios == found.items == 80
    assert found.items_needed == found.scenarios_needed
    assert found.half_width_one_more_rater is not None
    assert found.reasons == {}


def test_a_width_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(PlanRefused):
        needed(study(fit(supposed()), Design(40, 2, 2), seed=1), width=0, scale="1-5")
