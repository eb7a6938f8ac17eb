"""What is stated to a plan is read as it is meant, or refused with the reason."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reviews.statistics.planning import (
    Costs,
    Design,
    ExpertRule,
    PlanRefused,
    assume,
    designs_of,
    parse_distribution,
    plan,
)
from reviews.statistics.scales import ScaleRefused
from tests.reviews.statistics.planning_made import SKEWED, supposed


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
