"""Active hours and counts, by person, campaign and ISO week: what pay is reckoned from.

Weeks begin on Monday, 00:00 UTC. An item counts once, in the week of its first submission. Each submission brings the
time that it added: an edit carries the time already spent (the form is filled with it) and so brings the rest, in the
week in which it was made; a week that is over never changes by it. Surplus and withdrawn ratings were work too. Ratings
that came from a file were not given here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Count, F, IntegerField, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, Greatest, TruncWeek

from annotation.models import Assignment, Campaign, Rating, TrainingAnswer, User

WEEK = timedelta(weeks=1)
COLUMNS = (
    "week",
    "week_starts",
    "person",
    "campaign",
    "items",
    "active_seconds",
    "active_hours",
    "training_items",
    "training_seconds",
    "skipped",
)

# Seconds that a submission added to what its person had spent on the item; never less than none.
ADDED = Greatest(F("seconds") - Coalesce(F("supersedes__seconds"), 0), Value(0), output_field=IntegerField())


@dataclass(frozen=True)
class Weeks:
    """Whole ISO weeks, first and last by their Monday; None is without an end."""

    first: date | None = None
    last: date | None = None

    @classmethod
    def around(cls, first: date | None, last: date | None) -> "Weeks":
        """The weeks that the two days lie in, and all between."""
        return cls(first and monday_of(first), last and monday_of(last))

    def of(self, field: str) -> Q:
        """For a query: the moment in `field` lies in these weeks."""
        within = Q()
        if self.first:
            within &= Q(**{f"{field}__gte": _midnight(self.first)})
        if self.last:
            within &= Q(**{f"{field}__lt": _midnight(self.last + WEEK)})
        return within


@dataclass(frozen=True)
class Tally:
    """Work of one time. Items and seconds are of ratings; training stands beside; skips have no time recorded."""

    items: int = 0
    seconds: int = 0
    training_items: int = 0
    training_seconds: int = 0
    skipped: int = 0

    @property
    def hours(self) -> float:
        return self.seconds / 3600

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{name: value + getattr(other, name) for name, value in vars(self).items()})


@dataclass(frozen=True)
class Stint:
    """What one person did in one campaign in one week, which its Monday names."""

    monday: date
    user: User
    campaign: Campaign
    tally: Tally

    @property
    def week(self) -> str:
        return iso_week(self.monday)


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def iso_week(day: date) -> str:
    """2026-W49; the year is the ISO year, which is another about New Year at times."""
    year, week, _day = day.isocalendar()
    return f"{year:04}-W{week:02}"


def own_hours(user: User, weeks: Weeks) -> list[Stint]:
    """The person's own, of all campaigns, the latest week first."""
    return _stints(
        weeks, ratings=Rating.objects.of(user), training={"attempt__membership__user": user}, skips={"annotator": user}
    )


def campaign_hours(campaign: Campaign, weeks: Weeks) -> list[Stint]:
    """Everyone's in the campaign, the latest week first."""
    return _stints(
        weeks,
        ratings=Rating.objects.given_in(campaign),
        training={"attempt__membership__campaign": campaign},
        skips={"campaign": campaign},
    )


def _stints(weeks: Weeks, *, ratings: QuerySet[Rating], training: dict[str, Any], skips: dict[str, Any]) -> list[Stint]:
    """Five queries, however many rows there are."""
    tallies: dict[tuple[date, int, int], Tally] = {}
    parts = (_rated(ratings, weeks), _trained(weeks, **training), _skipped(weeks, **skips))
    for monday, user, campaign, tally in (row for part in parts for row in part):
        key = (monday, user, campaign)
        tallies[key] = tallies.get(key, Tally()) + tally
    users = User.objects.in_bulk({user for _monday, user, _campaign in tallies})
    campaigns = Campaign.objects.in_bulk({campaign for _monday, _user, campaign in tallies})
    stints = [Stint(m, users[u], campaigns[c], tally) for (m, u, c), tally in tallies.items()]
    return sorted(stints, key=lambda one: (-one.monday.toordinal(), str(one.user), one.user.pk, one.campaign.title))


Rows = Iterator[tuple[date, int, int, Tally]]


def _rated(ratings: QuerySet[Rating], weeks: Weeks) -> Rows:
    rows = (
        ratings.filter(weeks.of("submitted_at"), assignment__imported=False)
        .annotate(monday=TruncWeek("submitted_at", tzinfo=UTC), added=ADDED)
        .values("monday", "annotator", "work_item__campaign")
        .annotate(n=Count("pk", filter=Q(supersedes=None)), total=Sum("added"))
        .order_by()
    )
    for row in rows:
        tally = Tally(items=row["n"], seconds=row["total"])
        yield row["monday"].date(), row["annotator"], row["work_item__campaign"], tally


def _trained(weeks: Weeks, **of: Any) -> Rows:
    person, campaign = "attempt__membership__user", "attempt__membership__campaign"
    rows = (
        TrainingAnswer.objects.filter(weeks.of("submitted_at"), **of)
        .annotate(monday=TruncWeek("submitted_at", tzinfo=UTC))
        .values("monday", person, campaign)
        .annotate(n=Count("pk"), total=Sum("seconds"))
        .order_by()
    )
    for row in rows:
        yield (
            row["monday"].date(),
            row[person],
            row[campaign],
            Tally(training_items=row["n"], training_seconds=row["total"]),
        )


def _skipped(weeks: Weeks, **of: Any) -> Rows:
    rows = (
        Assignment.objects.filter(weeks.of("ended_at"), state=Assignment.State.SKIPPED, **of)
        .annotate(monday=TruncWeek("ended_at", tzinfo=UTC))
        .values("monday", "annotator", "campaign")
        .annotate(n=Count("pk"))
        .order_by()
    )
    for row in rows:
        yield row["monday"].date(), row["annotator"], row["campaign"], Tally(skipped=row["n"])


def total_of(stints: Iterable[Stint]) -> Tally:
    return sum((stint.tally for stint in stints), Tally())


def as_row(stint: Stint) -> list[Any]:
    """A line of the CSV, in the order of COLUMNS; the person by the name they sign in with, which is one person's."""
    tally = stint.tally
    return [
        stint.week,
        stint.monday.isoformat(),
        stint.user.username,
        stint.campaign.slug,
        tally.items,
        tally.seconds,
        f"{tally.hours:.2f}",
        tally.training_items,
        tally.training_seconds,
        tally.skipped,
    ]


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
