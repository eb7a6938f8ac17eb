"""What is said of each dimension and each rater in tiles and next steps, and the measures of the agreement table."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from reviews.figures import Figure, percent, plain

SEVERE = 0.5
NameOf = Callable[[str], str]


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


def rater_shown(detail: Mapping[str, Any], rater_name: NameOf, *, others_vary: bool) -> dict[str, Any]:
    """A row of the raters' table. `said`: what stands out, in sentences. others_vary: not nearly all is one level."""
    name = rater_name(detail["rater"])
    severe, straight = is_severe(detail["severity"]), others_vary and bool(detail["straight_lining"])
    said = [_severity_words(name, detail["severity"]["value"])] if severe else []
    if straight:
        words = _("%(rater)s gives the same level nearly always: %(share)s of the ratings, up to %(run)s in a row.")
        said.append(words % {"rater": name, "share": percent(detail["modal_share"]), "run": detail["longest_run"]})
    return {
        "code": detail["rater"],
        "n": detail["n"],
        "said": said,
    }


def is_severe(severity: Mapping[str, Any]) -> bool:
    """Half a level or more from the others, with an interval off 0."""
    value, low, high = severity["value"], severity["ci_low"], severity["ci_high"]
    return value is not None and abs(value) >= SEVERE and low is not None and (low > 0 or high < 0)


def _severity_words(name: str, value: float) -> str:
    words = _("%(rater)s rates %(levels)s levels lower than the others.")
    if value < 0:
        words = _("%(rater)s rates %(levels)s levels higher than the others.")
    return words % {"rater": name, "levels": plain(abs(value), 1)}
