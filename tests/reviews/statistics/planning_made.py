"""Assumptions and studies that the tests of the planning are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from reviews.statistics.patterns import DimensionRatings, dimension_of
from reviews.statistics.planning import Assumptions, Design, assume
from reviews.statistics.planning_model import Model
from reviews.statistics.tidy import code_ratings

SKEWED = {1: 2, 2: 5, 3: 13, 4: 45, 5: 35}


def supposed(**changes: Any) -> Assumptions:
    return assume(SKEWED, **({"alpha": 0.6, "scenario_share": 0.3, "scale": "1-5"} | changes))


def study(model: Model, design: Design, seed: int, severity: float = 0.0) -> pd.DataFrame:
    """One study of a design, drawn rating by rating and cut at the model's cuts.

    severity: variance between raters, out of the noise; each scenario then has raters of its own.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for scenario in range(design.scenarios):
        severe = rng.normal(0, math.sqrt(severity), design.raters)
        own = f"s{scenario}" if severity else ""
        shared = rng.normal(0, math.sqrt(model.scenario))
        for response in range(design.responses):
            true = shared + rng.normal(0, math.sqrt(model.item - model.scenario))
            noise = rng.normal(0, math.sqrt(1 - model.item - severity), design.raters)
            scores = model.levels[np.searchsorted(model.cuts, true + severe + noise)]
            item = f"{scenario}/{response}"
            rows += [(item, f"{own}r{j}", "d", score, scenario) for j, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value", "cluster_id"])


def coded(frame: pd.DataFrame, scale: str = "1-5") -> DimensionRatings:
    return dimension_of(code_ratings(frame, scale=scale), 0, "ordinal")
