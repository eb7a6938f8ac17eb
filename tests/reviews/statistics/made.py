"""Frames that the tests of the statistics are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from reviews.statistics.report import agreement


def ratings(
    *, scenarios: int = 60, responses: int = 4, raters: int = 3, pool: int = 3, noise: float = 0.8, seed: int = 0
) -> pd.DataFrame:
    """Ratings 1..5 of responses that share what is good about their scenario; raters 0..pool-1."""
    rng = np.random.default_rng(seed)
    rows = []
    for scenario in range(scenarios):
        shared = rng.normal(3, 1)
        for response in range(responses):
            true = shared + rng.normal(0, 0.5)
            for rater in rng.permutation(pool)[:raters]:
                value = int(np.clip(round(true + rng.normal(0, noise)), 1, 5))
                rows.append((f"s{scenario}/{response}", f"r{rater}", "empathy", value, f"s{scenario}"))
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value", "cluster_id"])


def rows(*cells: tuple[str, str, Any]) -> pd.DataFrame:
    return pd.DataFrame([(*cell, "d") for cell in cells], columns=["item_id", "rater_id", "value", "dimension"])


def dimension(frame: pd.DataFrame, **options: Any) -> dict[str, Any]:
    report = agreement(frame, **{"scale": "1-5", "bootstrap": 400} | options).to_json()
    return next(iter(report["dimensions"].values()))
