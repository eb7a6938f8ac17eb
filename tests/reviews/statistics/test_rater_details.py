"""What a report says of each rater: severity, drift, monotony."""

from __future__ import annotations

import numpy as np
import pytest

from reviews.statistics.report import agreement
from tests.reviews.statistics.made import dimension, ratings, rows


def test_severity_is_what_was_put_in() -> None:
    """Rater r2 is a level severer than the others, on an incomplete design with no noise."""
    cells = [
        (f"i{n}", f"r{rater}", 3 + n % 3 - (1 if rater == 2 else 0))
        for n in range(30)
        for rater in (n % 4, (n + 1) % 4, (n + 2) % 4)
    ]
    details = {one["rater"]: one["severity"] for one in dimension(rows(*cells))["raters_detail"]}
    assert details["r2"]["value"] == pytest.approx(0.75, abs=1e-9)
    assert details["r0"]["value"] == pytest.approx(-0.25, abs=1e-9)
    frame = ratings(raters=3, pool=5, scenarios=100)
    hard = frame["rater_id"] == "r1"
    frame.loc[hard, "value"] = np.maximum(1, frame.loc[hard, "value"] - 1)
    words = agreement(frame, scale="1-5", bootstrap=0).to_json()["dimensions"]["empathy"]["words"]
    assert next(sentence for sentence in words if "lower than the others" in sentence).startswith("r1 rates")


def test_severity_compares_within_blocks_only() -> None:
    two = rows(*((f"{block}{n}", f"{block}{r}", 1 + (n + r) % 4) for block in "xy" for n in range(6) for r in range(2)))
    table = dimension(two)
    assert [one["block"] for one in table["raters_detail"]] == [1, 1, 2, 2]
    assert any("2 groups that share no unit" in sentence for sentence in table["words"])
    values = [one["severity"]["value"] for one in table["raters_detail"]]
    assert values[0] == pytest.approx(-values[1])
    assert values[2] == pytest.approx(-values[3])


def test_drift_runs_and_modal_share_follow_the_sequence() -> None:
    own = [3, 3, 3, 3, 5, 5, 5, 4]
    cells = [(f"i{n}", "a", v) for n, v in enumerate(own)] + [(f"i{n}", "b", 3) for n in range(8)]
    frame = rows(*cells)
    a = dimension(frame)["raters_detail"][0]
    assert a["drift"] == pytest.approx((2 + 2 + 2 + 1) / 4)
    assert (a["modal_share"], a["longest_run"]) == (0.5, 4)
    frame["order"] = [*reversed(range(8)), *range(8)]
    assert dimension(frame)["raters_detail"][0]["drift"] == pytest.approx(-7 / 4)
    frame["order"] = [str(2020 + n) + "-01-01" for n in [0, 4, 1, 5, 2, 6, 3, 7, *range(8)]]
    assert dimension(frame)["raters_detail"][0]["longest_run"] == 2
