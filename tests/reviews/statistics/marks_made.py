"""Marks that the tests of agreement on violations are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from hypothesis import settings

from reviews.statistics.marks import mark_agreement
from reviews.statistics.marks_results import MarksReport

few = settings(max_examples=60, deadline=None)


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
