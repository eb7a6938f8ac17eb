"""The ratings that agreement reads, as one tidy frame: made for two million scores, so nothing is kept a row in Python.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

import hashlib
import json
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from django.db.models import ExpressionWrapper, F, IntegerField, Max, Q
from django.db.models.functions import Cast

from annotation.models import Campaign, Rating, Rubric, WorkItem
from reviews.rater_codes import rater_codes
from reviews.services.microseconds import AS_IT_IS, Microseconds
from scenarios.item_ids import make_item_id

CHUNK = 20_000
# What slices are made by: of an item, and of a rating.
ITEM_TAGS = ("component", "task", "companion", "condition", "language")
RATING_TAGS = ("rubric", "week")


def frame_of(
    campaign: Campaign, *, names: Mapping[int, str] | None = None, pulse: Callable[[], None] = lambda: None
) -> pd.DataFrame:
    """See `BaseRatings.frame`. names: {annotator pk: what they are called}; without it their codes."""
    return base_ratings(campaign, names=names, pulse=pulse).frame()


def base_ratings(
    campaign: Campaign, *, names: Mapping[int, str] | None = None, pulse: Callable[[], None] = lambda: None
) -> "BaseRatings":
    """The counted ratings up to the base overlap, in order of the items' ids, then of rank.

    Raters asked for because of disagreement are beyond the overlap and would bend the agreement; decisions are never
    in it. pulse: called now and then, to show life.
    """
    names = rater_codes(campaign) if names is None else names
    dimensions = [dimension.key for dimension in campaign.rubric.dimensions]
    items = _items(campaign, pulse)
    rows, scores = _rows(campaign, dimensions, pulse)
    at = pd.Index(items.pk).get_indexer(rows["item"]).astype(np.int32)  # -1: withdrawn
    order = np.lexsort((rows["pk"], rows["rank"], at))
    order = order[at[order] >= 0]
    order = order[pd.Series(at[order]).groupby(at[order]).cumcount().to_numpy() < campaign.overlap]
    people, rater = np.unique(rows["annotator"][order], return_inverse=True)
    found = BaseRatings(
        source=f"campaign:{campaign.slug}",
        overlap=campaign.overlap,
        dimensions=dimensions,
        items=items,
        people=people,
        names=[names[person] for person in people.tolist()],
        item=at[order],
        rater=rater.astype(np.int32),
        scores=scores[order],
        **{name: rows[name][order] for name in ("pk", "rank", "moment", "rubric", "imported", "seconds")},
    )
    pulse()
    return found


@dataclass(frozen=True)
class Items:
    """The campaign's items in order of their ids. pk, names: (I,). tags: of each, with the scenario's key as "key"."""

    pk: np.ndarray
    names: list[str]
    tags: dict[str, "ItemTag"]


@dataclass(frozen=True)
class ItemTag:
    """codes: (I,) of each item, into names."""

    codes: np.ndarray
    names: list[str]


@dataclass(frozen=True)
class BaseRatings:
    """A row a rating, (N,). item: index into `items`; rater: into `people` (their pks) and `names`.

    moment: of submission, in microseconds since 1970. rubric: its pk. imported: brought in from a file, without
    marks or time. seconds: of active work.
    scores: (N, D), NaN where an imported rating lacks one.
    """

    source: str
    overlap: int
    dimensions: list[str]
    items: Items
    people: np.ndarray
    names: list[str]
    pk: np.ndarray
    item: np.ndarray
    rater: np.ndarray
    rank: np.ndarray
    moment: np.ndarray
    rubric: np.ndarray
    imported: np.ndarray
    seconds: np.ndarray
    scores: np.ndarray

    def __len__(self) -> int:
        return len(self.pk)

    def of(self, raters: Collection[str]) -> "BaseRatings":
        """The same with the ratings of these alone, by the names they stand under; the items stay."""
        people = np.flatnonzero(np.isin(np.asarray(self.names, dtype=object), list(raters)))
        place = np.full(len(self.names), -1, dtype=np.int32)
        place[people] = np.arange(len(people))
        rows = np.flatnonzero(place[self.rater] >= 0)
        given = ("pk", "item", "rank", "moment", "rubric", "imported", "seconds", "scores")
        return replace(
            self,
            people=self.people[people],
            names=[self.names[at] for at in people.tolist()],
            rater=place[self.rater[rows]],
            **{name: getattr(self, name)[rows] for name in given},
        )

    @property
    def order(self) -> np.ndarray:
        """(N,) place of each rating in the order of submission."""
        place = np.empty(len(self), dtype=np.int64)
        place[np.lexsort((self.pk, self.moment))] = np.arange(len(self))
        return place

    def frame(self) -> pd.DataFrame:
        """Tidy: a row a rating and dimension, missing scores among them.

        Columns item_id, rater_id, dimension, value, cluster_id, order, then ITEM_TAGS and RATING_TAGS. Clusters are the
        scenarios; weeks are ISO weeks of submission, in UTC. `attrs["sha256"]` is the data version, the same whatever
        raters are called.
        """
        width = len(self.dimensions)

        def spread(codes: np.ndarray, names: list[str]) -> pd.Categorical:
            return category(np.repeat(codes, width), names)

        tags = self.items.tags
        columns: dict[str, Any] = {
            "item_id": spread(self.item, self.items.names),
            "rater_id": spread(self.rater, self.names),
            "dimension": category(np.tile(np.arange(width), len(self)), self.dimensions),
            "value": self.scores.reshape(-1),
            "cluster_id": spread(tags["key"].codes[self.item], tags["key"].names),
            "order": np.repeat(self.order, width),
            **{tag: spread(tags[tag].codes[self.item], tags[tag].names) for tag in ITEM_TAGS},
            "rubric": spread(*rubric_names(self.rubric)),
            "week": spread(*week_names(self.moment)),
        }
        frame = pd.DataFrame(columns)
        frame.attrs = {str(name): value for name, value in self.about.items()}
        return frame

    @property
    def about(self) -> dict[str, Any]:
        """What a report says of its data."""
        return {
            "source": self.source,
            "sha256": self.data_version,
            "rows": len(self) * len(self.dimensions),
            "said": [f"counted ratings up to the overlap of {self.overlap}, in order of rank"],
        }

    @cached_property
    def data_version(self) -> str:
        """SHA-256 over the ids of the rated items, then of each rating its item's place among them, its annotator's
        primary key, its rank and its scores, each as eight bytes, little-endian."""
        rated, item = np.unique(self.item, return_inverse=True)
        digest = hashlib.sha256(json.dumps([self.items.names[at] for at in rated.tolist()]).encode())
        for column in (item, self.people[self.rater], self.rank):
            digest.update(column.astype("<i8").tobytes())
        digest.update(self.scores.astype("<f8").tobytes())
        return digest.hexdigest()


def category(codes: np.ndarray, names: list[str]) -> pd.Categorical:
    found: pd.Categorical = pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype="str"))
    return found


def _items(campaign: Campaign, pulse: Callable[[], None]) -> Items:
    """Withdrawn items are out of the campaign."""
    fields = {
        "key": "scenario__key",
        "companion": "response__companion__name",
        "condition": "response__condition",
        "component": "scenario__component",
        "task": "task",
        "language": "language",
    }
    rows = WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN).order_by()
    names: list[str] = []
    pks: list[int] = []
    # Each value is kept once: as many texts as items would fill the memory.
    known: dict[str, dict[str, int]] = {name: {} for name in fields}
    codes: dict[str, array[int]] = {name: array("l") for name in fields}
    for part in _chunks(rows.values_list("pk", *fields.values()).iterator(chunk_size=CHUNK)):
        for pk, *values in part:
            pks.append(pk)
            names.append(make_item_id(*values[:3]))
            for name, value in zip(fields, values, strict=True):
                codes[name].append(known[name].setdefault(value, len(known[name])))
        pulse()
    order = sorted(range(len(names)), key=names.__getitem__)
    return Items(
        pk=np.asarray(pks, dtype=np.int64)[order],
        names=[names[at] for at in order],
        tags={name: _in_order(np.asarray(codes[name])[order], list(known[name])) for name in fields},
    )


def _in_order(codes: np.ndarray, names: list[str]) -> ItemTag:
    """The tag with its names in alphabetical order."""
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int32)
    place[order] = np.arange(len(names))
    return ItemTag(place[codes] if len(codes) else codes.astype(np.int32), [names[at] for at in order])


# Of a rating, and in how many bytes: as eight each they would be most of what a report of a whole benchmark keeps.
COLUMNS = {
    "pk": (F("pk"), np.int64),
    "item": (F("work_item"), np.int64),
    "annotator": (F("annotator"), np.int64),
    "rank": (F("rank"), np.int32),
    "moment": (Microseconds("submitted_at"), np.int64),
    "rubric": (F("rubric"), np.int64),
    "imported": (ExpressionWrapper(Cast("assignment__imported", IntegerField()), AS_IT_IS), np.bool_),
    "seconds": (F("seconds"), np.int32),
}


def _rows(
    campaign: Campaign, dimensions: list[str], pulse: Callable[[], None]
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """COLUMNS, (N,) each, and (N, D) scores; in no order."""
    base = Rating.objects.base().in_campaign(campaign)
    # One row a rating, its scores beside each other: a third of what would be read score by score.
    scores = {
        f"score_{at}": Max("scores__value", filter=Q(scores__dimension=key), output_field=AS_IT_IS)
        for at, key in enumerate(dimensions)
    }
    known = {f"known_{name}": expression for name, (expression, _kind) in COLUMNS.items()}
    rows = base.order_by().annotate(**known).values_list(*known).annotate(**scores)
    read: list[list[np.ndarray]] = [[] for _ in COLUMNS]
    given = [np.zeros((0, len(dimensions)), dtype=np.float32)]
    for part in _chunks(rows.iterator(chunk_size=CHUNK)):
        table = np.array(part, dtype=np.float64)  # which holds every whole number below 2^53
        for at, (_expression, kind) in enumerate(COLUMNS.values()):
            read[at].append(table[:, at].astype(kind))
        given.append(table[:, len(COLUMNS) :].astype(np.float32))
        pulse()
    columns = {
        name: np.concatenate([np.zeros(0, dtype=kind), *parts])
        for (name, (_expression, kind)), parts in zip(COLUMNS.items(), read, strict=True)
    }
    return columns, np.concatenate(given)


def _chunks(rows: Iterable[tuple[Any, ...]]) -> Iterable[list[tuple[Any, ...]]]:
    one = iter(rows)
    while part := list(islice(one, CHUNK)):
        yield part


def rubric_names(rubric: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Of pks: codes into names, by key and version, "default 1"."""
    pks, codes = np.unique(rubric, return_inverse=True)
    known = {one.pk: f"{one.key} {one.version}" for one in Rubric.objects.filter(pk__in=pks.tolist())}
    return codes, [known[pk] for pk in pks.tolist()]


def week_names(moment: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """ISO weeks, "2026-W48"."""
    days, codes = np.unique(moment.astype("datetime64[us]").astype("datetime64[D]"), return_inverse=True)
    weeks = ["{}-W{:02d}".format(*day.isocalendar()[:2]) for day in days.tolist()]
    names = sorted(set(weeks))
    return np.asarray([names.index(week) for week in weeks], dtype=np.int64)[codes], names
