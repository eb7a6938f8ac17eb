"""The width that a plan foretells is the one `agreement` prints of such a study, or there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reviews.statistics.planning import Design, assume
from reviews.statistics.planning_model import fit
from reviews.statistics.planning_widths import expected_alpha_of
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from tests.reviews.statistics.planning_made import study, supposed


def half_widths(*designs: tuple[int, int, int], **changes: Any) -> list[float]:
    model = fit(supposed(**changes))
    found = [expected_alpha_of(model, Design(*one), simulations=60, seed=1).half_width for one in designs]
    assert None not in found
    return [width for width in found if width is not None]


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
