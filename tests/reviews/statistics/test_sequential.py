"""Alpha as items came in: every step is what the engine says of the items that were complete by then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from reviews.statistics.alpha import alpha
from reviews.statistics.patterns import DimensionRatings, dimension_of, pattern_table
from reviews.statistics.planning_needed import needed_of
from reviews.statistics.planning_raters import more_raters
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from reviews.statistics.running import RunningAlpha
from reviews.statistics.sequential import Sequence, sequence_of, sequences
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics import made

LEVELS = np.arange(1.0, 6.0)


def shuffled(frame: pd.DataFrame, seed: int = 1) -> pd.DataFrame:
    """Ratings as people give them: the items' ratings between each other."""
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


def coded(frame: pd.DataFrame, level: str = "ordinal", scale: Any = "1-5") -> DimensionRatings:
    return dimension_of(code_ratings(frame, level=level, scale=scale), 0, level)


def of(*rows: tuple[str, str, int]) -> Sequence:
    """(item, rater, value), each item its own scenario."""
    frame = pd.DataFrame([(*row, row[0]) for row in rows], columns=["item_id", "rater_id", "value", "cluster_id"])
    return sequence_of(coded(frame))


def first_complete(frame: pd.DataFrame, count: int) -> pd.DataFrame:
    """The ratings of the first items of two ratings or more, by the place of their last one. The slow way."""
    last: dict[str, int] = {}
    ratings: dict[str, int] = {}
    for place, item in enumerate(frame["item_id"]):
        last[item] = place
        ratings[item] = ratings.get(item, 0) + 1
    items = sorted((item for item in last if ratings[item] >= 2), key=lambda item: last[item])
    return frame[frame["item_id"].isin(items[:count])]


# The example of Krippendorff's, two raters on ten items: alpha by hand after three and after all.


def test_known_answers_of_two_raters() -> None:
    """Ordinal, levels 1 and 2 alone: alpha = 1 - (n - 1) o12 / (n1 n2), with o12 the unequal pairs."""
    pairs = [(1, 1), (2, 2), (1, 2), (2, 2), (1, 1), (1, 2)]
    found = of(*((f"i{at}", rater, pair[k]) for at, pair in enumerate(pairs) for k, rater in enumerate("ab")))
    values = [step.alpha.value for step in found.steps]
    assert [step.items for step in found.steps] == [1, 2, 3, 4, 5, 6]
    assert values[0] is None
    assert found.steps[0].alpha.reason is Reason.ALL_EQUAL
    assert values[1:] == pytest.approx([1, 1 - 5 / 9, 1 - 7 / 15, 1 - 9 / 25, 1 - 11 * 2 / 36])


def test_an_item_stands_where_its_last_rating_came_in() -> None:
    rows = [("x", "a", 1), ("y", "a", 1), ("y", "b", 2), ("z", "a", 2), ("z", "b", 2), ("x", "b", 1), ("w", "a", 5)]
    found = of(*rows)
    assert [step.items for step in found.steps] == [1, 2, 3]  # w has one rating, and never counts
    assert found.steps[0].alpha.value == pytest.approx(0)  # y alone
    assert found.steps[1].alpha.value == pytest.approx(1 - 3 / 3)  # y and z
    assert found.steps[2].alpha.value == pytest.approx(1 - 5 / 9)


@pytest.mark.parametrize("level", ["ordinal", "nominal", "interval"])
@pytest.mark.parametrize("pool", [3, 5])
def test_each_step_is_the_agreement_of_the_items_complete_by_then(level: str, pool: int) -> None:
    frame = shuffled(made.ratings(scenarios=45, responses=2, raters=3, pool=pool, seed=3))
    frame = frame.drop(index=range(0, len(frame), 7)).reset_index(drop=True)  # items with two ratings, and with one
    found = sequence_of(coded(frame, level), points=6, replicates=200, seed=5)
    assert len(found.steps) == 6
    for step in found.steps:
        part = first_complete(frame, step.items)
        entry = agreement(part, level=level, scale="1-5", bootstrap=200, seed=5).dimensions["empathy"]
        assert (step.items, step.scenarios) == (entry.pairable_units, entry.clusters)
        assert step.alpha.value == pytest.approx(entry.alpha.value, abs=1e-12)
        assert step.alpha.reason == entry.alpha.reason
        if step.scenarios >= 30:
            ends = (entry.alpha.ci_low, entry.alpha.ci_high)
            assert (step.alpha.ci_low, step.alpha.ci_high) == pytest.approx(ends, abs=1e-9)
        else:
            assert (step.alpha.ci_low, step.alpha.reason) == (None, Reason.FEW_CLUSTERS)
    assert found.steps[0].scenarios < 30 <= found.steps[-1].scenarios


def test_the_last_step_is_alpha_of_all() -> None:
    frame = shuffled(made.ratings(scenarios=20, seed=2))
    one = coded(frame.drop(index=range(0, 60, 5)).reset_index(drop=True))
    found = sequence_of(one)
    assert found.steps[-1].alpha.value == pytest.approx(alpha(pattern_table(one), level="ordinal", levels=LEVELS))
    assert found.steps[-1].items == pattern_table(one).pairable_units


@pytest.mark.parametrize(("items", "steps"), [(1, 1), (7, 7), (20, 20), (21, 20), (500, 20)])
def test_there_are_about_twenty_steps_evenly_apart(items: int, steps: int) -> None:
    frame = made.ratings(scenarios=items, responses=1, raters=2, pool=2)
    found = [step.items for step in sequence_of(coded(frame), replicates=0).steps]
    assert len(found) == steps
    assert found[-1] == items
    assert max(np.diff([0, *found])) - min(np.diff([0, *found])) <= 1


def test_the_same_seed_gives_the_same_steps_and_all_that_is_plain() -> None:
    one = coded(shuffled(made.ratings(scenarios=35)))
    first, again, other = (sequence_of(one, points=3, replicates=100, seed=seed).to_json() for seed in (1, 1, 2))
    assert first == again != other
    last = first["steps"][-1]
    assert set(last) == {"items", "scenarios", "value", "ci_low", "ci_high", "reason", "dropped"}
    assert [type(value) for value in last.values()] == [int, int, float, float, float, type(None), int]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("x", "a", 1), ("y", "a", 2)], Reason.ONE_RATER),
        ([("x", "a", 1), ("y", "b", 2)], Reason.NO_PAIRS),
    ],
)
def test_where_nothing_pairs_it_says_why(rows: list[tuple[str, str, int]], reason: Reason) -> None:
    assert of(*rows) == Sequence(reason=reason)


def test_a_dimension_without_a_value_has_no_ratings() -> None:
    frame = pd.DataFrame([("x", "a", None), ("x", "b", None)], columns=["item_id", "rater_id", "value"])
    assert sequence_of(coded(frame)) == Sequence(reason=Reason.NO_RATINGS)


def test_an_open_scale_is_refused_with_its_reason() -> None:
    frame = pd.DataFrame(
        [("x", "a", 1.25), ("x", "b", 3.5), ("y", "a", 2), ("y", "b", 9.75)], columns=["item_id", "rater_id", "value"]
    )
    assert sequence_of(coded(frame, "interval", None)).reason is Reason.TOO_MANY_LEVELS


def test_every_dimension_has_its_own_and_life_is_shown_at_each_step() -> None:
    frame = made.ratings(scenarios=5)
    both = pd.concat([frame, frame.assign(dimension="safety", value=5)])
    beats: list[int] = []
    found = sequences(code_ratings(both, scale="1-5"), points=4, pulse=lambda: beats.append(1))
    assert list(found) == ["empathy", "safety"]
    assert found["safety"].steps[-1].alpha.reason is Reason.ALL_EQUAL
    assert len(beats) == 8


# Adding later


def test_scores_of_a_rater_who_comes_later_give_the_alpha_of_all_at_once() -> None:
    one = coded(made.ratings(scenarios=40, responses=2, raters=3, pool=3))
    late = one.rater == 2
    running = RunningAlpha(one.cluster, level="ordinal", levels=LEVELS)
    running.add(one.unit[~late], one.code[~late])
    before = running.alpha()
    running.add(one.unit[late], one.code[late])
    whole = RunningAlpha(one.cluster, level="ordinal", levels=LEVELS)
    whole.add(one.unit, one.code)
    assert running.alpha() == pytest.approx(alpha(pattern_table(one), level="ordinal", levels=LEVELS), abs=1e-12)
    assert running.alpha() != pytest.approx(before, abs=1e-6)
    found, expected = (each.interval(replicates=100, seed=1) for each in (running, whole))
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_what_is_added_touches_only_its_own_units(monkeypatch: pytest.MonkeyPatch) -> None:
    one = coded(made.ratings(scenarios=40, responses=2))
    running = RunningAlpha(one.cluster, level="ordinal", levels=LEVELS)
    running.add(one.unit, one.code)
    looked_at: list[int] = []
    sums = running._sums
    monkeypatch.setattr(running, "_sums", lambda counts: looked_at.append(len(counts)) or sums(counts))
    running.add(np.array([3, 3, 9]), np.array([0, 4, 2]))
    assert looked_at == [2, 2]


def test_before_anything_is_added_there_is_nothing() -> None:
    running = RunningAlpha(np.array([0, 1]), level="ordinal", levels=LEVELS)
    assert running.alpha() is Reason.NO_RATINGS
    running.add(np.array([0]), np.array([2]))
    assert running.alpha() is Reason.NO_PAIRS
    assert running.interval(replicates=100, seed=1).reason is Reason.NO_PAIRS


# What more raters would bring


def test_more_raters_are_what_the_planner_says_of_one_more() -> None:
    one = coded(made.ratings(scenarios=50, responses=2))
    planned = needed_of(one, width=0.05, bootstrap=200, seed=3, simulations=20)
    assert planned.half_width is not None
    found = more_raters(one, simulations=20, seed=3)
    assert (found.design.scenarios, found.design.responses, found.design.raters) == (50, 2, 3)
    assert list(found.narrower) == [4, 5, 6]
    assert found.narrower[4] * planned.half_width == pytest.approx(planned.half_width_one_more_rater)


def test_where_raters_are_noisy_more_of_them_narrow_it() -> None:
    one = coded(made.ratings(scenarios=60, responses=1, raters=2, pool=2, noise=2.0))
    found = more_raters(one, seed=3)
    assert 1 > found.narrower[3] > found.narrower[4] > found.narrower[5] > 0


def test_where_no_model_fits_it_says_why() -> None:
    frame = made.ratings(scenarios=50, responses=2)
    turned = frame.assign(value=[1 + at % 5 for at in range(len(frame))])  # raters of an item never agree
    found = more_raters(coded(turned), simulations=20, seed=3)
    assert found.narrower == {}
    assert "alpha is not above 0" in (found.reason or "")
