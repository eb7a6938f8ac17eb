"""A plan as its page shows it: the recommendation in words, designs side by side, and what was supposed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.figures import Figure, listed, percent, plain, reason_words
from reviews.plan_reading import UNNAMED
from reviews.report import charts
from reviews.report.parts import MOST_ROWS, Chart, Part
from reviews.report.tables import Cell, Column, Table, count, number, text

NameOf = Callable[[str], str]
Design = Mapping[str, Any]


@dataclass(frozen=True)
class ShownPlan:
    """sentences: the recommendation. supposed: name and value of each assumption."""

    sentences: list[str]
    parts: list[Part]
    supposed: list[tuple[str, str]]


def shown_plan(result: Mapping[str, Any], *, dimension_name: NameOf) -> ShownPlan:
    designs: Sequence[Design] = result["designs"]
    parts = [_side_by_side(result)]
    names = list(result["assumptions"]["dimensions"])
    if len(names) > 1:
        own = [[{**design, **design["dimensions"][name]} for design in designs] for name in names]
        parts += [
            Part(_table(f"designs-{name}", dimension_name(name), rows, None), folded=True)
            for name, rows in zip(names, own, strict=True)
        ]
    return ShownPlan(_sentences(result), parts, _supposed(result, dimension_name))


def tables_of_plan(result: Mapping[str, Any], *, dimension_name: NameOf) -> dict[str, Table]:
    return {part.table.name: part.table for part in shown_plan(result, dimension_name=dimension_name).parts}


def _sentences(result: Mapping[str, Any]) -> list[str]:
    designs, width, best = result["designs"], result["assumptions"]["width"], result["recommended"]
    if width is None:
        return [_("No width was asked for, so that no design is recommended.")]
    told: dict[str, Any] = {"wanted": plain(width, 3)}
    if best is not None:
        told |= {"design": in_words(designs[best])}
        said = _("The cheapest design with alpha to ± %(wanted)s or better: %(design)s.")
        return [said % told, _what_it_comes_to(designs[best])]
    nearest = result["nearest"]
    if nearest is None:
        return [_("No design has an interval of alpha: %(why)s.") % {"why": reason_words(designs[0]["reason"])}]
    design = designs[nearest["design"]]
    told |= {"design": in_words(design), "reached": plain(design["half_width"], 3)}
    told |= {"scenarios": intcomma(nearest["scenarios"])}
    return [
        _("No design gives alpha to ± %(wanted)s. The nearest, with ± %(reached)s: %(design)s.") % told,
        _("With otherwise the same design it would take about %(scenarios)s scenarios.") % told,
    ]


def in_words(design: Design) -> str:
    scenarios, responses, raters = (design[name] for name in ("scenarios", "responses", "raters"))
    parts = [
        ngettext("%(n)s scenario", "%(n)s scenarios", scenarios) % {"n": intcomma(scenarios)},
        ngettext("%(n)s response to each", "%(n)s responses to each", responses) % {"n": responses},
        ngettext("%(n)s rater an item", "%(n)s raters an item", raters) % {"n": raters},
    ]
    return listed(parts)


def _what_it_comes_to(design: Design) -> str:
    told = {
        "width": plain(design["half_width"], 3),
        "ratings": intcomma(design["ratings"]),
        "sent": percent(design["sent"]),
        "hours": _hours(design["hours"]),
        "cost": _money(design["cost"]),
    }
    return (
        _(
            "It comes to alpha ± %(width)s, %(ratings)s ratings, %(sent)s of the items to an expert, %(hours)s hours "
            "of work and a cost of %(cost)s."
        )
        % told
    )


def _side_by_side(result: Mapping[str, Any]) -> Part:
    designs, best = result["designs"], result["recommended"]
    table = _table("designs", _("Designs side by side"), designs, best)
    values = [
        {
            "cost": design["cost"],
            "width": design["half_width"],
            "raters": str(design["raters"]),
            "best": at == best,
            "words": f"{_short(design)}: ± {plain(design['half_width'], 3)}, {_money(design['cost'])}",
        }
        for at, design in enumerate(designs)
        if design["half_width"] is not None
    ]
    if not values:
        return Part(table)
    title = _("What a narrower interval costs")
    spec = charts.costs(
        values,
        described=title,
        x=_("cost"),
        y=_("alpha ±"),
        raters=_("raters an item"),
        wanted=result["assumptions"]["width"],
    )
    return Part(table, Chart("designs", title, spec), folded=len(designs) > 2 * MOST_ROWS)


def _table(name: str, title: str, designs: Sequence[Design], best: int | None) -> Table:
    """With costs in the table of the whole; of one dimension what is its own."""
    is_whole = not name.startswith("designs-")
    columns: list[Column] = [
        text("design", _("Scenarios × responses × raters")),
        count("ratings", _("Ratings")),
        number("alpha", _("Alpha")),
        number("half_width", _("Alpha ±")),
        number("consensus_error", _("Error of consensus, levels")),
        number("consensus_off", _("Consensus a level off")),
    ]
    if is_whole:
        sizes = [("scenarios", _("Scenarios")), ("responses", _("Responses")), ("raters", _("Raters"))]
        columns[1:1] = [count(key, words) for key, words in sizes]
        columns += [
            number("sent", _("Items to an expert")),
            number("hours", _("Hours")),
            number("cost", _("Cost")),
            text("recommended", _("Recommended")),
        ]
    else:
        columns += [number("disputed", _("Disputed"))]
    if any(design["reason"] for design in designs):
        columns.append(text("reason", _("Why there is no interval")))
    rows = [[_cell(column.key, design, is_best=at == best) for column in columns] for at, design in enumerate(designs)]
    return Table(name, title, columns, rows)


def _cell(key: str, design: Design, *, is_best: bool) -> Cell:
    if key == "design":
        return _short(design)
    if key == "recommended":
        return _("yes") if is_best else None
    if key == "reason":
        return reason_words(design["reason"])
    value = design[key]
    shown = _SHOWN.get(key)
    return value if shown is None or value is None else Figure(shown(value), value=value)


def _short(design: Design) -> str:
    return f"{design['scenarios']} × {design['responses']} × {design['raters']}"


def _hours(hours: float) -> str:
    return f"{hours:.1f}" if hours < 10 else intcomma(round(hours))


def _money(cost: float) -> str:
    return str(intcomma(round(cost)))


_SHOWN: dict[str, Callable[[float], str]] = {
    "alpha": plain,
    "half_width": lambda value: plain(value, 3),
    "consensus_error": plain,
    "consensus_off": percent,
    "sent": percent,
    "disputed": percent,
    "hours": _hours,
    "cost": _money,
}


def _supposed(result: Mapping[str, Any], dimension_name: NameOf) -> list[tuple[str, str]]:
    assumptions = result["assumptions"]
    rows = []
    for name, one in assumptions["dimensions"].items():
        levels = listed(f"{level}: {percent(share)}" for level, share in one["distribution"].items())
        told = {"alpha": plain(one["alpha"]), "share": percent(one["scenario_share"]), "levels": levels}
        title = _("Ratings") if name == UNNAMED else dimension_name(name)
        rows.append((title, _("alpha %(alpha)s; share of the scenarios %(share)s; levels %(levels)s") % told))
    rule, costs = assumptions["rule"], assumptions["costs"]
    cut = next(iter(rule["cuts"].values()), None)
    sent = [_("audit %(share)s") % {"share": percent(rule["audit_share"])}]
    if cut is not None:
        sent.insert(0, _("a score of %(cut)s or less") % {"cut": f"{cut:g}"})
    if rule["range"] is not None:
        sent.insert(0, _("scores %(n)s or more apart") % {"n": f"{rule['range']:g}"})
    told = {name: f"{value:g}" for name, value in costs.items()}
    rows += [
        (_("To an expert"), listed(sent)),
        (_("Time"), _("%(seconds)s s a rating, %(case_minutes)s min a case") % told),
        (_("Wages"), _("%(wage)s an hour for annotators, %(expert_wage)s for experts") % told),
        (
            _("Simulated studies"),
            _("%(n)s a design, seed %(seed)s") % {"n": assumptions["simulations"], **_seed(result)},
        ),
    ]
    return rows


def _seed(result: Mapping[str, Any]) -> dict[str, Any]:
    return {"seed": result["assumptions"]["seed"]}
