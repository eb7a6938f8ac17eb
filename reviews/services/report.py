"""Everything that a campaign's agreement report holds: the agreement table, and what only a campaign knows.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from annotation.check_items import answered_checks
from annotation.checks import rule_of
from annotation.models import Campaign, Mark
from reviews.alternatives import alternatives_of
from reviews.rules import Rule
from reviews.services.base_ratings import BaseRatings
from reviews.services.coded_ratings import coded, item_tags, rating_tags
from reviews.services.forecast import outlook_of_rule
from reviews.statistics.bootstrap import FEWEST_REPLICATES
from reviews.statistics.columns import Tag
from reviews.statistics.marks import type_agreement
from reviews.statistics.marks_reading import LEVEL, SCALE
from reviews.statistics.patterns import DimensionRatings, dimension_of, pattern_table
from reviews.statistics.report import agreement_of
from reviews.statistics.scales import parse_scale
from reviews.statistics.slices import slice_table
from reviews.statistics.spread import spread_of
from scenarios.models import Scenario

Step = Callable[[int, int], None]
MOST_TAGS, MOST_VALUES = 10, 30


def report_of(campaign: Campaign, base: BaseRatings, asked: Mapping[str, Any], *, step: Step) -> dict[str, Any]:
    """What `agreement --json` prints, with slices, spread, marks, rules and the raters' work beside it.

    asked: the options of `agreement`; raters, where `base` is of some alone. step: told how many steps of all are done.
    Raises RatingsRefused, ScaleRefused.
    """
    types = campaign.rubric.violation_types
    steps = _Steps(step, 2 + len(base.dimensions) + len(types))
    level, bootstrap, seed = asked["level"], asked["bootstrap"], asked["seed"]
    ratings = coded(base, level=level, scale=asked["scale"], cluster=asked["cluster"])
    # One value of a tag would be the whole table once more.
    tags = _several(item_tags(base, _scenario_tags(campaign, base)))
    of_ratings = _several(rating_tags(base, ratings))
    result = agreement_of(ratings, base.about, level=level, bootstrap=bootstrap, seed=seed).to_json()
    steps.done()
    for at, name in enumerate(ratings.dimension_names):
        one = dimension_of(ratings, at, level)
        result["dimensions"][name] |= spread_of(one, pattern_table(one)).to_json()
        found = slice_table(
            ratings, at, level=level, unit_tags=tags, rating_tags=of_ratings, bootstrap=bootstrap, seed=seed
        )
        result["dimensions"][name]["slices"] = [part.to_json() for part in found]
        steps.done()
    result["marks"] = _marks(campaign, base, asked, steps)
    result["raters"] = _raters(campaign, base, result["data"]["equal_across_dimensions"])
    # What a rule sends is decided by all who rated.
    result["rules"] = None if asked.get("raters") else _rules(campaign)
    steps.done()
    return result


class _Steps:
    """How far the work is."""

    def __init__(self, tell: Step, of: int) -> None:
        self._tell, self._of, self._done = tell, of, 0

    def done(self) -> None:
        self._done += 1
        self._tell(self._done, self._of)


def _scenario_tags(campaign: Campaign, base: BaseRatings) -> dict[str, Any]:
    """Of each tag that tells scenarios apart, "tag:NAME", its value by scenario; empty where one has none.

    Not of tags with very many values, and not more than ten: such are notes.
    """
    keys = base.items.tags["key"].names
    place = {key: at for at, key in enumerate(keys)}
    found: dict[str, list[str]] = {}
    scenarios = Scenario.objects.filter(work_items__campaign=campaign).distinct()
    for key, tags in scenarios.values_list("key", "tags"):
        for name, value in tags.items():
            if key in place and isinstance(value, str | int | float | bool):
                found.setdefault(name, [""] * len(keys))[place[key]] = str(value)
    telling = {name: values for name, values in sorted(found.items()) if 1 < len(set(values)) <= MOST_VALUES}
    return {f"tag:{name}": pd.Categorical(telling[name]) for name in list(telling)[:MOST_TAGS]}


def _several(tags: dict[str, Tag]) -> dict[str, Tag]:
    return {name: tag for name, tag in tags.items() if len(tag.keys) > 1}


def _marks(campaign: Campaign, base: BaseRatings, asked: Mapping[str, Any], steps: _Steps) -> dict[str, Any]:
    """Of each violation type. Imported ratings bring no marks and have no say about them."""
    # Of every rating, whatever became of it since: marks never change, and those of the base are looked up here.
    rows = Mark.objects.filter(rating__work_item__campaign=campaign).order_by().values_list("rating", "type").distinct()
    marked: dict[str, list[int]] = {}
    for rating, kind in rows.iterator(chunk_size=10_000):
        marked.setdefault(kind, []).append(rating)
    own = np.flatnonzero(~base.imported)
    items, unit = np.unique(base.item[own], return_inverse=True)
    people, rater = np.unique(base.rater[own], return_inverse=True)
    clusters = base.items.tags["key"].codes[items]
    types = {}
    for violation in campaign.rubric.violation_types:
        one = DimensionRatings(
            name=violation.key,
            level=LEVEL,
            scale=parse_scale(SCALE, level=LEVEL),
            unit=unit,
            code=np.isin(base.pk[own], marked.get(violation.key, [])).astype(np.int64),
            rater=rater,
            rater_names=[base.names[person] for person in people.tolist()],
            cluster=np.unique(clusters, return_inverse=True)[1],
            own_clusters=False,
            units=len(items),
            missing=0,
        )
        names = np.asarray(base.items.names, dtype=object)[items]
        # Where nobody marked it there is nothing to resample: as few replicates as say so.
        replicates = asked["bootstrap"] if one.code.any() else min(asked["bootstrap"], FEWEST_REPLICATES)
        found = type_agreement(one, names, bootstrap=replicates, seed=asked["seed"])
        types[violation.key] = found.to_json()
        steps.done()
    return {"ratings": len(own), "types": types}


def _raters(campaign: Campaign, base: BaseRatings, same: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How each worked: speed, sameness over the dimensions (`same`, as the report has it), check items hit."""
    took = pd.Series(np.where(base.imported, np.nan, base.seconds)).groupby(base.rater).median()
    equal = {one["rater"]: one["share"] for one in same}
    rule = rule_of(campaign.checks)
    checks = answered_checks(campaign, rule) if rule else {}
    return [
        {
            "rater": name,
            "items": int((base.rater == at).sum()),
            "seconds": None if np.isnan(took.get(at, np.nan)) else round(float(took[at])),
            "all_equal": equal.get(name),
            "checks": len(checks.get(person, ())),
            "hits": sum(answer.hit for answer in checks.get(person, ())),
        }
        for at, (name, person) in enumerate(zip(base.names, base.people.tolist(), strict=True))
    ]


def _rules(campaign: Campaign) -> dict[str, Any]:
    """What the campaign's rule and each other would send of the items that have their ratings.

    Each row names its rule, so that a page says in its reader's language what it is.
    """
    rule = Rule.of(campaign.rule)
    outlook = outlook_of_rule(campaign, rule, compare=True)
    every = [(rule, outlook.forecast)]
    every += [
        (other, forecast)
        for (_words, other), (_same, forecast) in zip(alternatives_of(rule), outlook.others, strict=False)
    ]
    return {
        "rated": outlook.rated,
        "rule": rule.as_json(),
        "rows": [
            {"rule": one.as_json(), "sent": forecast.sent.hits, "extra": forecast.extra, "of": forecast.looked_at}
            for one, forecast in every
        ],
    }
