"""Section 3: alpha of each task, companion, condition and whatever else the ratings can be sliced by."""

from collections.abc import Mapping
from math import floor
from typing import Any

from django.utils.text import slugify
from django.utils.translation import gettext as _

from reviews.figures import Figure, percent
from reviews.report import charts
from reviews.report.parts import MOST_ROWS, Chart, Part, Report, Section
from reviews.report.tables import Cell, Table, count, figure, text


def slices(report: Report) -> Section:
    kinds: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    for _key, name, entry in report.dimensions:
        for one in entry.get("slices", []):
            kinds.setdefault(one["by"], []).append((name, one))
    # One value of a tag is the whole table once more.
    parts = [
        _part(report, by, found, place)
        for place, (by, found) in enumerate(kinds.items(), 1)
        if len({one["key"] for _name, one in found}) > 1
    ]
    words = [_("The same ratings, cut by what they are of. The tentative band is shaded.")]
    if not parts:
        words = [_("There is one task, one companion and one condition: nothing to set side by side.")]
    return Section("slices", _("Alpha by task, companion and condition"), words, parts)


def by_words(by: str) -> str:
    words = {
        "component": _("component"),
        "task": _("task"),
        "companion": _("companion"),
        "condition": _("condition"),
        "language": _("language"),
        "rubric": _("rubric version"),
        "week": _("week"),
    }
    return words.get(by, by.removeprefix("tag:"))


def _part(report: Report, by: str, found: list[tuple[str, Mapping[str, Any]]], place: int) -> Part:
    title = _("Alpha by %(what)s") % {"what": by_words(by)}
    columns = [
        text("dimension", _("Dimension")),
        text("key", by_words(by)),
        figure("alpha", _("Alpha")),
        figure("ac2", _("AC2")),
        figure("equal", _("Pairs equal")),
        text("most_given", _("Most given")),
        count("items", _("Items")),
        count("scenarios", _("Scenarios")),
        count("ratings", _("Ratings")),
    ]
    rows: list[list[Cell]] = [
        [
            name,
            report.names.tag(by, one["key"]),
            Figure.of(one["alpha"]),
            Figure.number(one["ac2"], one["reasons"].get("ac2")),
            Figure.share(one["pair_exact"], one["reasons"].get("pair_exact")),
            "" if one["modal_level"] is None else f"{one['modal_level']} ({percent(one['modal_share'])})",
            one["units"],
            one["clusters"],
            one["ratings"],
        ]
        for name, one in found
    ]
    # A tag may have any name; that of its table stands in an address.
    name = f"alpha-by-{slugify(by)}-{place}" if by.startswith("tag:") else f"alpha-by-{by}"
    table = Table(name, title, columns, rows)
    chart = Chart(table.name, title, forest_chart([(row[0], row[1], row[2]) for row in rows], title))
    return Part(table, chart, folded=len(rows) > MOST_ROWS)


def forest_chart(rows: list[tuple[Any, Any, Any]], title: str) -> charts.Spec:
    """Of (dimension, name, alpha as a Figure)."""
    values = [point_of(*row) for row in rows]
    numbers = [number for one in values for number in (one["value"], one["low"]) if number is not None]
    start = max(-1.0, floor(min([0.0, *numbers]) * 5) / 5)
    return charts.forest(values, described=title, measured=_("alpha"), start=start)


def point_of(dimension: str, name: str, found: Figure) -> dict[str, Any]:
    """A point with its interval, as `charts.forest` and `charts.severities` take it."""
    low, high = found.ends or (None, None)
    at = {"dimension": dimension, "name": name, "value": found.value, "low": low, "high": high}
    return {**at, "words": f"{name}: {words_of(found)}"}


def words_of(found: Figure) -> str:
    """.71 (.67 to .75), or why there is none."""
    if not found.text:
        return found.why
    if not found.low:
        return found.text
    return _("%(value)s (%(low)s to %(high)s)") % {"value": found.text, "low": found.low, "high": found.high}
