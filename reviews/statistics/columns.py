"""Tags of ratings and of units: by what a table is cut into slices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .faults import Faults
from .scales import label_of
from .tidy import Ratings
from .values import number_of, small

NO_KEY = ""


@dataclass(frozen=True)
class Tag:
    """One tag of many things. code: (N,) index into `keys` of each; keys: in the order they are shown in."""

    code: np.ndarray
    keys: list[str]


def tag(values: Sequence[Any] | pd.Series | pd.Categorical) -> Tag:
    """The tag of each of some values: their texts, stripped; what is empty or missing has the key "".

    Numbers stand in their order, then texts in theirs, then "". Categories that no value has are left out.
    """
    codes, uniques = pd.factorize(pd.Series(values, dtype=None if len(values) else object))
    names = [label_of(name) if isinstance(name, float) else str(name).strip() for name in uniques]
    names.append(NO_KEY)  # what a code of -1 points to
    seen = {names[at] for at in np.unique(codes)}
    keys = sorted(seen, key=_place)
    index = {key: at for at, key in enumerate(keys)}
    return Tag(np.asarray([index.get(name, -1) for name in names], dtype=small(len(keys)))[codes], keys)


def rating_tag(ratings: Ratings, column: pd.Series) -> Tag:
    """The tag of each rating, (N,). column: of the frame that the ratings were coded from, row by row."""
    return tag(column.iloc[ratings.kept])


def unit_tag(ratings: Ratings, column: pd.Series, lines: np.ndarray | None = None) -> Tag:
    """The tag of each item by its code, (I,). column: of the frame that the ratings were coded from, row by row.

    Raises RatingsRefused where one item has two tags, naming the line. lines: of the rows, else counted from 1.
    """
    by_rating = rating_tag(ratings, column)
    items = int(ratings.item.max()) + 1 if len(ratings.item) else 0
    code = np.zeros(items, dtype=by_rating.code.dtype)
    code[ratings.item[::-1]] = by_rating.code[::-1]
    faults = Faults(np.arange(1, len(column) + 1) if lines is None else lines)
    wrong = np.flatnonzero(code[ratings.item] != by_rating.code)

    def reason(row: int) -> str:
        at = int(np.flatnonzero(ratings.kept == row)[0])
        now, before = by_rating.keys[by_rating.code[at]], by_rating.keys[code[ratings.item[at]]]
        return f"an item has {column.name} {now!r}, before {before!r}"

    faults.add(ratings.kept[wrong], reason)
    faults.raise_if_any()
    return Tag(code, by_rating.keys)


def _place(key: str) -> tuple[bool, bool, float, str]:
    number = number_of(key)
    return key == NO_KEY, number is None, number or 0.0, key
