from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from jobs import services
from jobs.errors import NotCancellable
from jobs.models import Job
from jobs.request import SignedInRequest

# htmx stops polling at this status.
STOP_ASKING = 286
WORKER_COMMAND = ".venv/bin/celery -A config worker -B -s var/beat -l warning"


def _context(job: Job) -> dict[str, object]:
    """What the page and its polled part show; a room describes its own kinds in templates/jobs/kinds/KIND/."""
    return {
        "job": job,
        "title_templates": [f"jobs/kinds/{job.kind}/title.html", "jobs/kinds/_any/title.html"],
        "result_templates": [f"jobs/kinds/{job.kind}/result.html", "jobs/kinds/_any/result.html"],
        "no_worker": job.no_worker_in_sight(timezone.now()),
        "worker_command": WORKER_COMMAND,
    }


@login_required
@require_GET
@never_cache
def job(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    found = get_object_or_404(Job.objects.visible_to(request.user), pk=job_id)
    return render(request, "jobs/job.html", _context(found))


@require_GET
@never_cache
def progress(request: HttpRequest, job_id: UUID) -> HttpResponse:
    if not request.user.is_authenticated:
        return HttpResponse(status=401)  # a redirect would put the sign-in form into the page
    found = get_object_or_404(Job.objects.visible_to(request.user), pk=job_id)
    return render(request, "jobs/_progress.html", _context(found), status=STOP_ASKING if found.is_finished else 200)


@login_required
@require_POST
def cancel(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    found = get_object_or_404(Job.objects.visible_to(request.user), pk=job_id)
    try:
        services.cancel(found, by=request.user)
    except NotCancellable as refusal:
        messages.info(request, str(refusal))
    return redirect("jobs:job", job_id=job_id)
