"""Section 4: what was given, and which levels are taken for which."""

from django.utils.translation import gettext as _

from reviews.figures import percent
from reviews.report import charts
from reviews.report.parts import MOST_ROWS, Chart, Part, Report, Section
from reviews.report.tables import Cell, Table, count, text


def levels(report: Report) -> Section:
    parts = [_distribution(report)]
    if any(entry.get("confusion") for _key, _name, entry in report.dimensions):
        parts.append(_confusion(report))
    words = [_("A scale of which one level is given nearly always can tell little apart, whatever its alpha.")]
    return Section("levels", _("What was given"), words, parts)


def _distribution(report: Report) -> Part:
    title = _("Ratings at each level")
    rows: list[list[Cell]] = []
    values = []
    for _key, name, entry in report.dimensions:
        counts = entry["distribution"]
        total = sum(counts.values()) or 1
        rows.append([name, *(counts.get(level) for level in report.levels)])
        for level, n in sorted(counts.items(), key=lambda pair: report.levels.index(pair[0])):
            words = f"{name} {level}: {n:,}, {percent(n / total)}"
            values.append({"dimension": name, "level": level, "share": n / total, "words": words})
    columns = [text("dimension", _("Dimension")), *(count(level, level) for level in report.levels)]
    spec = charts.distribution(values, described=title, level=_("level"), share=_("share of ratings"))
    return Part(Table("levels", title, columns, rows), Chart("levels", title, spec))


def _confusion(report: Report) -> Part:
    """Of each level of one rater, what the others of the item gave: rows add up to one."""
    title = _("Which level stands beside which")
    rows: list[list[Cell]] = []
    values = []
    for _key, name, entry in report.dimensions:
        found = entry.get("confusion")
        if not found:
            continue
        labels = found["levels"]
        for level, counts in zip(labels, found["counts"], strict=True):
            total = sum(counts)
            rows.append([name, level, *(counts[labels.index(one)] if one in labels else None for one in report.levels)])
            for other, n in zip(labels, counts, strict=True):
                share = n / total if total else None
                values.append(
                    {
                        "dimension": name,
                        "x": other,
                        "y": level,
                        "value": share,
                        "text": "" if share is None or not n else percent(share).removesuffix(" %"),
                        "words": f"{level} – {other}: {percent(share)} ({n:,})",
                    }
                )
    columns = [
        text("dimension", _("Dimension")),
        text("level", _("One rater gave")),
        *(count(level, _("another: %(level)s") % {"level": level}) for level in report.levels),
    ]
    spec = charts.heat(
        values, described=title, x=_("another rater gave"), y=_("one rater gave"), domain=[0, 1], step=38
    )
    return Part(Table("confusion", title, columns, rows), Chart("confusion", title, spec), folded=len(rows) > MOST_ROWS)
