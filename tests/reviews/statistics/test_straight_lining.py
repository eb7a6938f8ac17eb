"""Raters who give one level again and again."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics.monotony import EqualShare, equal_across_dimensions, rest_correlations, straight_lining
from reviews.statistics.patterns import dimension_of
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.made import dimension, rows

VARIED = [1, 2, 3, 4, 5]


def detail(own: list[int], *others: list[int], scale: str = "1-5") -> dict[str, Any]:
    """Of rater a, who gives `own` to i000, i001 and so on; b, c and so on give theirs to the same."""
    cells = [
        (f"i{n:03}", name, value) for name, values in zip("abcdef", (own, *others), strict=False)
        for n, value in enumerate(values)
    ]  # fmt: skip
    found: dict[str, Any] = dimension(rows(*cells), scale=scale, bootstrap=0)["raters_detail"][0]
    return found


def test_nine_of_ten_at_one_level_is_straight_lining_from_thirty_ratings_on() -> None:
    def spread(n: int, other: int) -> list[int]:
        """n ratings, `other` of them not 3, and far apart."""
        return [
            VARIED[at % 2] if other and at % (n // other) == 5 and at // (n // other) < other else 3 for at in range(n)
        ]

    others = (VARIED * 12)[:60]
    assert spread(30, 3).count(3) == 27
    assert detail(spread(30, 3), others[:30])["straight_lining"] == ["modal_share"]
    assert detail(spread(30, 4), others[:30])["straight_lining"] == []
    assert detail(spread(29, 2), others[:29])["straight_lining"] == []
    assert detail(spread(60, 6), others[:60])["straight_lining"] == ["modal_share"]
    assert detail(spread(60, 7), others[:60])["straight_lining"] == []


def test_twenty_equal_ones_in_a_row_are_straight_lining() -> None:
    for length, found in ((20, ["run"]), (19, [])):
        own = VARIED * 4 + [4] * length + [5, 1] * 5
        assert detail(own, (VARIED * 12)[: len(own)])["straight_lining"] == found
    broken = VARIED * 4 + [4] * 12 + [5] + [4] * 12 + [5, 1]
    assert detail(broken, (VARIED * 12)[: len(broken)])["straight_lining"] == []


def test_a_run_is_none_where_the_others_do_not_vary_on_those_very_units() -> None:
    own = VARIED * 4 + [4] * 22 + VARIED * 4
    alike = VARIED * 4 + [5] * 22 + VARIED * 4
    assert detail(own, alike)["straight_lining"] == []
    assert detail(own, alike, alike)["straight_lining"] == []
    once = [*alike]
    once[30] = 4
    assert detail(own, once)["straight_lining"] == ["run"]
    assert detail(own, alike, once)["straight_lining"] == ["run"]
    outside = [*alike]
    outside[19] = 1
    assert detail(own, outside)["straight_lining"] == []
    same = VARIED * 4 + [4] * 22 + VARIED * 4
    assert detail(own, same, alike)["straight_lining"] == ["run"]  # c says 5 where b says 4
    assert detail(own)["straight_lining"] == []  # nobody else rated them


def test_the_run_is_looked_for_in_the_sequence_not_in_the_rows() -> None:
    own = [4, 1] * 25
    others = VARIED * 10
    cells = [(f"i{n}", name, v) for name, vs in (("a", own), ("b", others)) for n, v in enumerate(vs)]
    frame = rows(*cells)
    assert dimension(frame)["raters_detail"][0]["straight_lining"] == []
    frame["order"] = [*(n % 2 * 50 + n for n in range(50)), *range(50)]
    assert dimension(frame)["raters_detail"][0]["straight_lining"] == ["run"]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_flags_are_those_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = []
    for unit, rater in itertools.product(range(90), "abcd"):
        if rng.random() < 0.7:
            stuck = unit // 30 == ord(rater) % 3 and rng.random() < 0.995
            cells.append((f"i{unit:03}", rater, 2 if stuck or rng.random() < 0.9 else int(rng.integers(1, 4))))
    frame = rows(*cells)
    one = dimension_of(code_ratings(frame, scale="1-5"), 0, "ordinal")
    for name, found in zip(one.rater_names, straight_lining(one), strict=True):
        mine = [(item, value) for item, rater, value in cells if rater == name]
        expected = []
        values = [value for _, value in mine]
        if len(values) >= 30 and max(values.count(v) for v in VARIED) / len(values) >= 0.9:
            expected.append("modal_share")
        runs = [list(run) for _, run in itertools.groupby(mine, key=lambda cell: cell[1])]
        for items in ({item for item, _ in run} for run in runs if len(run) >= 20):
            others = {value for item, rater, value in cells if rater != name and item in items}
            if len(others) > 1 and "run" not in expected:
                expected.append("run")
        assert list(found) == expected


def test_a_rater_whose_ratings_are_all_equal_is_constant_and_has_no_correlation() -> None:
    found = detail([3] * 12, (VARIED * 3)[:12])
    assert found["constant"] is True
    assert found["rest_correlation"] == {"value": None, "reason": "constant"}
    assert found["straight_lining"] == []
    mirrored = detail((VARIED * 3)[:12], [3] * 12)
    assert mirrored["constant"] is False
    assert mirrored["rest_correlation"] == {"value": None, "reason": "constant"}


def test_the_rest_correlation_is_pearson_s_with_the_mean_of_the_others_on_shared_units() -> None:
    rng = np.random.default_rng(1)
    own, b = rng.integers(1, 6, 40), rng.integers(1, 6, 30)
    c = np.clip(own[:20] + rng.integers(-1, 2, 20), 1, 5)
    rest = np.append((b[:20] + c) / 2, b[20:])
    found = detail(own.tolist(), b.tolist(), c.tolist())  # ten units are a's alone
    assert found["rest_correlation"]["value"] == pytest.approx(np.corrcoef(own[:30], rest)[0, 1], abs=1e-12)
    assert found["rest_correlation"]["reason"] is None


def test_means_of_thirds_that_are_equal_but_for_rounding_are_constant() -> None:
    """Others give .1, .2, .3 in any order: their sum is .6 or a hair beside it."""
    orders = list(itertools.permutations((0.1, 0.2, 0.3)))
    cells = [(f"i{n}", "a", n / 10) for n in range(6)]
    cells += [(f"i{n}", r, v) for n, order in enumerate(orders) for r, v in zip("bcd", order, strict=True)]
    one = dimension_of(code_ratings(rows(*cells), level="interval"), 0, "interval")
    assert rest_correlations(one)[0].reason is Reason.CONSTANT


def test_the_rest_correlation_says_why_it_is_not_there() -> None:
    assert detail([1, 2], [1, 2])["rest_correlation"] == {"value": None, "reason": "too few ratings"}
    assert detail([1, 2, 3], [1, 2, 3])["rest_correlation"]["value"] == pytest.approx(1)
    assert detail([1, 2, 3])["rest_correlation"]["reason"] == "no item in common"
    cells = [(f"i{n}", r, "xyz"[n % 3]) for n in range(9) for r in "ab"]
    nominal = dimension(rows(*cells), level="nominal", scale=None)["raters_detail"][0]
    assert nominal["rest_correlation"]["reason"] == nominal["slope"]["reason"] == "nominal values have no order"
    assert nominal["straight_lining"] == []


def sentences(own: list[int], *others: list[int]) -> list[str]:
    cells = [(f"i{n:03}", name, v) for name, vs in zip("abc", (own, *others), strict=False) for n, v in enumerate(vs)]
    words: list[str] = dimension(rows(*cells), bootstrap=0)["words"]
    return [sentence for sentence in words if "one level" in sentence]


def test_straight_lining_is_said_in_plain_words() -> None:
    others = (VARIED * 10)[:40]
    assert sentences([3] * 40, others, others) == ["a gave one level to all 40 ratings"]
    assert sentences([3] * 10, others[:10], others[:10]) == ["a gave one level to all 10 ratings"]
    assert sentences([3] * 9, others[:9], others[:9]) == []
    assert sentences([1, *[3] * 18, 2, *[3] * 20], others, others) == [
        "a gives one level nearly always: 95% of 40 ratings",
        "a gave one level 20 times in a row, where the others vary",
    ]


def test_where_nearly_everything_is_one_level_nobody_is_blamed_for_giving_it() -> None:
    """39 of 40 are a 5 in truth: the flags stand in the table, no sentence names the raters."""
    true = [*[5] * 25, 2, *[5] * 14]
    assert detail(true, true, [5] * 40)["straight_lining"] == ["modal_share"]
    assert sentences(true, true, [5] * 40) == []


def across(cells: list[tuple[str, str, str, Any]], scale: Any = None) -> dict[str, EqualShare]:
    frame = pd.DataFrame(cells, columns=["item_id", "rater_id", "dimension", "value"])
    coded = code_ratings(frame, scale=scale)
    return dict(zip(coded.rater_names, equal_across_dimensions(coded), strict=True))


def test_the_share_of_units_with_all_dimensions_equal_counts_fully_rated_units() -> None:
    table = {  # rater, item: d, e, f
        ("a", "i1"): (3, 3, 3), ("a", "i2"): (3, 3, 4), ("a", "i3"): (5, 5, None), ("a", "i4"): (1, 1, 1),
        ("b", "i1"): (3, 4, 3), ("b", "i2"): (2, 2, 2), ("c", "i1"): (4, None, None),
    }  # fmt: skip
    cells = [(item, rater, d, v) for (rater, item), vs in table.items() for d, v in zip("def", vs, strict=True)]
    found = across(cells, "1-5")
    assert found["a"] == EqualShare(pytest.approx(2 / 3), 3)
    assert found["b"] == EqualShare(0.5, 2)
    assert found["c"] == EqualShare(None, 0)
    data = agreement(pd.DataFrame(cells, columns=["item_id", "rater_id", "dimension", "value"]), scale="1-5").to_json()
    assert data["data"]["equal_across_dimensions"][1:] == [
        {"rater": "b", "share": 0.5, "n": 2},
        {"rater": "c", "share": None, "n": 0},
    ]


def test_dimensions_are_compared_by_value_not_by_place_on_the_scale() -> None:
    """A 1 is the second level of 0-1 and the first of 1-5."""
    cells = [("i1", "a", "d", 1), ("i1", "a", "e", 1), ("i2", "a", "d", 1), ("i2", "a", "e", 0)]
    assert across(cells, {"d": "1-5", "e": "0-1"})["a"] == EqualShare(0.5, 2)


def test_one_dimension_or_no_rater_ids_leave_nothing_to_compare() -> None:
    frame = rows(("i1", "a", 1), ("i1", "b", 1))
    assert equal_across_dimensions(code_ratings(frame, scale="1-5")) == []
    two = pd.concat([frame, frame.assign(dimension="e")]).drop(columns="rater_id")
    assert equal_across_dimensions(code_ratings(two, scale="1-5")) == []
    assert agreement(frame, scale="1-5").to_json()["data"]["equal_across_dimensions"] == []
