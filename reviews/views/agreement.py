"""The agreement report of a campaign: computed in the background, kept, shown in words, pictures and numbers."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import campaign_for
from annotation.models import Campaign, Rating
from annotation.policy import may_manage_campaign
from annotation.views.polled import polled
from jobs.models import Job
from jobs.request import SignedInRequest
from reviews import policy
from reviews.agreement_raters import raters_to_choose, read_raters
from reviews.errors import OptionsInvalid
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.report.chosen import chosen_words
from reviews.report.methods import methods
from reviews.report.page import page_of
from reviews.report.reading import report_for
from reviews.report.sections import sections_of
from reviews.services.background import COMPUTE_AGREEMENT, gave_again, latest_job, start_agreement
from reviews.views.background import how_far, job_context

OLDER = 20


@polled
@login_required
@require_GET
@never_cache
def agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """The latest report, or the one asked for. While one is computed the page asks each second how far it is."""
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    job = latest_job(campaign, COMPUTE_AGREEMENT)
    if request.htmx:
        return how_far(request, job)
    report = asked_report(campaign, request)
    may_compute = policy.may_compute_agreement(request.user, campaign)
    context = {
        "campaign": campaign,
        "may_compute": may_compute,
        "raters": raters_to_choose(campaign) if may_compute else [],
        "reports": _others(report, campaign),
        **_on_last(job, report),
        **job_context(job, request.user),
    }
    if report is not None:
        context |= report_context(report, campaign, request)
        context |= _how_old(report, campaign)
    return render(request, "reviews/agreement/agreement.html", context)


def asked_report(campaign: Campaign, request: SignedInRequest) -> AgreementReport | None:
    """The one that `?report=` names, else the latest. Raises Http404 where the campaign has no such report."""
    asked = request.GET.get("report", "")
    found = AgreementReport.objects.asked_for(campaign, asked)
    if found is None and asked:
        raise Http404
    return found


def report_context(report: AgreementReport, campaign: Campaign, request: SignedInRequest) -> dict[str, Any]:
    """What the report's page and its file show; `?pair=` names the two raters whose confusion is looked at."""
    manages = may_manage_campaign(request.user, campaign)
    pair = request.GET.get("pair", "")
    read = report_for(report.result, campaign, with_names=manages, pair=pair)
    return {
        "campaign": campaign,
        "manages": manages,
        "report": report,
        "pair": pair,
        "result": report.result,
        "page": page_of(read.result, dimension_name=read.names.dimension, rater_name=read.names.rater),
        "chosen": chosen_words(read),
        "sections": sections_of(read),
        "methods": methods(read),
        "tables_at": reverse("reviews:agreement", args=[campaign.slug]) + f"{report.pk}/",
    }


def _others(report: AgreementReport | None, campaign: Campaign) -> list[AgreementReport]:
    """The last ones beside this, of whichever raters."""
    every = AgreementReport.objects.filter(campaign=campaign).defer("result").order_by("-created_at", "-pk")
    return list((every.exclude(pk=report.pk) if report else every)[:OLDER])


def _on_last(job: Job | None, report: AgreementReport | None) -> dict[str, Any]:
    """What was asked for last: whether it gave this report again, or the number of another that it gave."""
    made = job.result["report"] if job and job.state == Job.State.DONE and job.result else None
    this = report is not None and made == report.pk
    return {"unchanged": this and gave_again(job), "made": None if this else made}


def _how_old(report: AgreementReport, campaign: Campaign) -> dict[str, Any]:
    """How many ratings of its raters came in since, and the latest of the same raters where that is another."""
    since = Rating.objects.counted().in_campaign(campaign).filter(submitted_at__gt=report.created_at)
    if report.raters is not None:
        since = since.filter(annotator__in=[pk for pk, code in rater_codes(campaign).items() if code in report.raters])
    latest = AgreementReport.objects.defer("result").latest_of(campaign, report.raters)
    return {"since": since.count(), "latest": None if latest == report else latest}


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    """Of all raters, or of those that are ticked."""
    campaign = campaign_for(request.user, slug, policy.may_compute_agreement)
    try:
        raters = read_raters(request.POST.getlist("raters") or None, campaign)
    except OptionsInvalid as refusal:
        messages.error(request, str(refusal))
    else:
        start_agreement(campaign, raters=raters, by=request.user)
    return redirect("reviews:agreement", slug=slug)
