"""Scales with very many levels, and open ones: the same numbers as of a table, or the right reason, and no K x K."""

from __future__ import annotations

from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest

from reviews.statistics import leave_one_out, patterns
from reviews.statistics.alpha import alpha
from reviews.statistics.patterns import dimension_of, pattern_table
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.made import dimension


def sliders(*, units: int = 60, raters: int = 3, step: float = 1.0, seed: int = 3) -> pd.DataFrame:
    """Ratings from 0 to 100 in steps, a few of them missing."""
    rng = np.random.default_rng(seed)
    rows = []
    for unit in range(units):
        base = rng.uniform(0, 100)
        for rater in range(raters):
            value = round(float(np.clip(base + rng.normal(0, 6), 0, 100)) / step) * step
            if rng.random() < 0.9:
                rows.append((f"i{unit}", f"r{rater}", "d", value))
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value"])


def by_package(frame: pd.DataFrame, level: Any) -> float:
    table = frame.pivot(index="rater_id", columns="item_id", values="value").to_numpy(float)
    return float(krippendorff.alpha(table, level_of_measurement=level))


def test_alpha_at_ratio_level_is_defined_on_an_open_scale() -> None:
    frame = sliders(step=0.5)
    found = dimension(frame, level="ratio", scale=None)
    assert found["alpha"]["value"] == pytest.approx(by_package(frame, "ratio"), abs=1e-12)
    assert found["alpha"]["ci_low"] is not None
    for one in found["raters_detail"]:
        others = frame[frame["rater_id"] != one["rater"]]
        assert one["alpha_without"] == pytest.approx(by_package(others, "ratio"), abs=1e-12)


def test_on_an_open_scale_no_level_is_beside_another() -> None:
    found = dimension(sliders(step=0.5), level="ratio", scale=None)
    assert found["pair_exact"] is not None
    assert found["pair_adjacent"] is None
    assert found["reasons"]["pair_adjacent"] == found["ac2"]["reason"] == "no scale of levels declared"


def test_an_open_scale_has_no_table_of_distances() -> None:
    coded = dimension_of(code_ratings(sliders(step=0.01), level="interval"), 0, "interval")
    assert coded.scale.open
    assert coded.weights.shape == (0, 0)


@pytest.mark.parametrize("level", ["ordinal", "ratio", "nominal"])
def test_a_pattern_table_grows_with_what_occurs_not_with_the_units(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    frame = pd.concat([sliders(units=8).assign(item_id=lambda f, n=n: f["item_id"] + f"/{n}") for n in range(40)])
    coded = dimension_of(code_ratings(frame, level=level, scale="0-100"), 0, level)
    monkeypatch.setattr(patterns, "MOST_CELLS", 8 * 101)
    value = alpha(pattern_table(coded), level=level, levels=coded.values)
    assert value == pytest.approx(by_package(frame, level), abs=1e-12)


def test_a_scale_too_fine_for_a_table_is_not_called_undeclared(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = sliders()
    usual = dimension(frame, scale="0-100", bootstrap=0)
    monkeypatch.setattr(patterns, "MOST_CELLS", 100)
    found = dimension(frame, scale="0-100", bootstrap=0)
    assert found["alpha"]["reason"] == found["ac2"]["reason"] == "too many different values"
    for name in ("pair_exact", "pair_adjacent", "all_exact", "all_adjacent"):
        assert found[name] == usual[name]
    assert usual["pair_adjacent"] > usual["pair_exact"]


def test_alpha_without_a_rater_needs_no_table_of_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = sliders(raters=4)
    usual = dimension(frame, scale="0-100", bootstrap=0)["raters_detail"]
    monkeypatch.setattr(leave_one_out, "fits", lambda *_args, **_options: False)
    found = dimension(frame, scale="0-100")["raters_detail"]
    for one, other in zip(found, usual, strict=True):
        assert one["alpha_without"] == pytest.approx(other["alpha_without"], abs=1e-11)
        assert one["alpha_change"]["value"] == pytest.approx(other["alpha_change"]["value"], abs=1e-11)
        assert one["alpha_change"]["ci_low"] is None
        assert one["alpha_change"]["reason"] == "too many different values"


def test_kappa_of_texts_of_every_kind_needs_no_table() -> None:
    rng = np.random.default_rng(5)
    first = rng.integers(0, 20_000, 9_000)
    second = np.where(rng.random(9_000) < 0.5, first, rng.integers(0, 20_000, 9_000))
    frame = pd.DataFrame(
        {
            "item_id": [f"i{n}" for n in range(9_000)] * 2,
            "rater_id": ["a"] * 9_000 + ["b"] * 9_000,
            "value": [f"t{code}" for code in np.concatenate([first, second])],
        }
    )
    found = dimension(frame, level="nominal", scale=None, bootstrap=0)
    chance = float(np.bincount(first, minlength=20_000) @ np.bincount(second, minlength=20_000)) / 9_000**2
    assert found["pairs"][0]["kappa"] == pytest.approx((np.mean(first == second) - chance) / (1 - chance), abs=1e-12)
    assert found["alpha"]["reason"] == "too many different values"
