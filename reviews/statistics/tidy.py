"""The door: a tidy frame of ratings is checked and coded here, whether it came from a file or a campaign."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .faults import Fault, Faults, RatingsRefused
from .scales import MOST_LEVELS, Scale, ScaleRefused, check_level, label_of, parse_scale

__all__ = ["DEFAULT_DIMENSION", "MISSING_WORDS", "Fault", "Ratings", "RatingsRefused", "code_ratings", "number_of"]

MISSING_WORDS = frozenset({"", "na", "n/a", "nan", "null", "none"})
DEFAULT_DIMENSION = "value"
FINE_LEVELS = 256  # beyond so many levels an undeclared interval scale is open

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"([+-]?(?:0|[1-9]\d*))\.0+", re.ASCII)


@dataclass(frozen=True)
class Ratings:
    """Checked ratings as codes, in the order they were given (or of the `order` column).

    item, dimension: (N,) codes; rater: (N,) codes, or None where ratings are anonymous.
    code: (N,) index on the scale of the row's dimension, -1 where the value is missing.
    cluster: (N,) codes, or None where each unit is its own cluster.
    scales: a Scale for each dimension. kept: (N,) position of each rating in the frame it came from.
    """

    item: np.ndarray
    rater: np.ndarray | None
    dimension: np.ndarray
    code: np.ndarray
    cluster: np.ndarray | None
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

    values, texts = _parse(frame["value"], level, faults)
    if level == "ratio":
        below = np.flatnonzero(values < 0)
        faults.add(below, lambda row: f"value {_short(texts(row))} is negative: a ratio scale starts at 0")
    scales = _scales(values, dimension, dimension_names, level, scale, said)
    code = _codes(values, texts, dimension, [scales[name] for name in dimension_names], faults)
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
        rater_names=rater_names,
        dimension_names=dimension_names,
        scales=scales,
        cluster_column=column,
        kept=kept,
        said=said,
    )


def _codes(
    values: np.ndarray, texts: Callable[[int], str], dimension: np.ndarray, scales: list[Scale], faults: Faults
) -> np.ndarray:
    """(N,) index of each value on the scale of its dimension; -1 where it is missing, or not on it (a fault)."""
    code = np.full(len(values), -1, dtype=np.int64)
    given = ~pd.isna(values)
    for at, scale in enumerate(scales):
        here = np.flatnonzero((dimension == at) & given)
        code[here] = scale.codes(values[here])
        wrong = here[code[here] < 0]
        faults.add(wrong, partial(_off_scale, texts, scale))
    return code


def number_of(text: str) -> float | None:
    """The number a text is, or None. Only plain ASCII numbers: no "1_000", no "inf"."""
    return float(text) if _NUMBER.fullmatch(text) else None


def _names(column: pd.Series, faults: Faults, *, ascending: bool = True) -> tuple[np.ndarray, list[str]]:
    """Codes and names of a column; rows without a name are faults."""
    codes, uniques = pd.factorize(column)
    names = [label_of(name) if isinstance(name, float) else str(name).strip() for name in uniques]
    order, by_name = pd.factorize(np.asarray(names, dtype=object), sort=ascending)
    lookup = np.append(order, -1)
    codes = lookup[codes].astype(np.int64)
    empty = np.flatnonzero((codes < 0) | np.isin(codes, [at for at, name in enumerate(by_name) if not name]))
    faults.add(empty, lambda row: f"{column.name} is empty")
    return codes, [str(name) for name in by_name]


def _parse(column: pd.Series, level: str, faults: Faults) -> tuple[np.ndarray, Callable[[int], str]]:
    """Values as floats (NaN missing), or at nominal level as texts (None missing); and the text of a row."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        faults.add(np.flatnonzero(np.isinf(numbers)), lambda row: "value is infinite")
        if level != "nominal":
            return numbers, lambda row: label_of(numbers[row])
    codes, uniques = pd.factorize(column)
    words = [label_of(word) if isinstance(word, int | float) else str(word).strip() for word in uniques]
    parsed: list[Any] = []
    for word in words:
        if word.lower() in MISSING_WORDS:
            parsed.append(None if level == "nominal" else math.nan)
        elif level == "nominal":
            whole = _WHOLE.fullmatch(word)
            parsed.append(whole[1] if whole else word)
        else:
            number = number_of(word)
            parsed.append(math.inf if number is None else number)
    parsed.append(None if level == "nominal" else math.nan)  # what a code of -1 points to
    table = np.asarray(parsed, dtype=object if level == "nominal" else float)
    values = table[codes]
    if level != "nominal":
        bad = np.flatnonzero(np.isinf(values))
        faults.add(bad, lambda row: f"value {_short(words[codes[row]])} is no number")
        values[bad] = math.nan
    return values, lambda row: words[codes[row]]


def _scales(
    values: np.ndarray, dimension: np.ndarray, names: list[str], level: str, scale: Any, said: list[str]
) -> dict[str, Scale]:
    """The scale of each dimension, declared or seen."""
    if isinstance(scale, Mapping):
        absent = [name for name in names if name not in scale]
        if absent:
            raise ScaleRefused(f"no scale is declared for dimension {absent[0]!r}")
        return {name: _texts(parse_scale(scale[name], level=level), level) for name in names}
    if scale is not None:
        return dict.fromkeys(names, _texts(parse_scale(scale, level=level), level))
    if level == "nominal":
        said.append("categories taken from the values seen")
        return {name: _seen_texts(values[dimension == at]) for at, name in enumerate(names)}
    seen = np.unique(values[~np.isnan(values)])
    if not len(seen):
        return dict.fromkeys(names, Scale(levels=(), declared=False))
    low, high = math.floor(seen[0]), math.ceil(seen[-1])
    whole = bool(np.all(seen == np.round(seen)))
    if level != "ordinal" and (not whole or high - low >= FINE_LEVELS):
        said.append(f"no scale declared: any number from {label_of(seen[0])} to {label_of(seen[-1])} is taken")
        return dict.fromkeys(names, Scale(levels=tuple(seen.tolist()), declared=False, open=True))
    if high - low >= MOST_LEVELS:
        raise ScaleRefused(f"values from {low} to {high} are seen: declare the scale, or use level interval")
    found = Scale(levels=tuple(range(low, high + 1)), declared=False)
    said.append(f"scale {found.text()} taken from the lowest and the highest value seen")
    return dict.fromkeys(names, found)


def _texts(scale: Scale, level: str) -> Scale:
    """At nominal level categories are texts, also where they look like numbers."""
    return replace(scale, levels=tuple(scale.labels)) if level == "nominal" else scale


def _seen_texts(values: np.ndarray) -> Scale:
    """The categories that occur, numbers first in their order."""
    seen = {value for value in values if value is not None}
    order = sorted(seen, key=lambda word: (number_of(word) is None, number_of(word) or 0.0, word))
    return Scale(levels=tuple(order), declared=False)


def _off_scale(texts: Callable[[int], str], scale: Scale, row: int) -> str:
    text = texts(row)
    if scale.declared:
        return f"value {_short(text)} is not on the scale {scale.text()}"
    return f"value {_short(text)} is no whole number: declare a scale that holds it, or use level interval"


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _once(
    item: np.ndarray, rater: np.ndarray, dimension: np.ndarray, code: np.ndarray, faults: Faults, tell: Callable
) -> np.ndarray:
    """Which rows to keep: each (item, rater, dimension) once. Another value for it is a fault."""
    keep = np.ones(len(item), dtype=bool)
    rated = np.flatnonzero((code >= 0) & (item >= 0) & (rater >= 0) & (dimension >= 0))
    if not len(rated):
        return keep
    key = (item[rated] * (rater.max() + 1) + rater[rated]) * (dimension.max() + 1) + dimension[rated]
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
        return f"a second rating of {_short(name)} by {_short(who)}: {value}, but {already}"

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
        now, before = _short(clusters[cluster[row]]), _short(clusters[first[item[row]]])
        return f"item {_short(items[item[row]])} is in cluster {now}, before in {before}"

    faults.add(wrong, reason)


def _sequence(order: pd.Series) -> np.ndarray:
    """Positions in ascending order: of numbers where all are numbers, else of texts. Rows without one come last."""
    numbers = pd.to_numeric(order, errors="coerce")
    blank = order.isna() | order.astype(str).str.strip().str.lower().isin(MISSING_WORDS)
    if numbers[~blank].notna().all():
        return np.argsort(numbers.to_numpy(dtype=float, na_value=np.inf), kind="stable")
    return np.argsort(np.where(blank, "\U0010ffff", order.astype(str)), kind="stable")
