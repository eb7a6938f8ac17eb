"""The door: a tidy frame of ratings is checked and coded here, whether it came from a file or a campaign."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .faults import Fault, Faults, RatingsRefused
from .scales import Scale, check_level, label_of
from .values import MISSING_WORDS, code_values, short, small

__all__ = ["DEFAULT_DIMENSION", "Fault", "Ratings", "RatingsRefused", "code_ratings"]

DEFAULT_DIMENSION = "value"


@dataclass(frozen=True)
class Ratings:
    """Checked ratings as codes, in the order they were given (or of the `order` column).

    item, dimension: (N,) codes; rater: (N,) codes, or None where ratings are anonymous. All codes are of the smallest
    integer type that holds them: a whole benchmark has two million ratings.
    code: (N,) index on the scale of the row's dimension, -1 where the value is missing.
    cluster: (N,) codes, or None where each unit is its own cluster.
    item_names, rater_names, dimension_names: by code. scales: a Scale for each dimension.
    kept: (N,) position of each rating in the frame it came from.
    """

    item: np.ndarray
    rater: np.ndarray | None
    dimension: np.ndarray
    code: np.ndarray
    cluster: np.ndarray | None
    item_names: list[str]
    rater_names: list[str]
    dimension_names: list[str]
    scales: dict[str, Scale]
    cluster_column: str | None
    kept: np.ndarray
    said: list[str]


def code_ratings(
    frame: pd.DataFrame,
    *,
    level: str = "ordinal",
    scale: Any = None,
    cluster: str | None = None,
) -> Ratings:
    """Check a tidy frame `item_id, value[, rater_id][, dimension][, cluster_id][, order][, line]` and code it.

    scale: what `parse_scale` reads, a mapping of dimension to that, or None for the levels seen.
    cluster: name of the cluster column; `cluster_id` where it exists.
    A row that repeats a rating with the same value is left out.
    Raises RatingsRefused, naming lines (the `line` column, else the row counted from 1), and ScaleRefused.
    """
    check_level(level)
    absent = [name for name in ("item_id", "value", cluster) if name and name not in frame.columns]
    if absent:
        raise RatingsRefused([Fault(1, f"no column {absent[0]!r} (there are: {', '.join(map(str, frame.columns))})")])
    rows = len(frame)
    lines = frame["line"].to_numpy() if "line" in frame.columns else np.arange(1, rows + 1)
    faults = Faults(lines)
    said: list[str] = []

    item, item_names = _names(frame["item_id"], faults)
    rater: np.ndarray | None = None
    rater_names: list[str] = []
    if "rater_id" in frame.columns:
        rater, rater_names = _names(frame["rater_id"], faults)
    else:
        said.append("no rater ids: what needs raters is not computed")
    if "dimension" in frame.columns:
        dimension, dimension_names = _names(frame["dimension"], faults, ascending=False)
    else:
        dimension, dimension_names = np.zeros(rows, dtype=np.int64), [DEFAULT_DIMENSION]
        said.append(f"no dimension column: all ratings are of one dimension, {DEFAULT_DIMENSION!r}")
    column = cluster or ("cluster_id" if "cluster_id" in frame.columns else None)
    clusters: np.ndarray | None = None
    if column:
        clusters, cluster_names = _names(frame[column], faults)
        _one_cluster_an_item(item, clusters, item_names, cluster_names, faults)
        said.append(f"clusters taken from column {column!r}")
    else:
        said.append("no cluster column: each unit is its own cluster")

    code, scales, texts = code_values(
        frame["value"], dimension, dimension_names, level=level, scale=scale, faults=faults, said=said
    )
    keep = np.ones(rows, dtype=bool)
    if rater is not None:
        who = rater

        def tell(row: int) -> tuple[str, str, str]:
            return item_names[item[row]], rater_names[who[row]], texts(row)

        keep = _once(item, who, dimension, code, faults, tell)
    faults.raise_if_any()
    if not keep.all():
        said.append(f"{rows - int(keep.sum())} rows repeat a rating already given and are left out")

    kept = np.flatnonzero(keep)
    if "order" in frame.columns:
        kept = kept[_sequence(frame["order"].iloc[kept])]
        said.append("sequence taken from column 'order'")
    return Ratings(
        item=item[kept],
        rater=None if rater is None else rater[kept],
        dimension=dimension[kept],
        code=code[kept],
        cluster=None if clusters is None else clusters[kept],
        item_names=item_names,
        rater_names=rater_names,
        dimension_names=dimension_names,
        scales=scales,
        cluster_column=column,
        kept=kept,
        said=said,
    )


def _names(column: pd.Series, faults: Faults, *, ascending: bool = True) -> tuple[np.ndarray, list[str]]:
    """Codes and names of a column; rows without a name are faults."""
    codes, uniques = pd.factorize(column)
    names = [label_of(name) if isinstance(name, float) else str(name).strip() for name in uniques]
    order, by_name = pd.factorize(np.asarray(names, dtype=object), sort=ascending)
    lookup = np.append(order, -1).astype(small(len(by_name)))
    codes = lookup[codes]
    empty = np.flatnonzero((codes < 0) | np.isin(codes, [at for at, name in enumerate(by_name) if not name]))
    faults.add(empty, lambda row: f"{column.name} is empty")
    return codes, [str(name) for name in by_name]


def _once(
    item: np.ndarray, rater: np.ndarray, dimension: np.ndarray, code: np.ndarray, faults: Faults, tell: Callable
) -> np.ndarray:
    """Which rows to keep: each (item, rater, dimension) once. Another value for it is a fault."""
    keep = np.ones(len(item), dtype=bool)
    rated = np.flatnonzero((code >= 0) & (item >= 0) & (rater >= 0) & (dimension >= 0))
    if not len(rated):
        return keep
    raters, dimensions = int(rater.max()) + 1, int(dimension.max()) + 1
    key = (item[rated].astype(np.int64) * raters + rater[rated]) * dimensions + dimension[rated]
    again = pd.Index(key).duplicated()
    if not again.any():
        return keep
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    first_row = np.full(len(item), -1)
    first_row[rated] = rated[first[which]]
    rows = rated[again]
    other = rows[code[rows] != code[first_row[rows]]]

    def reason(row: int) -> str:
        (name, who, value), before = tell(row), int(first_row[row])
        already = f"line {faults.lines[before]} says {tell(before)[2]}"
        return f"a second rating of {short(name)} by {short(who)}: {value}, but {already}"

    faults.add(other, reason)
    keep[rows] = False
    return keep


def _one_cluster_an_item(
    item: np.ndarray, cluster: np.ndarray, items: list[str], clusters: list[str], faults: Faults
) -> None:
    """Units lie within clusters: an item named in two of them is a fault."""
    named = np.flatnonzero((item >= 0) & (cluster >= 0))
    first = np.full(len(items), -1)
    first[item[named][::-1]] = cluster[named][::-1]
    wrong = named[cluster[named] != first[item[named]]]

    def reason(row: int) -> str:
        now, before = short(clusters[cluster[row]]), short(clusters[first[item[row]]])
        return f"item {short(items[item[row]])} is in cluster {now}, before in {before}"

    faults.add(wrong, reason)


def _sequence(order: pd.Series) -> np.ndarray:
    """Positions in ascending order: of numbers where all are numbers, else of texts. Rows without one come last."""
    numbers = pd.to_numeric(order, errors="coerce")
    blank = order.isna() | order.astype(str).str.strip().str.lower().isin(MISSING_WORDS)
    if numbers[~blank].notna().all():
        return np.argsort(numbers.to_numpy(dtype=float, na_value=np.inf), kind="stable")
    return np.argsort(np.where(blank, "\U0010ffff", order.astype(str)), kind="stable")
