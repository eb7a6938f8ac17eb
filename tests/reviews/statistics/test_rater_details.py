"""What a report says of each rater: severity, drift, monotony."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reviews.statistics.drift import drift_intervals, drift_slopes
from reviews.statistics.patterns import dimension_of
from reviews.statistics.raters import rater_severities
from reviews.statistics.report import agreement
from reviews.statistics.tidy import code_ratings
from reviews.statistics.words import plain_words
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


def test_the_interval_of_drift_is_welch_s() -> None:
    frame = ratings(raters=3, pool=5)
    for detail in dimension(frame)["raters_detail"]:
        place, apart, n = apart_from_others(frame, detail["rater"])
        late = place >= n // 2
        test = stats.ttest_ind(apart[late], apart[~late], equal_var=False)
        interval = test.confidence_interval()
        assert detail["drift"] == pytest.approx(apart[late].mean() - apart[~late].mean(), abs=1e-11)
        assert detail["drift_ci"] == pytest.approx([interval.low, interval.high], abs=1e-11)


def test_the_slope_is_least_squares_per_hundred_ratings() -> None:
    """Ratings that nobody shares count as places in the sequence."""
    frame = ratings(raters=3, pool=5)
    alone = frame[::7].assign(item_id=lambda some: some["item_id"] + "/alone")
    frame = pd.concat([frame, alone]).sort_index(kind="stable")
    for detail in dimension(frame)["raters_detail"]:
        place, apart, n = apart_from_others(frame, detail["rater"])
        assert n > len(place)
        line = stats.linregress(place, apart)
        reach = stats.t.ppf(0.975, len(place) - 2) * line.stderr
        right = [100 * line.slope, 100 * (line.slope - reach), 100 * (line.slope + reach)]
        slope = detail["slope"]
        assert [slope["value"], slope["ci_low"], slope["ci_high"]] == pytest.approx(right, abs=1e-10)
        assert slope["reason"] is None


def apart_from_others(frame: pd.DataFrame, rater: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Places and distances from the others of a rater's shared ratings, by loops; how many ratings in all."""
    places, apart = [], []
    mine = frame[frame["rater_id"] == rater]
    for place, (item, value) in enumerate(zip(mine["item_id"], mine["value"], strict=True)):
        others = frame[(frame["item_id"] == item) & (frame["rater_id"] != rater)]["value"]
        if len(others):
            places.append(place)
            apart.append(value - others.mean())
    return np.array(places), np.array(apart), len(mine)


def test_drift_and_slope_without_error_or_ratings_have_no_interval() -> None:
    """An interval of no width about four ratings would say that a rater surely drifts."""
    exact = dimension(rows(*((f"i{n}", r, 3 + (r == "a" and n > 1)) for n in range(4) for r in "ab")))
    a = exact["raters_detail"][0]
    assert (a["drift"], a["drift_ci"], a["reasons"]["drift_ci"]) == (1, None, "no error variance")
    assert not any("second half" in sentence for sentence in exact["words"])
    alike = dimension(rows(*((f"i{n}", r, 1 + n % 5) for n in range(10) for r in "ab")))["raters_detail"][0]
    assert alike["slope"] == {"value": 0, "ci_low": None, "ci_high": None, "reason": "no error variance"}
    few = dimension(rows(*((f"i{n}", r, 3 + n * (r == "a")) for n in range(2) for r in "ab")))["raters_detail"][0]
    assert (few["drift"], few["drift_ci"], few["reasons"]["drift_ci"]) == (1, None, "too few ratings")
    assert few["slope"] == {"value": 100, "ci_low": None, "ci_high": None, "reason": "too few ratings"}
    one = dimension(rows(("i", "a", 1), ("i", "b", 2), ("j", "a", 3)))["raters_detail"][0]
    assert (one["drift"], one["drift_ci"], one["reasons"]["drift"]) == (None, None, "too few ratings")
    assert (one["slope"]["value"], one["slope"]["reason"]) == (None, "too few ratings")


FIXED = {"r0": 0.6, "r1": -0.4, "r2": 0.0, "r3": 0.0, "r4": 0.0, "r5": 0.0}
DRIFT, STRAIGHT = 0.9, "r6"


def panel(seed: int, *, units: int = 900) -> pd.DataFrame:
    """Scores on a fine scale 0-10: known severities, r3 who moves up by `DRIFT`, r6 who gives 5.0 nearly always.

    Each unit is rated by four of the seven; five units a scenario.
    """
    rng = np.random.default_rng(seed)
    true = np.repeat(rng.normal(5, 0.9, units // 5), 5) + rng.normal(0, 0.6, units)
    given = [rng.permutation(7)[:4] for _ in range(units)]
    often = np.bincount(np.concatenate(given), minlength=7)
    seen = np.zeros(7)
    cells = []
    for unit, raters in enumerate(given):
        for rater in raters:
            name = f"r{rater}"
            late = seen[rater] >= often[rater] // 2
            seen[rater] += 1
            score = true[unit] + rng.normal(0, 0.4) - FIXED.get(name, 0.0) + DRIFT * (name == "r3" and late)
            if name == STRAIGHT:
                score = 5.0 if rng.random() < 0.97 else score
            cells.append((f"s{unit // 5:03}/{unit:04}", name, "d", round(float(np.clip(score, 0, 10)), 1)))
    frame = pd.DataFrame(cells, columns=["item_id", "rater_id", "dimension", "value"])
    return frame.assign(cluster_id=frame["item_id"].str[:4])


def test_what_raters_were_made_to_be_is_found_and_nobody_else_is_named() -> None:
    report = agreement(panel(3), level="interval", scale="0-10/0.1", bootstrap=400).dimensions["d"]
    found = {detail.rater: detail for detail in report.raters_detail}
    # severities are centred over the seven, and r3 is lower by half of what it moves up
    made = np.array([*FIXED.values(), 0.0]) - DRIFT / 2 * np.array([0, 0, 0, 1, 0, 0, 0])
    for (name, detail), s in zip(found.items(), made - made.mean(), strict=True):
        low, high = detail.severity.ci_low, detail.severity.ci_high
        assert low is not None
        assert high is not None
        assert low <= s <= high, name
    r3, r0 = found["r3"], found["r0"]
    assert r3.drift.ci_low is not None
    assert r3.drift.ci_high is not None
    assert r3.drift.ci_low <= DRIFT <= r3.drift.ci_high
    assert r3.drift.ci_low > 0.5
    # a step of d in the middle of n ratings has a least-squares slope of 1.5 d / n
    assert r3.slope.value == pytest.approx(150 * DRIFT / r3.n, abs=0.06)
    assert not any(
        found[name].drift.is_off_zero and abs(found[name].drift.value or 0) > 0.5 for name in set(found) - {"r3"}
    )
    assert {name for name, detail in found.items() if detail.straight_lining} == {STRAIGHT}
    change = found[STRAIGHT].alpha_change
    assert change.is_off_zero
    assert (change.value or 0) > 0.02
    assert (r0.rest_correlation.value or 0) > 0.7 > 0.4 > abs(found[STRAIGHT].rest_correlation.value or 0)
    said = {(word.code, word.params["rater"]) for word in plain_words(report) if "rater" in word.params}
    assert {("severe", "r0"), ("drifts_up", "r3"), ("straight_share", STRAIGHT), ("straight_run", STRAIGHT)} <= said
    assert ("higher_without", STRAIGHT) in said
    # what holds alpha up are the others: that is said of them, and is no fault
    allowed = {"severe": {"r0"}, "drifts_up": {"r3"}, "higher_without": {STRAIGHT}}
    allowed |= {"straight_share": {STRAIGHT}, "straight_run": {STRAIGHT}, "lower_without": {"r1", "r2", "r4", "r5"}}
    for code, name in said:
        assert name in allowed[code], (code, name)


def test_intervals_of_severity_drift_and_slope_hold_the_truth_as_often_as_they_say() -> None:
    """Of 60 panels without a straight-liner, whose true values are known."""
    held = np.zeros(3)
    made = np.array([*FIXED.values()]) - DRIFT / 2 * np.array([0, 0, 0, 1, 0, 0])
    for seed in range(60):
        frame = panel(100 + seed, units=300)
        frame = frame[frame["rater_id"] != STRAIGHT]
        one = dimension_of(code_ratings(frame, level="interval", scale="0-10/0.1"), 0, "interval")
        severity, drift, slope = rater_severities(one).raters[0], drift_intervals(one)[3], drift_slopes(one)[3]
        often = (frame["rater_id"] == "r3").sum()
        truths = ((severity, (made - made.mean())[0]), (drift, DRIFT), (slope, 150 * DRIFT / often))
        held += [(found.ci_low or 0) <= truth <= (found.ci_high or 0) for found, truth in truths]
    assert (held >= 52).all(), held
