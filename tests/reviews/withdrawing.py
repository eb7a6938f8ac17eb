"""Taking out what a rater gave and bringing it back, as the worker does it after a manager asked."""

from datetime import datetime
from typing import Any

import time_machine
from django.utils import timezone

from annotation.models import Campaign, Rating, User, WorkItem
from reviews.models import RatingWithdrawal
from reviews.services.withdrawals import ask_revert, ask_withdrawal, bring_back, take_out
from tests import factories

ASKED_AT = datetime.fromisoformat("2026-03-10T12:00:00+00:00")


def day(n: int) -> datetime:
    """Noon of that day of the month in which the ratings were given."""
    return datetime.fromisoformat(f"2026-03-{n:02}T12:00:00+00:00")


def rate_on(n: int, item: WorkItem, scores: factories.Scores = 5, **given: Any) -> Rating:
    with time_machine.travel(day(n), tick=False):
        return factories.rating(item, scores, **given)


def withdraw(campaign: Campaign, person: User, since: datetime | None = None, **given: Any) -> RatingWithdrawal:
    """Asked for and done."""
    asked = ask_withdrawal(
        campaign=campaign, annotator=person, since=since or day(1), reason=given.pop("reason", "A bot."), **given
    )
    take_out(withdrawal_id=asked.pk)
    asked.refresh_from_db()
    return asked


def revert(withdrawal: RatingWithdrawal, **given: Any) -> RatingWithdrawal:
    ask_revert(withdrawal_id=withdrawal.pk, **given)
    bring_back(withdrawal_id=withdrawal.pk)
    withdrawal.refresh_from_db()
    return withdrawal


def statuses(person: User) -> list[str]:
    """Of their ratings, in the order given."""
    return list(Rating.objects.of(person).order_by("pk").values_list("status", flat=True))


def far() -> datetime:
    """Later than now, and than every test's clock."""
    return timezone.now().replace(year=2100)
