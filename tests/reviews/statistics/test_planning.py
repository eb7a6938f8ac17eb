"""A plan recommends the cheapest design that meets the width, and its hours and cost add up."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from reviews.statistics.planning import Costs, Design, ExpertRule, Plan, assume, designs_of, plan
from reviews.statistics.reasons import Reason
from tests.reviews.statistics.planning_made import supposed


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
