"""The agreement of a file with its slices by any of its columns."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from .columns import Tag, rating_tag, unit_tag
from .faults import Fault, RatingsRefused
from .reading import tag_column
from .report import agreement_of
from .slices import slice_table
from .tidy import Ratings, code_ratings

MOST_SLICES = 500  # of one column: more would be its items, or notes


def agreement_by(
    frame: pd.DataFrame,
    by: Sequence[str],
    *,
    level: str,
    scale: Any,
    cluster: str | None,
    bootstrap: int,
    seed: int | None,
) -> dict[str, Any]:
    """What `agreement` gives of a frame, as JSON, with the slices of each dimension where there are columns for them.

    frame: from `read_ratings`, which was told of the columns. by: their names; a column with one value an item slices
    the items, another one the ratings. The rest as `agreement` takes it.
    Raises RatingsRefused, also of a column with very many values, and ScaleRefused.
    """
    ratings = code_ratings(frame, level=level, scale=scale, cluster=cluster)
    units: dict[str, Tag] = {}
    others: dict[str, Tag] = {}
    for name in by:
        _add(units, others, name, ratings, frame[tag_column(name)])
    about = {str(name): value for name, value in frame.attrs.items()}
    result = agreement_of(ratings, about, level=level, bootstrap=bootstrap, seed=seed).to_json()
    if not by:
        return result
    result["parameters"]["by"] = list(by)
    seed = result["parameters"]["seed"]
    for at, name in enumerate(ratings.dimension_names):
        found = slice_table(
            ratings, at, level=level, unit_tags=units, rating_tags=others, bootstrap=bootstrap, seed=seed
        )
        result["dimensions"][name]["slices"] = [one.to_json() for one in found]
    return result


def _add(units: dict[str, Tag], others: dict[str, Tag], name: str, ratings: Ratings, column: pd.Series) -> None:
    """The tag of the column, among those of units where each has one value."""
    tag = rating_tag(ratings, column)
    if len(tag.keys) > MOST_SLICES:
        values = f"column {name!r} has {len(tag.keys):,} different values"
        raise RatingsRefused([Fault(1, f"{values}: slices are made of at most {MOST_SLICES}")])
    try:
        units[name] = unit_tag(ratings, column)
    except RatingsRefused:
        others[name] = tag
