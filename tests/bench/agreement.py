"""How long agreement takes on the whole benchmark: 4,650 scenarios x 50 companions, three raters each.

    ./run bench agreement

The bars: alpha with 10,000 cluster replicates in 1.0 s or less once the data are in memory; the whole report of 2.1
million scores from PostgreSQL in 20 s and 600 MB, from SQLite in 30 s.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pandas as pd

from reviews.statistics.alpha import alpha, alpha_of_sums, sums_of_patterns
from reviews.statistics.bootstrap import bca_interval, replicate_sums, sums_by_cluster
from reviews.statistics.patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from reviews.statistics.reading import read_ratings
from reviews.statistics.report import agreement
from reviews.statistics.tidy import code_ratings
from tests.bench._databases import on_both

SCENARIOS, COMPANIONS, RATERS, POOL = 4650, 50, 3, 30
REPLICATES = 10_000
BAR = 1.0
BARS, MOST_MEMORY = {"PostgreSQL": 20.0, "SQLite": 30.0}, 600
LEVELS = np.arange(1.0, 6.0)


def ratings() -> pd.DataFrame:
    """Ratings that hang together by scenario and by response, with raters drawn from a pool."""
    rng = np.random.default_rng(7)
    units = SCENARIOS * COMPANIONS
    scenario = np.repeat(np.arange(SCENARIOS), COMPANIONS)
    true = rng.normal(3.2, 0.6, SCENARIOS)[scenario] + rng.normal(0, 0.7, units)
    rater = (rng.integers(0, POOL, units)[:, None] + [0, 7, 19]) % POOL
    value = np.clip(np.round(true[:, None] + rng.normal(0, 0.7, (units, RATERS))), 1, 5)
    names = [f"dialogue_base/q{s:04d}/m{c}/sap" for s in range(SCENARIOS) for c in range(COMPANIONS)]
    return pd.DataFrame(
        {
            "item_id": pd.Categorical.from_codes(np.repeat(np.arange(units), RATERS), names),
            "rater_id": pd.Categorical.from_codes(rater.reshape(-1), [f"r{n:02d}" for n in range(POOL)]),
            "dimension": "empathy",
            "value": value.reshape(-1),
            "cluster_id": np.repeat(scenario, RATERS),
        }
    )


def alpha_with_interval(one: DimensionRatings) -> tuple[float, float, float]:
    """The bar's subject: counting, the point, 10,000 cluster replicates, BCa."""
    patterns: Patterns = pattern_table(one)
    value = alpha(patterns, level="ordinal", levels=LEVELS)
    assert isinstance(value, float)
    rows = sums_by_cluster(sums_of_patterns(patterns, level="ordinal", levels=LEVELS), patterns.of_unit, one.cluster)
    resampled = replicate_sums(rows, None, replicates=REPLICATES, seed=1)
    found = bca_interval(
        value,
        lambda sums: alpha_of_sums(sums, level="ordinal", levels=LEVELS),
        rows=rows,
        often=None,
        resampled=resampled,
    )
    assert found.low is not None
    assert found.high is not None
    return value, found.low, found.high


def naive_replicate(one: DimensionRatings) -> float:
    """One replicate as one would write it: draw scenarios, gather their units, call the package."""
    rng = np.random.default_rng(1)
    counts = np.bincount(one.unit * 5 + one.code, minlength=one.units * 5).reshape(-1, 5)
    by_scenario = np.split(np.argsort(one.cluster, kind="stable"), np.cumsum(np.bincount(one.cluster))[:-1])
    drawn = np.concatenate([by_scenario[s] for s in rng.integers(0, SCENARIOS, SCENARIOS)])
    return float(krippendorff.alpha(value_counts=counts[drawn], value_domain=LEVELS, level_of_measurement="ordinal"))


def timed(what: str, run: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The best of some runs, in seconds, printed."""
    best, result = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        best = min(best, time.perf_counter() - start)
    print(f"{what:<66} {best:8.3f} s")
    return best, result


def main() -> int:
    frame = ratings()
    units = SCENARIOS * COMPANIONS
    print(f"{units:,} units x {RATERS} raters in {SCENARIOS:,} scenarios, {REPLICATES:,} replicates\n")
    _, coded = timed("check and code the frame", lambda: code_ratings(frame, scale="1-5"))
    one = dimension_of(coded, 0, "ordinal")
    fast, (value, low, high) = timed("alpha with its cluster interval", lambda: alpha_with_interval(one))
    timed("the whole table of one dimension", lambda: agreement(frame, scale="1-5", bootstrap=REPLICATES), times=1)
    slow, _ = timed("one replicate of the naive loop over the package", lambda: naive_replicate(one))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        frame.to_csv(path, index=False)
        timed(f"read {len(frame):,} rows of CSV", lambda: read_ratings(path, scale="1-5"), times=1)
    print(f"\nalpha {value:.4f}, 95 % {low:.4f} to {high:.4f}")
    print(f"the naive loop would take {slow * REPLICATES:,.0f} s: {slow * REPLICATES / fast:,.0f} times as long")
    print(f"bar: {BAR} s, {'met' if fast <= BAR else 'NOT met'}")
    print("\nthe whole report of a campaign of three dimensions")
    for name, found in on_both("tests.bench._report", SCENARIOS, COMPANIONS).items():
        bar = BARS[name]
        print(
            f"{name:<12} load {found['load']:6.1f} s, report {found['report']:6.1f} s (bar {bar:.0f} s), "
            f"{found['peak']:,.0f} MB (bar {MOST_MEMORY} MB)"
        )
    return 0 if fast <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
