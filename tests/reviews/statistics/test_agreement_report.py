"""The report: fields, intervals, clusters, seeds, and the edges where a number is undefined."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics.bands import judge
from reviews.statistics.bootstrap import TooFewClusters, replicate_sums
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.report import agreement
from reviews.statistics.scales import ScaleRefused
from reviews.statistics.words import ENGLISH, in_english, plain_words
from tests.reviews.statistics.made import dimension, ratings, rows

FIELDS = {
    "units", "pairable_units", "ratings", "missing", "raters", "clusters", "alpha", "ac2", "icc1_1", "icc2_1", "icc2_k",
    "pair_exact", "pair_adjacent", "all_exact", "all_adjacent", "distribution", "pairs", "raters_detail",
}  # fmt: skip


def test_the_report_has_the_agreed_fields_and_is_json() -> None:
    frame = ratings()
    report = json.loads(json.dumps(agreement(frame, bootstrap=200).to_json(), allow_nan=False))
    assert set(report) == {"data", "parameters", "dimensions"}
    assert {"source", "rows", "missing", "raters", "units", "sha256", "said"} <= set(report["data"])
    assert {"level", "scale", "cluster", "bootstrap", "seed", "versions"} <= set(report["parameters"])
    assert set(report["parameters"]["versions"]) == {"concord", "python", "numpy", "scipy", "pandas", "krippendorff"}
    table = report["dimensions"]["empathy"]
    assert set(table) >= FIELDS
    assert set(table["alpha"]) >= {"value", "ci_low", "ci_high", "reason", "level", "p_ge_667", "p_ge_800"}
    assert set(table["ac2"]) >= {"value", "se", "ci_low", "ci_high", "reason"}
    assert set(table["icc2_k"]) >= {"value", "ci_low", "ci_high", "reason", "ci_f"}
    assert set(table["pairs"][0]) == {"a", "b", "n", "qwk", "exact", "adjacent", "mean_difference", "reason"}
    assert {"rater", "n", "severity", "drift", "modal_share", "longest_run", "alpha_without"} <= set(
        table["raters_detail"][0]
    )


def test_every_interval_holds_its_value_and_comes_from_the_clusters() -> None:
    table = dimension(ratings(), bootstrap=2000)
    for name in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k"):
        assert table[name]["reason"] is None
        assert table[name]["ci_low"] < table[name]["value"] < table[name]["ci_high"]
    assert table["clusters"] == 60
    assert 0 <= table["alpha"]["p_ge_800"] <= table["alpha"]["p_ge_667"] <= 1


def test_clusters_make_the_interval_wider_than_units_do() -> None:
    frame = ratings(scenarios=40, responses=20, seed=3)
    by_cluster = dimension(frame, bootstrap=1000)["alpha"]
    by_unit = dimension(frame.drop(columns="cluster_id"), bootstrap=1000)["alpha"]
    assert by_cluster["value"] == by_unit["value"]
    assert by_cluster["ci_high"] - by_cluster["ci_low"] > 1.3 * (by_unit["ci_high"] - by_unit["ci_low"])


def test_the_interval_covers_as_often_as_it_says() -> None:
    """Of 100 samples of 50 scenarios, some 95 intervals hold the alpha of the population."""
    population = ratings(scenarios=4000, responses=4, seed=11)
    truth = dimension(population, bootstrap=0)["alpha"]["value"]
    held = 0
    for sample in range(100):
        alpha = dimension(ratings(scenarios=50, responses=4, seed=100 + sample), bootstrap=500)["alpha"]
        held += alpha["ci_low"] <= truth <= alpha["ci_high"]
    assert held >= 88


def test_the_same_data_give_the_same_report_in_whatever_order_the_rows_lie() -> None:
    frame = ratings(pool=6)
    first, again = (agreement(frame, bootstrap=300).to_json() for _ in range(2))
    assert first == again
    shuffled = agreement(frame.sample(frac=1, random_state=1), bootstrap=300).to_json()
    assert shuffled["data"]["sha256"] == first["data"]["sha256"]
    assert shuffled["dimensions"]["empathy"]["alpha"] == first["dimensions"]["empathy"]["alpha"]
    other = agreement(frame, bootstrap=300, seed=5).to_json()
    assert other["parameters"]["seed"] == 5
    assert other["dimensions"]["empathy"]["alpha"]["ci_low"] != first["dimensions"]["empathy"]["alpha"]["ci_low"]


def test_under_30_clusters_there_is_no_interval_and_it_says_why() -> None:
    table = dimension(ratings(scenarios=29))
    assert table["alpha"]["value"] is not None
    assert table["alpha"]["ci_low"] is table["alpha"]["p_ge_667"] is None
    assert table["alpha"]["reason"] == "too few clusters for an interval: 30 are needed"
    assert dimension(ratings(scenarios=30))["alpha"]["ci_low"] is not None
    with pytest.raises(TooFewClusters):
        replicate_sums(np.ones((29, 2)), None, replicates=10, seed=1)


def test_without_bootstrap_there_are_no_intervals() -> None:
    alpha = dimension(ratings(), bootstrap=0)["alpha"]
    assert (alpha["ci_low"], alpha["reason"]) == (None, "no bootstrap was asked for")
    assert alpha["value"] is not None


@pytest.mark.parametrize("replicates", [1, 39])
def test_too_few_replicates_leave_no_interval(replicates: int) -> None:
    """One replicate would be an interval of no width, beside the value."""
    table = dimension(ratings(), bootstrap=replicates)
    for name in ("alpha", "ac2", "icc1_1"):
        assert table[name]["value"] is not None
        assert (table[name]["ci_low"], table[name]["ci_high"]) == (None, None)
    assert table["alpha"]["reason"] == "too few replicates for an interval: 40 are needed"
    assert table["alpha"]["p_ge_800"] is None
    assert dimension(ratings(), bootstrap=40)["alpha"]["ci_low"] is not None


def test_a_ratio_scale_has_no_negative_values() -> None:
    """Distances are relative to the sum, which opposite values make nothing."""
    frame = rows(("i1", "a", -2), ("i1", "b", 2), ("i2", "a", 1), ("i2", "b", 1))
    with pytest.raises(RatingsRefused, match="is negative"):
        agreement(frame, level="ratio")
    assert agreement(frame, level="interval").dimensions


def test_too_many_undefined_replicates_leave_no_interval() -> None:
    """One unit of forty differs: a third of the replicates have nothing but equal ratings."""
    frame = rows(*((f"i{n}", r, 5) for n in range(39) for r in "ab"), ("x", "a", 4), ("x", "b", 4))
    alpha = dimension(frame)["alpha"]
    assert alpha["value"] == 1
    assert alpha["ci_low"] is None
    assert alpha["reason"] == "no interval: undefined in more than 5 % of the replicates"
    assert alpha["dropped"] > 20


def test_one_rater() -> None:
    table = dimension(rows(("i1", "a", 1), ("i2", "a", 5)))
    for name in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k"):
        assert (table[name]["value"], table[name]["reason"]) == (None, "one rater")
    assert table["pairs"] == []
    assert table["pair_exact"] is None
    assert table["reasons"]["pair_exact"] == table["reasons"]["pairs"] == "one rater"
    assert table["raters_detail"][0]["severity"]["reason"] == "no item in common"


def test_raters_that_share_no_unit() -> None:
    table = dimension(rows(("i1", "a", 1), ("i1", "b", 2), ("i2", "c", 5), ("i2", "a", 4), ("i3", "d", 5)))
    apart = [pair for pair in table["pairs"] if pair["n"] == 0]
    assert {(pair["a"], pair["b"]) for pair in apart} == {("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")}
    assert {pair["reason"] for pair in apart} == {"no item in common"}
    assert all(pair["qwk"] is not None for pair in table["pairs"] if pair["n"])
    assert table["alpha"]["value"] is not None
    assert table["icc2_1"]["reason"] == "not every rater rated every unit"


def test_kappa_of_raters_that_always_say_the_same_is_undefined() -> None:
    pair = dimension(rows(("i1", "a", 5), ("i1", "b", 5), ("i2", "a", 5), ("i2", "b", 5)))["pairs"][0]
    assert (pair["qwk"], pair["reason"], pair["exact"]) == (None, "all ratings equal", 1)


def test_quadratic_kappa_has_the_distances_of_the_scale_not_of_the_values_seen() -> None:
    a, b = [1, 1, 2, 2, 5, 5, 1, 2], [1, 2, 2, 5, 5, 2, 1, 2]
    pair = dimension(rows(*((f"i{n}", r, v) for r, vs in (("a", a), ("b", b)) for n, v in enumerate(vs))))["pairs"][0]
    x, y = np.array(a), np.array(b)
    right = 1 - ((x - y) ** 2).mean() / (np.subtract.outer(x, y) ** 2).mean()
    assert pair["qwk"] == pytest.approx(right, abs=1e-12)
    assert pair["mean_difference"] == pytest.approx((x - y).mean())


def test_missing_everywhere() -> None:
    table = dimension(rows(("i1", "a", None), ("i1", "b", None)))
    assert (table["units"], table["ratings"], table["missing"]) == (0, 0, 2)
    assert {table[n]["reason"] for n in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k")} == {"no ratings"}


def test_few_units_are_called_few_and_a_skewed_table_is_explained() -> None:
    skewed = rows(*((f"i{n}", r, 5) for n in range(60) for r in "ab"), ("x", "a", 4), ("x", "b", 5))
    report = agreement(skewed, scale="1-5", bootstrap=0).dimensions["d"]
    codes = [word.code for word in plain_words(report)]
    assert "nearly_all" in codes
    assert "alpha_rare" in codes
    few = agreement(rows(("i", "a", 1), ("i", "b", 2)), scale="1-5").dimensions["d"]
    assert plain_words(few)[0].code == "too_few"
    assert all(in_english(word) for word in plain_words(report) + plain_words(few))
    assert all(word.code in ENGLISH for word in plain_words(report))


def test_a_band_is_read_off_the_interval() -> None:
    assert judge("alpha", None, None) is None
    sure = judge("alpha", 0.81, 0.9)
    assert sure is not None
    assert (sure.low, sure.is_certain, sure.source) == ("rely", True, "Krippendorff 2018")
    open_ = judge("alpha", 0.66, 0.82)
    assert open_ is not None
    assert (open_.low, open_.high, open_.is_certain) == ("do not use", "rely", False)
    icc, kappa = judge("icc", 0.6, 0.95), judge("kappa", -0.1, 0.5)
    assert icc is not None
    assert kappa is not None
    assert (icc.low, icc.high, kappa.low, kappa.high) == ("moderate", "excellent", "poor", "moderate")


def test_nominal_values_have_no_order() -> None:
    table = dimension(
        rows(("i1", "a", "x"), ("i1", "b", "y"), ("i2", "a", "x"), ("i2", "b", "x")), level="nominal", scale=None
    )
    assert table["alpha"]["level"] == "nominal"
    assert table["pairs"][0]["qwk"] is None
    assert table["pairs"][0]["reason"] == "nominal values have no order"
    assert table["icc1_1"]["reason"] == table["reasons"]["pair_adjacent"] == "nominal values have no order"


def test_any_number_goes_at_interval_level() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(50, 20, 300)
    cells = [(f"i{n}", r, float(t + rng.normal(0, 5))) for n, t in enumerate(true) for r in "abc"]
    table = dimension(rows(*cells), level="interval", scale=None)
    assert table["alpha"]["ci_low"] < table["alpha"]["value"] < table["alpha"]["ci_high"]
    assert table["alpha"]["value"] == pytest.approx(400 / 425, abs=0.03)
    assert table["icc2_1"]["ci_low"] < table["icc2_1"]["value"] < table["icc2_1"]["ci_high"]
    assert table["ac2"]["reason"] == table["reasons"]["pair_adjacent"] == "no scale of levels declared"
    assert table["raters_detail"][0]["alpha_without"] == pytest.approx(table["alpha"]["value"], abs=0.05)


def test_an_odd_scale_of_many_levels_goes_too() -> None:
    rng = np.random.default_rng(5)
    cells = [
        (f"i{n}", r, int(np.clip(t + rng.integers(-9, 10), 0, 100)))
        for n, t in enumerate(rng.integers(0, 101, 200))
        for r in "abc"
    ]
    table = dimension(rows(*cells), scale="0-100", bootstrap=100)
    assert table["alpha"]["ci_low"] < table["alpha"]["value"] < table["alpha"]["ci_high"]
    assert len(table["distribution"]) == 101


def test_dimensions_may_have_scales_of_their_own() -> None:
    frame = pd.concat([rows(("i", "a", 1), ("i", "b", 3)), rows(("i", "a", 0), ("i", "b", 1)).assign(dimension="e")])
    report = agreement(frame, scale={"d": "1-5", "e": "0-1"}).to_json()
    assert report["parameters"]["scale"] == {"d": "1-5", "e": "0-1"}
    assert list(report["dimensions"]["e"]["distribution"]) == ["0", "1"]
    with pytest.raises(ScaleRefused, match="'e'"):
        agreement(frame, scale={"d": "1-5"})


def test_a_frame_is_checked_like_a_file() -> None:
    with pytest.raises(RatingsRefused, match="line 2: a second rating of 'i' by 'a'"):
        agreement(rows(("i", "a", 1), ("i", "a", 2)), scale="1-5")
    with pytest.raises(RatingsRefused, match="line 1: value '9' is not on the scale 1-5"):
        agreement(rows(("i", "a", 9)), scale="1-5")
    with pytest.raises(ScaleRefused, match="level"):
        agreement(rows(("i", "a", 1)), level="cardinal")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=30, max_size=45),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
    st.integers(1, 3),
)
def test_no_table_makes_it_warn_or_answer_with_nan(table: list[list[int]], level: str, size: int) -> None:
    cells = [(f"i{n}", f"r{j}", v) for n, row in enumerate(table) for j, v in enumerate(row) if v]
    frame = rows(*cells, ("last", "r0", 3))
    frame["cluster_id"] = [int(name[1:]) // size if name != "last" else -1 for name in frame["item_id"]]
    report = agreement(frame, level=level, scale="1-5", bootstrap=200).to_json()
    json.dumps(report, allow_nan=False)
    for name in ("alpha", "ac2", "icc1_1", "icc2_1", "icc2_k"):
        one = report["dimensions"]["d"][name]
        if one["ci_low"] is not None:
            assert one["reason"] is None
            assert one["ci_low"] <= one["ci_high"]
        else:
            assert one["reason"]
