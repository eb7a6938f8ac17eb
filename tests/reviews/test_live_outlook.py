"""How many more items or raters: what the engine says, read from the stored row for any width."""

from typing import Any

import pytest

from reviews.live_outlook import outlook_of, width_of
from reviews.statistics.patterns import dimension_of
from reviews.statistics.planning_needed import needed_of
from reviews.statistics.planning_raters import more_raters
from reviews.statistics.sequential import sequence_of
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics import made


def entry_of(
    low: float | None, high: float | None, *, items: int = 200, scenarios: int = 100, narrower: Any = ()
) -> dict[str, Any]:
    """A stored entry of one step, .7 of alpha."""
    step = {"items": items, "scenarios": scenarios, "value": 0.7, "ci_low": low, "ci_high": high, "dropped": 0}
    shares = [{"raters": raters, "share": share} for raters, share in narrower]
    more = {"scenarios": scenarios, "responses": 2, "raters": 3, "narrower": shares, "reason": None, "items": items}
    return {"steps": [step | {"reason": None}], "reason": None, "more_raters": more}


def test_it_says_what_the_engine_says() -> None:
    one = dimension_of(code_ratings(made.ratings(scenarios=50, responses=2), scale="1-5"), 0, "ordinal")
    entry = sequence_of(one, seed=4).to_json() | {"more_raters": more_raters(one, most=1, seed=4).to_json()}
    for width in (0.02, 0.12):
        found = outlook_of(entry, width)
        expected = needed_of(one, width=width, bootstrap=1000, seed=4, simulations=40)
        assert found.half_width == pytest.approx(expected.half_width)
        assert (found.items_more, found.scenarios_more) == (expected.items_more, expected.scenarios_more)
        assert found.raters == 3
        assert expected.half_width_one_more_rater is not None
        assert expected.half_width is not None
        narrower = min(expected.half_width_one_more_rater, expected.half_width)
        assert found.with_raters == ((4, pytest.approx(narrower)),)


def test_half_as_wide_is_four_times_the_scenarios() -> None:
    found = outlook_of(entry_of(0.5, 0.75, items=200, scenarios=100), 0.0625)
    assert (found.half_width, found.scenarios_more, found.items_more) == (0.125, 300, 600)


def test_more_raters_are_enough_where_one_of_their_widths_is() -> None:
    entry = entry_of(0.6, 0.8, narrower=[(4, 0.8), (5, 0.6), (6, 0.65)])
    assert outlook_of(entry, 0.065).raters_needed == 5
    assert outlook_of(entry, 0.05).raters_needed is None
    assert [width for _raters, width in outlook_of(entry, 0.05).with_raters] == pytest.approx([0.08, 0.06, 0.06])


def test_without_an_interval_there_is_no_plan() -> None:
    assert outlook_of(entry_of(None, None), 0.05).half_width is None
    assert outlook_of({"steps": [], "reason": "no ratings", "more_raters": None}, 0.05).items_more is None


@pytest.mark.parametrize("asked", ["0", "-1", "nan", "inf", "1e-300", ".0009", ".6", "wide", "1e999"])
def test_what_is_no_width_is_refused(asked: str) -> None:
    assert width_of(asked) is None


@pytest.mark.parametrize(("asked", "width"), [("", 0.05), (" .1 ", 0.1), ("0,02", 0.02), (".5", 0.5)])
def test_a_width_is_read(asked: str, width: float) -> None:
    assert width_of(asked) == width
