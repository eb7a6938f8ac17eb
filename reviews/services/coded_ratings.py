"""A campaign's base ratings as the statistics take them: what `code_ratings` makes of their frame, without the frame.

At two million scores the frame and its checks would be most of the memory of a report. That both agree is tested.
Imports pandas: for the worker and the commands, never for what serves pages.
"""

from typing import Any

import numpy as np
import pandas as pd

from reviews.services.base_ratings import ITEM_TAGS, BaseRatings, category, rubric_names, week_names
from reviews.statistics.columns import Tag, tag
from reviews.statistics.faults import Fault, Faults, RatingsRefused
from reviews.statistics.scales import check_level
from reviews.statistics.tidy import Ratings
from reviews.statistics.values import code_values, small

CLUSTER = "cluster_id"


def coded(base: BaseRatings, *, level: str = "ordinal", scale: Any = None, cluster: str | None = None) -> Ratings:
    """In the order of submission. level, scale: as `code_ratings` takes them.

    cluster: cluster_id (the scenario, also where None), item_id, or one of ITEM_TAGS.
    Raises RatingsRefused (with the place of a value that is off the scale in the frame's rows) and ScaleRefused.
    """
    check_level(level)
    rated, item = np.unique(base.item, return_inverse=True)
    clusters = _clusters(base, rated, cluster or CLUSTER)
    names = sorted(base.names)
    rater = np.asarray([names.index(name) for name in base.names], dtype=small(len(names)))[base.rater]
    order, width = np.lexsort((base.pk, base.moment)), len(base.dimensions)
    kept = (order[:, None] * width + np.arange(width)).reshape(-1).astype(small(len(base) * width))
    dimension = np.tile(np.arange(width, dtype=small(width)), len(base))
    faults, said = Faults(kept + 1), [f"clusters taken from column {cluster or CLUSTER!r}"]
    values = pd.Series(base.scores[order].reshape(-1))
    code, scales, _texts = code_values(
        values, dimension, base.dimensions, level=level, scale=scale, faults=faults, said=said
    )
    faults.raise_if_any()
    return Ratings(
        item=np.repeat(item[order].astype(small(len(rated))), width),
        rater=np.repeat(rater[order], width),
        dimension=dimension,
        code=code,
        cluster=np.repeat(clusters[item[order]], width),
        item_names=[base.items.names[at] for at in rated.tolist()],
        rater_names=names,
        dimension_names=base.dimensions,
        scales=scales,
        cluster_column=cluster or CLUSTER,
        kept=kept,
        said=[*said, "sequence taken from column 'order'"],
    )


def _clusters(base: BaseRatings, rated: np.ndarray, column: str) -> np.ndarray:
    """(I,) the cluster of each rated item."""
    if column == "item_id":
        return np.arange(len(rated), dtype=small(len(rated)))
    if column != CLUSTER and column not in ITEM_TAGS:
        there = ", ".join((CLUSTER, "item_id", *ITEM_TAGS))
        raise RatingsRefused([Fault(1, f"no column {column!r} that is of items (there are: {there})")])
    return base.items.tags["key" if column == CLUSTER else column].codes[rated]


def item_tags(base: BaseRatings, scenario_tags: dict[str, Any]) -> dict[str, Tag]:
    """Of ITEM_TAGS and of the scenarios' own tags, by the codes of items in `coded`.

    scenario_tags: {name: value of each scenario, in the order of their keys}.
    """
    rated = np.unique(base.item)
    scenario = base.items.tags["key"].codes[rated]
    found = {name: base.items.tags[name] for name in ITEM_TAGS}
    tags = {name: tag(category(one.codes[rated], one.names)) for name, one in found.items()}
    return tags | {name: tag(values[scenario]) for name, values in scenario_tags.items()}


def rating_tags(base: BaseRatings, ratings: Ratings) -> dict[str, Tag]:
    """Of each of `ratings`, which is `coded`: the rubric's version, and the week of submission."""
    found = {}
    for name, (codes, names) in {"rubric": rubric_names(base.rubric), "week": week_names(base.moment)}.items():
        one = tag(category(codes, names))
        found[name] = Tag(one.code[ratings.kept // len(base.dimensions)], one.keys)
    return found
