"""The agreement report of a campaign: computed in the background, kept, shown in words, pictures and numbers."""

from typing import Any

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
from jobs.request import SignedInRequest
from reviews import policy
from reviews.models import AgreementReport
from reviews.rater_profile import everyone_who_rated
from reviews.report.methods import methods
from reviews.report.page import page_of
from reviews.report.reading import report_for
from reviews.report.sections import sections_of
from reviews.services.background import COMPUTE_AGREEMENT, gave_again, latest_job, start
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
    context = {
        "campaign": campaign,
        "may_compute": policy.may_compute_agreement(request.user, campaign),
        "unchanged": gave_again(job),
        **job_context(job, request.user),
    }
    if report is not None:
        context |= report_context(report, campaign, request)
        context |= _among_others(report, campaign)
        context["profiles"] = everyone_who_rated(campaign) if context["manages"] else []
    return render(request, "reviews/agreement/agreement.html", context)


def asked_report(campaign: Campaign, request: SignedInRequest) -> AgreementReport | None:
    """The one that `?report=` names, else the latest. Raises Http404 where the campaign has no such report."""
    asked = request.GET.get("report", "")
    if not asked:
        return AgreementReport.objects.latest_of(campaign)
    found = AgreementReport.objects.filter(campaign=campaign, pk=asked).first() if asked.isdecimal() else None
    if found is None:
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
        "sections": sections_of(read),
        "methods": methods(read),
        "tables_at": reverse("reviews:agreement", args=[campaign.slug]) + f"{report.pk}/",
    }


def _among_others(report: AgreementReport, campaign: Campaign) -> dict[str, Any]:
    """How old it is, and which others there are."""
    every = AgreementReport.objects.filter(campaign=campaign).defer("result").order_by("-created_at", "-pk")[:OLDER]
    since = Rating.objects.counted().in_campaign(campaign).filter(submitted_at__gt=report.created_at)
    return {"since": since.count(), "reports": list(every), "is_latest": not every or every[0].pk == report.pk}


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_compute_agreement)
    start(campaign, COMPUTE_AGREEMENT, by=request.user)
    return redirect("reviews:agreement", slug=slug)
