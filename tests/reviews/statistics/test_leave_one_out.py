"""What alpha is without each rater: the difference, its interval, and where there is none."""

from __future__ import annotations

from collections import Counter

import krippendorff
import numpy as np
import pandas as pd
import pytest

from reviews.statistics import leave_one_out as module
from reviews.statistics.bootstrap import bca_bounds
from reviews.statistics.leave_one_out import LeaveOneOut, leave_one_out
from reviews.statistics.patterns import DimensionRatings, dimension_of, pattern_table
from reviews.statistics.reasons import Reason
from reviews.statistics.report import agreement
from reviews.statistics.tidy import code_ratings
from reviews.statistics.words import plain_words
from tests.reviews.statistics.made import dimension, ratings, rows

SEED = 17


def cut(frame: pd.DataFrame, level: str = "ordinal") -> DimensionRatings:
    return dimension_of(code_ratings(frame, level=level, scale="1-5"), 0, level)


def found_in(one: DimensionRatings, replicates: int = 200) -> LeaveOneOut:
    levels = np.arange(5) if one.level == "nominal" else np.arange(1.0, 6.0)
    return leave_one_out(one, pattern_table(one), levels=levels, replicates=replicates, seed=SEED)


def noisy(frame: pd.DataFrame, rater: str, seed: int = 1) -> pd.DataFrame:
    """The same with ratings of one rater that have nothing to do with the units."""
    frame, mine = frame.copy(), frame["rater_id"] == rater
    frame.loc[mine, "value"] = np.random.default_rng(seed).integers(1, 6, int(mine.sum()))
    return frame


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_the_interval_is_of_the_package_s_differences_over_the_clusters_that_alpha_draws(level: str) -> None:
    """Each resample is put together unit by unit and given to the krippendorff package, with the rater and without."""
    one = cut(ratings(scenarios=32, responses=2, raters=3, pool=4, seed=2), level)
    assert one.rater is not None
    table = np.zeros((4, one.units, 5), dtype=int)  # of each rater, which level each unit has
    table[one.rater, one.unit, one.code] = 1
    units = [np.flatnonzero(one.cluster == cluster) for cluster in range(one.clusters)]

    def alpha_of(counts: np.ndarray) -> float:
        used = counts[counts.sum(axis=1) >= 2].sum(axis=0) > 0
        return krippendorff.alpha(
            value_counts=counts[:, used], value_domain=np.arange(1.0, 6)[used], level_of_measurement=level
        )

    def difference(clusters: list[int] | np.ndarray, j: int) -> float:
        drawn = table[:, np.concatenate([units[cluster] for cluster in clusters])]
        every = drawn.sum(axis=0)
        return alpha_of(every - drawn[j]) - alpha_of(every)

    generator = np.random.Generator(np.random.SFC64(SEED))
    drawn = [generator.integers(0, 32, size=32, dtype=np.uint16) for _ in range(60)]
    all_clusters = list(range(32))
    found = found_in(one, 60)
    for j in range(4):
        value = difference(all_clusters, j)
        without = np.array([difference([c for c in all_clusters if c != out], j) for out in all_clusters])
        low, high = bca_bounds(value, np.sort([difference(d, j) for d in drawn]), without, np.ones(32))
        change = found.changes[j]
        assert (change.value, change.ci_low, change.ci_high) == pytest.approx((value, low, high), abs=1e-9)
        assert change.reason is None


def test_the_difference_is_that_of_the_two_alphas_of_the_report() -> None:
    table = dimension(ratings(pool=5))
    for detail in table["raters_detail"]:
        change = detail["alpha_change"]
        assert change["value"] == pytest.approx(detail["alpha_without"] - table["alpha"]["value"], abs=1e-11)
        assert change["ci_low"] < change["value"] < change["ci_high"]
        assert change["reason"] is None


def test_batches_of_raters_see_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    one = cut(ratings(pool=7))
    whole = found_in(one)
    monkeypatch.setattr(module, "BATCH_CELLS", 2 * 200 * 15)  # one rater beside the sums of all
    again = found_in(one)
    for a, b in zip(whole.changes, again.changes, strict=True):
        assert (a.value, a.ci_low, a.ci_high) == pytest.approx((b.value, b.ci_low, b.ci_high), abs=1e-12)
    assert whole.changes[0].ci_low is not None


def test_a_rater_who_guesses_is_named_and_no_other() -> None:
    report = agreement(noisy(ratings(scenarios=80, raters=4, pool=4), "r2"), scale="1-5", bootstrap=400)
    words = [word for word in plain_words(report.dimensions["empathy"]) if word.code == "higher_without"]
    assert [word.params["rater"] for word in words] == ["r2"]
    sentences = report.to_json()["dimensions"]["empathy"]["words"]
    assert any(sentence.startswith("without r2 alpha would be 0.") for sentence in sentences)
    assert any(sentence.endswith("higher") for sentence in sentences)


def test_a_difference_that_does_not_matter_is_not_named_however_certain() -> None:
    """With 1,500 scenarios a hundredth is off 0: r3 guesses once in thirty."""
    frame = ratings(scenarios=1500, responses=1, raters=4, pool=4, seed=6)
    guessed = noisy(frame, "r3")["value"]
    frame["value"] = np.where(np.arange(len(frame)) // 4 % 30 == 0, guessed, frame["value"])
    report = agreement(frame, scale="1-5", bootstrap=200).dimensions["empathy"]
    changes = [detail.alpha_change for detail in report.raters_detail]
    assert any(change.is_off_zero for change in changes)
    assert all(abs(change.value or 0) < 0.02 for change in changes)
    assert not [word for word in plain_words(report) if word.code in ("higher_without", "lower_without")]


def test_the_interval_of_the_difference_covers_as_often_as_it_says() -> None:
    population = noisy(ratings(scenarios=3000, seed=21, raters=3, pool=3), "r0")
    truth = [detail["alpha_change"]["value"] for detail in dimension(population, bootstrap=0)["raters_detail"]]
    scenario = population["cluster_id"].str[1:].astype(int)
    held = [0, 0, 0]
    for sample in range(60):
        some = population[(scenario >= 50 * sample) & (scenario < 50 * sample + 50)]
        for j, detail in enumerate(dimension(some, bootstrap=300)["raters_detail"]):
            held[j] += detail["alpha_change"]["ci_low"] <= truth[j] <= detail["alpha_change"]["ci_high"]
    assert min(held) >= 51  # 57 are expected


def test_there_is_no_interval_from_under_30_clusters_that_a_rater_touches() -> None:
    frame = ratings(scenarios=60, raters=4, pool=4)
    seldom = (frame["rater_id"] == "r3") & (frame["cluster_id"].str[1:].astype(int) >= 29)
    changes = {d["rater"]: d["alpha_change"] for d in dimension(frame[~seldom])["raters_detail"]}
    assert changes["r3"]["value"] is not None
    assert (changes["r3"]["ci_low"], changes["r3"]["reason"]) == (None, Reason.FEW_CLUSTERS)
    assert changes["r0"]["ci_low"] is not None
    enough = seldom & (frame["cluster_id"] != "s29")
    changes = {d["rater"]: d["alpha_change"] for d in dimension(frame[~enough])["raters_detail"]}
    assert changes["r3"]["ci_low"] is not None


def test_there_is_no_interval_where_under_30_clusters_are_left_without_a_rater() -> None:
    """Everything is rated by r0 and r1, and by r2 in 29 scenarios only: without r0 nothing else can be paired."""
    frame = ratings(scenarios=60, raters=3, pool=3)
    out = (frame["rater_id"] == "r2") & (frame["cluster_id"].str[1:].astype(int) >= 29)
    for detail in dimension(frame[~out])["raters_detail"]:
        assert detail["alpha_change"]["value"] is not None
        assert (detail["alpha_change"]["ci_low"], detail["alpha_change"]["reason"]) == (None, Reason.FEW_CLUSTERS)


@pytest.mark.parametrize(("replicates", "reason"), [(0, Reason.NO_BOOTSTRAP), (39, Reason.FEW_REPLICATES)])
def test_without_replicates_there_is_the_difference_alone(replicates: int, reason: Reason) -> None:
    for change in found_in(cut(ratings()), replicates).changes:
        assert change.value is not None
        assert (change.ci_low, change.ci_high, change.reason) == (None, None, reason)


def test_what_would_take_too_long_is_left_out_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    one = cut(ratings())
    for name in ("MOST_WORK", "BATCH_CELLS"):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, 1000)
            assert {change.reason for change in found_in(one).changes} == {Reason.TOO_LARGE}
            assert all(change.value is not None for change in found_in(one).changes)


def test_where_alpha_of_the_others_is_undefined_so_is_the_difference() -> None:
    two = dimension(rows(*((f"i{n}", r, 1 + (n + (r == "a")) % 5) for n in range(40) for r in "ab")))
    differ = rows(*((f"i{n}", r, 1 + n % 5 if r == "c" else 3) for n in range(40) for r in "abc"))
    lonely = rows(*((f"i{n}", r, 1 + n % 5) for n in range(40) for r in ("a", "bc"[n % 2])))
    cases = [
        (two, 0, Reason.ONE_RATER),
        (dimension(differ), 2, Reason.ALL_EQUAL),
        (dimension(lonely), 0, Reason.NO_PAIRS),
    ]
    for table, j, reason in cases:
        detail = table["raters_detail"][j]
        assert detail["alpha_change"] == {"value": None, "ci_low": None, "ci_high": None, "reason": reason}
        assert detail["alpha_without"] is None
        assert detail["reasons"]["alpha_without"] == reason


def test_a_rater_whose_absence_is_undefined_in_many_replicates_has_no_interval() -> None:
    """Without c one unit of forty is not all 5: a third of the replicates have nothing else."""
    cells = [(f"i{n}", r, 5 if r in "ab" else 1 + n % 5) for n in range(40) for r in "abc"]
    detail = dimension(rows(*cells, ("x", "a", 4), ("x", "b", 4), ("x", "c", 4)))["raters_detail"][2]
    assert detail["alpha_change"]["value"] is not None
    assert (detail["alpha_change"]["ci_low"], detail["alpha_change"]["reason"]) == (None, Reason.MANY_DROPPED)


def test_units_that_are_their_own_clusters_are_drawn_by_kind() -> None:
    """Kinds are who gave what; the interval is that of units named as clusters, but for the draws."""
    frame = noisy(ratings(scenarios=600, responses=1, raters=3, pool=3, seed=9), "r1").drop(columns="cluster_id")
    one = cut(frame)
    first, often = module._kinds(one)
    assert one.rater is not None
    cells = zip(one.unit.tolist(), one.rater.tolist(), one.code.tolist(), strict=True)
    kinds: dict[int, list[tuple[int, int]]] = {}
    for unit, rater, code in cells:
        kinds.setdefault(unit, []).append((rater, code))
    right = Counter(tuple(sorted(kind)) for kind in kinds.values())
    assert {tuple(sorted(kinds[unit])): n for unit, n in zip(first.tolist(), often.tolist(), strict=True)} == right
    by_unit = cut(frame.assign(cluster_id=frame["item_id"]))
    for a, b in zip(found_in(one, 4000).changes, found_in(by_unit, 4000).changes, strict=True):
        assert a.value == pytest.approx(b.value, abs=1e-12)
        assert (a.ci_low, a.ci_high) == pytest.approx((b.ci_low, b.ci_high), abs=0.006)


def test_many_units_of_few_kinds_are_drawn_as_kinds() -> None:
    frame = pd.concat([noisy(ratings(scenarios=300, responses=1), "r1").drop(columns="cluster_id")] * 8)
    frame["item_id"] += "/" + (np.arange(len(frame)) // (len(frame) // 8)).astype(str)
    one = cut(frame)
    rows_ = module._rows(one)
    assert rows_.often is not None
    assert rows_.often.sum() == one.units == 2400
    by_unit = cut(frame.assign(cluster_id=frame["item_id"]))
    for a, b in zip(found_in(one, 4000).changes, found_in(by_unit, 4000).changes, strict=True):
        assert (a.ci_low, a.ci_high) == pytest.approx((b.ci_low, b.ci_high), abs=0.004)
