"""How one person has worked these days: active minutes and items a day, items an hour. Their own and nobody else's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.bars import Bar, bars_of
from annotation.hours import ADDED
from annotation.models import Rating, User

DAYS = 14
# Under so much active time a pace says nothing.
LEAST = 10 * 60


@dataclass(frozen=True)
class Day:
    """Of the server's zone. Items by their first submission, seconds as each submission added them (hours.py)."""

    day: date
    seconds: int = 0
    items: int = 0

    @property
    def minutes(self) -> int:
        return round(self.seconds / 60)


def last_days(user: User, *, days: int = DAYS, today: date | None = None) -> list[Day]:
    """So many days up to today, the oldest first, those without work among them. One query."""
    today = today or timezone.localdate()
    first = today - timedelta(days=days - 1)
    since = timezone.make_aware(datetime.combine(first, time()))
    rows = (
        Rating.objects.of(user)
        .filter(submitted_at__gte=since, assignment__imported=False)
        .annotate(day=TruncDate("submitted_at"), added=ADDED)
        .values("day")
        .annotate(n=Count("pk", filter=Q(supersedes=None)), total=Sum("added"))
        .order_by()
    )
    worked = {row["day"]: Day(row["day"], row["total"], row["n"]) for row in rows}
    wanted = [first + timedelta(days=place) for place in range(days)]
    return [worked.get(day, Day(day)) for day in wanted]


def items_an_hour(days: Sequence[Day]) -> float | None:
    """Items an active hour; None under ten minutes of work."""
    seconds = sum(day.seconds for day in days)
    return sum(day.items for day in days) * 3600 / seconds if seconds >= LEAST else None


def bars(days: Sequence[Day]) -> list[Bar]:
    """Of the active time: the tallest as high as the box, all equally wide; what was worked is never too low to see."""
    return bars_of(days, [day.seconds for day in days], least=2.0)
