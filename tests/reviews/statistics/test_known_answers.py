"""Published tables with known answers: every check of every case is computed, or named as not of this engine."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reviews.statistics.alpha import alpha, alpha_of_sums, disagreements, sums_of_patterns, total_sums
from reviews.statistics.bootstrap import replicate_sums
from reviews.statistics.chance import chance_corrected, gwet_ac
from reviews.statistics.icc import icc_interval_f, icc_of, oneway, oneway_sums, twoway, twoway_sums
from reviews.statistics.kappa import Kappa, weighted_kappa
from reviews.statistics.patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from reviews.statistics.percent import percent_agreement
from reviews.statistics.reading import read_ratings
from reviews.statistics.report import agreement
from reviews.statistics.scales import agreement_weights
from reviews.statistics.tidy import code_ratings

DATA = Path(__file__).parents[2] / "data"
Check = dict[str, Any]

# Measures of automatic judges, and of single raters against each other, that this engine does not compute.
NOT_COVERED = {
    "spearman": "rank correlation with a judge",
    "spearman_fisher_ci95": "rank correlation with a judge",
    "kendall_tau_b": "rank correlation with a judge",
    "pearson": "correlation with a judge",
    "mae": "error of a judge",
    "rmse": "error of a judge",
    "bias_judge_minus_gold": "error of a judge",
    "alt_test_winning_rate": "alternative annotator test of a judge",
    "alt_test_advantage_prob": "alternative annotator test of a judge",
    "verbosity_slope_per_word": "verbosity of a judge",
    "kalpha_published_ci": "an interval that resamples pairs as if independent: no target",
}


class Case:
    """One table and how its checks cut it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.expected = json.loads((DATA / "statistics" / name / "expected.json").read_text(encoding="utf-8"))
        self.frame = pd.read_csv(DATA / "statistics" / name / "data.csv")

    def cut(self, check: Check) -> pd.DataFrame:
        """The rows a check is about: its dimension, and the raters it names."""
        frame, params = self.frame, check.get("params") or {}
        if "dimension" in check:
            frame = frame[frame["dimension"] == check["dimension"]]
        if "rater_kind" not in frame:
            return frame
        named = [params[key] for key in ("rater_a", "rater_b", "gold", "judge") if key in params]
        if named:
            return frame[frame["rater_id"].isin(named)]
        return frame[(frame["rater_kind"] == "human") & (frame["rater_id"] != params.get("leave_out"))]

    def ratings(self, check: Check) -> DimensionRatings:
        level = check.get("level", "ordinal")
        coded = code_ratings(self.cut(check), level=level, scale=self.expected["scale"])
        return dimension_of(coded, 0, level)

    def levels(self, ratings: DimensionRatings) -> np.ndarray:
        return np.asarray(ratings.scale.levels, dtype=float)


def _patterns(case: Case, check: Check) -> tuple[DimensionRatings, Patterns, np.ndarray]:
    ratings = case.ratings(check)
    levels = np.arange(len(ratings.scale.levels)) if ratings.level == "nominal" else case.levels(ratings)
    return ratings, pattern_table(ratings), levels


def _alpha(case: Case, check: Check) -> float:
    ratings, patterns, levels = _patterns(case, check)
    value = alpha(patterns, level=ratings.level, levels=levels)
    assert isinstance(value, float)
    ours = alpha_of_sums(total_sums(patterns, level=ratings.level, levels=levels), level=ratings.level, levels=levels)
    assert ours[0] == pytest.approx(value, abs=1e-12)
    return value


def _disagreement(which: int) -> Callable[[Case, Check], float]:
    def compute(case: Case, check: Check) -> float:
        ratings, patterns, levels = _patterns(case, check)
        sums = total_sums(patterns, level=ratings.level, levels=levels)
        return float(disagreements(sums, level=ratings.level, levels=levels)[which][0])

    return compute


def _gwet(field: str) -> Callable[[Case, Check], float]:
    def compute(case: Case, check: Check) -> float:
        _, patterns, levels = _patterns(case, check)
        return float(getattr(gwet_ac(patterns, agreement_weights(check["params"]["weights"], levels)), field))

    return compute


def _chance(by: str) -> Callable[[Case, Check], float]:
    def compute(case: Case, check: Check) -> float:
        _, patterns, levels = _patterns(case, check)
        found = chance_corrected(patterns, agreement_weights(check["params"]["weights"], levels), by=by)
        return float(found.value)  # type: ignore[union-attr]

    return compute


def _squares(case: Case, check: Check, *, one_way: bool) -> Any:
    ratings, patterns, _ = _patterns(case, check)
    if one_way:
        return oneway(patterns.n[None, :] @ oneway_sums(patterns))
    panel = twoway_sums(ratings)
    assert panel is not None
    return twoway(panel.sum(axis=0)[None, :])


def _icc(case: Case, check: Check) -> float:
    kind = check["params"]["type"]
    return float(icc_of(_squares(case, check, one_way=kind.startswith("ICC(1")), kind)[0])


def _icc_interval(case: Case, check: Check) -> Any:
    kind = check["params"]["type"]
    return icc_interval_f(_squares(case, check, one_way=kind.startswith("ICC(1")), kind)


def _kappa(case: Case, check: Check) -> Kappa:
    """Of the two named raters; on the values that occur where one of them is a mean of several people."""
    params, frame = check["params"], case.cut(check)
    wide = frame.pivot(index="item_id", columns="rater_id", values="value")
    a, b = wide[params["rater_a"]].to_numpy(float), wide[params["rater_b"]].to_numpy(float)
    low, high = (int(end) for end in case.expected["scale"].split("-"))
    levels = np.unique(np.concatenate([a, b, np.arange(low, high + 1)]))
    table = np.zeros((len(levels), len(levels)))
    np.add.at(table, (np.searchsorted(levels, a), np.searchsorted(levels, b)), 1)
    found = weighted_kappa(table, levels, params.get("weights", "quadratic"))
    assert isinstance(found, Kappa)
    return found


def _kappa_of_true_distances(case: Case, check: Check) -> None:
    """The published value weighs the index of the observed values: what we show has the true distances."""
    true = re.search(r"true scale distances it is (-?[\d.]+\d)", check["note"])
    assert true
    assert _kappa(case, check).value == pytest.approx(float(true[1]), abs=5.1e-5)


def _percent(field: str) -> Callable[[Case, Check], float]:
    def compute(case: Case, check: Check) -> float:
        ratings, patterns, _ = _patterns(case, check)
        return float(getattr(percent_agreement(ratings, patterns), field))

    return compute


def _pairable(case: Case, check: Check) -> float:
    patterns = pattern_table(case.ratings(check))
    return float(patterns.n @ np.where(patterns.size >= 2, patterns.size, 0))


def _replicates(case: Case, check: Check) -> np.ndarray:
    """Alpha of 20,000 resamples of units."""
    ratings, patterns, levels = _patterns(case, check)
    sums = sums_of_patterns(patterns, level=ratings.level, levels=levels)
    resampled = replicate_sums(sums, patterns.n, replicates=20_000, seed=1)
    return alpha_of_sums(resampled, level=ratings.level, levels=levels)


def _is_not_the_trap(case: Case, check: Check) -> None:
    assert abs(_alpha(case, check) - check["value"]) > 0.01


COVERED: dict[str, Callable[[Case, Check], Any]] = {
    "krippendorff_alpha": _alpha,
    "observed_disagreement": _disagreement(0),
    "expected_disagreement": _disagreement(1),
    "gwet_ac": _gwet("value"),
    "gwet_ac_se": _gwet("se"),
    "percent_agreement_gwet": _gwet("observed"),
    "fleiss_kappa_gwet_missing": _chance("fleiss"),
    "brennan_prediger": _chance("brennan_prediger"),
    "icc": _icc,
    "icc_ci95": _icc_interval,
    "cronbach_alpha_equals_icc3k": lambda case, check: _icc(case, check | {"params": {"type": "ICC(3,k)"}}),
    "anova_MSR": lambda case, check: float(_squares(case, check, one_way=False).rows[0]),
    "anova_MSC": lambda case, check: float(_squares(case, check, one_way=False).columns[0]),
    "anova_MSE": lambda case, check: float(_squares(case, check, one_way=False).error[0]),
    "anova_MSW": lambda case, check: float(_squares(case, check, one_way=True).within[0]),
    "cohen_kappa": lambda case, check: _kappa(case, check).value,
    "cohen_kappa_se": lambda case, check: _kappa(case, check).se,
    "percent_exact_pairs": _percent("pair_exact"),
    "percent_adjacent_pairs": _percent("pair_adjacent"),
    "mean_abs_pair_difference": _percent("mean_pair_difference"),
    "n_pairs": _percent("pairs"),
    "n_pairable_values": _pairable,
    "n_pairable_units": lambda case, check: pattern_table(case.ratings(check)).pairable_units,
    "bootstrap_ci95_percentile_units": lambda case, check: np.quantile(_replicates(case, check), [0.025, 0.975]),
    "bootstrap_se_units": lambda case, check: float(_replicates(case, check).std(ddof=1)),
    "irrCAC_trap": _is_not_the_trap,
    "cohen_kappa_index_weights": _kappa_of_true_distances,
}

CASES = {path.parent.name: Case(path.parent.name) for path in sorted((DATA / "statistics").glob("*/expected.json"))}
CHECKS = [(case, check) for case in CASES.values() for check in case.expected["checks"]]
TO_COMPUTE = [(case, check) for case, check in CHECKS if check["metric"] not in NOT_COVERED]


def _name(case: Case, check: Check) -> str:
    parts = [
        case.name,
        check["metric"],
        check.get("level"),
        check.get("dimension"),
        *(check.get("params") or {}).values(),
    ]
    return "-".join(str(part) for part in parts if part)


def _tolerance(check: Check) -> float:
    told = (check.get("params") or {}).get("endpoint_tolerance", check.get("tolerance"))
    return float(told if told is not None else 1e-4)


@pytest.mark.parametrize(("case", "check"), [pytest.param(*one, id=_name(*one)) for one in TO_COMPUTE])
def test_it_gives_the_known_answer(case: Case, check: Check) -> None:
    assert check["metric"] in COVERED, f"{check['metric']} is neither computed nor listed as not covered"
    found = COVERED[check["metric"]](case, check)
    if found is not None:
        assert found == pytest.approx(check["value"], abs=_tolerance(check) + 1e-12)


def test_every_metric_is_either_computed_or_named_as_not_covered() -> None:
    metrics = {check["metric"] for _, check in CHECKS}
    assert metrics == set(COVERED) | set(NOT_COVERED)
    assert not set(COVERED) & set(NOT_COVERED)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_report_of_a_file_says_the_same(name: str, tmp_path: Path) -> None:
    """From the file to the JSON, for the statistics that the table shows."""
    case = CASES[name]
    path = DATA / "statistics" / name / "data.csv"
    if "rater_kind" in case.frame:
        path = tmp_path / "humans.csv"
        case.frame[case.frame["rater_kind"] == "human"].to_csv(path, index=False)
    seen = 0
    for level in ("nominal", "ordinal", "interval"):
        frame = read_ratings(path, level=level, scale=case.expected["scale"])
        report = agreement(frame, level=level, scale=case.expected["scale"], bootstrap=0).to_json()
        for check in case.expected["checks"]:
            params = check.get("params") or {}
            if {"rater_a", "gold", "leave_out"} & set(params):
                continue
            table = report["dimensions"][check.get("dimension", "d")]
            found = _in_the_report(table, check, level)
            if found is not None:
                assert found == pytest.approx(check["value"], abs=_tolerance(check))
                seen += 1
    assert seen >= 3


def _in_the_report(table: dict[str, Any], check: Check, level: str) -> Any:
    metric, params = check["metric"], check.get("params") or {}
    if metric == "krippendorff_alpha":
        return table["alpha"]["value"] if check["level"] == level else None
    weights = "identity" if level == "nominal" else "quadratic"
    if metric in ("gwet_ac", "gwet_ac_se"):
        return table["ac2"]["se" if metric.endswith("se") else "value"] if params["weights"] == weights else None
    if level == "nominal":
        return table["pair_exact"] if metric == "percent_exact_pairs" else None
    if metric in ("icc", "icc_ci95"):
        field = {"ICC(1,1)": "icc1_1", "ICC(2,1)": "icc2_1", "ICC(2,k)": "icc2_k"}.get(params["type"])
        return field and table[field]["value" if metric == "icc" else "ci_f"]
    plain = {"percent_exact_pairs": "pair_exact", "percent_adjacent_pairs": "pair_adjacent"}
    return table[plain[metric]] if metric in plain else None
