"""Intervals of violation marks: Wilson's, those of resampled scenarios, and why one is not shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.statistics.marks import effective_size
from reviews.statistics.wilson import wilson
from tests.reviews.statistics.marks_made import few, frame_of, report, table, units_of


def test_wilsons_interval_is_the_published_one() -> None:
    """Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29."""
    for hits, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(hits / n, n) == pytest.approx((low, high), abs=5.1e-5)


@few
@given(st.integers(0, 50), st.integers(1, 50))
def test_wilsons_interval_holds_the_share_within_0_and_1(hits: int, more: int) -> None:
    n = hits + more
    low, high = wilson(hits / n, n)
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high
    assert wilson(1 - hits / n, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_three_ratings_of_a_unit_are_not_taken_for_three_units() -> None:
    size = np.full(12, 3)
    assert effective_size(np.zeros(12), size, np.arange(12)) == pytest.approx(12)
    assert effective_size(np.zeros(2), np.array([1, 3]), np.arange(2)) == pytest.approx(16 / 10)


def test_clusters_that_go_one_way_are_worth_one_unit_each() -> None:
    """Forty scenarios of five units, all or none marked: forty observations (39 by the n - 1 of a variance)."""
    cluster = np.repeat(np.arange(40), 5)
    hits = np.repeat(np.arange(40) < 10, 5).astype(int)
    assert effective_size(hits, np.ones(200), cluster) == pytest.approx(39)
    assert effective_size(hits[:100], np.ones(100), cluster[:100]) == 100  # twenty clusters: too few to measure it


def test_what_nobody_marked_is_not_said_to_be_impossible() -> None:
    """No replicate has a mark: from replicates the interval would be 0 to 0."""
    prevalence = table(frame_of([(0, 0, 0)] * 120, per_cluster=3), bootstrap=200)["prevalence"]
    assert (prevalence["value"], prevalence["ci_low"], prevalence["how"]) == (0, 0, "Wilson")
    assert prevalence["ci_high"] == pytest.approx(wilson(0, 120)[1], abs=1e-11)
    assert prevalence["reason"] == "no bootstrap interval: fewer than 30 clusters bear on it"


def test_intervals_are_of_clusters_where_thirty_bear_on_them() -> None:
    found = table(frame_of(units_of(80, prevalence=0.3), per_cluster=4), bootstrap=400)
    assert (found["clusters"], found["prevalence"]["how"]) == (80, "cluster bootstrap")
    for name in ("prevalence", "positive_agreement", "negative_agreement", "alpha"):
        assert found[name]["ci_low"] < found[name]["value"] < found[name]["ci_high"]
        assert found[name]["reason"] is None


@pytest.mark.parametrize("name", ["prevalence", "positive_agreement", "negative_agreement"])
def test_an_interval_is_that_of_resampled_scenarios(name: str) -> None:
    """Against scenarios drawn one by one, their units put together, and the share taken anew."""
    rng = np.random.default_rng(4)
    chance = np.repeat(rng.beta(0.5, 0.5, 90), 8)  # scenarios differ in the mark, and in how hard it is to see
    slips = np.repeat(rng.choice([0.01, 0.3], 90), 8)
    units = (rng.random(720) < chance)[:, None] ^ (rng.random((720, 3)) < slips[:, None])
    found = table(frame_of(units.astype(int).tolist(), per_cluster=8), bootstrap=8000)[name]
    by_units = table(frame_of(units.astype(int).tolist()), bootstrap=8000)[name]
    votes = units.sum(axis=1).reshape(90, 8)
    drawn = votes[np.random.default_rng(9).integers(0, 90, size=(8000, 90))].reshape(8000, -1)
    if name == "prevalence":
        shares = drawn.mean(axis=1) / 3
    else:
        drawn = drawn if name == "positive_agreement" else 3 - drawn
        shares = (drawn * (drawn - 1)).sum(axis=1) / (drawn * 2).sum(axis=1)
    low, high = np.quantile(shares, [0.025, 0.975])
    assert (found["ci_low"], found["ci_high"]) == pytest.approx((low, high), abs=0.1 * (high - low))
    assert by_units["ci_high"] - by_units["ci_low"] < 0.75 * (found["ci_high"] - found["ci_low"])


def test_a_mark_in_few_scenarios_gets_no_interval_of_agreement() -> None:
    """Two hundred scenarios do not help where nine of them have the mark."""
    units = [[1, 1, 0]] * 9 + [[0, 0, 0]] * 191
    found = table(frame_of(units, per_cluster=1), bootstrap=200)
    for name in ("positive_agreement", "alpha"):
        assert (found[name]["ci_low"], found[name]["reason"]) == (
            None,
            "no bootstrap interval: fewer than 30 clusters bear on it",
        )
    assert found["prevalence"]["how"] == "Wilson"
    assert found["negative_agreement"]["ci_low"] < found["negative_agreement"]["value"]


def test_an_interval_without_width_is_not_shown() -> None:
    found = table(frame_of([[1, 1]] * 40 + [[0, 0]] * 40, per_cluster=1), bootstrap=200)
    for name in ("positive_agreement", "negative_agreement", "alpha"):
        assert (found[name]["value"], found[name]["ci_low"]) == (1, None)
        assert found[name]["reason"] == "no interval: it would have no width"


@pytest.mark.parametrize(
    ("scenarios", "bootstrap", "reason"),
    [
        (29, 400, "too few clusters for an interval: 30 are needed"),
        (80, 0, "no bootstrap was asked for"),
        (80, 39, "too few replicates for an interval: 40 are needed"),
    ],
)
def test_without_replicates_the_prevalence_has_wilsons_interval_and_says_why(
    scenarios: int, bootstrap: int, reason: str
) -> None:
    found = table(frame_of(units_of(scenarios, prevalence=0.4), per_cluster=4), bootstrap=bootstrap)
    assert (found["prevalence"]["how"], found["prevalence"]["reason"]) == ("Wilson", reason)
    assert found["prevalence"]["ci_low"] < found["prevalence"]["value"] < found["prevalence"]["ci_high"]
    assert (found["positive_agreement"]["ci_low"], found["positive_agreement"]["reason"]) == (None, reason)


def test_without_clusters_units_are_drawn_and_it_is_said() -> None:
    units = units_of(80, prevalence=0.3)
    found = table(frame_of(units), bootstrap=2000)
    each = table(frame_of(units, per_cluster=1), bootstrap=2000)
    assert found["prevalence"]["how"] == "unit bootstrap"
    assert any("each unit is its own cluster" in word for word in found["words"])
    for name in ("prevalence", "positive_agreement"):
        for end in ("ci_low", "ci_high"):
            assert found[name][end] == pytest.approx(each[name][end], abs=0.01)


def test_the_same_seed_gives_the_same_report() -> None:
    frame = frame_of(units_of(40, prevalence=0.4), per_cluster=4)
    one, two, other = (report(frame, bootstrap=200, seed=seed).to_json() for seed in (3, 3, 4))
    assert one == two
    assert one["types"]["a"]["prevalence"] != other["types"]["a"]["prevalence"]
