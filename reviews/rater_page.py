"""One rater's page in words and figures; it reads what reviews/rater_profile.py found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign, User
from reviews.figures import Figure, percent, plain
from reviews.models import AgreementReport
from reviews.rater_profile import Given, ItemApart, Totals
from reviews.report.rows import is_severe
from reviews.services.withdrawal_preview import Preview

NO_FIGURE: Mapping[str, Any] = {"value": None, "ci_low": None, "ci_high": None, "reason": None}


@dataclass(frozen=True)
class Measured:
    """One dimension of the agreement report, about this rater."""

    name: str
    n: int
    severity: Figure
    severe: bool
    drift: Figure
    modal_share: str
    longest_run: int | None
    alpha_without: Figure
    monotonous: bool


@dataclass(frozen=True)
class Level:
    """How often a level was given: a number and its share of that row."""

    n: int
    share: str


@dataclass(frozen=True)
class Row:
    """A dimension's levels in order: theirs, and the others'."""

    name: str
    levels: list[tuple[int, Level, Level]]


@dataclass(frozen=True)
class ApartShown:
    """One line of where they differ."""

    found: ItemApart
    dimension: str
    others: str
    mean: str
    difference: str


def measured_of(details: Mapping[str, Mapping[str, Any]], campaign: Campaign) -> list[Measured]:
    """A row a dimension of the rubric that the report knows this rater in."""
    return [
        _measured(dimension.name, details[dimension.key])
        for dimension in campaign.rubric.dimensions
        if dimension.key in details
    ]


def _measured(name: str, detail: Mapping[str, Any]) -> Measured:
    severity = {**NO_FIGURE, **(detail.get("severity") or {})}
    reasons = detail.get("reasons") or {}
    return Measured(
        name=name,
        n=detail.get("n") or 0,
        severity=Figure.of(severity),
        severe=is_severe(severity),
        drift=_drift(detail, reasons.get("drift")),
        modal_share=percent(detail.get("modal_share")),
        longest_run=detail.get("longest_run"),
        alpha_without=Figure.number(detail.get("alpha_without"), reasons.get("alpha_without")),
        monotonous="run" in detail.get("straight_lining", ()),
    )


def _drift(detail: Mapping[str, Any], reason: str | None) -> Figure:
    """With its interval where the report has one."""
    low, high = detail.get("drift_ci") or (None, None)
    return Figure.of({"value": detail.get("drift"), "ci_low": low, "ci_high": high, "reason": reason})


def standing_sentence(person: User, totals: Totals, found: list[Measured], report: AgreementReport | None) -> str:
    """How they stand, in a sentence; of what the latest report says of them."""
    name = {"person": person}
    if not totals.ratings:
        return _("%(person)s has no rating here that stands.") % name
    if report is None:
        return _("How %(person)s stands beside the others is not known yet: no agreement has been computed.") % name
    if not found:
        return _("The latest agreement report does not know %(person)s: compute it again.") % name
    said = [_on_severity(name, [one for one in found if one.severe])]
    if alike := [one.name for one in found if one.monotonous]:
        words = _("They gave one level in long runs while the others did not: %(dimensions)s.")
        said.append(words % {"dimensions": ", ".join(alike)})
    return " ".join(said)


def _on_severity(name: Mapping[str, User], severe: list[Measured]) -> str:
    if not severe:
        return _("%(person)s rates no dimension half a level or more apart from the others.") % name
    # Not inside one another: each sentence is translated as a whole.
    lower = _("%(levels)s levels lower than the others on %(dimension)s")
    higher = _("%(levels)s levels higher than the others on %(dimension)s")
    parts = []
    for one in severe:
        value = one.severity.value or 0.0
        words = higher if value < 0 else lower
        parts.append(words % {"levels": plain(abs(value), 1), "dimension": one.name})
    return _("%(person)s rates %(where)s.") % {**name, "where": ", ".join(parts)}


def rows_of(given: list[Given], campaign: Campaign) -> list[Row]:
    """What was given, level by level; nothing for a dimension that nobody gave a level of."""
    return [
        Row(
            dimension.name,
            [
                (level, _level(one.own, level), _level(one.others, level))
                for level in range(dimension.lowest, dimension.highest + 1)
            ],
        )
        for one, dimension in zip(given, campaign.rubric.dimensions, strict=True)
        if one.own
    ]


def _level(given: Mapping[int, int], level: int) -> Level:
    n, total = given.get(level, 0), sum(given.values())
    return Level(n, percent(n / total) if total else "")


def apart_shown(found: ItemApart, campaign: Campaign) -> ApartShown:
    names = {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}
    difference = found.apart.difference
    return ApartShown(
        found=found,
        dimension=names[found.apart.dimension],
        others=", ".join(map(str, found.others)),
        mean=plain(found.apart.mean),
        difference=("+" if difference > 0 else "") + plain(difference),
    )


def preview_sentences(preview: Preview, *, closed: bool) -> list[str]:
    """The numbers in words; one sentence where there is nothing to take out."""
    if not preview.ratings:
        return [_("No rating of theirs from then on counts or is kept as surplus: there is nothing to withdraw.")]
    n = preview.counted
    said = [ngettext("%(n)s counted rating is taken out.", "%(n)s counted ratings are taken out.", n) % {"n": f"{n:,}"}]
    if n := preview.surplus:
        words = ngettext("%(n)s surplus rating with it.", "%(n)s surplus ratings with them.", n)
        said.append(words % {"n": f"{n:,}"})
    n = preview.items
    words = ngettext(
        "%(n)s item that has all its raters falls under what it needs.",
        "%(n)s items that have all their raters fall under what they need.",
        n,
    )
    said.append(words % {"n": f"{n:,}"} if n else _("No item that has all its raters falls under what it needs."))
    if closed and n:
        said.append(_("The campaign is closed: nobody is asked to fill these places."))
    elif n:
        said.append(_("Their places are given to others."))
    if n := preview.decided:
        words = ngettext(
            "%(n)s decided case is concerned; its decision stays.",
            "%(n)s decided cases are concerned; their decisions stay.",
            n,
        )
        said.append(words % {"n": f"{n:,}"})
    if n := preview.open_cases:
        words = ngettext(
            "%(n)s case that is not decided is concerned: it falls away unless an expert holds it, until its item has "
            "all its raters again.",
            "%(n)s cases that are not decided are concerned: they fall away unless an expert holds them, until their "
            "items have all their raters again.",
            n,
        )
        said.append(words % {"n": f"{n:,}"})
    return said


def done_sentences(found: Any) -> list[str]:
    """What a withdrawal did (`RatingWithdrawals.with_counts`), and what bringing back did."""
    out = found.counted + found.surplus
    said = [
        ngettext("%(n)s of %(all)s rating taken out.", "%(n)s of %(all)s ratings taken out.", found.total)
        % {"n": f"{out:,}", "all": f"{found.total:,}"}
    ]
    if n := found.wanting:
        words = ngettext("%(n)s item wanted a rater by it.", "%(n)s items wanted raters by it.", n)
        said.append(words % {"n": f"{n:,}"})
    if found.reverted_at is not None:
        numbers = {"again": f"{found.again:,}", "surplus": f"{found.again_surplus:,}"}
        said.append(_("Brought back: %(again)s counted, %(surplus)s as surplus.") % numbers)
    return said
