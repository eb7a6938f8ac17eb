"""Section 6: where the guideline is in trouble, and what each rater is like."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from reviews.figures import Figure, percent, plain, reason_words
from reviews.report import charts
from reviews.report.parts import MOST_ROWS, Chart, Part, Report, Section
from reviews.report.slices import point_of
from reviews.report.tables import Cell, Column, Linked, Table, count, figure, text

MOST_ITEMS = 25


def trouble(report: Report) -> Section:
    words = [
        _(
            "Misfit is high where raters differ who otherwise agree best: there the guideline says too little. 1 is "
            "what the raters’ usual differences come to."
        )
    ]
    parts = [part for part in (_tasks(report), _items(report)) if part.table.rows]
    if not parts:
        reasons = {entry.get("misfit", {}).get("reason") for _key, _name, entry in report.dimensions}
        words = [reason_words(reason) for reason in sorted(filter(None, reasons))]
    return Section("trouble", _("Where the guideline is in trouble"), words, parts)


def _tasks(report: Report) -> Part:
    """How many of the items that fit worst are of each task, of all dimensions."""
    rows: list[list[Cell]] = []
    for _key, name, entry in report.dimensions:
        by_task: dict[str, list[float]] = defaultdict(list)
        for item in entry.get("misfit", {}).get("items", []):
            by_task[item["item"].partition("/")[0]].append(item["value"])
        ordered = sorted(by_task.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        rows += [
            [name, report.names.tag("task", task), len(found), Figure.number(max(found))] for task, found in ordered
        ]
    title = _("Of the items that fit worst, how many are of each task")
    columns = [
        text("dimension", _("Dimension")),
        text("task", _("task")),
        count("items", _("Items")),
        figure("worst", _("Highest misfit")),
    ]
    return Part(Table("misfit-by-task", title, columns, rows), folded=len(rows) > MOST_ROWS)


def _items(report: Report) -> Part:
    rows: list[list[Cell]] = [
        [name, item["item"], Figure.number(item["value"]), item["raters"], plain(item["range"], 1).removesuffix(".0")]
        for _key, name, entry in report.dimensions
        for item in entry.get("misfit", {}).get("items", [])[:MOST_ITEMS]
    ]
    columns = [
        text("dimension", _("Dimension")),
        text("item", _("Item")),
        figure("misfit", _("Misfit")),
        count("raters", _("Raters")),
        text("range", _("Levels apart")),
    ]
    title = _("Items to read first, with the guideline beside them")
    return Part(Table("misfit", title, columns, rows), folded=len(rows) > MOST_ROWS)


def raters(report: Report) -> Section:
    rows: list[list[Cell]] = []
    values = []
    own = {one["rater"]: one for one in report.result.get("raters", [])}
    for _key, name, entry in report.dimensions:
        for detail in entry["raters_detail"] or ():
            called = _linked(report, detail["rater"])
            rows.append([name, called, *_row(detail)])
            values.append(point_of(name, called.words, Figure.of(detail["severity"])))
    words = [
        _(
            "Severity: how many levels lower than the others a person rates, the items being equal. Drift: the same, "
            "second half minus first half. Alpha changes by: alpha without the person, minus alpha."
        )
    ]
    if not rows:
        reasons = {(entry.get("reasons") or {}).get("raters_detail") for _key, _name, entry in report.dimensions}
        return Section(
            "raters", _("Raters"), [reason_words(reason or "no ratings") for reason in sorted(map(str, reasons))]
        )
    title = _("Severity")
    table = Table("raters", _("Raters"), _columns(), rows)
    chart = Chart(
        "raters", title, charts.severities(values, described=title, measured=_("levels lower than the others"))
    )
    parts = [Part(table, chart, folded=len(rows) > MOST_ROWS)]
    if own:
        parts.append(_own(report, own))
    return Section("raters", _("Raters"), words, parts)


def _linked(report: Report, code: str) -> Linked:
    return Linked(report.names.rater(code), report.names.rater_at(code))


def _columns() -> list[Column]:
    return [
        text("dimension", _("Dimension")),
        text("rater", _("Rater")),
        count("ratings", _("Ratings")),
        figure("severity", _("Severity")),
        figure("drift", _("Drift")),
        figure("slope", _("Drift in 100 ratings")),
        figure("alpha_change", _("Alpha changes by")),
        figure("rest_correlation", _("Correlation with the others")),
        text("most_frequent", _("Most frequent level")),
        count("run", _("Longest run")),
        text("seen", _("What stands out")),
    ]


def _row(detail: Mapping[str, Any]) -> list[Cell]:
    reasons = detail.get("reasons") or {}
    low, high = detail.get("drift_ci") or (None, None)
    drift = {"value": detail["drift"], "ci_low": low, "ci_high": high, "reason": reasons.get("drift")}
    correlation = detail.get("rest_correlation") or {}
    return [
        detail["n"],
        Figure.of(detail["severity"]),
        Figure.of(drift),
        _figure(detail.get("slope")),
        _figure(detail.get("alpha_change")),
        Figure.number(correlation.get("value"), correlation.get("reason")),
        percent(detail["modal_share"]),
        detail["longest_run"],
        "; ".join(_seen(detail)),
    ]


def _figure(entry: Mapping[str, Any] | None) -> Figure | None:
    return Figure.of(entry) if entry else None


def _seen(detail: Mapping[str, Any]) -> list[str]:
    words = {
        "modal_share": _("nearly always the same level"),
        "run": _("a long run of one level"),
    }
    said = [words.get(kind, kind) for kind in detail.get("straight_lining", [])]
    return [_("constant"), *said] if detail.get("constant") else said


def _own(report: Report, own: Mapping[str, Mapping[str, Any]]) -> Part:
    """Over all dimensions: speed, sameness, and check items where there are any."""
    checked = any(one["checks"] for one in own.values())
    rows: list[list[Cell]] = [
        [
            _linked(report, code),
            one["items"],
            one["seconds"],
            Figure.share(one["all_equal"], "too few ratings"),
            *([one["checks"], one["hits"]] if checked else []),
        ]
        for code, one in own.items()
    ]
    columns = [
        text("rater", _("Rater")),
        count("items", _("Items")),
        count("seconds", _("Seconds an item, median")),
        figure("all_equal", _("All scales at one level")),
    ]
    if checked:
        columns += [count("checks", _("Check items answered")), count("hits", _("of them hit"))]
    return Part(Table("raters-work", _("How they worked"), columns, rows), folded=len(rows) > MOST_ROWS)
