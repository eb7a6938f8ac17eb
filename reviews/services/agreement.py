"""The agreement of a campaign's raters: computed from the independent ratings, kept, and made again to the digit.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd
from django.db import IntegrityError, transaction

from annotation.models import Campaign, Rating, Score, User, WorkItem
from reviews.code_version import code_version
from reviews.errors import NoRatings, OptionsInvalid
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.services.snapshot import snapshot
from reviews.statistics.report import agreement
from reviews.statistics.scales import ScaleRefused
from reviews.statistics.tidy import RatingsRefused
from scenarios.item_ids import make_item_id

REPLICATES = 10_000
COLUMNS = ("item_id", "rater_id", "dimension", "value", "cluster_id", "order")


@dataclass(frozen=True)
class Options:
    """As the command takes them. scale: None is the rubric's own; seed: None takes it from the data's hash."""

    level: str = "ordinal"
    scale: str | None = None
    cluster: str | None = None
    bootstrap: int = REPLICATES
    seed: int | None = None


def compute_agreement(
    *,
    campaign: Campaign,
    options: Options | None = None,
    by: User | None = None,
    pulse: Callable[[], None] = lambda: None,
) -> tuple[AgreementReport, bool]:
    """The report, and whether it is new: the same data, parameters and code give the one that is kept.

    pulse: called now and then, to show life. Raises NoRatings, OptionsInvalid.
    """
    options = options or Options()
    with snapshot() as outside:
        frame = frame_of(campaign, pulse=lambda: outside(pulse))
    if frame.empty:
        raise NoRatings
    data_version = frame.attrs["sha256"]
    asked = asdict(options) | {"scale": options.scale or scales_of(campaign)}
    asked["seed"] = seed_of(data_version) if options.seed is None else options.seed
    code = code_version()
    question = [campaign.pk, asked, data_version, code]
    fingerprint = hashlib.sha256(json.dumps(question, sort_keys=True).encode()).hexdigest()
    kept = AgreementReport.objects.filter(fingerprint=fingerprint).first()
    if kept is not None:
        return kept, False
    result = result_of(frame, asked)
    try:
        with transaction.atomic():
            made = AgreementReport.objects.create(
                campaign=campaign,
                parameters=asked,
                data_version=data_version,
                code_version=code,
                seed=asked["seed"],
                result=result,
                fingerprint=fingerprint,
                created_by=by,
            )
    except IntegrityError:  # someone asked the same question just now
        return AgreementReport.objects.get(fingerprint=fingerprint), False
    return made, True


def result_of(frame: pd.DataFrame, asked: Mapping[str, Any]) -> dict[str, Any]:
    """As `agreement --json` prints it. Raises OptionsInvalid."""
    try:
        return agreement(frame, **asked).to_json()
    except (RatingsRefused, ScaleRefused) as error:
        raise OptionsInvalid(str(error)) from error


def scales_of(campaign: Campaign) -> dict[str, str]:
    """The declared scale of each dimension of the rubric."""
    return {dimension.key: f"{dimension.lowest}-{dimension.highest}" for dimension in campaign.rubric.dimensions}


def seed_of(data_version: str) -> int:
    """So that the same data has the same intervals, under whatever names its raters stand."""
    return int(data_version[:8], 16)


def frame_of(
    campaign: Campaign, *, names: Mapping[int, str] | None = None, pulse: Callable[[], None] = lambda: None
) -> pd.DataFrame:
    """The counted ratings up to the base overlap in order of rank, tidy: item, rater, dimension, value, cluster, order.

    Raters asked for because of disagreement are beyond the overlap and would bend the agreement; decisions are never
    in it. A score that an imported rating lacks is a missing value. Clusters are the scenarios.
    names: what raters are called; without it their codes. pulse: called now and then, to show life.
    `attrs["sha256"]` is the data version, the same whatever raters are called.
    """
    names = rater_codes(campaign) if names is None else names
    items = _items(campaign)
    taken = _base_ratings(campaign)
    pulse()
    place = {rating: at for at, rating in enumerate(sorted(taken, key=lambda pk: (taken[pk].submitted_at, pk)))}
    dimensions = [dimension.key for dimension in campaign.rubric.dimensions]
    given = _scores(campaign, taken.keys())
    pulse()
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    digest = hashlib.sha256()
    for pk in sorted(taken, key=lambda pk: (items[taken[pk].item][0], taken[pk].rank, pk)):
        rating, (item_id, key) = taken[pk], items[taken[pk].item]
        scores = [given.get((pk, dimension)) for dimension in dimensions]
        digest.update(json.dumps([item_id, rating.annotator, rating.rank, scores]).encode() + b"\n")
        for dimension, value in zip(dimensions, scores, strict=True):
            row = (item_id, names[rating.annotator], dimension, value, key, place[pk])
            for name, cell in zip(COLUMNS, row, strict=True):
                columns[name].append(cell)
    frame = pd.DataFrame(columns).astype({"value": float})
    pulse()
    frame.attrs = {
        "source": f"campaign:{campaign.slug}",
        "sha256": digest.hexdigest(),
        "rows": len(frame),
        "said": [f"counted ratings up to the overlap of {campaign.overlap}, in order of rank"],
    }
    return frame


@dataclass(frozen=True, slots=True)
class _Base:
    item: int
    annotator: int
    rank: int
    submitted_at: Any


def _items(campaign: Campaign) -> dict[int, tuple[str, str]]:
    """{item pk: (item id, scenario key)}; withdrawn items are out of the campaign."""
    names = ("pk", "scenario__key", "response__companion__name", "response__condition")
    rows = WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN).values_list(*names)
    return {pk: (make_item_id(key, companion, condition), key) for pk, key, companion, condition in rows.iterator()}


def _base_ratings(campaign: Campaign) -> dict[int, _Base]:
    counted = Rating.objects.counted().in_campaign(campaign).filter(is_extra=False)
    counted = counted.exclude(work_item__state=WorkItem.State.WITHDRAWN)
    fields = ("pk", "work_item", "annotator", "rank", "submitted_at")
    taken: dict[int, _Base] = {}
    last, seen = None, 0
    for pk, item, annotator, rank, submitted_at in counted.order_by("work_item", "rank", "pk").values_list(*fields):
        seen = seen + 1 if item == last else 1
        last = item
        if seen <= campaign.overlap:
            taken[pk] = _Base(item, annotator, rank, submitted_at)
    return taken


def _scores(campaign: Campaign, wanted: Any) -> dict[tuple[int, str], int]:
    scores = Score.objects.filter(rating__work_item__campaign=campaign, rating__status=Rating.Status.COUNTED)
    rows = scores.values_list("rating", "dimension", "value").iterator(chunk_size=10_000)
    return {(rating, dimension): value for rating, dimension, value in rows if rating in wanted}
