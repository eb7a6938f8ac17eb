"""Asking for the live agreement of campaigns whose ratings have changed. Nothing heavy: the sweep and pages read it.

A rating is in it within a minute: the sweep comes each ten seconds and looks each half minute, and the page asks each
ten seconds. A large campaign takes longer: no more than a tenth of a worker's time is spent on one.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from annotation.models import Campaign, Rating, WorkItem
from jobs.models import Job
from jobs.services import forget_finished
from reviews.models import LiveAgreement
from reviews.services.background import LIVE_AGREEMENT, latest_job, start, subject_of

LEAST_APART = timedelta(seconds=30)
REST = 9  # times as long as the last one took
NOTHING = [0, 0, 0]
AFTER_FAILURE = timedelta(minutes=10)
GOES_ON = (Campaign.State.OPEN, Campaign.State.PAUSED)


def sweep_live_agreements(*, now: datetime | None = None) -> list[Job]:
    """Asks once for each campaign under way that is due and has other ratings than its last computation saw."""
    now = now or timezone.now()
    campaigns = Campaign.objects.filter(state__in=GOES_ON).select_related("live_agreement").order_by("pk")
    return [job for campaign in campaigns if (job := _ask(campaign, now)) is not None]


def seen_of(campaign: Campaign) -> list[int]:
    """What tells the ratings that agreement reads from any others of the campaign without reading them.

    Number, last and sum of their keys: an edit is a new row, and what is withdrawn is no longer counted.
    """
    base = Rating.objects.base().in_campaign(campaign).exclude(work_item__state=WorkItem.State.WITHDRAWN)
    found = base.order_by().aggregate(n=Count("pk"), last=Max("pk"), sum=Sum("pk"))
    return [int(found[name] or 0) for name in ("n", "last", "sum")]


def rest_after(seconds: float) -> timedelta:
    """How long after its end the next computation waits."""
    return max(LEAST_APART, timedelta(seconds=REST * seconds))


def _ask(campaign: Campaign, now: datetime) -> Job | None:
    live: LiveAgreement | None = getattr(campaign, "live_agreement", None)
    if not _is_due(campaign, live, now):
        return None
    if live is None:
        live, _made = LiveAgreement.objects.get_or_create(campaign=campaign)
    # Of two sweeps at once the first changes the row, and the other finds that it was looked at.
    long_ago = Q(looked_at=None) | Q(looked_at__lte=now - _apart(live))
    mine = LiveAgreement.objects.filter(long_ago, pk=live.pk).update(looked_at=now)
    if not mine or seen_of(campaign) == (live.seen or NOTHING):
        return None
    with transaction.atomic():
        # There is one each half minute, and nobody looks for those that are over.
        forget_finished(kind=LIVE_AGREEMENT, subject=subject_of(campaign))
        return start(campaign, LIVE_AGREEMENT, by=None)


def _is_due(campaign: Campaign, live: LiveAgreement | None, now: datetime) -> bool:
    if live and live.looked_at and live.looked_at > now - _apart(live):
        return False
    last = latest_job(campaign, LIVE_AGREEMENT)
    if last is None:
        return True
    if last.finished_at is None:
        return False
    took = (last.finished_at - (last.started_at or last.finished_at)).total_seconds()
    rest = timedelta(seconds=REST * took)
    if last.state != Job.State.DONE:
        rest = max(rest, AFTER_FAILURE)
    return now >= last.finished_at + rest


def _apart(live: LiveAgreement) -> timedelta:
    """Of two looks: where computing takes long, so does looking, though a fraction of it."""
    return max(LEAST_APART, timedelta(seconds=live.seconds))
