"""How a campaign's ratings are split in two to be compared: read one way for the page and the API, kept by the job."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from annotation.models import Campaign, Membership, Rating, Rubric
from reviews.errors import SplitInvalid
from reviews.rater_codes import rater_codes

PERIODS, RUBRICS, RATERS, RETRAINING = KINDS = ("periods", "rubrics", "raters", "retraining")
Faults = dict[str, list[str]]


@dataclass(frozen=True)
class Split:
    """by: one of KINDS. since: from when on a rating is in the second group, with PERIODS and RETRAINING.

    a, b: the rubric versions ("default 1") or the raters (their codes) of each group. rater: the one (a code) whose
    items are compared, those that they rated before and those after.
    """

    by: str
    since: datetime | None = None
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    rater: str | None = None

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "Split":
        since = kept["since"]
        moment = None if since is None else datetime.fromisoformat(since)
        return cls(kept["by"], moment, tuple(kept["a"]), tuple(kept["b"]), kept["rater"])

    def as_json(self) -> dict[str, Any]:
        since = None if self.since is None else self.since.astimezone(UTC).isoformat()
        return {"by": self.by, "since": since, "a": list(self.a), "b": list(self.b), "rater": self.rater}


def rubrics_of(campaign: Campaign) -> list[str]:
    """The versions that its counted ratings were given on, as the agreement's slices call them."""
    used = Rating.objects.counted().in_campaign(campaign).order_by().values("rubric").distinct()
    return [
        f"{rubric.key} {rubric.version}" for rubric in Rubric.objects.filter(pk__in=used).order_by("key", "version")
    ]


def retrained_of(campaign: Campaign) -> dict[str, datetime]:
    """{code: when they were last asked to train again}"""
    codes = rater_codes(campaign)
    asked = Membership.objects.filter(campaign=campaign, role=Membership.Role.ANNOTATOR, retrained_at__isnull=False)
    return {codes[user]: at for user, at in asked.values_list("user", "retrained_at") if at and user in codes}


def read_split(sent: Mapping[str, Any], campaign: Campaign) -> Split:
    """What is sent of a split: `by`, and of `since`, `a`, `b`, `rater` what it needs.

    since: a moment with its zone, or a day, from its beginning in UTC; of a retraining it may be left out where one is
    known. Raises SplitInvalid with every fault by field.
    """
    by = sent.get("by")
    faults: Faults = {}
    split = Split("")
    if by == PERIODS:
        split = Split(PERIODS, since=_since(sent.get("since"), faults))
    elif by in (RUBRICS, RATERS):
        known = rubrics_of(campaign) if by == RUBRICS else rater_codes(campaign).values()
        a, b = (_group(sent.get(name), set(known), name, faults) for name in "ab")
        if set(a) & set(b):
            faults.setdefault("b", [_("Nothing can be in both groups.")])
        split = Split(by, a=a, b=b)
    elif by == RETRAINING:
        split = _retraining(sent, campaign, faults)
    else:
        faults["by"] = [_("Must be one of: %(kinds)s.") % {"kinds": ", ".join(KINDS)}]
    if faults:
        raise SplitInvalid(fields=faults)
    return split


def _retraining(sent: Mapping[str, Any], campaign: Campaign, faults: Faults) -> Split:
    rater = sent.get("rater")
    if rater not in rater_codes(campaign).values():
        faults["rater"] = [_("Choose one of the campaign’s raters.")]
        return Split(RETRAINING)
    since = sent.get("since") or retrained_of(campaign).get(str(rater))
    if since is None:
        faults["since"] = [_("No retraining of this rater is known: say from when on.")]
        return Split(RETRAINING)
    return Split(RETRAINING, since=_since(since, faults), rater=rater)


def _since(given: Any, faults: Faults) -> datetime | None:
    try:
        found = _moment(given)
    except (ValueError, OverflowError):
        found = None
    if found is None:
        faults["since"] = [_("Must be a day, or a moment with its time zone.")]
    return found


def _moment(given: Any) -> datetime | None:
    if isinstance(given, str):
        given = parse_datetime(given) if "T" in given else parse_date(given)
    if isinstance(given, datetime):
        return given.astimezone(UTC) if timezone.is_aware(given) else None
    return datetime.combine(given, time(), UTC) if isinstance(given, date) else None


def _group(given: Any, known: set[str], name: str, faults: Faults) -> tuple[str, ...]:
    words = [given] if isinstance(given, str) else given
    if not isinstance(words, list | tuple) or not words or not all(isinstance(word, str) for word in words):
        faults[name] = [_("Must name at least one.")]
        return ()
    if strangers := [word for word in words if word not in known]:
        faults[name] = [_("The campaign’s ratings know no “%(name)s”.") % {"name": strangers[0][:80]}]
        return ()
    return tuple(dict.fromkeys(words))
