"""A stored report with the names that one reader may see."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

from annotation.models import Campaign
from reviews.rater_codes import people_of_codes
from reviews.report.parts import Names, Report
from reviews.report.rows import NameOf
from scenarios.benchmark import LANGUAGES, TASKS, Condition


def report_for(result: Mapping[str, Any], campaign: Campaign, *, with_names: bool, pair: str = "") -> Report:
    """with_names: of the raters, for managers; everybody else sees codes. pair: see `Report`."""
    people = people_of_codes(campaign) if with_names else {}
    names_of_raters = {code: str(person) for code, person in people.items()}
    types = {kind.key: kind for kind in campaign.rubric.violation_types}
    names = Names(
        dimension=dimension_names(campaign),
        rater=lambda code: names_of_raters.get(code, code),
        rater_at=lambda code: reverse("reviews:rater", args=[campaign.slug, people[code].pk]) if code in people else "",
        tag=tag_words,
        mark=lambda key: types[key].name if key in types else key,
    )
    return Report({**result, "dimensions": in_order(result["dimensions"], campaign)}, names, pair)


def dimension_names(campaign: Campaign | None) -> NameOf:
    """What a dimension is called in the language of the moment; without a campaign, or unknown to it, its key."""
    known = {dimension.key: dimension for dimension in campaign.rubric.dimensions} if campaign else {}
    return lambda key: known[key].name if key in known else key


def in_order(found: Mapping[str, Any], campaign: Campaign) -> dict[str, Any]:
    """By dimension in the rubric's order: a database may keep the keys of an object in one of its own."""
    keys = [dimension.key for dimension in campaign.rubric.dimensions]
    return {key: found[key] for key in [*(key for key in keys if key in found), *found]}


def tag_words(by: str, key: str) -> str:
    """What a slice is of, in the reader's language."""
    if by == "task" and key in TASKS:
        return str(TASKS[key].name)
    if by == "language":
        return str(LANGUAGES.get(key, key))
    if by == "condition":
        return str(dict(Condition.choices).get(key, key))
    return key or "–"
