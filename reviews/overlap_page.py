"""The comparison of ways to ask raters, in words and rows: read from what the job kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign, Rubric
from reviews.rules import Rule


@dataclass(frozen=True)
class Figure:
    """text: the value; interval: its ends, empty without."""

    text: str
    interval: str = ""


@dataclass(frozen=True)
class DesignRow:
    name: str
    items: str
    ratings: Figure
    saved: Figure
    hours: str
    sent: Figure
    sent_fixed: Figure
    off: Figure
    off_fixed: Figure
    off_by_dimension: list[Figure]


@dataclass(frozen=True)
class ShownOverlaps:
    sentences: list[str]
    dimensions: list[str]
    rows: list[DesignRow]
    exact: bool
    has_intervals: bool
    median_seconds: float | None
    old: bool  # the campaign's rule has changed since


def shown_overlaps(result: Mapping[str, Any], campaign: Campaign) -> ShownOverlaps:
    names = _dimension_names(campaign.rubric)
    designs = result["designs"]
    keys = list(designs[0]["off_by_dimension"]) if designs else []
    return ShownOverlaps(
        sentences=_sentences(_headline(result, campaign)),
        dimensions=[names.get(key, key) for key in keys],
        rows=[_row(design, keys) for design in designs],
        exact=all(design["exact"] for design in designs),
        has_intervals=any(design["ratings"]["low"] is not None for design in designs),
        median_seconds=result["median_seconds"],
        old=result["parameters"]["rule"] != Rule.of(campaign.rule).as_json(),
    )


def _headline(result: Mapping[str, Any], campaign: Campaign) -> Mapping[str, Any]:
    """The design that the campaign has; else the one with the fewest first that ends at its overlap; else the first."""
    rule, designs = Rule.of(campaign.rule), result["designs"]
    own = [d for d in designs if (d["first"], d["more"]) == (campaign.overlap, rule.extra_raters)]
    same = [d for d in designs if d["first"] + d["more"] == campaign.overlap]
    found: Mapping[str, Any] = [*own, *same, *designs][0]
    return found


def _sentences(design: Mapping[str, Any]) -> list[str]:
    saved, every = design["saved"]["value"], design["first"] + design["more"]
    told = {
        "first": design["first"],
        "more": design["more"],
        "all": every,
        "saved": _percent(saved),
        "sent": _percent(design["sent"]["value"]),
        "fixed": _percent(design["sent_fixed"]["value"]),
        "off": _percent(design["off"]["value"]),
    }
    cost = ngettext(
        "Asking %(first)s raters first and %(more)s more where they disagree would have cost %(saved)s %% fewer "
        "ratings than %(all)s everywhere.",
        "Asking %(first)s raters first and up to %(more)s more where they disagree would have cost %(saved)s %% fewer "
        "ratings than %(all)s everywhere.",
        design["more"],
    )
    return [
        cost % told,
        _("It would have sent %(sent)s %% of the items to an expert, not %(fixed)s %%.") % told,
        _("Of the items %(off)s %% would have ended without an expert, a level or more from what all their raters say.")
        % told,
    ]


def _row(design: Mapping[str, Any], keys: list[str]) -> DesignRow:
    hours = design["hours_saved"]
    return DesignRow(
        name=_("%(first)s, then up to %(more)s") % {"first": design["first"], "more": design["more"]},
        items=intcomma(design["items"]),
        ratings=_figure(design["ratings"], _number),
        saved=_figure(design["saved"], _percent),
        hours="" if hours is None else f"{hours:.1f}",
        sent=_figure(design["sent"], _percent),
        sent_fixed=_figure(design["sent_fixed"], _percent),
        off=_figure(design["off"], _percent),
        off_fixed=_figure(design["off_fixed"], _percent),
        off_by_dimension=[_figure(design["off_by_dimension"][key], _percent) for key in keys],
    )


def _figure(figure: Mapping[str, Any], shown: Any) -> Figure:
    if figure["low"] is None:
        return Figure(shown(figure["value"]))
    ends = {"low": shown(figure["low"]), "high": shown(figure["high"])}
    return Figure(shown(figure["value"]), _("%(low)s to %(high)s") % ends)


def _number(value: float) -> str:
    return f"{value:.2f}"


def _percent(share: float) -> str:
    return f"{share * 100:.1f}"


def _dimension_names(rubric: Rubric) -> dict[str, str]:
    return {dimension.key: dimension.name for dimension in rubric.dimensions}
