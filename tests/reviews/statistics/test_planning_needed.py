"""Of a study under way: how much more it needs for a width, or why that cannot be said."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from reviews.statistics.planning import Design, PlanRefused
from reviews.statistics.planning_model import fit
from reviews.statistics.planning_needed import needed
from reviews.statistics.planning_widths import expected_alpha_of
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from tests.reviews.statistics.planning_made import study, supposed


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
