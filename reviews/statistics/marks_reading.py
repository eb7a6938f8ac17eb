"""The door for marks: a tidy frame of marks is checked and coded as nominal ratings, one dimension a type."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from .faults import Faults, RatingsRefused
from .patterns import DimensionRatings, dimension_of
from .scales import parse_scale
from .tidy import Fault, Ratings, code_ratings

LEVEL = "nominal"
SCALE = "0,1"
COLUMNS = {"item_id": "item_id", "type": "dimension", "marked": "value"}
MAY_BE = ("rater_id", "cluster_id", "line")


def read_marks(frame: pd.DataFrame, types: Sequence[str]) -> tuple[Ratings, np.ndarray]:
    """The marks as ratings, code 1 for a mark, and the item id of each rating.

    frame, types: as `mark_agreement` takes them. Raises RatingsRefused.
    """
    absent = [name for name in COLUMNS if name not in frame.columns]
    if absent:
        raise RatingsRefused([Fault(1, f"no column {absent[0]!r} (there are: {', '.join(map(str, frame.columns))})")])
    lines = frame["line"].to_numpy() if "line" in frame.columns else np.arange(1, len(frame) + 1)
    faults = Faults(lines)
    codes, names = pd.factorize(frame["type"])
    declared = np.asarray([str(name).strip() in types for name in names] + [False])
    faults.add(
        np.flatnonzero(~declared[codes]), lambda row: f"type {str(frame['type'].iloc[row])[:40]!r} is not declared"
    )
    faults.raise_if_any()
    marks = frame[[*COLUMNS, *(name for name in MAY_BE if name in frame.columns)]].rename(columns=COLUMNS)
    if pd.api.types.is_bool_dtype(marks["value"].dtype):
        marks["value"] = marks["value"].astype("Int8")  # a missing answer stays missing
    ratings = code_ratings(marks, level=LEVEL, scale=SCALE)
    items = frame["item_id"].to_numpy()[ratings.kept]
    _complete(ratings, items, Faults(lines[ratings.kept]))
    return ratings, items


def _complete(ratings: Ratings, items: np.ndarray, faults: Faults) -> None:
    """Each rating has a row of each type that occurs: with only the rows that are marks, every share would be 1."""
    raters, types = len(ratings.rater_names) or 1, len(ratings.dimension_names)
    whose = ratings.item.astype(np.int64) * raters + (0 if ratings.rater is None else ratings.rater)
    _, first, rating = np.unique(whose, return_index=True, return_inverse=True)
    rows = np.bincount(rating * types + ratings.dimension, minlength=len(first) * types).reshape(len(first), types)
    if ratings.rater is not None:
        rows = np.minimum(rows, 1)
    short = rows < rows.max(axis=1, keepdims=True) if types else np.zeros((0, 0), dtype=bool)
    lacking = np.flatnonzero(short.any(axis=1))
    what = {int(first[at]): ratings.dimension_names[int(short[at].argmax())] for at in lacking}
    faults.add(
        first[lacking],
        lambda row: (
            f"a rating of {str(items[row])[:40]!r} has no row of type {what[row]!r}: "
            "where it is not marked a row with 0 must say so"
        ),
    )
    faults.raise_if_any()


def cut(ratings: Ratings, items: np.ndarray, name: str) -> tuple[DimensionRatings, np.ndarray]:
    """The marks of one type, and the item id of each of its units, (U,)."""
    if name not in ratings.dimension_names:
        return _nothing(ratings, name), items[:0]
    at = ratings.dimension_names.index(name)
    given = np.flatnonzero((ratings.dimension == at) & (ratings.code >= 0))
    _, first = np.unique(ratings.item[given], return_index=True)
    return dimension_of(ratings, at, LEVEL), items[given[first]]


def _nothing(ratings: Ratings, name: str) -> DimensionRatings:
    """No rating at all of a type."""
    none = np.zeros(0, dtype=np.int64)
    return DimensionRatings(
        name=name,
        level=LEVEL,
        scale=parse_scale(SCALE, level=LEVEL),
        unit=none,
        code=none,
        rater=None if ratings.rater is None else none,
        rater_names=[],
        cluster=none,
        own_clusters=ratings.cluster is None,
        units=0,
        missing=0,
    )
