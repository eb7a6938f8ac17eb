"""What must hold of any ratings whatever."""

from __future__ import annotations

import itertools
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from reviews.statistics.report import agreement

LEVELS = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])
few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


@st.composite
def tables(draw: st.DrawFn, top: int = 5) -> np.ndarray:
    """Units x raters, values 1..top, 0 where there is no rating."""
    units, raters = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    cells = st.lists(st.integers(0, top), min_size=raters, max_size=raters)
    return np.array(draw(st.lists(cells, min_size=units, max_size=units)))


def frame_of(table: np.ndarray, raters: Any = None, units: Any = None) -> pd.DataFrame:
    names = [f"r{j}" for j in range(table.shape[1])] if raters is None else raters
    items = [f"i{i}" for i in range(table.shape[0])] if units is None else units
    rows = [
        {"item_id": items[i], "rater_id": names[j], "dimension": "d", "value": table[i, j]}
        for i, j in itertools.product(*map(range, table.shape))
        if table[i, j]
    ]
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value"])


def table_of(frame: pd.DataFrame, level: str = "ordinal", scale: Any = "1-5", **options: Any) -> dict[str, Any]:
    return agreement(frame, level=level, scale=scale, bootstrap=0, **options).to_json()["dimensions"]["d"]


def exchangeable(result: dict[str, Any]) -> list[float | None]:
    numbers = [result[name]["value"] for name in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k")]
    return numbers + [result[name] for name in ("pair_exact", "pair_adjacent", "all_exact", "all_adjacent")]


def same(a: list[float | None], b: list[float | None]) -> None:
    assert [x is None for x in a] == [x is None for x in b]
    assert [x for x in a if x is not None] == pytest.approx([x for x in b if x is not None], abs=1e-9)


@few
@given(tables(), LEVELS, st.randoms(use_true_random=False))
def test_it_does_not_matter_what_raters_are_called_nor_how_rows_lie(table: np.ndarray, level: str, random: Any) -> None:
    assume(table.any())
    names = [f"x{j}" for j in range(table.shape[1])]
    units = [f"u{i}" for i in range(table.shape[0])]
    random.shuffle(names)
    random.shuffle(units)
    other = frame_of(table, names, units)
    order = list(range(len(other)))
    random.shuffle(order)
    same(exchangeable(table_of(frame_of(table), level)), exchangeable(table_of(other.iloc[order], level)))


@few
@given(tables(), LEVELS)
def test_a_unit_with_one_rating_changes_no_alpha_and_no_percentage(table: np.ndarray, level: str) -> None:
    assume(table.any())
    more = np.vstack([table, np.zeros(table.shape[1], dtype=int)])
    more[-1, 0] = 5
    before, after = table_of(frame_of(table), level), table_of(frame_of(more), level)
    assume((before["alpha"]["reason"], after["alpha"]["reason"]) != ("one rater", "no unit with two ratings"))
    for name in ("pair_exact", "all_exact", "pairable_units"):
        assert before[name] == after[name]
    same([before["alpha"]["value"]], [after["alpha"]["value"]])


@few
@given(tables(top=4), LEVELS)
def test_an_unused_level_changes_no_alpha(table: np.ndarray, level: str) -> None:
    assume(table.any())
    narrow, wide = (table_of(frame_of(table), level, scale)["alpha"] for scale in ("1-4", "1-9"))
    same([narrow["value"]], [wide["value"]])


@few
@given(tables())
def test_the_declared_scale_does_not_change_a_quadratic_kappa(table: np.ndarray) -> None:
    assume(table.any())
    narrow, wide = (table_of(frame_of(table), "ordinal", scale)["pairs"] for scale in ("1-5", "0-9"))
    same([pair["qwk"] for pair in narrow], [pair["qwk"] for pair in wide])


@few
@given(tables())
def test_a_reversed_scale_changes_nothing_but_signs(table: np.ndarray) -> None:
    assume(table.any())
    there = table_of(frame_of(table))
    back = table_of(frame_of(np.where(table > 0, 6 - table, 0)))
    same(exchangeable(there), exchangeable(back))
    for a, b in zip(there["raters_detail"], back["raters_detail"], strict=True):
        if a["severity"]["value"] is not None:
            assert a["severity"]["value"] == pytest.approx(-b["severity"]["value"], abs=1e-9)
        if a["drift"] is not None:
            assert a["drift"] == pytest.approx(-b["drift"], abs=1e-9)


@few
@given(st.lists(st.integers(1, 5), min_size=2, max_size=12), st.integers(2, 5), LEVELS)
def test_perfect_agreement_is_1_unless_all_is_equal(values: list[int], raters: int, level: str) -> None:
    result = table_of(frame_of(np.array([[value] * raters for value in values])), level)
    if len(set(values)) == 1:
        assert (result["alpha"]["value"], result["alpha"]["reason"]) == (None, "all ratings equal")
    else:
        assert result["alpha"]["value"] == pytest.approx(1, abs=1e-12)
    assert result["ac2"]["value"] == pytest.approx(1, abs=1e-12)
    assert result["pair_exact"] == result["all_exact"] == 1


@few
@given(tables(), LEVELS)
def test_alpha_is_that_of_the_krippendorff_package(table: np.ndarray, level: str) -> None:
    from reviews.statistics.alpha import alpha_of_sums, total_sums
    from reviews.statistics.patterns import dimension_of, pattern_table
    from reviews.statistics.tidy import code_ratings

    assume(table.any())
    values = np.arange(1, 6)
    counts = (table[:, :, None] == values).sum(axis=1)
    used = counts[counts.sum(axis=1) >= 2].sum(axis=0) > 0
    assume(used.sum() > 1)
    package = krippendorff.alpha(
        value_counts=counts[:, used], value_domain=values[used].astype(float), level_of_measurement=level
    )
    ratings = dimension_of(code_ratings(frame_of(table), level=level, scale="1-5"), 0, level)
    sums = total_sums(pattern_table(ratings), level=level, levels=values.astype(float))
    assert alpha_of_sums(sums, level=level, levels=values.astype(float))[0] == pytest.approx(package, abs=1e-12)


@few
@given(tables(), LEVELS, st.sampled_from([None, "1-5", "0-9"]))
def test_every_number_is_there_or_says_why(table: np.ndarray, level: str, scale: str | None) -> None:
    assume(table.any())
    result = table_of(frame_of(table), level, scale)
    for name in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k"):
        statistic = result[name]
        assert (statistic["value"] is None) <= (statistic["reason"] is not None)
        assert statistic["ci_low"] is None
    for name in ("pair_exact", "pair_adjacent", "all_exact", "all_adjacent"):
        assert (result[name] is None) == (name in result["reasons"])
    for pair in result["pairs"]:
        assert (pair["qwk"] is None) == (pair["reason"] is not None)
    for detail in result["raters_detail"]:
        assert (detail["severity"]["value"] is None) <= (detail["severity"]["reason"] is not None)
        for name in ("drift", "alpha_without"):
            assert (detail[name] is None) == (name in detail["reasons"])
    assert sum(result["distribution"].values()) == result["ratings"] == int((table > 0).sum())
