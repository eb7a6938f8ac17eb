"""Agreement on violation marks: by hand, by enumeration, and what is said where there is little or nothing."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.statistics.faults import RatingsRefused
from reviews.statistics.marks import effective_size, mark_agreement
from reviews.statistics.marks_results import MarksReport
from reviews.statistics.wilson import wilson

few = settings(max_examples=60, deadline=None)
UNITS = st.lists(st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=4), min_size=1, max_size=10)


def frame_of(units: Any, *, kind: str = "a", per_cluster: int | None = None, names: bool = True) -> pd.DataFrame:
    """units: for each unit what each rater marked, None where they did not rate it."""
    rows = [
        {"item_id": f"i{at:05}", "rater_id": f"r{j}", "type": kind, "marked": marked}
        | ({} if per_cluster is None else {"cluster_id": f"s{at // per_cluster}"})
        for at, unit in enumerate(units)
        for j, marked in enumerate(unit)
        if marked is not None
    ]
    frame = pd.DataFrame(rows, columns=list(rows[0]) if rows else ["item_id", "rater_id", "type", "marked"])
    return frame if names else frame.drop(columns="rater_id")


def report(frame: pd.DataFrame, *, types: Any = ("a",), bootstrap: int = 0, seed: int = 1) -> MarksReport:
    return mark_agreement(frame, types=types, bootstrap=bootstrap, seed=seed)


def table(frame: pd.DataFrame, **options: Any) -> dict[str, Any]:
    return next(iter(report(frame, **options).to_json()["types"].values()))


def units_of(scenarios: int, *, prevalence: float, each: int = 4, seed: int = 0, noise: float = 0.1) -> list[list[int]]:
    """Three raters; scenarios differ in how often the mark is borne."""
    rng = np.random.default_rng(seed)
    chance = np.repeat(rng.beta(prevalence * 4, (1 - prevalence) * 4, scenarios), each)
    bears = rng.random(len(chance)) < chance
    return (bears[:, None] ^ (rng.random((len(chance), 3)) < noise)).astype(int).tolist()


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


def test_a_type_that_no_row_names_has_no_ratings() -> None:
    found = report(frame_of([(1, 0)]), types=["b", "a"]).to_json()["types"]
    assert list(found) == ["b", "a"]
    none = found["b"]
    for name in ("prevalence", "majority", "positive_agreement", "negative_agreement", "alpha"):
        assert (none[name]["value"], none[name]["reason"]) == (None, "no ratings")
    assert (none["units"], none["ratings"], none["dawid_skene"]["reason"]) == (0, 0, "no ratings")


def test_an_empty_frame_is_no_error() -> None:
    found = report(frame_of([]), bootstrap=100).to_json()["types"]["a"]
    assert (found["ratings"], found["prevalence"]["reason"]) == (0, "no ratings")


def test_a_rater_who_could_not_mark_a_type_is_missing_there_and_not_unmarked() -> None:
    frame = frame_of([(1, 1), (0, 1)])
    frame["marked"] = frame["marked"].astype("Int64")
    frame.loc[2, "marked"] = pd.NA
    found = table(frame)
    assert (found["ratings"], found["missing"], found["prevalence"]["value"]) == (3, 1, 1.0)
    assert found["pairable_units"] == 1


def test_the_same_row_twice_is_no_second_rating_and_no_lacking_row() -> None:
    both = pd.concat([frame_of([(1, 0), (0, 0)]), frame_of([(0, 0), (0, 1)], kind="b")], ignore_index=True)
    both["marked"] = both["marked"].astype("Int64")
    both.loc[0, "marked"] = pd.NA
    again = pd.concat([both, both.iloc[[0, 1]]], ignore_index=True)
    found, once = (report(frame, types=["a", "b"]).to_json()["types"]["a"] for frame in (again, both))
    assert (found["ratings"], found["marked"]) == (once["ratings"], once["marked"]) == (3, 0)


@pytest.mark.parametrize("kind", [bool, int, float, str, "boolean"])
def test_a_mark_may_be_written_in_several_ways(kind: Any) -> None:
    frame = frame_of([(1, 0), (0, 0), (1, 1)])
    assert table(frame.assign(marked=frame["marked"].astype(kind))) == table(frame)


def test_rows_of_marks_alone_are_refused() -> None:
    """Otherwise everybody would have marked everything."""
    both = pd.concat([frame_of([(1, 0), (0, 0)]), frame_of([(0, 0), (0, 1)], kind="b")], ignore_index=True)
    with pytest.raises(RatingsRefused, match="a rating of 'i00000' has no row of type 'b'"):
        report(both[both["marked"] == 1], types=["a", "b"])
    with pytest.raises(RatingsRefused, match="has no row of type"):
        report(both.drop(index=5), types=["a", "b"])
    with pytest.raises(RatingsRefused, match="has no row of type"):
        report(both.drop(columns="rater_id").drop(index=5), types=["a", "b"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"marked": 2}, "line 3: value '2' is not on the scale"),
        ({"marked": "yes"}, "line 3: value 'yes' is not on the scale"),
        ({"type": "c"}, "line 3: type 'c' is not declared"),
        ({"rater_id": ""}, "line 3: rater_id is empty"),
        ({"item_id": "i00000", "rater_id": "r0", "marked": 0}, "a second rating of 'i00000' by 'r0'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(change: dict[str, Any], reason: str) -> None:
    frame = frame_of([(1, 0), (0, 0)]).astype(object)
    for name, value in change.items():
        frame.loc[2, name] = value
    with pytest.raises(RatingsRefused, match=reason):
        report(frame)


def test_a_frame_without_a_column_is_refused() -> None:
    with pytest.raises(RatingsRefused, match="no column 'marked'"):
        report(frame_of([(1, 0)]).drop(columns="marked"))


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


def test_the_report_is_plain_json() -> None:
    frame = frame_of(units_of(40, prevalence=0.4), per_cluster=4)
    told = json.dumps(report(frame, bootstrap=200).to_json(), allow_nan=False)
    assert "posterior" not in told
    fit = report(frame).types["a"].latent.fit
    assert fit is not None
    assert np.isfinite(fit.posterior).all()


def test_the_posterior_names_its_units() -> None:
    units = [[1, 1, 1]] * 25 + [[0, 0, 0]] * 60
    frame = frame_of(units).sample(frac=1, random_state=2)
    found = report(frame).types["a"]
    assert found.latent.fit is not None
    borne = dict(zip(found.items, found.latent.fit.posterior, strict=True))
    assert sorted(item for item, share in borne.items() if share >= 0.5) == [f"i{at:05}" for at in range(25)]
    assert (found.latent.units_marked, found.latent.against_majority) == (25, 0)
    assert found.latent.raters == (("r0", 85), ("r1", 85), ("r2", 85))


def test_units_where_the_model_overrules_the_majority_are_counted() -> None:
    rng = np.random.default_rng(1)
    bears = rng.random(600) < 0.4
    noise = rng.random((600, 5)) < np.array([0.01, 0.01, 0.4, 0.4, 0.4])
    units = (bears[:, None] ^ noise).astype(int)
    latent = report(frame_of(units.tolist())).types["a"].latent
    assert latent.fit is not None
    expected = ((latent.fit.posterior >= 0.5) != (units.sum(axis=1) > 2)).sum()
    assert latent.against_majority == expected > 0


def test_without_enough_for_the_model_there_are_votes_and_wilsons_interval() -> None:
    found = table(frame_of([(1, 1, 0)] * 19 + [(0, 0, 0)] * 81))
    assert found["dawid_skene"] == {
        "prevalence": None,
        "units_marked": None,
        "against_majority": None,
        "rounds": None,
        "settled": None,
        "raters": [],
        "reason": "too few units that a majority marked: 20 are needed",
    }
    assert (found["majority"]["hits"], found["majority"]["how"]) == (19, "Wilson")
    low, high = wilson(0.19, effective_size(np.repeat([1, 0], [19, 81]), np.ones(100), np.arange(100)))
    assert (found["majority"]["ci_low"], found["majority"]["ci_high"]) == pytest.approx((low, high), abs=1e-11)


def test_anonymous_marks_have_agreement_but_no_model_of_raters() -> None:
    units = units_of(40, prevalence=0.4)
    named, anonymous = table(frame_of(units)), table(frame_of(units, names=False))
    assert (anonymous["raters"], anonymous["reasons"]["raters"]) == (None, "no rater ids")
    assert anonymous["dawid_skene"]["reason"] == "no rater ids"
    for name in ("prevalence", "positive_agreement", "negative_agreement", "alpha", "votes", "majority"):
        assert anonymous[name] == named[name]


def test_too_few_units_to_pair_are_said_to_be_too_few() -> None:
    assert any("too few" in word for word in table(frame_of([(1, 0)] * 9))["words"])
    assert not any("too few" in word for word in table(frame_of([(1, 0)] * 10))["words"])
