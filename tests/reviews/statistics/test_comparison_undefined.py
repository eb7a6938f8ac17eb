"""What a comparison does not say of two groups, and the reason it gives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics.compared import in_english, plain_words
from reviews.statistics.comparison import compare_frames
from tests.reviews.statistics.comparison_made import compared
from tests.reviews.statistics.made import ratings, rows


def test_under_30_clusters_in_either_group_there_is_no_interval_and_it_says_why() -> None:
    found = compared(ratings(scenarios=29, seed=1), ratings(scenarios=60, seed=2))
    few = "too few clusters for an interval: 30 are needed"
    for one in (found.difference, found.mean_difference, found.exact_difference):
        assert one.value is not None
        assert (one.ci_low, one.reason, one.outcome) == (None, few, "cannot_tell")
    assert found.b.alpha.ci_low is not None
    assert [word.code for word in plain_words(found)] == ["alpha_no_interval", "mean_no_interval", "exact_no_interval"]


def test_clusters_without_a_pair_bear_on_the_mean_alone() -> None:
    a = ratings(scenarios=40, seed=1)
    lonely = a["cluster_id"].isin([f"s{n}" for n in range(29, 40)]) & (a["rater_id"] != "r0")
    found = compared(a[~lonely], ratings(scenarios=40, seed=2))
    assert found.difference.reason == found.exact_difference.reason
    assert found.difference.reason == "too few clusters for an interval: 30 are needed"
    assert found.mean_difference.ci_low is not None


def test_without_enough_replicates_there_is_no_interval() -> None:
    a, b = ratings(seed=1), ratings(seed=2)
    assert compared(a, b, bootstrap=0).difference.reason == "no bootstrap was asked for"
    assert compared(a, b, bootstrap=39).mean_difference.reason == ("too few replicates for an interval: 40 are needed")


def test_a_group_of_one_rater_has_a_mean_and_no_agreement() -> None:
    a = ratings(seed=1)
    found = compared(a[a["rater_id"] == "r1"], a[a["rater_id"] != "r1"])
    assert (found.difference.value, found.difference.reason) == (None, "one rater")
    assert (found.exact_difference.value, found.exact_difference.reason) == (None, "one rater")
    assert found.mean_difference.ci_low is not None
    words = plain_words(found)
    assert words[0].code == "alpha_undefined"
    assert in_english(words[0]) == "the difference of alpha is undefined: one rater"


def test_a_dimension_that_one_group_lacks_is_undefined() -> None:
    a = rows(("i1", "a", 1), ("i1", "b", 2))
    found = compare_frames(a, a.assign(dimension="e"), scale="1-5", bootstrap=100, seed=1).dimensions
    assert list(found) == ["d", "e"]
    assert (found["d"].mean_a, found["d"].mean_b) == (1.5, None)
    assert found["d"].reasons == {"mean_b": "no ratings"}
    assert {found[name].difference.reason for name in "de"} == {"no ratings"}
    assert found["d"].b.units == 0


def test_replicates_in_which_one_group_has_no_alpha_are_counted() -> None:
    """In 39 of 40 scenarios of a all is equal: a third of the draws leave a without an alpha."""
    a = rows(*((f"i{n}", r, 5) for n in range(39) for r in "ab"), ("x", "a", 4), ("x", "b", 4))
    b = rows(*((f"i{n}", r, 1 + n % 5) for n in range(40) for r in "ab"))
    found = compared(a, b).difference
    assert (found.ci_low, found.reason) == (None, "no interval: undefined in more than 5 % of the replicates")
    assert found.dropped > 20


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 4), min_size=30, max_size=50),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
    st.integers(0, 40),
    st.booleans(),
)
def test_no_table_makes_it_warn_or_answer_with_nan_and_turning_it_round_turns_the_sign(
    table: list[tuple[int, ...]], level: str, moved: int, clusters: bool
) -> None:
    """Two raters a group, 0 is no rating; b's items begin `moved` further on than a's."""
    a, b = (
        rows(
            ("first", "r0", 3),
            *((f"i{n + shift:03}", f"r{j}", row[at + j]) for n, row in enumerate(table) for j in (0, 1) if row[at + j]),
        )
        for at, shift in ((0, 0), (2, moved))
    )
    if clusters:
        a, b = (frame.assign(cluster_id=frame["item_id"]) for frame in (a, b))
    there, back = (compare_frames(x, y, level=level, scale="1-5", bootstrap=100, seed=1) for x, y in ((a, b), (b, a)))
    json.dumps(there.to_json(), allow_nan=False)
    for name in ("difference", "mean_difference", "exact_difference"):
        one, other = getattr(there.dimensions["d"], name), getattr(back.dimensions["d"], name)
        assert (one.ci_low is None) == (one.reason is not None)
        assert (one.value is None) == (one.outcome == "undefined")
        if one.value is not None:
            assert one.value == pytest.approx(-other.value, abs=1e-12)
        if one.ci_low is not None:
            assert one.ci_high - one.ci_low >= -1e-9
