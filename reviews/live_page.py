"""The live agreement as the campaign's page shows it: words first, then the number, then picture and table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign
from reviews.figures import Figure, plain
from reviews.live_outlook import WIDTH, Outlook, outlook_of, width_of
from reviews.models import LiveAgreement
from reviews.report import charts
from reviews.report.parts import Chart, Part
from reviews.report.reading import dimension_names, in_order
from reviews.report.tables import Cell, Table, count, figure, text
from reviews.report.verdicts import verdict_words
from reviews.services.live import GOES_ON, rest_after
from reviews.statistics.bands import judge

HARDLY = 0.95  # of the present half width: what is nearer to 1 is within the chance of the simulation


@dataclass(frozen=True)
class Row:
    """One dimension. words: what the number says; plan: what the width asked for would take."""

    name: str
    alpha: Figure
    words: str
    plan: list[str]


@dataclass(frozen=True)
class LivePage:
    """stamp: changes when the numbers do. waits: seconds until ratings that come in are in them, where it is long.

    width: what the planner was asked, as text for its field; error: what was wrong with it.
    """

    computed_at: datetime | None
    stamp: str
    ratings: int
    waits: int
    goes_on: bool
    width: str
    error: str
    rows: list[Row]
    part: Part | None


def live_page(campaign: Campaign, *, asked: str = "") -> LivePage:
    """asked: the width that the planner is asked for, as it was typed."""
    live = LiveAgreement.objects.filter(campaign=campaign).first() or LiveAgreement(campaign=campaign)
    result = live.result or {"dimensions": {}, "ratings": 0, "items": 0}
    width = width_of(asked)
    name_of = dimension_names(campaign)
    entries = [(name_of(key), entry) for key, entry in in_order(result["dimensions"], campaign).items()]
    wrong = _("The width is a number from .001 to .5.")
    waits = rest_after(live.seconds).total_seconds()
    return LivePage(
        computed_at=live.computed_at,
        stamp=live.computed_at.isoformat() if live.computed_at else "",
        ratings=result["ratings"],
        waits=math.ceil(waits / 60) if waits >= 60 else 0,
        goes_on=campaign.state in GOES_ON,
        width=str(width or WIDTH),
        error="" if width else wrong,
        rows=[_row(name, entry, width or WIDTH, result["items"]) for name, entry in entries],
        part=_part(entries),
    )


def _row(name: str, entry: Mapping[str, Any], width: float, items: int) -> Row:
    if not entry["steps"]:
        return Row(name, Figure.number(None, entry["reason"]), "", [])
    last = entry["steps"][-1]
    return Row(name, Figure.of(last), _in_words(last), _plan(outlook_of(entry, width), items - last["items"]))


def _in_words(last: Mapping[str, Any]) -> str:
    counts = {"items": _whole(last["items"]), "scenarios": _whole(last["scenarios"])}
    of = _("items: %(items)s, scenarios: %(scenarios)s") % counts
    verdict = judge("alpha", last["ci_low"], last["ci_high"])
    if verdict is None:
        return of
    return _("by its interval: %(band)s; %(of)s") % {"band": verdict_words(verdict), "of": of}


def _plan(outlook: Outlook, left: int) -> list[str]:
    """left: items of the campaign that are not in it yet."""
    if outlook.half_width is None or outlook.items_more is None:
        return []
    if outlook.half_width <= outlook.width:
        return [_("It is ± %(now)s now: narrow enough.") % {"now": plain(outlook.half_width, 3)}]
    words = ngettext(
        "It is ± %(now)s now. About %(n)s more item would do (scenarios: %(scenarios)s more).",
        "It is ± %(now)s now. About %(n)s more items would do (scenarios: %(scenarios)s more).",
        outlook.items_more,
    )
    known = {
        "now": plain(outlook.half_width, 3),
        "n": _whole(outlook.items_more),
        "scenarios": _whole(outlook.scenarios_more or 0),
    }
    said = [words % known]
    if outlook.items_more > left:
        words = ngettext(
            "The campaign has %(n)s item left that is not in this yet.",
            "The campaign has %(n)s items left that are not in this yet.",
            left,
        )
        said.append(words % {"n": _whole(left)})
    return said + _with_more_raters(outlook)


def _with_more_raters(outlook: Outlook) -> list[str]:
    if not outlook.with_raters or outlook.half_width is None:
        return [_("What more raters an item would bring cannot be foretold from these ratings.")]
    one_more, narrower = outlook.with_raters[0]
    most, least = outlook.with_raters[-1]
    if outlook.raters_needed is not None:
        words = _("Or %(raters)s raters an item instead of %(now)s.")
        return [words % {"raters": outlook.raters_needed, "now": outlook.raters}]
    if least > HARDLY * outlook.half_width:
        return [_("More raters an item would hardly narrow it.")]
    words = _("%(one)s raters an item instead of %(now)s would make it ± %(narrower)s, %(most)s would ± %(least)s.")
    known = {"one": one_more, "now": outlook.raters, "narrower": plain(narrower, 3)}
    return [words % {**known, "most": most, "least": plain(least, 3)}]


def _part(entries: list[tuple[str, Mapping[str, Any]]]) -> Part | None:
    """The chart of all steps, with its table."""
    steps = [(name, step, Figure.of(step)) for name, entry in entries for step in entry["steps"]]
    if not steps:
        return None
    title = _("Alpha as items came in")
    columns = [
        text("dimension", _("Dimension")),
        count("items", _("Items")),
        count("scenarios", _("Scenarios")),
        figure("alpha", _("Alpha")),
    ]
    rows: list[list[Cell]] = [[name, step["items"], step["scenarios"], found] for name, step, found in steps]
    values = [
        {
            "dimension": name,
            "n": step["items"],
            "value": found.value,
            "low": step["ci_low"],
            "high": step["ci_high"],
            "words": _chart_words(name, step, found),
        }
        for name, step, found in steps
    ]
    spec = charts.sequence(values, described=title, x=_("Items"), y=_("Alpha"))
    return Part(Table("alpha-as-items-came-in", title, columns, rows), Chart("alpha-as-items-came-in", title, spec))


def _chart_words(name: str, step: Mapping[str, Any], found: Figure) -> str:
    words = _("%(dimension)s after %(items)s items: %(alpha)s")
    if found.low:
        words = _("%(dimension)s after %(items)s items: %(alpha)s, %(low)s to %(high)s")
    known = {"dimension": name, "items": _whole(step["items"]), "alpha": found.text or found.why}
    return words % {**known, "low": found.low, "high": found.high}


def _whole(number: int) -> str:
    return f"{number:,}"
