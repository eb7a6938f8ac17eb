"""Work that is done by a worker, one at a time a campaign and kind."""

from collections.abc import Iterable
from typing import Any

from annotation.models import Campaign, User
from jobs.models import Job, Jobs
from jobs.services import enqueue

COMPUTE_AGREEMENT, PUBLISH_RELEASE = "compute_agreement", "publish_release"
APPLY_RULE, COMPARE_OVERLAPS = "apply_rule", "compare_overlaps"
COMPARE_AGREEMENT, MAKE_PLAN = "compare_agreement", "make_plan"
WITHDRAW_RATINGS, RESTORE_RATINGS = "withdraw_ratings", "restore_ratings"
LIVE_AGREEMENT = "live_agreement"


def latest_job(campaign: Campaign, kind: str) -> Job | None:
    return Job.objects.filter(kind=kind, subject=subject_of(campaign)).order_by("-created_at", "-pk").first()


def latest_done(campaign: Campaign, kind: str) -> Job | None:
    """The last one that came to its end."""
    return every_done(campaign, kind).first()


def every_done(campaign: Campaign, kind: str) -> Jobs:
    """All that came to their end, the latest first."""
    done = Job.objects.filter(kind=kind, subject=subject_of(campaign), state=Job.State.DONE)
    return done.order_by("-created_at", "-pk")


def latest_of_withdrawals(campaign: Campaign, withdrawals: Iterable[int]) -> Job | None:
    """The last one that took out, or brought back, the ratings of one of these."""
    kinds = [WITHDRAW_RATINGS, RESTORE_RATINGS]
    about = Job.objects.filter(
        kind__in=kinds, subject=subject_of(campaign), arguments__withdrawal__in=list(withdrawals)
    )
    return about.order_by("-created_at", "-pk").first()


def start(campaign: Campaign, kind: str, *, by: User | None, **more: Any) -> Job:
    """Asks for the work, unless the same is under way already. more: arguments beside the campaign."""
    arguments = {"campaign": campaign.slug, **more}
    under_way = Job.objects.filter(kind=kind, subject=subject_of(campaign)).unfinished()
    same = next((job for job in under_way if job.arguments == arguments), None)
    return same or enqueue(kind=kind, arguments=arguments, by=by, subject=subject_of(campaign))


def start_agreement(campaign: Campaign, *, raters: list[str] | None, by: User | None) -> Job:
    """Asks for a report of all raters, or of these alone, by their codes in order."""
    more = {} if raters is None else {"raters": raters}
    return start(campaign, COMPUTE_AGREEMENT, by=by, **more)


def start_plan(*, options: dict[str, Any], pilot: str | None, by: User) -> Job:
    """Asks for a plan, unless the person has asked for the same and it is under way. pilot: a campaign's slug."""
    arguments = {"options": options, "pilot": pilot}
    under_way = Job.objects.filter(kind=MAKE_PLAN, created_by=by).unfinished()
    same = next((job for job in under_way if job.arguments == arguments), None)
    return same or enqueue(kind=MAKE_PLAN, arguments=arguments, by=by, subject=f"plan:{by.pk}")


def plans_of(user: User) -> Jobs:
    """What this person has asked for, the latest first."""
    return Job.objects.filter(kind=MAKE_PLAN, created_by=user).order_by("-created_at", "-pk")


def gave_again(job: Job | None) -> bool:
    """The last work found nothing changed, and gave what there was."""
    return bool(job and job.state == Job.State.DONE and job.result and job.result.get("new") is False)


def subject_of(campaign: Campaign) -> str:
    return f"campaign:{campaign.slug}"
