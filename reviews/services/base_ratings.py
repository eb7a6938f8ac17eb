"""The ratings that agreement reads, as one tidy frame: made for two million scores, so nothing is kept a row in Python.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import Max, Q

from annotation.models import Campaign, Rating, Rubric, WorkItem
from reviews.rater_codes import rater_codes
from scenarios.item_ids import make_item_id

CHUNK = 20_000
# What slices are made by: of an item, and of a rating.
ITEM_TAGS = ("component", "task", "companion", "condition", "language")
RATING_TAGS = ("rubric", "week")


def frame_of(
    campaign: Campaign, *, names: Mapping[int, str] | None = None, pulse: Callable[[], None] = lambda: None
) -> pd.DataFrame:
    """The counted ratings up to the base overlap in order of rank, tidy: a row a rating and dimension.

    Columns item_id, rater_id, dimension, value, cluster_id, order, then ITEM_TAGS and RATING_TAGS. Raters asked for
    because of disagreement are beyond the overlap and would bend the agreement; decisions are never in it. A score that
    an imported rating lacks is a missing value. Clusters are the scenarios; weeks are ISO weeks of submission, in UTC.
    names: what raters are called; without it their codes. pulse: called now and then, to show life.
    `attrs["sha256"]` is the data version, the same whatever raters are called.
    """
    names = rater_codes(campaign) if names is None else names
    dimensions = [dimension.key for dimension in campaign.rubric.dimensions]
    items = _items(campaign, pulse)
    base = _base(campaign, dimensions, items, pulse)
    rows, width = len(base.item), len(dimensions)
    place = np.empty(rows, dtype=np.int64)
    place[np.lexsort((base.pk, base.moment))] = np.arange(rows)

    def by_rating(codes: np.ndarray, names: list[str]) -> pd.Categorical:
        return _category(np.repeat(codes, width), names)

    people, called = np.unique(base.annotator, return_inverse=True)
    columns: dict[str, Any] = {
        "item_id": by_rating(base.item, items.names),
        "rater_id": by_rating(called, [names[pk] for pk in people.tolist()]),
        "dimension": _category(np.tile(np.arange(width), rows), dimensions),
        "value": base.scores.reshape(-1),
        "cluster_id": by_rating(items.tags["key"].codes[base.item], items.tags["key"].names),
        "order": np.repeat(place, width),
    }
    columns |= {tag: by_rating(items.tags[tag].codes[base.item], items.tags[tag].names) for tag in ITEM_TAGS}
    columns["rubric"] = by_rating(*_rubrics(base.rubric))
    columns["week"] = by_rating(*_weeks(base.moment))
    frame = pd.DataFrame(columns)
    pulse()
    frame.attrs = {
        "source": f"campaign:{campaign.slug}",
        "sha256": _digest(base, items.names, pulse),
        "rows": len(frame),
        "said": [f"counted ratings up to the overlap of {campaign.overlap}, in order of rank"],
    }
    return frame


def _category(codes: np.ndarray, names: list[str]) -> pd.Categorical:
    found: pd.Categorical = pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype="str"))
    return found


@dataclass(frozen=True)
class _Tag:
    """codes: (I,) of each item, into names."""

    codes: np.ndarray
    names: list[str]


@dataclass(frozen=True)
class _Items:
    """The campaign's items in order of their ids. pk, names: (I,). tags: of each, with the scenario's key as "key"."""

    pk: np.ndarray
    names: list[str]
    tags: dict[str, _Tag]


def _items(campaign: Campaign, pulse: Callable[[], None]) -> _Items:
    """Withdrawn items are out of the campaign."""
    scenario, response = ("scenario__key", "scenario__component"), ("response__companion__name", "response__condition")
    fields = ("pk", scenario[0], *response, scenario[1], "task", "language")
    rows = WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN).order_by()
    found: list[tuple[Any, ...]] = []
    for part in _chunks(rows.values_list(*fields).iterator(chunk_size=CHUNK)):
        found += [
            (make_item_id(key, companion, condition), pk, key, companion, condition, *rest)
            for pk, key, companion, condition, *rest in part
        ]
        pulse()
    found.sort()
    columns = list(zip(*found, strict=True)) or [()] * 8
    tags = dict(zip(("key", "companion", "condition", "component", "task", "language"), columns[2:], strict=True))
    return _Items(
        pk=np.asarray(columns[1], dtype=np.int64),
        names=list(columns[0]),
        tags={name: _Tag(*_coded(values)) for name, values in tags.items()},
    )


def _coded(values: Sequence[str]) -> tuple[np.ndarray, list[str]]:
    names = sorted(set(values))
    at = {name: place for place, name in enumerate(names)}
    return np.fromiter((at[value] for value in values), dtype=np.int32, count=len(values)), names


@dataclass(frozen=True)
class _Base:
    """A row a rating, in order of item, rank and pk. item: index into _Items. scores: (N, D), NaN where missing.

    moment: microseconds since 1970.
    """

    pk: np.ndarray
    item: np.ndarray
    annotator: np.ndarray
    rank: np.ndarray
    moment: np.ndarray
    rubric: np.ndarray
    scores: np.ndarray


def _base(campaign: Campaign, dimensions: list[str], items: _Items, pulse: Callable[[], None]) -> _Base:
    counted = Rating.objects.counted().in_campaign(campaign).filter(is_extra=False)
    # One row a rating, its scores beside each other: a third of what would be read score by score.
    scores = {f"score_{at}": Max("scores__value", filter=Q(scores__dimension=key)) for at, key in enumerate(dimensions)}
    fields = ("pk", "work_item", "annotator", "rank", "submitted_at", "rubric")
    rows = counted.order_by().values_list(*fields).annotate(**scores)
    known, given = [], []
    for part in _chunks(rows.iterator(chunk_size=CHUNK)):
        known.append(np.array([(*row[:4], _microseconds(row[4]), row[5]) for row in part], dtype=np.int64))
        given.append(np.array([row[6:] for row in part], dtype=np.float64))
        pulse()
    whole = np.concatenate(known) if known else np.zeros((0, 6), dtype=np.int64)
    values = np.concatenate(given) if given else np.zeros((0, len(dimensions)))
    at = pd.Index(items.pk).get_indexer(whole[:, 1])  # -1: withdrawn
    order = np.lexsort((whole[:, 0], whole[:, 3], at))
    order = order[at[order] >= 0]
    base = order[pd.Series(at[order]).groupby(at[order]).cumcount().to_numpy() < campaign.overlap]
    pk, _item, annotator, rank, moment, rubric = whole[base].T
    return _Base(pk, at[base], annotator, rank, moment, rubric, values[base])


def _microseconds(moment: Any) -> int:
    return round(moment.timestamp() * 1_000_000)


def _chunks(rows: Iterable[tuple[Any, ...]]) -> Iterable[list[tuple[Any, ...]]]:
    one = iter(rows)
    while part := list(islice(one, CHUNK)):
        yield part


def _rubrics(rubric: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """By its name and version, "default 1"."""
    pks, codes = np.unique(rubric, return_inverse=True)
    known = {one.pk: f"{one.key} {one.version}" for one in Rubric.objects.filter(pk__in=pks.tolist())}
    return codes, [known[pk] for pk in pks.tolist()]


def _weeks(moment: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """ISO weeks, "2026-W48"."""
    days, codes = np.unique(moment.astype("datetime64[us]").astype("datetime64[D]"), return_inverse=True)
    weeks = ["{}-W{:02d}".format(*day.isocalendar()[:2]) for day in days.tolist()]
    names = sorted(set(weeks))
    return np.asarray([names.index(week) for week in weeks], dtype=np.int64)[codes], names


def _digest(base: _Base, names: list[str], pulse: Callable[[], None]) -> str:
    """SHA-256 over a line a rating: item, annotator, rank and scores, in order of the items' ids."""
    digest = hashlib.sha256()
    for start in range(0, len(base.item), CHUNK):
        part = slice(start, start + CHUNK)
        known = zip(base.item[part].tolist(), base.annotator[part].tolist(), base.rank[part].tolist(), strict=True)
        scores = [[None if score != score else int(score) for score in row] for row in base.scores[part].tolist()]
        lines = [json.dumps([names[item], *who, given]) for (item, *who), given in zip(known, scores, strict=True)]
        digest.update("".join(f"{line}\n" for line in lines).encode())
        pulse()
    return digest.hexdigest()
