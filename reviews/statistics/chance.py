"""Agreement corrected for chance over any number of raters: Gwet's AC1 and AC2, Fleiss, Brennan and Prediger.

Source: Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., chapters 4 and 5; the standard error is his.
"""

import math
from dataclasses import dataclass

import numpy as np

from .patterns import Patterns
from .reasons import Reason


@dataclass(frozen=True)
class Chance:
    """A coefficient with Gwet's standard error (None with one unit), and the agreement it starts from."""

    value: float
    se: float | None
    observed: float
    expected: float


def ac_sums(patterns: Patterns, weights: np.ndarray) -> np.ndarray:
    """What each pattern adds to AC, (P, K + 3): agreement, units that pair, shares of the levels, units.

    The shares count units with a single rating too. weights: (K, K) of agreement over the declared levels.
    """
    counts, size = patterns.counts, patterns.size
    assert counts is not None
    pairs = size >= 2
    agreeing = np.einsum("pk,pk->p", counts, counts @ weights - 1)
    agreement = np.where(pairs, agreeing / np.maximum(size * (size - 1), 1), 0.0)
    return np.column_stack([agreement, pairs, counts / size[:, None], np.ones(len(size))])


def ac_of_sums(sums: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Gwet's AC of each row of sums, (B,); NaN where no unit pairs."""
    observed, expected = _observed_expected(sums, weights)
    return (observed - expected) / (1 - expected)


def _observed_expected(sums: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    levels = len(weights)
    agreement, pairs, shares, units = sums[:, 0], sums[:, 1], sums[:, 2:-1], sums[:, -1]
    observed = np.divide(agreement, pairs, out=np.full(len(sums), np.nan), where=pairs > 0)
    pi = shares / np.maximum(units, 1)[:, None]
    return observed, weights.sum() / (levels * (levels - 1)) * (pi * (1 - pi)).sum(axis=1)


def gwet_ac(patterns: Patterns, weights: np.ndarray) -> Chance | Reason:
    """Gwet's AC1 (identity weights) or AC2, with its standard error, or why there is none."""
    refused = why_undefined(patterns, weights)
    if refused:
        return refused
    counts, size, n = patterns.counts, patterns.size, patterns.n
    assert counts is not None
    each = ac_sums(patterns, weights)
    sums = n[None, :] @ each
    observed, expected = (float(part[0]) for part in _observed_expected(sums, weights))
    value = (observed - expected) / (1 - expected)
    levels, units, pairable = len(weights), float(n.sum()), float(sums[0, 1])
    if units < 2:
        return Chance(value, None, observed, expected)
    pi = sums[0, 2:-1] / units
    own_expected = weights.sum() / (levels * (levels - 1)) * (counts @ (1 - pi)) / size
    own = units / pairable * np.where(size >= 2, each[:, 0] - expected, 0.0) / (1 - expected)
    linear = own - 2 * (1 - value) * (own_expected - expected) / (1 - expected)
    variance = float(n @ (linear - value) ** 2) / (units * (units - 1))
    return Chance(value, math.sqrt(variance), observed, expected)


def chance_corrected(patterns: Patterns, weights: np.ndarray, *, by: str) -> Chance | Reason:
    """Coefficients with other ideas of chance, without a standard error. by: "fleiss" or "brennan_prediger"."""
    refused = why_undefined(patterns, weights)
    if refused:
        return refused
    sums = patterns.n[None, :] @ ac_sums(patterns, weights)
    observed = float(sums[0, 0] / sums[0, 1])
    pi = sums[0, 2:-1] / sums[0, -1]
    expected = {"fleiss": float(pi @ weights @ pi), "brennan_prediger": float(weights.mean())}[by]
    if 1 - expected < 1e-12:
        return Reason.ALL_EQUAL
    return Chance((observed - expected) / (1 - expected), None, observed, expected)


def why_undefined(patterns: Patterns, weights: np.ndarray) -> Reason | None:
    """Why no chance-corrected coefficient can be computed, if so."""
    if not len(patterns.n):
        return Reason.NO_RATINGS
    if patterns.open or patterns.counts is None:
        return Reason.NO_SCALE if patterns.open else Reason.TOO_MANY_LEVELS
    if not patterns.pairable_units:
        return Reason.NO_PAIRS
    return Reason.ONE_LEVEL if len(weights) < 2 else None
