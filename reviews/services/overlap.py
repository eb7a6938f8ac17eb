"""Ways of asking raters compared on a campaign's own ratings: read at one moment, resampled, with intervals.

Imports numpy: for the worker, never for what serves pages.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.models import Campaign
from reviews.adaptive import Compared, Design, RatedItem, compare_item, designs_for, is_exact
from reviews.code_version import code_version
from reviews.errors import NoRatings
from reviews.forecast import ItemSeen
from reviews.rules import RatingSeen, Rule
from reviews.services.seen import seen_in_batches
from reviews.services.snapshot import snapshot
from reviews.statistics.bootstrap import Statistic, TooFewClusters, bca_interval, replicate_sums

REPLICATES = 2_000
FEWEST = 3  # two first and one more
Progress = Callable[[int, int], None]
Figure = dict[str, Any]


def compare_overlaps(
    *, campaign: Campaign, seed: int | None = None, progress: Progress = lambda done, total: None
) -> dict[str, Any]:
    """What each design would have come to, as the job keeps it. seed: None takes it from the data's hash.

    Only ratings that were given before raters were asked for because of disagreement: the others would bend it.
    Raises NoRatings where no item has three of them.
    """
    rule = Rule.of(campaign.rule)
    with snapshot():
        items = [item for batch in seen_in_batches(campaign, hurried=rule.hurried) for item in batch]
    dimensions = [dimension.key for dimension in campaign.rubric.dimensions]
    rated = [RatedItem(item.item_id, item.cluster, item.base) for item in items if len(item.base) >= FEWEST]
    if not rated:
        raise NoRatings(_("No item has three independent ratings yet: two first and one more need three."))
    data_version = _hash(rated)
    seed = int(data_version[:8], 16) if seed is None else seed
    seconds = _median_seconds(items)
    designs = designs_for(max(len(item.ratings) for item in rated))
    compared: dict[Design, list[Compared]] = {design: [] for design in designs}
    for done, item in enumerate(rated, 1):
        for design in designs:
            if design.all <= len(item.ratings):
                compared[design].append(compare_item(item, rule, design, seed=seed))
        progress(done, len(rated))
    sizes = [len(item.ratings) for item in rated]
    return {
        "parameters": {
            "rule": rule.as_json(),
            "rule_version": campaign.rule_version,
            "overlap": campaign.overlap,
            "replicates": REPLICATES,
            "seed": seed,
        },
        "data_version": data_version,
        "code_version": code_version(),
        "items": len(rated),
        "scenarios": len({item.cluster for item in rated}),
        "ratings": sum(sizes),
        "median_seconds": seconds,
        "designs": [
            _result(
                design,
                found,
                dimensions,
                seed=seed,
                seconds=seconds,
                exact=all(is_exact(size, design) for size in sizes if size >= design.all),
            )
            for design, found in compared.items()
        ],
    }


def _result(
    design: Design,
    found: Sequence[Compared],
    dimensions: Sequence[str],
    *,
    seed: int,
    seconds: float | None,
    exact: bool,
) -> dict[str, Any]:
    """One design: means over its items, each {"value", "low", "high"}; hours saved on these items."""
    columns = {
        "items": [1.0] * len(found),
        "ratings": [one.adaptive.ratings for one in found],
        "sent": [one.adaptive.sent for one in found],
        "sent_fixed": [one.fixed.sent for one in found],
        "off": [one.adaptive.off_any for one in found],
        "off_fixed": [one.fixed.off_any for one in found],
        **{f"off.{key}": [one.adaptive.off.get(key, 0.0) for one in found] for key in dimensions},
    }
    figures = _figures(columns, [one.cluster for one in found], design, seed=seed)
    saved = len(found) * (design.all - figures["ratings"]["value"])
    return {
        "first": design.first,
        "more": design.more,
        "items": len(found),
        "exact": exact,
        **{name: figures[name] for name in ("ratings", "saved", "sent", "sent_fixed", "off", "off_fixed")},
        "off_by_dimension": {key: figures[f"off.{key}"] for key in dimensions},
        "ratings_saved": saved,
        "hours_saved": None if seconds is None else saved * seconds / 3600,
    }


def _figures(
    columns: dict[str, list[float]], clusters: Sequence[str], design: Design, *, seed: int
) -> dict[str, Figure]:
    """Means over the items with BCa intervals from resampled scenarios; without ends below thirty scenarios."""
    names = list(columns)
    _keys, at = np.unique(np.array(clusters), return_inverse=True)
    rows = np.zeros((int(at.max()) + 1, len(names)))
    np.add.at(rows, at, np.array([columns[name] for name in names]).T)
    try:
        resampled = replicate_sums(rows, None, replicates=REPLICATES, seed=seed)
    except TooFewClusters:
        resampled = None
    total = rows.sum(axis=0)[None, :]

    def figure(statistic: Statistic) -> Figure:
        value = float(statistic(total)[0])
        if resampled is None:
            return {"value": value, "low": None, "high": None}
        interval = bca_interval(value, statistic, rows=rows, often=None, resampled=resampled)
        return {"value": value, "low": interval.low, "high": interval.high}

    found = {name: figure(_mean_of(place)) for place, name in enumerate(names) if place}
    ratings = _mean_of(names.index("ratings"))
    found["saved"] = figure(lambda sums: 1 - ratings(sums) / design.all)
    return found


def _mean_of(place: int) -> Statistic:
    return lambda sums: sums[:, place] / sums[:, 0]


def _median_seconds(items: Sequence[ItemSeen]) -> float | None:
    """Of active work a rating, where it is known."""
    known = [seconds for item in items for seconds in item.seconds if seconds]
    return float(median(known)) if known else None


def _hash(items: Sequence[RatedItem]) -> str:
    """SHA-256 of what is compared; the same whatever raters are called."""
    digest = hashlib.sha256()
    for item in sorted(items, key=lambda item: item.item_id):
        told = [item.item_id, [_told(rating) for rating in item.ratings]]
        digest.update(json.dumps(told, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def _told(rating: RatingSeen) -> list[Any]:
    marks = None if rating.marks is None else sorted(rating.marks)
    return [dict(rating.scores), marks, rating.needs_expert, rating.hurried]
