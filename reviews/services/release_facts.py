"""What a release is of, and what it calls people and things, read from the database."""

from datetime import UTC, datetime
from typing import Any

from annotation.models import Campaign, Rating, Rubric
from reviews.code_version import code_version
from reviews.models import Decision, ScenarioRuling
from reviews.release.documents import Facts
from reviews.release.rows import Naming, Scale, pseudonyms
from scenarios.models import Import


def naming_of(campaign: Campaign, salt: str) -> Naming:
    """Pseudonyms under this salt; the ratings of each person numbered in order of submission."""
    ratings = Rating.objects.in_campaign(campaign).order_by("annotator", "submitted_at", "pk")
    sequences: dict[int, int] = {}
    count: dict[int, int] = {}
    for pk, annotator in ratings.values_list("pk", "annotator").iterator():
        sequences[pk] = count[annotator] = count.get(annotator, 0) + 1
    experts = {
        *Decision.objects.in_campaign(campaign).values_list("expert", flat=True),
        *ScenarioRuling.objects.in_campaign(campaign).order_by().values_list("by", flat=True),
    }
    rubrics = Rubric.objects.filter(pk__in=ratings.order_by().values("rubric"))
    return Naming(
        raters=pseudonyms(count, letter="R", salt=salt),
        experts=pseudonyms(experts, letter="E", salt=salt),
        sequences=sequences,
        rubrics={rubric.pk: (str(rubric), rubric.hash) for rubric in rubrics},
    )


def facts_of(
    campaign: Campaign, *, number: int, created_at: datetime, data_version: str, parameters: dict[str, Any]
) -> Facts:
    """The campaign with its rubric and dataset loaded."""
    rubric = campaign.rubric
    arrivals = Import.objects.filter(responses__work_items__campaign=campaign).distinct().order_by("sha256", "pk")
    return Facts(
        number=number,
        created_at=created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        campaign=campaign.slug,
        title=campaign.title,
        closed=campaign.state == Campaign.State.CLOSED,
        dataset=campaign.dataset.slug,
        dataset_title=campaign.dataset.title,
        rubric={"key": rubric.key, "version": rubric.version, "hash": rubric.hash},
        scales=tuple(Scale(d.key, range(d.lowest, d.highest + 1)) for d in rubric.dimensions),
        rule=campaign.rule,
        rule_version=campaign.rule_version,
        overlap=campaign.overlap,
        seed=campaign.seed,
        selection=campaign.selection,
        imports={arrival.sha256: arrival.source for arrival in arrivals},
        data_version=data_version,
        code_version=code_version(),
        parameters=parameters,
    )
