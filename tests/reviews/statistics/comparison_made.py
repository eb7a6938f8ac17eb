"""Comparisons that the tests of two groups are made of."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reviews.statistics.comparison import compare_frames


def compared(a: pd.DataFrame, b: pd.DataFrame, **options: Any) -> Any:
    """The comparison of the one dimension of two frames."""
    found = compare_frames(a, b, **{"scale": "1-5", "bootstrap": 300, "seed": 4} | options)
    return next(iter(found.dimensions.values()))


def renamed(frame: pd.DataFrame, mark: str) -> pd.DataFrame:
    """The same ratings of other items in other scenarios."""
    return frame.assign(item_id=mark + frame["item_id"], cluster_id=mark + frame["cluster_id"])
