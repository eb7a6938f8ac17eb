"""A pilot gives back what it was made of, or says what is to be stated in its place."""

from __future__ import annotations

from typing import Any

import pytest

from reviews.statistics.planning import Design, PlanRefused
from reviews.statistics.planning_model import fit
from reviews.statistics.planning_pilot import Stated, assumptions_from, scenario_share_of
from tests.reviews.statistics.planning_made import coded, study, supposed


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
