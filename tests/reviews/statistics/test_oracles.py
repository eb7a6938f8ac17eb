"""Against slower or more general ways to the same number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reviews.statistics.alpha import alpha, alpha_of_sums, sums_of_patterns
from reviews.statistics.bootstrap import bca_bounds, replicate_sums, sums_by_cluster
from reviews.statistics.chance import Chance, gwet_ac
from reviews.statistics.patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from reviews.statistics.raters import alphas_without, rater_severities
from reviews.statistics.report import agreement
from reviews.statistics.scales import agreement_weights
from reviews.statistics.tidy import code_ratings

DATA = Path(__file__).parents[2] / "data" / "statistics"
LEVELS = np.arange(4.0)


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.read_csv(DATA / "hayes_krippendorff_2007" / "data.csv")


@pytest.fixture
def ratings(frame: pd.DataFrame) -> DimensionRatings:
    return dimension_of(code_ratings(frame, scale="0-3"), 0, "ordinal")


def test_the_bca_interval_is_that_of_scipy(ratings: DimensionRatings) -> None:
    patterns = pattern_table(ratings)
    each = sums_of_patterns(patterns, level="ordinal", levels=LEVELS)[patterns.of_unit]

    def statistic(units: np.ndarray, axis: int = -1) -> np.ndarray:
        return alpha_of_sums(
            each[units].sum(axis=-2).reshape(-1, each.shape[1]), level="ordinal", levels=LEVELS
        ).reshape(units.shape[:-1])

    units = np.arange(len(each))
    theirs = stats.bootstrap(
        (units,), statistic, n_resamples=4000, method="BCa", vectorized=True, rng=np.random.default_rng(1)
    )
    total = each.sum(axis=0)[None, :]
    value = float(alpha_of_sums(total, level="ordinal", levels=LEVELS)[0])
    without = alpha_of_sums(total - each, level="ordinal", levels=LEVELS)
    ours = bca_bounds(value, np.sort(theirs.bootstrap_distribution), without, np.ones(len(each)))
    interval = theirs.confidence_interval
    assert ours == pytest.approx((interval.low, interval.high), abs=2e-4)


def test_drawing_patterns_is_drawing_units(ratings: DimensionRatings) -> None:
    patterns = pattern_table(ratings)
    sums = sums_of_patterns(patterns, level="ordinal", levels=LEVELS)
    by_pattern = replicate_sums(sums, patterns.n, replicates=20_000, seed=1)
    by_unit = replicate_sums(sums[patterns.of_unit], None, replicates=20_000, seed=2)
    one, other = (np.sort(alpha_of_sums(rows, level="ordinal", levels=LEVELS)) for rows in (by_pattern, by_unit))
    assert np.quantile(one, [0.025, 0.5, 0.975]) == pytest.approx(np.quantile(other, [0.025, 0.5, 0.975]), abs=0.006)


def test_sums_by_cluster_add_up_what_their_units_add(ratings: DimensionRatings) -> None:
    patterns = pattern_table(ratings)
    sums = sums_of_patterns(patterns, level="ordinal", levels=LEVELS)
    cluster = np.arange(ratings.units) // 3
    rows = sums_by_cluster(sums, patterns.of_unit, cluster)
    for at in range(cluster.max() + 1):
        assert rows[at] == pytest.approx(sums[patterns.of_unit[cluster == at]].sum(axis=0))


def test_one_way_icc_with_unequal_numbers_is_that_of_the_textbook(frame: pd.DataFrame) -> None:
    groups = [group.to_numpy(float) for _, group in frame.groupby("item_id")["value"]]
    n, size = len(groups), np.array([len(group) for group in groups])
    grand = frame["value"].mean()
    between = sum(len(group) * (group.mean() - grand) ** 2 for group in groups) / (n - 1)
    within = sum(((group - group.mean()) ** 2).sum() for group in groups) / (size.sum() - n)
    n0 = (size.sum() - (size**2).sum() / size.sum()) / (n - 1)
    expected = (between - within) / (between + (n0 - 1) * within)
    found = agreement(frame, scale="0-3", bootstrap=0).dimensions["d"].icc1_1
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_severity_is_that_of_least_squares(ratings: DimensionRatings) -> None:
    assert ratings.rater is not None
    rows, raters = len(ratings.unit), len(ratings.rater_names)
    design = np.zeros((rows + 1, ratings.units + raters))
    design[np.arange(rows), ratings.unit] = 1
    design[np.arange(rows), ratings.units + ratings.rater] = -1
    design[rows, ratings.units :] = 1e4  # severities add up to 0, whatever the data say
    y = np.append(ratings.numbers[ratings.code], 0)
    found, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    residual = y - design @ found
    freedom = rows - ratings.units - raters + 1
    assert rank == ratings.units + raters
    covariance = np.linalg.inv(design.T @ design) * (residual @ residual) / freedom
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(covariance)[ratings.units :])
    for j, severity in enumerate(rater_severities(ratings).raters):
        assert severity.value == pytest.approx(found[ratings.units + j], abs=1e-9)
        assert severity.ci_high == pytest.approx(found[ratings.units + j] + reach[j], abs=1e-6)


def test_shares_of_ac2_count_units_with_one_rating() -> None:
    """The definition, written out unit by unit."""
    frame = pd.read_csv(DATA / "krippendorff_canonical_4x12" / "data.csv")
    wide = frame.pivot(index="item_id", columns="rater_id", values="value").to_numpy()
    counts = np.array([[(row == level).sum() for level in range(1, 6)] for row in wide])
    size = counts.sum(axis=1)
    assert (size == 1).any()
    weights = agreement_weights("quadratic", range(1, 6))
    agreeing = [
        sum(row[k] * (weights[k] @ row - 1) for k in range(5)) / (row.sum() * (row.sum() - 1))
        for row in counts[size >= 2]
    ]
    pi = (counts / size[:, None]).mean(axis=0)
    expected = weights.sum() / 20 * (pi * (1 - pi)).sum()
    ratings = dimension_of(code_ratings(frame, scale="1-5"), 0, "ordinal")
    found = gwet_ac(pattern_table(ratings), weights)
    assert isinstance(found, Chance)
    assert found.value == pytest.approx((np.mean(agreeing) - expected) / (1 - expected), abs=1e-12)


@pytest.mark.parametrize("name", ["krippendorff_canonical_4x12", "hayes_krippendorff_2007", "gwet_5observers_15"])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_alpha_without_a_rater_is_the_alpha_of_the_others(name: str, level: str) -> None:
    frame, scale = pd.read_csv(DATA / name / "data.csv"), "1-5" if name.startswith("kripp") else "0-3"

    def cut(rows: pd.DataFrame) -> tuple[DimensionRatings, Patterns, np.ndarray]:
        ratings = dimension_of(code_ratings(rows, level=level, scale=scale), 0, level)
        count = len(ratings.scale.levels)
        levels = np.arange(count) if level == "nominal" else np.asarray(ratings.scale.levels, dtype=float)
        return ratings, pattern_table(ratings), levels

    ratings, patterns, levels = cut(frame)
    without = alphas_without(ratings, patterns, levels=levels)
    for j, rater in enumerate(ratings.rater_names):
        _, others, _ = cut(frame[frame["rater_id"] != rater])
        assert without[j] == pytest.approx(alpha(others, level=level, levels=levels), abs=1e-12)


@pytest.mark.parametrize("scale", [1.0, 0.5, 1 / 3, 1e5])
def test_resampled_sums_are_exact_whatever_precision_they_are_added_in(scale):
    """Halves in single precision, where all sums fit; else in double."""
    rows = scale * np.random.default_rng(1).integers(0, 40, (60, 7)).astype(float)
    found = replicate_sums(rows, None, replicates=300, seed=5)
    generator = np.random.Generator(np.random.SFC64(5))
    draws = [generator.integers(0, 60, size=60, dtype=np.uint16) for _ in range(300)]
    expected = np.array([rows[draw].sum(axis=0) for draw in draws])
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    if scale in (1.0, 0.5):
        assert np.array_equal(found, expected)
