"""Small tables that made other tools crash, warn, or answer wrongly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviews.statistics.reading import read_ratings
from reviews.statistics.report import agreement

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("name", ["all_equal.csv", "missing.csv", "one_disagreement.csv"])
def test_it_answers_what_users_of_other_tools_complained_of(name: str) -> None:
    expected = json.loads((DATA / "complaints" / "expected.json").read_text(encoding="utf-8"))[name]
    frame = read_ratings(DATA / "complaints" / name, level="ordinal", scale="1-5")
    report = agreement(frame, level="ordinal", scale="1-5").to_json()
    for dimension, table in expected.items():
        for field, value in table.items():
            found = report["dimensions"][dimension][field]
            if isinstance(value, dict):
                if value["value"] is None:
                    assert found["value"] is None
                    assert found["reason"] == value["reason"]
                else:
                    assert found["value"] == pytest.approx(value["value"], abs=1e-12)
            else:
                assert found == pytest.approx(value, abs=1e-12)


def test_an_alpha_of_0_among_equal_ratings_says_why() -> None:
    frame = read_ratings(DATA / "complaints" / "one_disagreement.csv", scale="1-5")
    words = agreement(frame, scale="1-5").to_json()["dimensions"]["empathy"]["words"]
    assert any("expected disagreement is as rare as the observed" in sentence for sentence in words)
