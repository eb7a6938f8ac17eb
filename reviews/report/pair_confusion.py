"""Which levels two raters take for each other: of the pair that is chosen; in the CSV of every pair."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from reviews.report.parts import Choice, Part, Report
from reviews.report.tables import Cell, Table, count, text

NAME = "pair-confusion"


def confusion_of_pair(report: Report) -> list[Part]:
    """One part, or none: reports that were made before there were such tables have none."""
    pairs = {f"{one['a']} {one['b']}": one for _name, _levels, one in _tables(report)}
    if not pairs:
        return []
    chosen = report.pair if report.pair in pairs else next(iter(pairs))
    called = {key: (report.names.rater(one["a"]), report.names.rater(one["b"])) for key, one in pairs.items()}
    options = [(key, f"{a} – {b}") for key, (a, b) in called.items()]
    choice = Choice("pair", _("Two raters"), options, chosen)
    return [Part(_of_one(report, pairs[chosen], *called[chosen]), choice=choice, whole=_of_all(report))]


def on_confusion(report: Report) -> list[str]:
    """Where there are too many raters to set every two side by side."""
    found = [entry["pair_confusions"] for _k, _n, entry in report.dimensions if entry.get("pair_confusions")]
    if all(one["raters"] == one["of"] for one in found):
        return []
    words = _("Which levels two raters give is kept of the %(n)s raters with most ratings.")
    return [words % {"n": max(one["raters"] for one in found)}]


def _tables(report: Report) -> Iterator[tuple[str, list[str], Mapping[str, Any]]]:
    """(name of the dimension, its levels, {"a", "b", "counts"}) of each, dimension by dimension."""
    for _key, name, entry in report.dimensions:
        found = entry.get("pair_confusions")
        if found:
            yield from ((name, found["levels"], one) for one in found["pairs"])


def _of_one(report: Report, pair: Mapping[str, Any], a: str, b: str) -> Table:
    columns = [
        text("dimension", _("Dimension")),
        text("level", _("%(rater)s gave") % {"rater": a}),
        *(count(level, _("%(rater)s: %(level)s") % {"rater": b, "level": level}) for level in report.levels),
    ]
    rows: list[list[Cell]] = []
    for name, levels, one in _tables(report):
        if (one["a"], one["b"]) == (pair["a"], pair["b"]):
            rows += [[name, *row] for row in _rows(report, levels, one)]
    return Table(NAME, _("Which level %(a)s gives where %(b)s gives which") % {"a": a, "b": b}, columns, rows)


def _of_all(report: Report) -> Table:
    columns = [
        text("dimension", _("Dimension")),
        text("a", _("Rater")),
        text("b", _("And")),
        text("level", _("One rater gave")),
        *(count(level, level) for level in report.levels),
    ]
    rows: list[list[Cell]] = [
        [name, report.names.rater(one["a"]), report.names.rater(one["b"]), *row]
        for name, levels, one in _tables(report)
        for row in _rows(report, levels, one)
    ]
    return Table(NAME, _("Which level one rater gives where another gives which"), columns, rows)


def _rows(report: Report, levels: list[str], one: Mapping[str, Any]) -> Iterator[list[Cell]]:
    """A row a level of the first rater: it, then how often the second gave each; nothing where the scale lacks one."""
    for level, counts in zip(levels, one["counts"], strict=True):
        often = dict(zip(levels, counts, strict=True))
        yield [level, *(often.get(other) for other in report.levels)]
