"""Section 5: every two raters, over the items that both have rated."""

from django.utils.translation import gettext as _

from reviews.figures import Figure, plain, reason_words
from reviews.report import charts
from reviews.report.pair_confusion import confusion_of_pair, on_confusion
from reviews.report.parts import MOST_ROWS, Chart, Part, Report, Section
from reviews.report.tables import Cell, Table, count, figure, text

MOST_DRAWN = 30  # raters in a heat map that can still be read


def pairs(report: Report) -> Section:
    title = _("Quadratic weighted kappa of each pair")
    rows: list[list[Cell]] = []
    values = []
    for _key, name, entry in report.dimensions:
        for pair in entry["pairs"] or ():
            a, b, reason = report.names.rater(pair["a"]), report.names.rater(pair["b"]), pair["reason"]
            kappa = Figure.number(pair["qwk"], reason)
            rows.append(
                [
                    name,
                    a,
                    b,
                    pair["n"],
                    kappa,
                    Figure.share(pair["exact"], reason),
                    Figure.share(pair["adjacent"], reason),
                    Figure.number(pair["mean_difference"], reason),
                ]
            )
            words = f"{a} – {b}: {kappa.text or kappa.why}, n = {pair['n']:,}"
            cell = {"dimension": name, "value": pair["qwk"], "text": plain(pair["qwk"]), "words": words}
            values += [{**cell, "x": a, "y": b}, {**cell, "x": b, "y": a}]
    said = [_("The mean difference is the first rater’s level minus the second’s.")]
    if not rows:
        whys = {(entry.get("reasons") or {}).get("pairs") or "one rater" for _k, _n, entry in report.dimensions}
        return Section("pairs", _("Pairs of raters"), [reason_words(reason) for reason in sorted(whys)])
    columns = [
        text("dimension", _("Dimension")),
        text("a", _("Rater")),
        text("b", _("And")),
        count("n", _("Items")),
        figure("kappa", _("Kappa")),
        figure("equal", _("Equal")),
        figure("within_one", _("Within one level")),
        figure("difference", _("Mean difference")),
    ]
    table = Table("pairs", title, columns, rows)
    chart = None
    if len({value["x"] for value in values}) <= MOST_DRAWN:
        chart = Chart("pairs", title, charts.heat(values, described=title, domain=[0, 1]))
    parts = [Part(table, chart, folded=len(rows) > MOST_ROWS), *confusion_of_pair(report)]
    return Section("pairs", _("Pairs of raters"), [*said, *on_confusion(report)], parts)
