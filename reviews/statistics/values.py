"""Values on a scale: texts are read as numbers or categories, and each is found on the scale of its dimension."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from .faults import Faults
from .scales import LARGEST, MOST_LEVELS, SMALLEST, Scale, ScaleRefused, label_of, parse_scale

MISSING_WORDS = frozenset({"", "na", "n/a", "nan", "null", "none"})
FINE_LEVELS = 256  # beyond so many levels an undeclared interval scale is open

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"([+-]?(?:0|[1-9]\d*))\.0+", re.ASCII)


def code_values(
    column: pd.Series,
    dimension: np.ndarray,
    names: list[str],
    *,
    level: str,
    scale: Any,
    faults: Faults,
    said: list[str],
) -> tuple[np.ndarray, dict[str, Scale], Callable[[int], str]]:
    """The place of each value on its scale, (N,), -1 where it is missing; the scales by name; the text of a row.

    column: (N,) numbers or texts. dimension: (N,) codes into `names`. scale: as `code_ratings` takes it. A value that
    is not on its scale is a fault; what is assumed of a scale is said.
    """
    values, texts = _parse(column, level, faults)
    if level != "nominal":
        size = np.abs(values)
        far = (size > LARGEST) | ((size > 0) & (size < SMALLEST))
        why = f"is not from {SMALLEST:g} to {LARGEST:g} in size"
        faults.add(np.flatnonzero(far), lambda row: f"value {short(texts(row))} {why}")
        values = np.where(far, math.nan, values)
    if level == "ratio":
        below = np.flatnonzero(values < 0)
        faults.add(below, lambda row: f"value {short(texts(row))} is negative: a ratio scale starts at 0")
    scales = _scales(values, dimension, names, level, scale, said)
    return _codes(values, texts, dimension, [scales[name] for name in names], faults), scales, texts


def small(count: int) -> np.dtype[Any]:
    """The smallest signed type of codes below `count`, and of -1."""
    return np.min_scalar_type(-max(count, 1))


def number_of(text: str) -> float | None:
    """The number a text is, or None. Only plain ASCII numbers: no "1_000", no "inf"."""
    return float(text) if _NUMBER.fullmatch(text) else None


def _codes(
    values: np.ndarray, texts: Callable[[int], str], dimension: np.ndarray, scales: list[Scale], faults: Faults
) -> np.ndarray:
    """(N,) index of each value on the scale of its dimension; -1 where it is missing, or not on it (a fault)."""
    code = np.full(len(values), -1, dtype=small(max((len(scale.levels) for scale in scales), default=0)))
    given = ~pd.isna(values)
    for at, scale in enumerate(scales):
        here = np.flatnonzero((dimension == at) & given)
        code[here] = scale.codes(values[here])
        wrong = here[code[here] < 0]
        faults.add(wrong, partial(_off_scale, texts, scale))
    return code


def _parse(column: pd.Series, level: str, faults: Faults) -> tuple[np.ndarray, Callable[[int], str]]:
    """Values as floats (NaN missing), or at nominal level as texts (None missing); and the text of a row."""
    if pd.api.types.is_numeric_dtype(column.dtype):
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
        infinite = np.isinf(numbers)
        faults.add(np.flatnonzero(infinite), lambda row: "value is infinite")
        numbers = np.where(infinite, math.nan, numbers)
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
        faults.add(bad, lambda row: f"value {short(words[codes[row]])} is no number")
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
        return f"value {short(text)} is not on the scale {scale.text()}"
    return f"value {short(text)} is no whole number: declare a scale that holds it, or use level interval"


def short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
