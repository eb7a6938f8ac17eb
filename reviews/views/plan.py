"""What a study would cost, before any rating exists: asked for, worked out by a worker, kept for who asked."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation.models import Campaign, User
from annotation.views.polled import polled
from jobs.downloads import CSV, attached
from jobs.models import Job
from jobs.request import SignedInRequest
from reviews import policy
from reviews.plan_form import PlanForm
from reviews.plan_page import shown_plan, tables_of_plan
from reviews.plan_refusals import refusal_of, refusal_words
from reviews.report.files import as_csv
from reviews.report.reading import dimension_names
from reviews.services.background import plans_of, start_plan
from reviews.views.background import how_far, job_context

EARLIER = 20


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def plan(request: SignedInRequest) -> HttpResponse:
    """The form; `?from=` begins with what an earlier plan was asked for, and says at its place why it was refused."""
    if not policy.may_plan(request.user):
        raise PermissionDenied
    pilots = Campaign.objects.managed_by(request.user).order_by("title")
    if request.method == "POST":
        form = PlanForm(request.POST, pilots=pilots)
        if form.is_valid():
            job = start_plan(options=form.options.as_json(), pilot=form.pilot_slug, by=request.user)
            return redirect("reviews:plan_result", job_id=job.pk)
    else:
        earlier = _kept(request)
        refused = refusal_of(earlier) if earlier else None
        if earlier and refused:
            form = PlanForm.refused(refused, pilots=pilots, kept=earlier.arguments)
        else:
            form = PlanForm(pilots=pilots, kept=earlier.arguments if earlier else None)
    context = {"form": form, "plans": plans_of(request.user).defer("result")[:EARLIER]}
    status = 422 if request.method == "POST" else 200
    return render(request, "reviews/plan/plan.html", context, status=status)


def _kept(request: SignedInRequest) -> Job | None:
    """The plan that the address names, if it is one of theirs."""
    try:
        number = UUID(request.GET.get("from", ""))
    except ValueError:
        return None
    return plans_of(request.user).filter(pk=number).first()


@polled
@login_required
@require_GET
@never_cache
def plan_result(request: SignedInRequest, job_id: UUID) -> HttpResponse:
    """While it is worked out the page asks each second how far it is."""
    job = _plan(request.user, job_id)
    if request.htmx:
        return how_far(request, job)
    pilot = _pilot(job)
    context = {"job": job, "pilot": pilot, **job_context(job, request.user)}
    if refused := refusal_of(job):
        context["failed"] = refusal_words(refused, dimension_name=dimension_names(pilot))
    if job.state == Job.State.DONE and job.result:
        context |= {
            "result": job.result,
            "page": shown_plan(job.result, dimension_name=dimension_names(pilot)),
            "tables_at": reverse("reviews:plan_result", args=[job.pk]),
        }
    return render(request, "reviews/plan/result.html", context)


@login_required
@require_GET
@never_cache
def plan_table(request: SignedInRequest, job_id: UUID, name: str) -> HttpResponse:
    job = _plan(request.user, job_id)
    result = job.result if job.state == Job.State.DONE else None
    tables = tables_of_plan(result, dimension_name=dimension_names(_pilot(job))) if result else {}
    if name not in tables:
        raise Http404
    return attached(as_csv(tables[name]), CSV, f"plan-{name}.csv")


def _plan(user: User, job_id: UUID) -> Job:
    """Of this person; to everybody else it is not there."""
    job: Job = get_object_or_404(plans_of(user), pk=job_id)
    if not policy.may_see_plan(user, job):
        raise Http404
    return job


def _pilot(job: Job) -> Campaign | None:
    slug: Any = job.arguments["pilot"]
    return None if slug is None else Campaign.objects.select_related("rubric").filter(slug=slug).first()
