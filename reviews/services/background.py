"""Work that is done by a worker, one at a time a campaign and kind."""

from typing import Any

from annotation.models import Campaign, User
from jobs.models import Job
from jobs.services import enqueue

COMPUTE_AGREEMENT, PUBLISH_RELEASE = "compute_agreement", "publish_release"
APPLY_RULE, COMPARE_OVERLAPS = "apply_rule", "compare_overlaps"


def latest_job(campaign: Campaign, kind: str) -> Job | None:
    return Job.objects.filter(kind=kind, subject=_subject(campaign)).order_by("-created_at", "-pk").first()


def latest_done(campaign: Campaign, kind: str) -> Job | None:
    """The last one that came to its end."""
    done = Job.objects.filter(kind=kind, subject=_subject(campaign), state=Job.State.DONE)
    return done.order_by("-created_at", "-pk").first()


def start(campaign: Campaign, kind: str, *, by: User | None, **more: Any) -> Job:
    """Asks for the work, unless the same is under way already. more: arguments beside the campaign."""
    arguments = {"campaign": campaign.slug, **more}
    under_way = Job.objects.filter(kind=kind, subject=_subject(campaign)).unfinished()
    same = next((job for job in under_way if job.arguments == arguments), None)
    return same or enqueue(kind=kind, arguments=arguments, by=by, subject=_subject(campaign))


def gave_again(job: Job | None) -> bool:
    """The last work found nothing changed, and gave what there was."""
    return bool(job and job.state == Job.State.DONE and job.result and job.result.get("new") is False)


def _subject(campaign: Campaign) -> str:
    return f"campaign:{campaign.slug}"
