"""Tables of slices: each slice's numbers are those of its ratings alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics import slices as module
from reviews.statistics.columns import Tag, rating_tag, tag, unit_tag
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.parts import part_of
from reviews.statistics.patterns import dimension_of
from reviews.statistics.report import agreement
from reviews.statistics.slices import Slice, slice_table
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.made import ratings, rows


def tagged(*, seed: int = 0, **options: Any) -> pd.DataFrame:
    """Made ratings of 70 scenarios with tags of units (companion, task) and of ratings (version), some missing."""
    frame = ratings(**{"scenarios": 70, "pool": 5, "seed": seed} | options)
    number = frame["item_id"].str.extract(r"s(\d+)/(\d+)").astype(int)
    frame["companion"] = "c" + number[1].astype(str)
    frame["task"] = np.where(number[0] < 40, "plan", "chat")
    rng = np.random.default_rng(seed)
    frame["version"] = rng.choice([1, 2, 10], len(frame))
    frame["value"] = frame["value"].astype(object).where(rng.random(len(frame)) > 0.1, "n/a")
    return frame.sample(frac=1, random_state=seed).reset_index(drop=True)


def table(
    frame: pd.DataFrame,
    units: Sequence[str] = (),
    ratings: Sequence[str] = (),
    *,
    level: str = "ordinal",
    scale: Any = "1-5",
    at: int = 0,
    bootstrap: int = 300,
) -> list[Slice]:
    coded = code_ratings(frame, level=level, scale=scale)
    return slice_table(
        coded,
        at,
        level=level,
        unit_tags={name: unit_tag(coded, frame[name]) for name in units},
        rating_tags={name: rating_tag(coded, frame[name]) for name in ratings},
        bootstrap=bootstrap,
        seed=9,
    )


def assert_alone(one: Slice, frame: pd.DataFrame, *, level: str = "ordinal", scale: Any = "1-5") -> None:
    """A slice has the numbers of a report on the rows of the frame that it holds."""
    here = frame[frame[one.by].astype(str) == one.key]
    report = agreement(here, level=level, scale=scale, bootstrap=300, seed=9)
    alone = report.dimensions["empathy"]
    for name in ("units", "pairable_units", "ratings", "clusters"):
        assert getattr(one, name) == getattr(alone, name)
    for name in ("value", "ci_low", "ci_high", "p_ge_667", "p_ge_800"):
        ours, theirs = getattr(one.alpha, name), getattr(alone.alpha, name)
        assert ours is theirs is None or ours == pytest.approx(theirs, abs=1e-12)
    assert (one.alpha.reason, one.alpha.dropped) == (alone.alpha.reason, alone.alpha.dropped)
    assert one.ac2 is alone.ac2.value is None or one.ac2 == pytest.approx(alone.ac2.value, abs=1e-12)
    assert one.reasons.get("ac2") == alone.ac2.reason or one.ac2 is not None
    assert one.pair_exact == pytest.approx(alone.percent.pair_exact, abs=1e-12)
    assert one.reasons.get("pair_exact") == alone.reasons.get("pair_exact")
    most = max(alone.distribution, key=lambda label: alone.distribution[label])
    assert (one.modal_level, one.modal_share) == (most, pytest.approx(alone.distribution[most] / alone.ratings))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_a_slice_has_the_numbers_of_a_report_on_its_ratings_alone(level: str) -> None:
    frame = tagged()
    found = table(frame, ["companion", "task"], ["version"], level=level)
    assert [one.key for one in found] == ["c0", "c1", "c2", "c3", "chat", "plan", "1", "2", "10"]
    assert all(one.alpha.ci_low is not None for one in found)
    for one in found:
        assert_alone(one, frame, level=level)


@pytest.mark.parametrize("pool", [3, 6])
def test_it_has_them_too_where_each_unit_is_its_own_cluster(pool: int) -> None:
    frame = tagged(pool=pool).drop(columns="cluster_id")
    for one in table(frame, ["task"], ["version"]):
        assert one.alpha.ci_low is not None
        assert_alone(one, frame)


def test_it_has_them_too_where_ratings_are_anonymous() -> None:
    frame = tagged().drop(columns="rater_id")
    for one in table(frame, ["task"], ["version"]):
        assert_alone(one, frame)


def test_it_has_them_too_on_an_open_scale() -> None:
    frame = tagged()
    given = frame["value"] != "n/a"
    frame.loc[given, "value"] = frame.loc[given, "value"].astype(float) + np.linspace(0, 0.4, int(given.sum())).round(2)
    found = table(frame, ["task"], ["version"], level="interval", scale=None)
    for one in found:
        assert_alone(one, frame, level="interval", scale=None)
    assert {one.reasons["ac2"] for one in found} == {"no scale of levels declared"}


def test_a_part_is_coded_as_if_it_were_alone() -> None:
    frame = tagged(pool=9)
    coded = code_ratings(frame, scale="1-5")
    whole = dimension_of(coded, 0, "ordinal")
    given = np.flatnonzero(coded.code >= 0)
    mine = (frame["companion"] == "c2") & (frame["rater_id"] != "r4") & (frame["version"] == 2)
    part = part_of(whole, np.flatnonzero(mine.to_numpy()[coded.kept[given]]))
    alone = dimension_of(code_ratings(frame[mine], scale="1-5"), 0, "ordinal")
    assert (part.units, part.clusters, part.rater_names) == (alone.units, alone.clusters, alone.rater_names)
    for name in ("unit", "code", "rater", "cluster"):
        assert np.array_equal(getattr(part, name), getattr(alone, name))


def test_slices_of_equally_many_clusters_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifty companions that answer the same scenarios cost one product, not fifty bootstraps."""
    drawn: list[tuple[int, ...]] = []
    draw = module.replicate_sums
    monkeypatch.setattr(module, "replicate_sums", lambda rows, *a, **k: drawn.append(rows.shape) or draw(rows, *a, **k))
    frame = tagged(raters=4)
    together = table(frame, ["companion", "task"])
    assert sorted(drawn) == [(30, 15), (40, 15), (70, 4 * 15)]
    drawn.clear()
    monkeypatch.setattr(module, "CELLS_AT_ONCE", 1)
    one_by_one = table(frame, ["companion", "task"])
    assert len(drawn) == 6
    for one, other in zip(together, one_by_one, strict=True):
        assert one.alpha.ci_low == pytest.approx(other.alpha.ci_low, abs=1e-12)
        assert one.alpha.ci_high == pytest.approx(other.alpha.ci_high, abs=1e-12)


def test_a_table_worked_out_by_hand() -> None:
    """x: pairs (1,1), (1,2), alone 2: alpha 1 - 3 * 2/8; y: (4,5), (4,4). Ties of the mode go to the lowest level."""
    frame = rows(
        ("i1", "a", 1), ("i1", "b", 1), ("i2", "a", 1), ("i2", "b", 2), ("i3", "a", 2),
        ("i4", "a", 4), ("i4", "b", 5), ("i5", "a", 4), ("i5", "b", 4), ("i6", "a", 5), ("i7", "b", 5),
    )  # fmt: skip
    frame["half"] = ["x"] * 5 + ["y"] * 6
    x, y = table(frame, ["half"], level="nominal")
    assert (x.units, x.pairable_units, x.ratings, x.clusters) == (3, 2, 5, 3)
    # coincidences: o11 = 2, o12 = o21 = 1; n1 = 3, n2 = 1, n = 4; D_o = 2/4, D_e = 2*3*1/(4*3)
    assert x.alpha.value == pytest.approx(1 - (2 / 4) / (6 / 12))
    assert (x.pair_exact, x.modal_level, x.modal_share) == (0.5, "1", 3 / 5)
    assert (y.modal_level, y.modal_share) == ("4", 3 / 6)
    assert (x.alpha.ci_low, x.alpha.reason) == (None, "too few clusters for an interval: 30 are needed")


def test_what_has_no_tag_stands_last_under_an_empty_key() -> None:
    frame = tagged()
    frame["companion"] = frame["companion"].where(frame["companion"] != "c0", " ")
    frame["companion"] = frame["companion"].where(frame["companion"] != "c1", None)
    found = table(frame, ["companion"])
    assert [one.key for one in found] == ["c2", "c3", ""]
    assert found[2].units == found[0].units + found[1].units
    assert sum(one.ratings for one in found) == (frame["value"] != "n/a").sum()


def test_keys_stand_in_the_order_of_their_numbers_whatever_kind_of_column_they_come_from() -> None:
    values = ["10", "b", "", "2", "1.5", "None", "a", "2"]
    found = tag(values)
    assert found.keys == ["1.5", "2", "10", "None", "a", "b", ""]
    assert [found.keys[at] for at in found.code] == values
    categories = pd.Categorical([3.0, 1.0, None, 3.0], categories=[1.0, 2.0, 3.0])
    assert (tag(categories).keys, tag(categories).code.tolist()) == (["1", "3", ""], [1, 0, 2, 1])
    assert tag(pd.Series([2, 1, None], dtype="Int64")).keys == ["1", "2", ""]
    assert tag([]).keys == []


def test_a_unit_with_two_tags_is_refused_with_its_line() -> None:
    frame = rows(("i1", "a", 1), ("i1", "b", 2), ("i2", "a", 1), ("i2", "b", 1)).assign(task=["x", "x", "y", "x"])
    coded = code_ratings(frame, scale="1-5")
    with pytest.raises(RatingsRefused, match="line 4: an item has task 'x', before 'y'"):
        unit_tag(coded, frame["task"])
    assert rating_tag(coded, frame["task"]).code.tolist() == [0, 0, 1, 0]


def test_tags_follow_the_ratings_where_rows_are_left_out_and_put_in_order() -> None:
    frame = rows(("i1", "a", 1), ("i1", "a", 1), ("i1", "b", 2), ("i2", "a", 3)).assign(
        order=[4, 3, 2, 1], task=["x", "x", "x", "y"], period=["p", "lost", "q", "r"]
    )
    coded = code_ratings(frame, scale="1-5")
    period = rating_tag(coded, frame["period"])
    assert [period.keys[at] for at in period.code] == ["r", "q", "p"]
    assert "lost" not in period.keys
    task = unit_tag(coded, frame["task"])
    assert [task.keys[at] for at in task.code] == ["x", "y"]


def test_every_undefined_number_says_why() -> None:
    frame = pd.concat(
        [
            rows(("i1", "a", 1), ("i2", "a", 5)).assign(task="one rater"),
            rows(("i3", "a", 1), ("i4", "b", 5)).assign(task="no pairs"),
            rows(("i5", "a", 3), ("i5", "b", 3)).assign(task="equal"),
            rows(("i6", "a", None), ("i6", "b", None)).assign(task="missing"),
            rows(("i7", "a", 4), ("i7", "b", 4)).assign(task="elsewhere", dimension="e"),
        ]
    ).reset_index(drop=True)
    found = {one.key: one for one in table(frame, ["task"])}
    json.dumps([one.to_json() for one in found.values()], allow_nan=False)
    assert found["one rater"].alpha.reason == found["one rater"].reasons["pair_exact"] == "one rater"
    assert found["no pairs"].alpha.reason == found["no pairs"].reasons["ac2"] == "no unit with two ratings"
    assert (found["equal"].alpha.reason, found["equal"].pair_exact, found["equal"].ac2) == ("all ratings equal", 1, 1)
    for key in ("missing", "elsewhere"):
        assert (found[key].units, found[key].modal_level, found[key].alpha.value) == (0, None, None)
        assert set(found[key].to_json()["reasons"].values()) == {"no ratings"}
    assert table(frame, ["task"], at=1)[0].key == "elsewhere"


def test_too_few_replicates_leave_no_interval() -> None:
    assert {one.alpha.reason for one in table(tagged(), ["task"], bootstrap=0)} == {"no bootstrap was asked for"}
    assert {one.alpha.reason for one in table(tagged(), ["task"], bootstrap=39)} == {
        "too few replicates for an interval: 40 are needed"
    }


def test_it_is_json_of_the_agreed_fields() -> None:
    one = table(tagged(), ["task"])[0].to_json()
    assert list(one)[:11] == [
        "by", "key", "units", "pairable_units", "ratings", "clusters", "alpha", "ac2", "pair_exact", "modal_level",
        "modal_share",
    ]  # fmt: skip
    assert set(one["alpha"]) == {
        "value", "ci_low", "ci_high", "reason", "dropped", "level", "p_ge_667", "p_ge_800",
    }  # fmt: skip
    assert json.loads(json.dumps(one, allow_nan=False)) == one


def test_tags_that_do_not_fit_are_refused() -> None:
    frame = tagged()
    coded = code_ratings(frame, scale="1-5")
    short, right = Tag(np.zeros(3, dtype=int), ["x"]), rating_tag(coded, frame["version"])
    task = unit_tag(coded, frame["task"])
    options: dict[str, Any] = {"level": "ordinal", "bootstrap": 0, "seed": 1}
    with pytest.raises(ValueError, match="tag 'task' has 3 codes, 280 are needed"):
        slice_table(coded, 0, unit_tags={"task": short}, rating_tags={}, **options)
    with pytest.raises(ValueError, match="tag 'version' has 280 codes, 840 are needed"):
        slice_table(coded, 0, unit_tags={}, rating_tags={"version": task}, **options)
    with pytest.raises(ValueError, match="tag 'task' is of units and of ratings"):
        slice_table(coded, 0, unit_tags={"task": task}, rating_tags={"task": right}, **options)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=60))
def test_slices_by_unit_share_out_all_units_and_slices_by_rating_all_ratings(cells: list[tuple[int, int, int]]) -> None:
    """Rating n is of unit n // 3: value (0 is missing), tag of the unit (from its first rating), tag of the rating."""
    frame = rows(*((f"i{n // 3:02}", f"r{n % 3}", value or None) for n, (value, _, _) in enumerate(cells)))
    frame["unit"] = [["x", "y", "z", ""][cells[n // 3 * 3][1]] for n in range(len(cells))]
    frame["period"] = [["p", "q", ""][cell[2]] for cell in cells]
    found = table(frame, ["unit"], ["period"], bootstrap=0)
    whole = agreement(frame, scale="1-5", bootstrap=0).dimensions["d"]
    by_unit, by_rating = ([one for one in found if one.by == by] for by in ("unit", "period"))
    for name in ("units", "pairable_units", "ratings"):
        assert sum(getattr(one, name) for one in by_unit) == getattr(whole, name)
    assert sum(one.ratings for one in by_rating) == whole.ratings
    for one in found:
        assert (one.alpha.value is None) <= (one.alpha.reason is not None)
        for name in ("ac2", "pair_exact", "modal_level", "modal_share"):
            assert (getattr(one, name) is None) == (name in one.reasons)
