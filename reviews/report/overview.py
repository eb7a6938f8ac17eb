"""Sections 1 and 2: what was rated by whom, and the agreement table."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.report.parts import Part, Report, Section
from reviews.report.rows import figures_of
from reviews.report.tables import Cell, Table, count, figure, text
from reviews.report.verdicts import verdict_words
from reviews.statistics.bands import judge


def design(report: Report) -> Section:
    table = Table(
        "design",
        _("Who rated how much"),
        [
            text("dimension", _("Dimension")),
            count("items", _("Items")),
            count("pairable", _("With two ratings or more")),
            count("scenarios", _("Scenarios")),
            count("raters", _("Raters")),
            count("ratings", _("Ratings")),
            count("missing", _("Missing")),
            text("by_ratings", _("Items by number of ratings")),
            count("groups", _("Groups of raters that share no item")),
        ],
        [
            [
                name,
                entry["units"],
                entry["pairable_units"],
                entry["clusters"],
                entry["raters"],
                entry["ratings"],
                entry["missing"],
                ", ".join(f"{n} × {size}" for size, n in entry.get("by_ratings", {}).items()),
                _groups(entry),
            ]
            for _key, name, entry in report.dimensions
        ],
    )
    return Section("design", _("What was rated, by whom"), _on_design(report), [Part(table)])


def _on_design(report: Report) -> list[str]:
    blocks = max((_groups(entry) or 0 for _key, _name, entry in report.dimensions), default=0)
    said = [_("Ratings that count, up to the campaign’s overlap, before any expert’s decision.")]
    if blocks == 1:
        said.append(_("The design is connected: through common items every rater can be compared with every other."))
    elif blocks > 1:
        words = _("Raters fall into %(n)s groups that share no item; severities compare within a group only.")
        said.append(words % {"n": blocks})
    return said


def _groups(entry: Mapping[str, Any]) -> int | None:
    """How many groups of raters share no item; those who share none with anybody are no group."""
    blocks = [one["block"] for one in entry["raters_detail"] if one["severity"]["value"] is not None]
    return len(set(blocks)) or None


def agreement(report: Report) -> Section:
    columns = [text("measure", _("Measure")), *(figure(key, name) for key, name, _entry in report.dimensions)]
    tables = [figures_of(entry) for _key, _name, entry in report.dimensions]
    rows: list[list[Cell]] = [
        [of_all[0][0], *(found for _words, found in of_all)] for of_all in zip(*tables, strict=True)
    ]
    rows += _bands(report)
    words = [
        _(
            "Alpha says how far raters agree beyond chance: 1 is perfect agreement, 0 is what chance would give. "
            "Intervals are 95 % BCa, from replicates that draw whole scenarios."
        )
    ]
    words += [sentence for _key, name, entry in report.dimensions for sentence in _few(name, entry)]
    return Section("table", _("The agreement table"), words, [Part(Table("agreement", _("Agreement"), columns, rows))])


def _few(name: str, entry: Mapping[str, Any]) -> list[str]:
    n = entry["pairable_units"]
    if n >= 10:
        return []
    words = ngettext(
        "%(dimension)s: too few, %(n)s item can be compared.", "%(dimension)s: too few, %(n)s items can be compared.", n
    )
    return [words % {"dimension": name, "n": n}]


def _bands(report: Report) -> list[list[Cell]]:
    """By its interval, with the source of the band beside it."""
    named = {
        "alpha": _("Alpha, by its interval"),
        "ac2": _("AC2, by its interval"),
        "icc2_1": _("ICC(2,1), by its interval"),
    }
    return [
        [words, *(_band(key.partition("2_")[0], entry[key]) for _key, _name, entry in report.dimensions)]
        for key, words in named.items()
    ]


def _band(kind: str, entry: Mapping[str, Any]) -> str:
    found = judge(kind, entry["ci_low"], entry["ci_high"])
    if found is None:
        return _("not to be said")
    return f"{verdict_words(found)} ({found.source})"
