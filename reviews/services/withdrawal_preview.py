"""What a withdrawal would do, counted before it is done. Saves nothing."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q

from annotation.models import Campaign, Rating, User, WorkItem
from reviews.models import Case
from reviews.services.withdrawals import ratings_from


@dataclass(frozen=True)
class Preview:
    """What a withdrawal would do: ratings by status, items that would want raters, cases decided and still open."""

    since: datetime
    counted: int
    surplus: int
    items: int
    decided: int
    open_cases: int

    @property
    def ratings(self) -> int:
        return self.counted + self.surplus


def preview_of(campaign: Campaign, annotator: User, since: datetime) -> Preview:
    """Two queries, however many ratings there are."""
    found = ratings_from(campaign, annotator, since)
    counted = Q(status=Rating.Status.COUNTED)
    # As many as it needs and no more: who goes leaves a place.
    full = counted & Q(work_item__counted__lte=F("work_item__needed")) & ~Q(work_item__state=WorkItem.State.OPEN)
    counts = found.aggregate(
        counted=Count("pk", filter=counted),
        surplus=Count("pk", filter=Q(status=Rating.Status.SURPLUS)),
        items=Count("pk", filter=full & ~Q(work_item__state=WorkItem.State.WITHDRAWN)),
    )
    concerned = found.filter(counted).order_by().values("work_item")
    cases = (
        Case.objects.in_play()
        .filter(work_item__in=concerned)
        .aggregate(
            decided=Count("pk", filter=Q(state=Case.State.DECIDED)),
            open_cases=Count("pk", filter=~Q(state=Case.State.DECIDED)),
        )
    )
    return Preview(since=since, **counts, **cases)
