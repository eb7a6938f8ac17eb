"""The versions of a campaign's guideline: since when each is in use, what it brought, which ratings stand on it."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from annotation.models import Campaign, Rating, Rubric
from annotation.models.rubric import Example
from annotation.services.rubrics import CHANGED


@dataclass(frozen=True)
class Version:
    """One version that the campaign was on. examples: what it brought. ratings: how many stand on it."""

    number: int
    since: datetime
    examples: list[Example]
    ratings: int
    present: bool


def versions_of(campaign: Campaign, ratings: QuerySet[Rating]) -> list[Version]:
    """The present one first. ratings: those to count; a person who rates is told of their own alone."""
    events = list(campaign.events.filter(kind=CHANGED).order_by("at", "pk"))
    hashes = [event.detail["now"] for event in events]
    first = events[0].detail["was"] if events else campaign.rubric.hash
    rubrics = {rubric.hash: rubric for rubric in Rubric.objects.filter(hash__in=[first, *hashes])}
    counted = dict(ratings.order_by().values_list("rubric").annotate(n=Count("pk")))
    since = [campaign.created_at, *(event.at for event in events)]
    found: list[Version] = []
    known = 0
    for key, moment in zip([first, *hashes], since, strict=True):
        rubric = rubrics[key]
        found.append(
            Version(
                number=rubric.version,
                since=moment,
                examples=rubric.examples[known:],
                ratings=counted.get(rubric.pk, 0),
                present=rubric.pk == campaign.rubric_id,
            )
        )
        known = len(rubric.examples)
    return found[::-1]
