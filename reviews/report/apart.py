"""Sections 7 and 8: disagreements and what each rule would send of them; violation marks."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from reviews.alternatives import alternatives_of
from reviews.figures import Figure, percent, reason_words
from reviews.report.parts import MOST_ROWS, Part, Report, Section
from reviews.report.tables import Cell, Table, count, figure, text
from reviews.rules import Rule


def apart(report: Report) -> Section:
    parts = [_ranges(report)]
    if report.result.get("rules"):
        parts.append(_rules(report.result["rules"]))
    words = [_("How many levels the highest rating of an item is above the lowest.")]
    if report.result["parameters"].get("raters"):
        words.append(_("What each rule would send is decided by all raters: it stands in the report of all."))
    return Section("apart", _("Disagreements"), words, parts)


def _ranges(report: Report) -> Part:
    found = [(name, entry.get("ranges") or {}) for _key, name, entry in report.dimensions]
    widest = max((int(levels) for _name, ranges in found for levels in ranges), default=0)
    rows: list[list[Cell]] = []
    for name, ranges in found:
        total = sum(ranges.values()) or 1
        far = sum(n for levels, n in ranges.items() if int(levels) >= 2)
        rows.append([name, *(ranges.get(str(levels), 0) for levels in range(widest + 1)), percent(far / total)])
    columns = [
        text("dimension", _("Dimension")),
        *(count(f"apart_{levels}", _("%(n)s apart") % {"n": levels}) for levels in range(widest + 1)),
        text("two_or_more", _("Two levels or more")),
    ]
    return Part(Table("ranges", _("Items by how far their ratings lie apart"), columns, rows))


def _rules(rules: Mapping[str, Any]) -> Part:
    """What each would send of the items that were looked at."""
    own = Rule.of(rules["rule"])
    called = {json.dumps(rule.as_json()): words for words, rule in alternatives_of(own)}
    called[json.dumps(own.as_json())] = _("The campaign’s rule")
    rows: list[list[Cell]] = [
        [
            called.get(json.dumps(one["rule"]), json.dumps(one["rule"])),
            one["sent"],
            percent(one["sent"] / one["of"]) if one["of"] else "",
            one["extra"],
            one["of"],
        ]
        for one in rules["rows"]
    ]
    columns = [
        text("rule", _("Rule")),
        count("sent", _("Items to experts")),
        text("share", _("Share")),
        count("extra", _("More raters first")),
        count("of", _("of so many")),
    ]
    return Part(Table("rules", _("What each rule would send to experts"), columns, rows), folded=len(rows) > MOST_ROWS)


def violations(report: Report) -> Section:
    found: Mapping[str, Any] = (report.result.get("marks") or {}).get("types", {})
    marked = {key: one for key, one in found.items() if one["marked"]}
    if not marked:
        return Section("marks", _("Violation marks"), [_("Nobody has marked a violation.")])
    rows: list[list[Cell]] = [
        [
            report.names.mark(key),
            one["marked"],
            Figure.of(one["prevalence"]),
            one["marked_units"],
            _votes(one["votes"]),
            Figure.of(one["positive_agreement"]),
            Figure.of(one["negative_agreement"]),
            Figure.of(one["alpha"]),
            _latent(one["dawid_skene"]),
        ]
        for key, one in marked.items()
    ]
    columns = [
        text("type", _("Violation")),
        count("marked", _("Ratings with it")),
        figure("prevalence", _("Prevalence")),
        count("items", _("Items with it")),
        text("votes", _("Items by votes")),
        figure("positive", _("Agreement that it is there")),
        figure("negative", _("Agreement that it is not")),
        figure("alpha", _("Alpha, nominal")),
        text("model", _("By Dawid and Skene’s model")),
    ]
    words = [
        _(
            "Agreement that a violation is there: where one rating of an item has the mark, how often another rating "
            "of it has it too. Rare marks can agree well on absence and badly on presence."
        )
    ]
    nobody = [report.names.mark(key) for key in found if key not in marked]
    if nobody:
        words.append(_("Never marked: %(types)s.") % {"types": ", ".join(nobody)})
    return Section("marks", _("Violation marks"), words, [Part(Table("marks", _("Violation marks"), columns, rows))])


def _votes(votes: Mapping[str, int]) -> str:
    return ", ".join(
        f"{n:,} × {vote}" for vote, n in sorted(votes.items(), key=lambda pair: int(pair[0])) if vote != "0"
    )


def _latent(fit: Mapping[str, Any]) -> str:
    if fit["prevalence"] is None:
        return reason_words(fit["reason"])
    words = _("%(share)s of items; %(n)s against the majority of votes")
    return words % {"share": percent(fit["prevalence"]), "n": fit["against_majority"]}
