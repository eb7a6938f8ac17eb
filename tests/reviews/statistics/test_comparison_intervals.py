"""The interval of a difference: of whole clusters, drawn together where groups share them, and as sure as it says."""

from __future__ import annotations

import itertools

import krippendorff
import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from reviews.statistics.bootstrap import replicate_sums
from reviews.statistics.comparison import compare
from reviews.statistics.scales import parse_scale
from reviews.statistics.tidy import Ratings
from tests.reviews.statistics.comparison_made import compared, renamed
from tests.reviews.statistics.made import ratings

LEVELS = np.arange(1.0, 6.0)


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
    items = [f"q{n}" for n in range(item.max() + 1)]
    own = cluster if clusters else None
    found = Ratings(item, rater, kept * 0, code, own, items, names, ["d"], scales, "cluster_id", kept, [])
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
