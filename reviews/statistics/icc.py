"""Intraclass correlations: one family of six, from the mean squares of a one-way or a two-way table.

Sources: Shrout and Fleiss (1979); McGraw and Wong (1996), with the F-based intervals of the latter.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import fdtri

from .patterns import DimensionRatings, Patterns
from .reasons import Reason

KINDS = ("ICC(1,1)", "ICC(1,k)", "ICC(2,1)", "ICC(2,k)", "ICC(3,1)", "ICC(3,k)")
ROUNDING = 1e-12  # a mean square below this share of the whole is a rest of rounding


@dataclass(frozen=True)
class MeanSquares:
    """Mean squares of B tables at once, each (B,). A one-way table has no columns and no error, but within.

    n: units; k: ratings a unit (n0 of an unbalanced one-way table); rows, columns, error, within: MSR, MSC, MSE, MSW;
    spare: degrees of freedom within units.
    """

    n: np.ndarray
    k: np.ndarray
    rows: np.ndarray
    within: np.ndarray
    spare: np.ndarray
    columns: np.ndarray | None = None
    error: np.ndarray | None = None


def oneway_sums(patterns: Patterns) -> np.ndarray:
    """What each pattern adds to the one-way table, (P, 6).

    Unit, ratings, ratings squared, sum, sum squared by ratings, sum of squares.
    """
    size, total = patterns.size, patterns.total
    return np.column_stack([np.ones(len(size)), size, size**2, total, total**2 / size, patterns.squares])


def oneway(sums: np.ndarray) -> MeanSquares:
    """Mean squares of a one-way table, units of unequal size allowed: k is n0 = (N - sum m²/N)/(n - 1)."""
    units, ratings, squared, total, between, squares = sums.T
    freedom = units - 1
    spare = ratings - units
    whole = squares - _over(total**2, ratings)
    rows = _over(_clean(between - _over(total**2, ratings), squares), freedom)
    within = _over(_clean(squares - between, squares), spare)
    k = _over(ratings - _over(squared, ratings), freedom)
    defined = whole > ROUNDING * np.maximum(squares, 1e-300)
    return MeanSquares(n=units, k=k, rows=np.where(defined, rows, np.nan), within=within, spare=spare)


def twoway_sums(ratings: DimensionRatings) -> np.ndarray | None:
    """What each unit adds to the two-way table, (U, K + 3): unit, each rater's value, sum squared, squares.

    None where the panel is not complete: raters are unknown, or not every one rated every unit.
    """
    raters = len(ratings.rater_names)
    if ratings.rater is None or len(ratings.unit) != ratings.units * raters or raters < 2:
        return None
    table = np.empty((ratings.units, raters))
    table[ratings.unit, ratings.rater] = ratings.numbers[ratings.code]
    return np.column_stack([np.ones(len(table)), table, table.sum(axis=1) ** 2, (table**2).sum(axis=1)])


def twoway(sums: np.ndarray) -> MeanSquares:
    """Mean squares of complete two-way tables."""
    units, columns, rows_squared, squares = sums[:, 0], sums[:, 1:-2], sums[:, -2], sums[:, -1]
    raters = columns.shape[1]
    k = np.full(len(sums), float(raters))
    mean = _over(columns.sum(axis=1) ** 2, units * raters)
    of_rows = _clean(rows_squared / raters - mean, squares)
    of_columns = _clean(_over((columns**2).sum(axis=1), units) - mean, squares)
    whole = squares - mean
    freedom = units - 1
    defined = whole > ROUNDING * np.maximum(squares, 1e-300)
    return MeanSquares(
        n=units,
        k=k,
        rows=np.where(defined, _over(of_rows, freedom), np.nan),
        within=_over(_clean(whole - of_rows, squares), units * (raters - 1)),
        spare=units * (raters - 1),
        columns=of_columns / (raters - 1),
        error=_over(_clean(whole - of_rows - of_columns, squares), freedom * (raters - 1)),
    )


def icc_of(squares: MeanSquares, kind: str) -> np.ndarray:
    """The coefficient of each table, (B,); NaN where it is undefined. kind: one of KINDS."""
    rows, k, n = squares.rows, squares.k, squares.n
    if kind in KINDS[:2]:
        noise, below = squares.within, rows if kind == "ICC(1,k)" else rows + (k - 1) * squares.within
        return _ratio(rows - noise, below, rows + noise)
    assert squares.error is not None
    assert squares.columns is not None
    noise, columns = squares.error, squares.columns
    below = {
        "ICC(2,1)": rows + (k - 1) * noise + k * (columns - noise) / n,
        "ICC(2,k)": rows + (columns - noise) / n,
        "ICC(3,1)": rows + (k - 1) * noise,
        "ICC(3,k)": rows,
    }
    if kind not in below:
        raise ValueError(f"{kind!r} is none of {', '.join(KINDS)}")
    return _ratio(rows - noise, below[kind], rows + noise + columns)


def icc_interval_f(squares: MeanSquares, kind: str, coverage: float = 0.95) -> tuple[float, float] | None:
    """F-based interval of the first table; None where there is no variance to divide by.

    An unbalanced one-way table is treated as one of n0 ratings a unit, which is an approximation.
    """
    n, k, rows = (float(part[0]) for part in (squares.n, squares.k, squares.rows))
    noise = squares.within if kind in KINDS[:2] else squares.error
    value = float(icc_of(squares, kind)[0])
    if noise is None or not noise[0] > 0 or np.isnan(value) or not rows > 0:
        return None
    error, p = float(noise[0]), (1 + coverage) / 2
    if kind in ("ICC(2,1)", "ICC(2,k)"):
        bounds = _interval_of_two(n, k, rows, float(squares.columns[0]), error, p)  # type: ignore[index]
        if bounds is None or kind == "ICC(2,1)":
            return bounds
        if 1 + (k - 1) * bounds[0] < ROUNDING:  # the lower bound of the mean of k is without end
            return None
        return k * bounds[0] / (1 + (k - 1) * bounds[0]), k * bounds[1] / (1 + (k - 1) * bounds[1])
    freedom = float(squares.spare[0]) if kind in KINDS[:2] else (n - 1) * (k - 1)
    ratio = rows / error
    low, high = ratio / fdtri(n - 1, freedom, p), ratio * fdtri(freedom, n - 1, p)
    if kind.endswith("k)"):
        return 1 - 1 / low, 1 - 1 / high
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _interval_of_two(
    n: float, k: float, rows: float, columns: float, error: float, p: float
) -> tuple[float, float] | None:
    """The interval of ICC(2,1), with Satterthwaite's degrees of freedom (McGraw and Wong 1996, table 7)."""
    icc = (rows - error) / (rows + (k - 1) * error + k * (columns - error) / n)
    a, b = k * icc / (n * (1 - icc)), 1 + k * icc * (n - 1) / (n * (1 - icc))
    spread = (a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1))
    if not spread > 0:
        return None
    freedom = (a * columns + b * error) ** 2 / spread
    if not freedom > 0:
        return None
    below, above = fdtri(n - 1, freedom, p), fdtri(freedom, n - 1, p)
    if not (np.isfinite(below) and np.isfinite(above)):  # next to no degree of freedom is left
        return None
    rest = k * columns + (k * n - k - n) * error
    low = n * (rows - below * error) / (below * rest + n * rows)
    high = n * (above * rows - error) / (rest + n * above * rows)
    return float(low), float(high)


def why_no_icc(squares: MeanSquares) -> Reason:
    """Why a coefficient of this table came out undefined."""
    if squares.n[0] < 2:
        return Reason.ONE_UNIT
    if squares.spare[0] <= 0:
        return Reason.NO_PAIRS
    return Reason.ALL_EQUAL if np.isnan(squares.rows[0]) else Reason.UNITS_ALIKE


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b, NaN where b is not above 0."""
    a, b = np.broadcast_arrays(a, b)
    return np.divide(a, b, out=np.full(a.shape, np.nan), where=b > 0)


def _ratio(above: np.ndarray, below: np.ndarray, size: np.ndarray) -> np.ndarray:
    """above / below, NaN where below is not above 0, or a rest of rounding beside `size`."""
    return _over(above, np.where(below > ROUNDING * size, below, 0.0))


def _clean(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """A sum of squares that is a rest of rounding is 0."""
    return np.where(part > ROUNDING * whole, part, 0.0)
