"""What a page of this room says of the work that it has started in the background."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone

from annotation.models import User
from jobs.models import Job
from jobs.policy import may_see_job
from jobs.request import SignedInRequest
from jobs.views import WORKER_COMMAND


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
