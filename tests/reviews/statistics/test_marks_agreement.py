"""Agreement on violation marks: by hand, by enumeration, and why there is none on nothing."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reviews.statistics.marks_made import few, frame_of, table

UNITS = st.lists(st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=4), min_size=1, max_size=10)


def test_specific_agreement_of_two_raters_is_that_of_their_table() -> None:
    """a = 4 both, b = 3 and c = 2 one of them, d = 11 neither: 8/13 and 22/27."""
    found = table(frame_of([(1, 1)] * 4 + [(1, 0)] * 3 + [(0, 1)] * 2 + [(0, 0)] * 11))
    assert found["positive_agreement"]["value"] == pytest.approx(8 / 13, abs=1e-11)
    assert found["negative_agreement"]["value"] == pytest.approx(22 / 27, abs=1e-11)
    assert (found["marked"], found["ratings"], found["prevalence"]["value"]) == (13, 40, 13 / 40)


def test_specific_agreement_of_three_raters_counts_each_pair_of_them() -> None:
    """Pairs with a mark: 3 of 3 equal, 1 of 3, 0 of 2; so 2(3+1) marks agree of 2(3+1) + 2 + 2."""
    found = table(frame_of([(1, 1, 1), (1, 1, 0), (0, 0, 1)]))
    assert found["positive_agreement"]["value"] == pytest.approx(8 / 12, abs=1e-11)
    assert found["negative_agreement"]["value"] == pytest.approx(2 / 6, abs=1e-11)


@few
@given(UNITS)
def test_specific_agreement_is_the_one_of_all_ordered_pairs(units: list[list[int | None]]) -> None:
    frame = frame_of(units)
    if frame.empty:
        return
    found = table(frame)
    for name, value in (("positive_agreement", 1), ("negative_agreement", 0)):
        seconds = [
            second
            for unit in units
            for first, second in itertools.permutations([mark for mark in unit if mark is not None], 2)
            if first == value
        ]
        if seconds:
            share = Fraction(sum(second == value for second in seconds), len(seconds))
            assert found[name]["value"] == pytest.approx(float(share), abs=1e-11)
        else:
            assert found[name]["value"] is None
            assert found[name]["reason"]


@few
@given(UNITS)
def test_to_swap_marked_and_unmarked_swaps_the_agreements(units: list[list[int | None]]) -> None:
    frame = frame_of(units)
    if frame.empty:
        return
    one, other = table(frame), table(frame.assign(marked=1 - frame["marked"].astype(int)))
    assert one["positive_agreement"]["value"] == other["negative_agreement"]["value"]
    assert one["negative_agreement"]["value"] == other["positive_agreement"]["value"]
    if one["alpha"]["value"] is None:
        assert one["alpha"]["reason"] == other["alpha"]["reason"]
    else:
        assert one["alpha"]["value"] == pytest.approx(other["alpha"]["value"], abs=1e-9)


@few
@given(UNITS, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_the_names_of_raters_change_anything(
    units: list[list[int | None]], random: Any
) -> None:
    frame = frame_of(units)
    order = list(range(len(frame)))
    random.shuffle(order)
    other = frame.iloc[order].assign(rater_id=lambda rows: "x" + rows["rater_id"])
    assert table(frame) == table(other)


def test_alpha_beside_is_krippendorffs_nominal_one() -> None:
    units = [(1, 1, 0), (0, 0, 0), (1, 1, 1), (0, None, 1), (0, 0, None)]
    data = [[np.nan if mark is None else float(mark) for mark in rater] for rater in zip(*units, strict=True)]
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement="nominal")
    assert table(frame_of(units))["alpha"]["value"] == pytest.approx(expected, abs=1e-11)


def test_votes_are_counted_by_unit_and_a_tie_is_no_majority() -> None:
    found = table(frame_of([(0, 0, 0, 0), (1, 0, 0, 0), (1, 1, 0, 0), (1, 1, 1, 0), (1, 1, 1, 1), (1, None, 0, 0)]))
    assert found["votes"] == {"0": 1, "1": 2, "2": 1, "3": 1, "4": 1}
    assert (found["marked_units"], found["ties"]) == (5, 1)
    assert (found["majority"]["hits"], found["majority"]["n"]) == (2, 6)


@pytest.mark.parametrize(
    ("units", "positive", "negative"),
    [
        ([(0, 0)] * 3, "nobody marked a unit with two ratings", None),
        ([(1, 1)] * 3, None, "everybody marked every unit with two ratings"),
        ([(0, 0), (1, None)], "nobody marked a unit with two ratings", None),
        ([(1, None), (None, 0)], "no unit with two ratings", "no unit with two ratings"),
        ([(1,), (0,)], "one rater", "one rater"),
    ],
)
def test_an_agreement_on_nothing_says_why(units: Any, positive: str | None, negative: str | None) -> None:
    found = table(frame_of(units), bootstrap=100)
    for name, reason in (("positive_agreement", positive), ("negative_agreement", negative)):
        assert (found[name]["value"] is None) == (reason is not None)
        if reason:
            assert found[name]["reason"] == reason


def test_too_few_units_to_pair_are_said_to_be_too_few() -> None:
    assert any("too few" in word for word in table(frame_of([(1, 0)] * 9))["words"])
    assert not any("too few" in word for word in table(frame_of([(1, 0)] * 10))["words"])
