"""The tables of an agreement report: figures, distributions, raters, pairs of raters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from reviews.figures import Figure, percent, plain

SEVERE = 0.5
NEARLY_ALWAYS, MANY, LONG_RUN = 0.9, 30, 20
BAR = 40
NameOf = Callable[[str], str]


@dataclass(frozen=True)
class Column:
    """A level of a distribution; `height` of its bar, of 40."""

    count: int
    share: str
    height: float

    @property
    def top(self) -> float:
        return round(BAR - self.height, 1)


def figures_of(entry: Mapping[str, Any]) -> list[tuple[str, Figure]]:
    """The agreement table of a dimension, row by row."""
    reasons = entry.get("reasons") or {}
    rows = [
        (_("Krippendorff’s alpha"), Figure.of(entry["alpha"])),
        (_("Gwet’s AC2"), Figure.of(entry["ac2"])),
        ("ICC(1,1)", Figure.of(entry["icc1_1"])),
        ("ICC(2,1)", Figure.of(entry["icc2_1"])),
        ("ICC(2,k)", Figure.of(entry["icc2_k"])),
        (_("Alpha at least .667, share of replicates"), Figure.share(entry["alpha"]["p_ge_667"])),
        (_("Alpha at least .800, share of replicates"), Figure.share(entry["alpha"]["p_ge_800"])),
    ]
    shares = {
        "all_exact": _("All raters of an item equal"),
        "all_adjacent": _("All raters of an item within one level"),
        "pair_exact": _("Pairs of ratings equal"),
        "pair_adjacent": _("Pairs of ratings within one level"),
    }
    return rows + [(words, Figure.share(entry[name], reasons.get(name))) for name, words in shares.items()]


def columns_of(distribution: Mapping[str, int], levels: Sequence[str]) -> list[Column | None]:
    total, most = sum(distribution.values()) or 1, max(distribution.values(), default=0) or 1
    return [
        Column(count, percent(count / total), round(BAR * count / most, 1))
        if (count := distribution.get(level)) is not None
        else None
        for level in levels
    ]


def rater_shown(detail: Mapping[str, Any], rater_name: NameOf, *, others_vary: bool) -> dict[str, Any]:
    """A row of the raters' table. `said`: what stands out, in sentences. others_vary: not nearly all is one level."""
    name, reasons = rater_name(detail["rater"]), detail.get("reasons") or {}
    severe, straight = _is_severe(detail["severity"]), others_vary and _is_straight(detail)
    said = [_severity_words(name, detail["severity"]["value"])] if severe else []
    if straight:
        words = _("%(rater)s gives the same level nearly always: %(share)s of the ratings, up to %(run)s in a row.")
        said.append(words % {"rater": name, "share": percent(detail["modal_share"]), "run": detail["longest_run"]})
    return {
        "name": name,
        "n": detail["n"],
        "severity": Figure.of(detail["severity"]),
        "drift": Figure.number(detail["drift"], reasons.get("drift")),
        "modal_share": percent(detail["modal_share"]),
        "longest_run": detail["longest_run"],
        "alpha_without": Figure.number(detail["alpha_without"], reasons.get("alpha_without")),
        "severe": severe,
        "straight": straight,
        "said": said,
    }


def _is_severe(severity: Mapping[str, Any]) -> bool:
    """Half a level or more from the others, with an interval off 0."""
    value, low, high = severity["value"], severity["ci_low"], severity["ci_high"]
    return value is not None and abs(value) >= SEVERE and low is not None and (low > 0 or high < 0)


def _is_straight(detail: Mapping[str, Any]) -> bool:
    often = detail["n"] >= MANY and (detail["modal_share"] or 0) >= NEARLY_ALWAYS
    return often or (detail["longest_run"] or 0) >= LONG_RUN


def _severity_words(name: str, value: float) -> str:
    words = _("%(rater)s rates %(levels)s levels lower than the others.")
    if value < 0:
        words = _("%(rater)s rates %(levels)s levels higher than the others.")
    return words % {"rater": name, "levels": plain(abs(value), 1)}


def pair_shown(pair: Mapping[str, Any], rater_name: NameOf) -> dict[str, Any]:
    reason = pair["reason"]
    return {
        "a": rater_name(pair["a"]),
        "b": rater_name(pair["b"]),
        "n": pair["n"],
        "qwk": Figure.number(pair["qwk"], reason),
        "exact": Figure.share(pair["exact"], reason),
        "adjacent": Figure.share(pair["adjacent"], reason),
        "mean_difference": Figure.number(pair["mean_difference"], reason),
    }
