"""Pairs of raters: Cohen's kappa with the weights of the declared scale, and what lies beside it.

Quadratic kappa needs no table: 1 - sum (a-b)² / sum of (a-b)² over all pairings of the two raters' values. The
distances are those of the scale, never of the observed values (.571 instead of .387 on ratings 1, 2, 5).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .patterns import DimensionRatings
from .reasons import Reason
from .scales import agreement_weights

MOST_RATERS_FULL = 100  # beyond so many raters only the pairs that share a unit are listed


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa with the standard error of Fleiss, Cohen and Everitt (1969)."""

    value: float
    se: float


@dataclass(frozen=True)
class Pair:
    """Two raters on the n units both rated. mean_difference is a minus b."""

    a: str
    b: str
    n: int
    qwk: float | None
    kappa: float | None
    exact: float | None
    adjacent: float | None
    mean_difference: float | None
    reason: Reason | None


def weighted_kappa(table: np.ndarray, levels: Iterable[Any], weights: str = "quadratic") -> Kappa | Reason:
    """Kappa of a (K, K) table of units by the two raters' levels.

    levels: all K declared levels. weights: identity, linear, quadratic (by the levels' distances), ordinal or radical.
    """
    n = float(table.sum())
    if n == 0:
        return Reason.NO_COMMON_ITEM
    w = agreement_weights(weights, levels)
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = float((w * p).sum()), float(rows @ w @ columns)
    if 1 - expected < 1e-12:
        return Reason.ALL_EQUAL
    value = (observed - expected) / (1 - expected)
    mean = np.add.outer(w @ columns, w.T @ rows)
    spread = float((p * (w - mean * (1 - value)) ** 2).sum()) - (value - expected * (1 - value)) ** 2
    return Kappa(value, math.sqrt(max(spread, 0.0) / n) / (1 - expected))


def pair_table(ratings: DimensionRatings) -> list[Pair]:
    """Every two raters, in the order of their names; one product of sparse tables, not a loop over pairs."""
    raters = len(ratings.rater_names)
    if ratings.rater is None or raters < 2:
        return []
    first, second, k, m, often = levels_met(ratings)
    pair, which = np.unique(first * raters + second, return_inverse=True)

    def added(values: np.ndarray) -> np.ndarray:
        return np.bincount(which, weights=often * values, minlength=len(pair))

    numbers = ratings.numbers
    a, b = numbers[k], numbers[m]
    moments = np.column_stack([added(part) for part in (np.ones(len(a)), a, b, a * a, b * b, a * b)])
    exact, adjacent = added(k == m), added(np.abs(k - m) <= 1)
    nominal = _kappas(which, k, m, often, len(pair)) if ratings.level == "nominal" else None
    found = {
        int(key): _pair(ratings, int(key), moments[at], exact[at], adjacent[at], nominal[at] if nominal else None)
        for at, key in enumerate(pair)
    }
    if raters > MOST_RATERS_FULL:
        return list(found.values())
    keys = (i * raters + j for i in range(raters) for j in range(i + 1, raters))
    return [found.get(key) or _apart(ratings, key) for key in keys]


class LevelsMet(NamedTuple):
    """How often two raters' levels stand beside each other on a unit.

    first, second: (C,) codes of raters, first < second; k, m: (C,) their levels; often: (C,) units with these.
    """

    first: np.ndarray
    second: np.ndarray
    k: np.ndarray
    m: np.ndarray
    often: np.ndarray


def levels_met(ratings: DimensionRatings) -> LevelsMet:
    """Of every two raters, who are known and two at least."""
    assert ratings.rater is not None
    levels = max(len(ratings.scale.levels), 1)
    column, columns = ratings.rater * levels + ratings.code, len(ratings.rater_names) * levels
    shown = sparse.csr_array((np.ones(len(column)), (ratings.unit, column)), shape=(ratings.units, columns))
    joint = sparse.coo_array(shown.T @ shown)
    (first, k), (second, m) = (np.divmod(part.astype(np.int64), levels) for part in joint.coords)
    upper = first < second
    return LevelsMet(first[upper], second[upper], k[upper], m[upper], joint.data[upper])


def _pair(
    ratings: DimensionRatings,
    key: int,
    moments: np.ndarray,
    exact: float,
    adjacent: float,
    kappa: float | Reason | None,
) -> Pair:
    i, j = divmod(key, len(ratings.rater_names))
    n, a, b, aa, bb, ab = (float(part) for part in moments)
    ordered = ratings.level != "nominal"
    apart, chance = aa + bb - 2 * ab, aa + bb - 2 * a * b / n
    reason = None if ordered else Reason.NOT_NOMINAL
    qwk = None
    if ordered and chance > 1e-12 * (aa + bb):
        qwk = 1 - apart / chance
    elif ordered:
        reason = Reason.ALL_EQUAL
    if isinstance(kappa, Reason):
        reason = kappa
    return Pair(
        a=ratings.rater_names[i],
        b=ratings.rater_names[j],
        n=int(n),
        qwk=qwk,
        kappa=None if isinstance(kappa, Reason) else kappa,
        exact=float(exact) / n,
        adjacent=float(adjacent) / n if ordered and not ratings.scale.open else None,
        mean_difference=(a - b) / n if ordered else None,
        reason=reason,
    )


def _apart(ratings: DimensionRatings, key: int) -> Pair:
    i, j = divmod(key, len(ratings.rater_names))
    a, b = ratings.rater_names[i], ratings.rater_names[j]
    return Pair(a, b, 0, None, None, None, None, None, Reason.NO_COMMON_ITEM)


def _kappas(which: np.ndarray, k: np.ndarray, m: np.ndarray, often: np.ndarray, pairs: int) -> list[float | Reason]:
    """Unweighted kappa of each pair, from its own levels only: unused ones change nothing, and there may be many."""
    order = np.argsort(which, kind="stable")
    cells = np.bincount(which, minlength=pairs)
    ends = np.cumsum(cells)
    found: list[float | Reason] = []
    for start, end in zip(ends - cells, ends, strict=True):
        rows = order[start:end]
        _, code = np.unique(np.concatenate([k[rows], m[rows]]), return_inverse=True)
        weight, n = often[rows], float(often[rows].sum())
        first, second = (np.bincount(part, weight, len(code)) / n for part in np.split(code, 2))
        expected = float(first @ second)
        observed = float(weight[k[rows] == m[rows]].sum()) / n
        equal = 1 - expected < 1e-12
        found.append(Reason.ALL_EQUAL if equal else (observed - expected) / (1 - expected))
    return found
