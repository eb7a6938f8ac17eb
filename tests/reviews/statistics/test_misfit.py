"""The units on which raters quarrel more than they are wont to."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reviews.statistics.additive import additive_model
from reviews.statistics.misfit import item_misfit, rater_sigmas, worst_items
from reviews.statistics.patterns import DimensionRatings, dimension_of
from reviews.statistics.reasons import Reason
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.made import dimension, ratings, rows


def cut(frame: pd.DataFrame, **options: str) -> DimensionRatings:
    level = options.get("level", "ordinal")
    return dimension_of(code_ratings(frame, **{"scale": "1-5", "level": level} | options), 0, level)


def residuals(one: DimensionRatings) -> np.ndarray:
    """Of a least-squares fit with a column a unit and a column a rater; NaN on units with one rating."""
    assert one.rater is not None
    paired = np.bincount(one.unit)[one.unit] >= 2
    n, raters = len(one.unit), len(one.rater_names)
    design = np.zeros((n, one.units + raters))
    design[np.arange(n), one.unit] = 1
    design[np.arange(n), one.units + one.rater] = -1
    y, design = one.numbers[one.code][paired], design[paired]
    found = np.full(n, np.nan)
    found[paired] = y - design @ np.linalg.lstsq(design, y, rcond=None)[0]
    return found


def test_misfit_is_the_mean_of_squared_residuals_over_each_rater_s_own_variance() -> None:
    """By a full design matrix and loops, on an incomplete design with units that one rater rated."""
    one = cut(ratings(scenarios=12, responses=2, raters=3, pool=5, seed=4).iloc[:-2])
    assert one.rater is not None
    e, size = residuals(one), np.bincount(one.unit)
    assert (size == 1).any()
    paired = size[one.unit] >= 2
    freedom = paired.sum() - (size >= 2).sum() - 5 + 1
    part = {j: sum(1 - 1 / size[u] for u in one.unit[paired & (one.rater == j)]) for j in range(5)}
    sigma = {
        j: np.sqrt((e[paired & (one.rater == j)] ** 2).sum() / (part[j] * freedom / sum(part.values())))
        for j in range(5)
    }
    found = item_misfit(one)
    assert found.sigma == pytest.approx([sigma[j] for j in range(5)], abs=1e-9)
    for unit in range(one.units):
        here = np.flatnonzero(one.unit == unit)
        if len(here) == 1:
            assert np.isnan(found.value[unit])
            continue
        right = np.mean([(e[at] / sigma[one.rater[at]]) ** 2 for at in here])
        assert found.value[unit] == pytest.approx(right, abs=1e-9)
        values = one.numbers[one.code[here]]
        assert (found.raters[unit], found.range[unit]) == (len(here), values.max() - values.min())


def test_degrees_of_freedom_of_a_complete_panel_are_shared_out_evenly() -> None:
    """sigma_j^2 = SS_j / ((U-1)(R-1)/R): with 20 units and 4 raters, 14.25 each."""
    one = cut(ratings(scenarios=20, responses=1, raters=4, pool=4))
    assert one.rater is not None
    squares = [float((residuals(one)[one.rater == j] ** 2).sum()) for j in range(4)]
    assert item_misfit(one).sigma == pytest.approx(np.sqrt(np.array(squares) / (19 * 3 / 4)), abs=1e-9)


def test_the_same_sigma_for_all_comes_out_where_raters_scatter_alike() -> None:
    """No bias by the degrees of freedom: 4,000 units of two, three or four of six raters whose sigma is 0.7."""
    rng = np.random.default_rng(3)
    cells = [
        (f"i{n}", f"r{j}", float(t + s[j] + rng.normal(0, 0.7)))
        for s in [rng.normal(0, 0.5, 6)]
        for n, t in enumerate(rng.normal(0, 2, 4000))
        for j in rng.permutation(6)[: 2 + n % 3]
    ]
    one = dimension_of(code_ratings(rows(*cells), level="interval"), 0, "interval")
    assert item_misfit(one).sigma == pytest.approx(np.full(6, 0.7), abs=0.03)


def test_a_quarrel_among_the_most_consistent_weighs_most() -> None:
    """Two panels of three with no unit in common, one that scatters; a quarrel of the same size in each."""
    rng = np.random.default_rng(5)
    cells = []
    for n, t in enumerate(rng.integers(2, 5, 200)):
        cells += [(f"x{n:03}", f"calm{j}", int(t)) for j in range(3)]
        cells += [(f"y{n:03}", f"wild{j}", int(np.clip(t + rng.integers(-2, 3), 1, 5))) for j in range(3)]
    for k in range(10):  # the calm ones are not of one mind always
        cells[6 * (20 * k + 3) + k % 3] = (f"x{20 * k + 3:03}", f"calm{k % 3}", 5 if k % 2 else 1)
    for name in ("calm", "wild"):
        cells += [(f"quarrel of the {name}", f"{name}{j}", value) for j, value in enumerate((1, 5, 1))]
    items = dimension(rows(*cells))["misfit"]["items"]
    assert items[0]["item"] == "quarrel of the calm"
    assert (items[0]["raters"], items[0]["range"]) == (3, 4)
    wild = next(item for item in items if item["item"] == "quarrel of the wild")
    assert items[0]["value"] > 4 * wild["value"]
    assert [item["value"] for item in items] == sorted((item["value"] for item in items), reverse=True)


def test_a_rater_without_any_residual_weighs_sixteen_times_the_average_at_most() -> None:
    """b always lies in the middle of a and c: no residual, no variance of their own."""
    cells = [(f"i{n}", r, 3 + (-1) ** n * d) for n in range(40) for r, d in (("a", 1), ("b", 0), ("c", -1))]
    one = cut(rows(*cells))
    model, found = additive_model(one), item_misfit(one)
    assert model.sigma is not None
    assert found.sigma[1] == pytest.approx(model.sigma / 4)
    assert found.sigma[0] > model.sigma
    assert np.isfinite(found.value).all()
    by_hand = 2 / 3 * (1 / found.sigma[0]) ** 2  # a and c are off by one level each, b by none
    assert found.value == pytest.approx(np.full(40, by_hand))


def test_a_single_rating_has_no_misfit_and_is_not_listed() -> None:
    cells = [(f"i{n}", r, 1 + (n * (r == "a") + n // 2) % 5) for n in range(12) for r in "abc"]
    misfit = dimension(rows(*cells, ("alone", "a", 1)))["misfit"]
    assert len(misfit["items"]) == 12
    assert "alone" not in {item["item"] for item in misfit["items"]}
    assert misfit["mean"] == pytest.approx(np.mean([item["value"] for item in misfit["items"]]))
    assert misfit["reason"] is None


def test_at_most_200_units_are_listed_and_equal_ones_by_their_ids() -> None:
    rng = np.random.default_rng(8)
    plain = [(f"i{n:03}", r, 3 + ((n + ord(r)) % 3 == 0)) for n in rng.permutation(240) for r in "abc"]
    items = dimension(rows(*plain, *(("worst", r, v) for r, v in (("a", 1), ("b", 5), ("c", 1)))))["misfit"]["items"]
    assert len(items) == 200
    assert items[0]["item"] == "worst"
    alike: dict[float, list[str]] = {}
    for item in items:
        alike.setdefault(item["value"], []).append(item["item"])
    assert any(len(names) > 50 for names in alike.values())
    for names in alike.values():
        assert names == sorted(names)


def test_items_stand_under_their_own_ids_in_each_dimension() -> None:
    """Numbers, spaces and rows in any order; i2 is not rated on the second dimension."""
    first = [
        (n, r, v)
        for n, vs in ((7, "55"), (2.0, "15"), (11, "44"), (" x ", "33"))
        for r, v in zip("ab", vs, strict=True)
    ]
    frame = pd.concat([rows(*first), rows(*(cell for cell in first if cell[0] != 2.0)).assign(dimension="e")])
    frame = frame.sample(frac=1, random_state=3)
    from reviews.statistics.report import agreement

    report = agreement(frame, scale="1-5", bootstrap=0).to_json()["dimensions"]
    assert {item["item"]: item["range"] for item in report["d"]["misfit"]["items"]} == {"7": 0, "2": 4, "11": 0, "x": 0}
    assert report["d"]["misfit"]["items"][0]["item"] == "2"
    assert report["e"]["misfit"] == {"items": [], "mean": None, "reason": "no error variance"}


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([("i", "a", None)], Reason.NO_RATINGS),
        ([("i", "a", 1), ("j", "a", 2)], Reason.ONE_RATER),
        ([("i", "a", 1), ("j", "b", 2)], Reason.NO_PAIRS),
        ([("i", "a", 1), ("i", "b", 2)], Reason.TOO_FEW_RATINGS),
        ([("i", "a", 1), ("i", "b", 2), ("j", "a", 3), ("j", "b", 4)], Reason.NO_ERROR),
        ([(f"i{n}", r, 4) for n in range(9) for r in "abc"], Reason.NO_ERROR),
    ],
)
def test_where_there_is_no_misfit_the_reason_is_told(cells: list[tuple[str, str, int | None]], reason: Reason) -> None:
    assert dimension(rows(*cells))["misfit"] == {"items": [], "mean": None, "reason": reason}


def test_names_without_order_and_raters_without_names_have_no_misfit() -> None:
    frame = rows(("i", "a", "x"), ("i", "b", "y"), ("j", "a", "x"), ("j", "b", "x"))
    assert dimension(frame, level="nominal", scale=None)["misfit"]["reason"] == Reason.NOT_NOMINAL
    anonymous = ratings().drop(columns="rater_id")
    assert dimension(anonymous)["misfit"]["reason"] == Reason.NO_RATER_IDS


def test_too_many_raters_to_solve_for_leave_no_misfit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviews.statistics.additive.MOST_RATERS", 2)
    table = dimension(ratings())
    assert table["misfit"]["reason"] == Reason.TOO_MANY_RATERS
    assert {detail["severity"]["reason"] for detail in table["raters_detail"]} == {Reason.TOO_MANY_RATERS}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=3, max_size=9),
    st.lists(st.integers(0, 3), min_size=4, max_size=4),
)
def test_how_severe_raters_are_changes_no_misfit(table: list[list[int]], shift: list[int]) -> None:
    """The law of the model: a level taken from all ratings of a rater is severity, not quarrel."""
    cells = [(n, j, v) for n, row in enumerate(table) for j, v in enumerate(row) if v]
    assume(cells)
    before, after = (
        item_misfit(cut(rows(*((f"i{n}", f"r{j}", v + k * shift[j]) for n, j, v in cells)), scale="1-9"))
        for k in (0, 1)
    )
    assert before.reason == after.reason
    assert before.value == pytest.approx(after.value, abs=1e-6, nan_ok=True)
    if before.reason is None:
        model = additive_model(cut(rows(*((f"i{n}", f"r{j}", v) for n, j, v in cells))))
        size = np.bincount(model.unit)
        part = np.bincount(model.rater, weights=1 - 1 / size[model.unit], minlength=len(model.severity))
        floored = rater_sigmas(model, len(model.severity)) <= 0.25 * (model.sigma or 0) * (1 + 1e-12)
        if not floored.any() and not model.alone.any():
            assert (before.sigma**2 @ part) / part.sum() == pytest.approx((model.sigma or 0) ** 2)
        assert [item.value for item in worst_items(before, str, most=3)] == pytest.approx(
            sorted(before.value[~np.isnan(before.value)], reverse=True)[:3]
        )
