"""A stored report with the names that one reader may see."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Campaign
from reviews.rater_codes import names_of_codes
from reviews.report.parts import Names, Report
from scenarios.benchmark import LANGUAGES, TASKS, Condition


def report_for(result: Mapping[str, Any], campaign: Campaign, *, with_names: bool) -> Report:
    """with_names: of the raters, for managers; everybody else sees codes."""
    people = names_of_codes(campaign) if with_names else {}
    dimensions = {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}
    types = {kind.key: kind.name for kind in campaign.rubric.violation_types}
    names = Names(
        dimension=lambda key: dimensions.get(key, key),
        rater=lambda code: people.get(code, code),
        tag=tag_words,
        mark=lambda key: types.get(key, key),
    )
    # In the rubric's order: a database may keep the keys of an object in one of its own.
    found = result["dimensions"]
    ordered = {key: found[key] for key in [*(key for key in dimensions if key in found), *found]}
    return Report({**result, "dimensions": ordered}, names)


def tag_words(by: str, key: str) -> str:
    """What a slice is of, in the reader's language."""
    if by == "task" and key in TASKS:
        return str(TASKS[key].name)
    if by == "language":
        return str(LANGUAGES.get(key, key))
    if by == "condition":
        return str(dict(Condition.choices).get(key, key))
    return key or "–"
