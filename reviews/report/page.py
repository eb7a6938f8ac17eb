"""An agreement report as its page shows it: words first, then the number with its interval, then picture and table.

It reads the stored result (the JSON of `agreement --json`) and imports nothing heavy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reviews.figures import Figure, percent, reason_words
from reviews.report.rows import NameOf, rater_shown
from reviews.report.verdicts import level_words, verdict_words
from reviews.statistics.bands import judge

NEARLY_ALL = 0.7  # from here on alpha measures the rare rest, and AC2 is read beside it
FEW_UNITS = 10


@dataclass(frozen=True)
class Chip:
    """level: how it looks ("good", "heed", "alarm"; empty is plain)."""

    words: str
    level: str = ""


@dataclass(frozen=True)
class Tile:
    """One dimension at a glance. `ac2` where it is to be read beside alpha."""

    name: str
    alpha: Figure
    level: str
    chip: Chip
    ac2: Figure | None
    sentences: list[str]


@dataclass(frozen=True)
class Next:
    """One row of what to do next; `to` is what the page makes a link of."""

    where: str
    seen: str
    n: int | None
    to: str


@dataclass(frozen=True)
class DimensionShown:
    key: str
    name: str
    entry: Mapping[str, Any]
    tile: Tile
    raters: list[dict[str, Any]]


@dataclass(frozen=True)
class Page:
    """What stands before and behind the sections."""

    dimensions: list[DimensionShown]
    next_steps: list[Next]
    summary: str
    answer: str


def page_of(result: Mapping[str, Any], *, dimension_name: NameOf, rater_name: NameOf) -> Page:
    """The page of a stored result. The two functions give the names that this reader may see."""
    entries: Mapping[str, Mapping[str, Any]] = result["dimensions"]
    shown = [_shown(key, entry, dimension_name(key), rater_name) for key, entry in entries.items()]
    return Page(
        dimensions=shown,
        next_steps=[step for one in shown for step in _next(one)],
        summary=_summary(entries),
        answer=_answer(shown),
    )


def _summary(entries: Mapping[str, Mapping[str, Any]]) -> str:
    """What was rated, by whom; the dimension with most of each stands for all."""
    most = {name: max((entry[name] or 0 for entry in entries.values()), default=0) for name in _COUNTED}
    words = _("%(units)s responses to %(clusters)s scenarios, %(ratings)s ratings by %(raters)s people.")
    said = words % {name: f"{n:,}" for name, n in most.items()}
    single = most["units"] - most["pairable_units"]
    if single <= 0:
        return said
    once = ngettext(
        "%(n)s response was read by one person only, and tells nothing of agreement.",
        "%(n)s responses were read by one person only, and tell nothing of agreement.",
        single,
    )
    return f"{said} {once % {'n': f'{single:,}'}}"


_COUNTED = ("units", "pairable_units", "clusters", "ratings", "raters")


def _answer(shown: Sequence[DimensionShown]) -> str:
    """A line for those who read no further."""
    both = _("read alpha and AC2")  # not inside the f-string: messages there are not found
    said = [f"{one.name}: {both if one.tile.ac2 else _verdict(one.entry['alpha'])}" for one in shown]
    return _("By alpha’s interval: %(verdicts)s.") % {"verdicts": "; ".join(said)} if said else ""


def _shown(key: str, entry: Mapping[str, Any], name: str, rater_name: NameOf) -> DimensionShown:
    _level, share = _most_frequent(entry["distribution"])
    vary = share <= NEARLY_ALL
    raters = [rater_shown(detail, rater_name, others_vary=vary) for detail in entry["raters_detail"] or ()]
    return DimensionShown(key=key, name=name, entry=entry, tile=_tile(entry, name, raters), raters=raters)


def _tile(entry: Mapping[str, Any], name: str, raters: Sequence[Mapping[str, Any]]) -> Tile:
    alpha = Figure.of(entry["alpha"])
    level, share = _most_frequent(entry["distribution"])
    rare = share > NEARLY_ALL
    both = _("read both")
    chip = Chip(f"◆ {both}") if rare and alpha.text else _band(entry["alpha"])
    return Tile(
        name=name,
        alpha=alpha,
        level=level_words(entry["alpha"]["level"]),
        chip=chip,
        ac2=Figure.of(entry["ac2"]) if rare else None,
        sentences=_sentences(entry, level, share, raters),
    )


def _most_frequent(distribution: Mapping[str, int]) -> tuple[str, float]:
    level, count = max(distribution.items(), key=lambda pair: pair[1], default=("", 0))
    return level, count / (sum(distribution.values()) or 1)


def _bands() -> dict[str, tuple[str, str]]:
    """Of each band: how its chip looks, its bounds."""
    return {
        "rely": ("good", _("at least .800")),
        "tentative": ("heed", _(".667 to .800")),
        "do not use": ("alarm", _("under .667")),
    }


def _verdict(alpha: Mapping[str, Any]) -> str:
    verdict = judge("alpha", alpha["ci_low"], alpha["ci_high"])
    if verdict is None:
        return _("not to be said")
    return verdict_words(verdict)


def _band(alpha: Mapping[str, Any]) -> Chip:
    """Read off the interval; where it spans bands, the lower one is what can be relied on, and gives the look."""
    verdict = judge("alpha", alpha["ci_low"], alpha["ci_high"])
    if verdict is None:
        return Chip(_("no band without an interval"))
    level, bounds = _bands()[verdict.low]
    if verdict.is_certain:
        return Chip(f"{verdict_words(verdict)} ({bounds}, {verdict.source})", level)
    return Chip(f"{verdict_words(verdict)} ({verdict.source})", level)


def _sentences(entry: Mapping[str, Any], level: str, share: float, raters: Sequence[Mapping[str, Any]]) -> list[str]:
    said = []
    shares = {"exact": percent(entry["all_exact"]), "adjacent": percent(entry["all_adjacent"])}
    if shares["adjacent"]:
        said.append(_("All raters of an item agree exactly on %(exact)s, within one level on %(adjacent)s.") % shares)
    elif shares["exact"]:
        said.append(_("All raters of an item agree exactly on %(exact)s.") % shares)
    alpha = entry["alpha"]["value"]
    if share > NEARLY_ALL:
        words = _("%(share)s of ratings are a %(level)s: alpha measures the rare rest.")
        said.append(words % {"share": percent(share), "level": level})
    elif alpha is not None and alpha <= 0:
        said.append(_("The raters agree no better than by chance."))
    if entry["pairable_units"] < FEW_UNITS:
        words = ngettext(
            "Too few: %(n)s item can be compared.", "Too few: %(n)s items can be compared.", entry["pairable_units"]
        )
        said.append(words % {"n": entry["pairable_units"]})
    if entry["missing"]:
        words = ngettext("%(n)s missing value is left out.", "%(n)s missing values are left out.", entry["missing"])
        said.append(words % {"n": entry["missing"]})
    return [*said, *(sentence for rater in raters for sentence in rater["said"])]


def _next(one: DimensionShown) -> list[Next]:
    """What the numbers of one dimension ask for."""
    entry, steps = one.entry, []
    verdict = judge("alpha", entry["alpha"]["ci_low"], entry["alpha"]["ci_high"])
    if verdict is not None and verdict.low == "do not use" and not one.tile.ac2:
        apart = round((1 - (entry["all_adjacent"] or 0)) * entry["pairable_units"])
        words = _("agreement may be too low to rely on: with the raters, read items whose scores lie two levels apart")
        steps.append(Next(one.name, words, apart, "cases"))
    elif entry["alpha"]["value"] is not None and verdict is None:
        reason = reason_words(entry["alpha"]["reason"] or "")
        steps.append(Next(one.name, _("no interval: %(reason)s") % {"reason": reason}, entry["clusters"], "campaign"))
    steps += [Next(one.name, sentence, rater["n"], "people") for rater in one.raters for sentence in rater["said"]]
    return steps
