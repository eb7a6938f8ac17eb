"""Two groups of ratings compared: the numbers of each, the difference, and the words for it."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reviews.statistics.compared import ENGLISH, Difference, in_english, plain_words
from reviews.statistics.comparison import compare, compare_frames
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.report import agreement
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.comparison_made import compared
from tests.reviews.statistics.made import ratings, rows


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_each_group_has_the_numbers_of_a_report_on_it_alone(level: str) -> None:
    a, b = ratings(scenarios=50, seed=1), ratings(scenarios=40, pool=5, seed=2)
    found = compared(a, b, level=level)
    for frame, group in ((a, found.a), (b, found.b)):
        alone = agreement(frame, level=level, scale="1-5", bootstrap=300, seed=4).dimensions["empathy"]
        assert group.alpha.to_json() == alone.alpha.to_json()
        assert (group.units, group.ratings, group.clusters) == (alone.units, alone.ratings, alone.clusters)
        assert group.pair_exact == pytest.approx(alone.percent.pair_exact)
    assert found.difference.value == pytest.approx(found.b.alpha.value - found.a.alpha.value, abs=1e-15)
    if level == "nominal":
        assert (found.mean_a, found.reasons["mean_a"]) == (None, "nominal values have no order")
        assert found.mean_difference.reason == "nominal values have no order"


def test_a_group_compared_with_itself_differs_by_nothing() -> None:
    frame = ratings(seed=5)
    found = compared(frame, frame)
    for one in (found.difference, found.mean_difference, found.exact_difference):
        assert one.value == 0
        assert (one.ci_low, one.ci_high) == pytest.approx((0, 0), abs=1e-12)
        assert one.outcome == "cannot_tell"


def test_a_rest_of_rounding_is_no_difference() -> None:
    assert Difference(1e-15, 1e-16, 1e-15).outcome == "cannot_tell"
    assert Difference(-1e-15, -1e-15, -1e-16).outcome == "cannot_tell"
    assert Difference(0.1, 0.01, 0.2).outcome == "higher"
    assert Difference(-0.1, -0.2, -0.01).outcome == "lower"
    assert Difference(0.1, -0.01, 0.2).outcome == "cannot_tell"


def test_a_rater_before_and_after_a_training_may_rate_the_same_items() -> None:
    before = ratings(scenarios=60, noise=1.2, seed=3)
    after = ratings(scenarios=60, noise=0.4, seed=3)
    found = compared(before, after)
    assert found.shared_clusters == 60
    assert found.difference.outcome == "higher"
    assert found.a.ratings == found.b.ratings == 720
    back = compared(after, before)
    assert back.difference.outcome == "lower"
    assert back.difference.value == pytest.approx(-found.difference.value)


def test_a_rating_given_twice_counts_once_in_its_group() -> None:
    """However a rater's name is written: a repeated row is no second rater."""
    a = rows(("i1", "r1", 1), ("i1", " r1", 1), ("i1", "r2", 2), ("i2", "r1", 4), ("i2", "r2", 4))
    b = rows(("i1", "r1", 1), ("i1", "r2", 1), ("i2", "r2", 4))
    found = compared(a, b)
    assert (found.a.ratings, found.b.ratings) == (4, 3)
    assert found.a.pair_exact == 0.5
    with pytest.raises(RatingsRefused, match="line 2: a second rating of 'i1' by 'r1'"):
        compared(rows(("i1", "r1", 1), ("i1", "r1", 2)), b)


def test_groups_are_cut_out_of_one_frame_by_any_mark() -> None:
    """Three periods, of which two are compared: the third has no part in it."""
    frame = ratings(scenarios=90, seed=9)
    frame["period"] = frame["cluster_id"].str[1:].astype(int) % 3
    whole = code_ratings(frame, scale="1-5")
    period = frame["period"].to_numpy()[whole.kept]
    found = compare(
        whole, period == 0, period == 2, level="ordinal", bootstrap=200, seed=4, names=("March", "May")
    ).to_json()
    cut = compare_frames(
        frame[frame["period"] == 0], frame[frame["period"] == 2], scale="1-5", bootstrap=200, seed=4,
        names=("March", "May"),
    ).to_json()  # fmt: skip
    assert found == cut
    assert found["names"] == ["March", "May"]
    with pytest.raises(ValueError, match="groups of 3 and 1080, 1080 are needed"):
        compare(whole, period[:3] == 0, period == 2, level="ordinal", bootstrap=0, seed=1)


def test_it_is_json_of_the_agreed_fields() -> None:
    found = compare_frames(ratings(seed=1), ratings(seed=2), scale="1-5", bootstrap=100, seed=1).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    one = found["dimensions"]["empathy"]
    assert set(one) >= {"a", "b", "difference", "mean_a", "mean_b", "mean_difference", "exact_difference"}
    for name in ("difference", "mean_difference", "exact_difference"):
        assert set(one[name]) == {"value", "ci_low", "ci_high", "reason", "dropped", "outcome"}
    assert one["a"]["key"] == "a"
    assert len(one["words"]) == 3


def test_any_number_goes_at_interval_level() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(50, 20, 120)
    a, b = (
        rows(*((f"i{n}", r, round(t + rng.normal(0, noise), 3)) for n, t in enumerate(true) for r in "abc"))
        for noise in (5, 15)
    )
    found = compared(a, b, level="interval", scale=None)
    assert found.difference.outcome == "lower"
    assert found.difference.value == pytest.approx(400 / 625 - 400 / 425, abs=0.08)
    assert (found.mean_a, found.exact_difference.value) == (
        pytest.approx(a["value"].mean()),
        pytest.approx(0, abs=0.01),
    )


def test_each_outcome_has_a_sentence_with_its_numbers() -> None:
    assert len(ENGLISH) == 15
    found = compared(ratings(noise=0.4, seed=3), ratings(noise=1.2, seed=3), names=("March", "May"))
    first, second, third = (in_english(word) for word in plain_words(found))
    assert first.startswith("alpha is lower in May than in March: the difference is -0.")
    assert "the mean value" in second
    assert third.startswith("the share of equal pairs is lower in May than in March")
