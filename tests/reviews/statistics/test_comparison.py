"""Two groups of ratings compared: the difference, its interval, and what may be said of it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from reviews.statistics.bootstrap import replicate_sums
from reviews.statistics.compared import ENGLISH, Difference, in_english, plain_words
from reviews.statistics.comparison import compare, compare_frames
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.report import agreement
from reviews.statistics.scales import parse_scale
from reviews.statistics.tidy import Ratings, code_ratings
from tests.reviews.statistics.made import ratings, rows

LEVELS = np.arange(1.0, 6.0)


def compared(a: pd.DataFrame, b: pd.DataFrame, **options: Any) -> Any:
    """The comparison of the one dimension of two frames."""
    found = compare_frames(a, b, **{"scale": "1-5", "bootstrap": 300, "seed": 4} | options)
    return next(iter(found.dimensions.values()))


def renamed(frame: pd.DataFrame, mark: str) -> pd.DataFrame:
    """The same ratings of other items in other scenarios."""
    return frame.assign(item_id=mark + frame["item_id"], cluster_id=mark + frame["cluster_id"])


def brute(frame: pd.DataFrame, weight: dict[str, float]) -> tuple[float, float, float]:
    """Alpha by the package, mean and exact share of a frame whose scenarios are taken so and so often."""
    counts, values, equal, pairs = [], [], 0, 0
    for (_, scenario), unit in frame.groupby(["item_id", "cluster_id"])["value"]:
        often = int(weight[scenario])
        counts += [[(unit == level).sum() for level in LEVELS]] * often
        values += list(unit) * often
        equal += often * sum(one == other for one, other in itertools.combinations(unit, 2))
        pairs += often * (len(unit) * (len(unit) - 1) // 2)
    alpha = krippendorff.alpha(value_counts=np.array(counts), value_domain=LEVELS, level_of_measurement="ordinal")
    return float(alpha), float(np.mean(values)), equal / pairs


def bca(value: float, found: np.ndarray, without: np.ndarray) -> tuple[float, float]:
    """Efron's BCa interval, as it stands in the textbook; a replicate equal to the value is half below it."""
    bias = norm.ppf((np.mean(found < value - 1e-9) + np.mean(found < value + 1e-9)) / 2)
    apart = without.mean() - without
    acceleration = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    ends = [norm.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in norm.ppf([0.025, 0.975])]
    return float(np.quantile(found, ends[0])), float(np.quantile(found, ends[1]))


@pytest.mark.parametrize("overlap", ["all", "some", "none"])
def test_intervals_are_those_of_whole_clusters_drawn_one_by_one(overlap: str) -> None:
    """Against scenarios resampled and taken away by hand, alpha by the package each time."""
    a = ratings(scenarios=32, responses=2, noise=0.6, seed=1)
    b = ratings(scenarios=32, responses=2, noise=1.0, seed=2)
    if overlap == "none":
        b = renamed(b, "x")
    elif overlap == "some":
        moved = b["cluster_id"].isin([f"s{n}" for n in range(20, 32)])
        b = pd.concat([b[~moved], renamed(b[moved], "x")])
    mine = sorted(set(a["cluster_id"])), sorted(set(b["cluster_id"]))
    union = sorted({*mine[0], *mine[1]})
    count, seed = 60, 11

    def draws(names: list[str], seed: int) -> list[dict[str, float]]:
        weights = replicate_sums(np.eye(len(names)), None, replicates=count, seed=seed)
        return [dict(zip(names, row, strict=True)) for row in weights]

    if overlap == "none":
        other = int(np.random.SeedSequence([seed, 1]).generate_state(1, np.uint64)[0])
        drawn = [one | two for one, two in zip(draws(mine[0], seed), draws(mine[1], other), strict=True)]
    else:
        drawn = draws(union, seed)

    def apart(weight: dict[str, float]) -> np.ndarray:
        return np.subtract(brute(b, weight), brute(a, weight))

    every = dict.fromkeys(union, 1.0)
    value, found = apart(every), np.array([apart(weight) for weight in drawn])
    without = np.array([apart(every | {name: 0.0}) for name in union])
    result = compared(a, b, bootstrap=count, seed=seed)
    assert result.shared_clusters == {"all": 32, "some": 20, "none": 0}[overlap]
    for at, ours in enumerate((result.difference, result.mean_difference, result.exact_difference)):
        assert ours.value == pytest.approx(value[at], abs=1e-12)
        theirs = bca(value[at], found[:, at], without[:, at])
        assert (ours.ci_low, ours.ci_high) == pytest.approx(theirs, abs=1e-9)
    assert (result.mean_a, result.mean_b) == pytest.approx((a["value"].mean(), b["value"].mean()))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_each_group_has_the_numbers_of_a_report_on_it_alone(level: str) -> None:
    a, b = ratings(scenarios=50, seed=1), ratings(scenarios=40, pool=5, seed=2)
    found = compared(a, b, level=level)
    for frame, group in ((a, found.a), (b, found.b)):
        alone = agreement(frame, level=level, scale="1-5", bootstrap=300, seed=4).dimensions["empathy"]
        assert group.alpha.to_json() == alone.alpha.to_json()
        assert (group.units, group.ratings, group.clusters) == (alone.units, alone.ratings, alone.clusters)
        assert group.pair_exact == pytest.approx(alone.percent.pair_exact)
    assert found.difference.value == pytest.approx(found.b.alpha.value - found.a.alpha.value, abs=1e-15)
    if level == "nominal":
        assert (found.mean_a, found.reasons["mean_a"]) == (None, "nominal values have no order")
        assert found.mean_difference.reason == "nominal values have no order"


def test_a_group_compared_with_itself_differs_by_nothing() -> None:
    frame = ratings(seed=5)
    found = compared(frame, frame)
    for one in (found.difference, found.mean_difference, found.exact_difference):
        assert one.value == 0
        assert (one.ci_low, one.ci_high) == pytest.approx((0, 0), abs=1e-12)
        assert one.outcome == "cannot_tell"


def test_a_rest_of_rounding_is_no_difference() -> None:
    assert Difference(1e-15, 1e-16, 1e-15).outcome == "cannot_tell"
    assert Difference(-1e-15, -1e-15, -1e-16).outcome == "cannot_tell"
    assert Difference(0.1, 0.01, 0.2).outcome == "higher"
    assert Difference(-0.1, -0.2, -0.01).outcome == "lower"
    assert Difference(0.1, -0.01, 0.2).outcome == "cannot_tell"


def test_groups_of_equal_size_that_share_no_cluster_are_drawn_apart() -> None:
    """From one stream both would get the same draws, and equal groups would differ by 0 without a doubt."""
    frame = ratings(scenarios=80, seed=6)
    found = compared(frame, renamed(frame, "x"), bootstrap=2000)
    assert found.difference.value == 0
    own = found.a.alpha.ci_high - found.a.alpha.ci_low
    assert found.difference.ci_high - found.difference.ci_low == pytest.approx(2**0.5 * own, rel=0.1)


def test_groups_that_share_their_clusters_are_told_apart_better_than_groups_that_do_not() -> None:
    """Half of what makes a mean uncertain is the scenario, which both groups share."""
    a, b = ratings(scenarios=80, seed=7), ratings(scenarios=80, seed=7, noise=0.81)
    b["value"] = (b["value"] + (np.arange(len(b)) % 9 == 0)).clip(upper=5)
    together, apart = compared(a, b), compared(a, renamed(b, "x"))
    assert together.mean_difference.value == apart.mean_difference.value
    width = [one.mean_difference.ci_high - one.mean_difference.ci_low for one in (together, apart)]
    assert width[0] < width[1] / 2
    assert (together.mean_difference.outcome, apart.mean_difference.outcome) == ("higher", "cannot_tell")


def made(rng: np.random.Generator, scenarios: int, noise: float, first: int, quality: np.ndarray) -> np.ndarray:
    """Ratings (n, 4): item, rater, cluster, code, of 3 raters and 3 responses to each scenario from `first` on."""
    scenario = np.repeat(np.arange(first, first + scenarios), 9)
    item = np.repeat(np.arange(scenarios * 3) + first * 3, 3)
    true = quality[scenario] + np.repeat(rng.normal(0, 0.5, scenarios * 3), 3)
    code = np.clip(np.round(true + rng.normal(0, noise, len(item))), 1, 5).astype(int) - 1
    return np.column_stack([item, np.tile(np.arange(3), scenarios * 3), scenario, code])


def coded(a: np.ndarray, b: np.ndarray, *, clusters: bool = True) -> tuple[Ratings, np.ndarray]:
    """Two groups of such ratings, b by raters of its own, and which ones are a's."""
    item, rater, cluster, code = np.vstack([a, b + np.array([0, 3, 0, 0])]).T
    names = [f"r{n}" for n in range(6)]
    kept = np.arange(len(item))
    scales = {"d": parse_scale("1-5")}
    found = Ratings(
        item, rater, kept * 0, code, cluster if clusters else None, names, ["d"], scales, "cluster_id", kept, []
    )
    return found, kept < len(a)


@pytest.mark.parametrize(("size", "shared"), [((40, 40), 0), ((35, 90), 0), ((40, 40), 20), ((40, 40), 40)])
def test_the_interval_of_a_difference_covers_as_often_as_it_says(size: tuple[int, int], shared: int) -> None:
    """Of 200 samples about 190 intervals hold the difference of the populations, whatever the groups share."""
    rng = np.random.default_rng(3)
    large = 20_000
    quality = rng.normal(3, 1, large)
    groups = coded(made(rng, large, 0.6, 0, quality), made(rng, large, 0.9, 0, quality))
    truth = compare(groups[0], groups[1], ~groups[1], level="ordinal", bootstrap=0, seed=1).dimensions["d"]
    held = np.zeros(3)
    for sample in range(200):
        quality = rng.normal(3, 1, sum(size))
        a, b = made(rng, size[0], 0.6, 0, quality), made(rng, size[1], 0.9, size[0] - shared, quality)
        both, of_a = coded(a, b)
        found = compare(both, of_a, ~of_a, level="ordinal", bootstrap=400, seed=sample).dimensions["d"]
        assert found.shared_clusters == shared
        for at, name in enumerate(("difference", "mean_difference", "exact_difference")):
            one = getattr(found, name)
            held[at] += one.ci_low <= getattr(truth, name).value <= one.ci_high
    print(f"{size} {shared} shared: covered {held / 200}")
    assert (held >= 0.88 * 200).all()
    assert (held <= 0.99 * 200).all()


@pytest.mark.parametrize("shared", [0, 99, 300])
def test_units_alike_in_both_groups_are_drawn_together(shared: int) -> None:
    """Where each unit is its own cluster, drawing patterns is drawing units named as clusters."""
    rng = np.random.default_rng(8)
    quality = rng.normal(3, 1, 300)
    a, b = made(rng, 100, 0.6, 0, quality), made(rng, 100, 0.9, 100 - shared // 3, quality)
    by_pattern, of_a = coded(a, b, clusters=False)
    by_unit, _ = coded(np.column_stack([a[:, :2], a[:, 0], a[:, 3]]), np.column_stack([b[:, :2], b[:, 0], b[:, 3]]))
    one, other = (
        compare(found, of_a, ~of_a, level="ordinal", bootstrap=6000, seed=2).dimensions["d"]
        for found in (by_pattern, by_unit)
    )
    assert one.shared_clusters == other.shared_clusters == shared
    for name in ("difference", "mean_difference", "exact_difference"):
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.value == pytest.approx(theirs.value, abs=1e-12)
        near = 0.05 * (theirs.ci_high - theirs.ci_low)
        assert (ours.ci_low, ours.ci_high) == pytest.approx((theirs.ci_low, theirs.ci_high), abs=near)


def test_a_rater_before_and_after_a_training_may_rate_the_same_items() -> None:
    before = ratings(scenarios=60, noise=1.2, seed=3)
    after = ratings(scenarios=60, noise=0.4, seed=3)
    found = compared(before, after)
    assert found.shared_clusters == 60
    assert found.difference.outcome == "higher"
    assert found.a.ratings == found.b.ratings == 720
    back = compared(after, before)
    assert back.difference.outcome == "lower"
    assert back.difference.value == pytest.approx(-found.difference.value)


def test_a_rating_given_twice_counts_once_in_its_group() -> None:
    """However a rater's name is written: a repeated row is no second rater."""
    a = rows(("i1", "r1", 1), ("i1", " r1", 1), ("i1", "r2", 2), ("i2", "r1", 4), ("i2", "r2", 4))
    b = rows(("i1", "r1", 1), ("i1", "r2", 1), ("i2", "r2", 4))
    found = compared(a, b)
    assert (found.a.ratings, found.b.ratings) == (4, 3)
    assert found.a.pair_exact == 0.5
    with pytest.raises(RatingsRefused, match="line 2: a second rating of 'i1' by 'r1'"):
        compared(rows(("i1", "r1", 1), ("i1", "r1", 2)), b)


def test_groups_are_cut_out_of_one_frame_by_any_mark() -> None:
    """Three periods, of which two are compared: the third has no part in it."""
    frame = ratings(scenarios=90, seed=9)
    frame["period"] = frame["cluster_id"].str[1:].astype(int) % 3
    whole = code_ratings(frame, scale="1-5")
    period = frame["period"].to_numpy()[whole.kept]
    found = compare(
        whole, period == 0, period == 2, level="ordinal", bootstrap=200, seed=4, names=("March", "May")
    ).to_json()
    cut = compare_frames(
        frame[frame["period"] == 0], frame[frame["period"] == 2], scale="1-5", bootstrap=200, seed=4,
        names=("March", "May"),
    ).to_json()  # fmt: skip
    assert found == cut
    assert found["names"] == ["March", "May"]
    with pytest.raises(ValueError, match="groups of 3 and 1080, 1080 are needed"):
        compare(whole, period[:3] == 0, period == 2, level="ordinal", bootstrap=0, seed=1)


def test_it_is_json_of_the_agreed_fields() -> None:
    found = compare_frames(ratings(seed=1), ratings(seed=2), scale="1-5", bootstrap=100, seed=1).to_json()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    one = found["dimensions"]["empathy"]
    assert set(one) >= {"a", "b", "difference", "mean_a", "mean_b", "mean_difference", "exact_difference"}
    for name in ("difference", "mean_difference", "exact_difference"):
        assert set(one[name]) == {"value", "ci_low", "ci_high", "reason", "dropped", "outcome"}
    assert one["a"]["key"] == "a"
    assert len(one["words"]) == 3


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


def test_any_number_goes_at_interval_level() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(50, 20, 120)
    a, b = (
        rows(*((f"i{n}", r, round(t + rng.normal(0, noise), 3)) for n, t in enumerate(true) for r in "abc"))
        for noise in (5, 15)
    )
    found = compared(a, b, level="interval", scale=None)
    assert found.difference.outcome == "lower"
    assert found.difference.value == pytest.approx(400 / 625 - 400 / 425, abs=0.08)
    assert (found.mean_a, found.exact_difference.value) == (
        pytest.approx(a["value"].mean()),
        pytest.approx(0, abs=0.01),
    )


def test_each_outcome_has_a_sentence_with_its_numbers() -> None:
    assert len(ENGLISH) == 15
    found = compared(ratings(noise=0.4, seed=3), ratings(noise=1.2, seed=3), names=("March", "May"))
    first, second, third = (in_english(word) for word in plain_words(found))
    assert first.startswith("alpha is lower in May than in March: the difference is -0.")
    assert "the mean value" in second
    assert third.startswith("the share of equal pairs is lower in May than in March")


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
