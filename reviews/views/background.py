"""Work that a page of this room starts in the background, one at a time a campaign and kind."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotation.models import Campaign, User
from jobs.models import Job
from jobs.policy import may_see_job
from jobs.services import enqueue
from jobs.signed_in import SignedInRequest
from jobs.views import WORKER_COMMAND


def latest_job(campaign: Campaign, kind: str) -> Job | None:
    return Job.objects.filter(kind=kind, subject=_subject(campaign)).order_by("-created_at", "-pk").first()


def start(campaign: Campaign, kind: str, *, by: User, **more: Any) -> Job:
    """Asks for the work, unless the same is under way already. more: arguments beside the campaign."""
    arguments = {"campaign": campaign.slug, **more}
    under_way = Job.objects.filter(kind=kind, subject=_subject(campaign)).unfinished()
    same = next((job for job in under_way if job.arguments == arguments), None)
    return same or enqueue(kind=kind, arguments=arguments, by=by, subject=_subject(campaign))


def gave_again(job: Job | None) -> bool:
    """The last work found nothing changed, and gave what there was."""
    return bool(job and job.state == Job.State.DONE and job.result and job.result.get("new") is False)


def job_context(job: Job | None, user: User) -> dict[str, Any]:
    """What the page says of the work: how far it is, or why it failed the last time."""
    running = job if job and not job.is_finished else None
    return {
        "running": running,
        "failed": job.error if job and job.state == Job.State.FAILED else "",
        "may_see_job": bool(running and may_see_job(user, running)),
        "no_worker": bool(running and running.no_worker_in_sight(timezone.now())),
        "worker_command": WORKER_COMMAND,
    }


def how_far(request: SignedInRequest, job: Job | None) -> HttpResponse:
    """The part of the page that asks again by itself; once the work is done, the word to load the page anew."""
    context = job_context(job, request.user)
    if context["running"] is None:
        return HttpResponse(headers={"HX-Refresh": "true"})
    return render(request, "reviews/_background.html", context)


def _subject(campaign: Campaign) -> str:
    return f"campaign:{campaign.slug}"
