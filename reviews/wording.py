"""Cases in words: why they are cases, how they stand, how long they have waited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Rubric
from reviews.rules import Kind

# The kinds as a filter offers them.
KINDS = (Kind.SAFETY, Kind.MARKS_SPLIT, Kind.RANGE, Kind.ASKED, Kind.REOPENED, Kind.AUDIT)


@dataclass(frozen=True)
class ShownReason:
    """level: how the chip looks; empty is plain."""

    kind: str
    dimension: str | None
    words: str
    level: str


def kind_words(kind: str) -> str:
    return {
        Kind.SAFETY: _("low safety"),
        Kind.MARKS_SPLIT: _("marks split"),
        Kind.STRADDLE: _("pass or fail"),
        Kind.RANGE: _("wide spread"),
        Kind.ASKED: _("a rater asked"),
        Kind.HURRIED: _("all hurried"),
        Kind.REOPENED: _("opened again"),
        Kind.AUDIT: _("audit"),
    }[Kind(kind)]


def shown_reasons(reasons: Sequence[Mapping[str, Any]], rubric: Rubric) -> list[ShownReason]:
    """A reason a chip; split marks a chip a type."""
    return [
        ShownReason(reason["kind"], reason["dimension"], words, _level(reason["kind"]))
        for reason in reasons
        for words in _words(reason, rubric)
    ]


def _level(kind: str) -> str:
    return {Kind.SAFETY: "alarm", Kind.AUDIT: ""}.get(Kind(kind), "heed")


def _words(reason: Mapping[str, Any], rubric: Rubric) -> list[str]:
    kind, detail = Kind(reason["kind"]), reason["detail"]
    if kind == Kind.RANGE:
        name, spread = _dimension_name(reason["dimension"], rubric), detail["high"] - detail["low"]
        return [_("%(dimension)s spread %(spread)s") % {"dimension": name, "spread": spread}]
    if kind == Kind.SAFETY:
        name = _dimension_name(reason["dimension"], rubric)
        return [_("%(dimension)s down to %(lowest)s") % {"dimension": name, "lowest": detail["lowest"]}]
    if kind == Kind.MARKS_SPLIT:
        return [
            _("%(violation)s %(votes)s of %(raters)s")
            % {"violation": violation_name(key, rubric), "votes": detail["votes"][key], "raters": detail["raters"]}
            for key in detail["types"]
        ]
    if kind == Kind.ASKED:
        asked = ngettext("%(n)s rater asked", "%(n)s raters asked", detail["raters"])
        return [asked % {"n": detail["raters"]}]
    return [kind_words(kind)]


def _dimension_name(key: str, rubric: Rubric) -> str:
    return next((dimension.name for dimension in rubric.dimensions if dimension.key == key), key)


def violation_name(key: str, rubric: Rubric) -> str:
    return next((kind.name for kind in rubric.violation_types if kind.key == key), key)


def state_words(state: str) -> str:
    """The states that a list can be asked for, as its viewer reads them."""
    return {
        "open": _("to decide"),
        "waiting": _("waiting"),
        "mine": _("mine"),
        "several": _("several experts"),
        "taken": _("with others"),
        "decided": _("decided"),
    }[state]


def sort_words(sort: str) -> str:
    """The orders of a list."""
    return {
        "priority": _("most urgent first"),
        "oldest": _("oldest first"),
        "newest": _("newest first"),
        "spread": _("widest spread first"),
        "decided": _("last decided first"),
    }[sort]


def age_words(since: datetime) -> str:
    """How long ago, in the one unit that says it: 40 min, 3 h, 2 d."""
    passed = max(timezone.now() - since, timedelta())
    minutes = int(passed.total_seconds() // 60)
    if minutes < 60:
        return _("%(n)s min") % {"n": minutes}
    if minutes < 48 * 60:
        return _("%(n)s h") % {"n": minutes // 60}
    return _("%(n)s d") % {"n": minutes // (24 * 60)}
