"""Numbers as the pages of this room write them: .71, −.12, 93 %; and why one is not there, in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from reviews.statistics.reasons import Reason


@dataclass(frozen=True)
class Figure:
    """A number as text, empty where it is undefined; `why` says why it, or its interval, is not there."""

    text: str
    low: str = ""
    high: str = ""
    why: str = ""
    value: float | None = None
    ends: tuple[float, float] | None = None

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> "Figure":
        """Of {"value", "ci_low", "ci_high", "reason"}."""
        value, low, high = entry["value"], entry["ci_low"], entry["ci_high"]
        ends = None if low is None or high is None else (low, high)
        return cls(plain(value), plain(low), plain(high), reason_words(entry["reason"]), value, ends)

    @classmethod
    def number(cls, value: float | None, reason: str | None = None) -> "Figure":
        return cls(plain(value), why="" if value is not None else reason_words(reason), value=value)

    @classmethod
    def share(cls, value: float | None, reason: str | None = None) -> "Figure":
        return cls(percent(value), why="" if value is not None else reason_words(reason), value=value)


def plain(value: float | None, digits: int = 2) -> str:
    """.71, 1.00, −.12; empty for None."""
    if value is None:
        return ""
    text = f"{abs(value):.{digits}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + text.removeprefix("0" if digits else "")


def percent(share: float | None) -> str:
    """93 %; with a decimal where rounding would say "all" or "none" of what is not."""
    if share is None:
        return ""
    whole = f"{share * 100:.0f}"
    if whole in ("0", "100") and share not in (0, 1):
        whole = f"{min(max(share * 100, 0.1), 99.9):.1f}"
    return f"{whole} %"


def listed(parts: Iterable[str]) -> str:
    """One after the other, with what the reader's language sets between."""
    return pgettext("between names of a list", ", ").join(parts)


def reason_words(reason: str | None) -> str:
    """Why a number is not there, in the reader's language."""
    words = {
        Reason.NO_RATINGS: _("no ratings"),
        Reason.ONE_RATER: _("one rater"),
        Reason.ONE_UNIT: _("one item"),
        Reason.NO_PAIRS: _("no item with two ratings"),
        Reason.ALL_EQUAL: _("all ratings equal"),
        Reason.UNITS_ALIKE: _("the items do not differ"),
        Reason.NO_ERROR: _("no error variance"),
        Reason.NO_RATER_IDS: _("no rater ids"),
        Reason.NO_PANEL: _("not every rater rated every item"),
        Reason.NO_COMMON_ITEM: _("no item in common"),
        Reason.NOT_NOMINAL: _("nominal values have no order"),
        Reason.NO_SCALE: _("no scale of levels declared"),
        Reason.ONE_LEVEL: _("the scale has one level"),
        Reason.TOO_MANY_LEVELS: _("too many different values"),
        Reason.TOO_MANY_RATERS: _("too many raters"),
        Reason.TOO_FEW_RATINGS: _("too few ratings"),
        Reason.FEW_CLUSTERS: _("too few scenarios for an interval: 30 are needed"),
        Reason.NO_BOOTSTRAP: _("no bootstrap was asked for"),
        Reason.FEW_REPLICATES: _("too few replicates for an interval: 40 are needed"),
        Reason.MANY_DROPPED: _("no interval: undefined in more than 5 % of the replicates"),
        Reason.TOO_LARGE: _("no interval: too many raters and scenarios to resample"),
        Reason.CONSTANT: _("constant"),
        Reason.NONE_MARKED: _("nobody marked an item with two ratings"),
        Reason.ALL_MARKED: _("everybody marked every item with two ratings"),
        Reason.RARE: _("no bootstrap interval: fewer than 30 scenarios bear on it"),
        Reason.NO_SPREAD: _("no interval: it would have no width"),
        Reason.FEW_RATERS: _("three ratings an item are needed on average"),
        Reason.FEW_POSITIVES: _("too few items that a majority marked: 20 are needed"),
        Reason.FEW_NEGATIVES: _("too few items that a majority did not mark: 20 are needed"),
        Reason.NOT_SETTLED: _("the fit had not settled after 1,000 rounds"),
        Reason.TURNED_ROUND: _("the fit takes a mark for a sign that nothing is there"),
    }
    return words.get(reason, reason or "")  # type: ignore[call-overload]
