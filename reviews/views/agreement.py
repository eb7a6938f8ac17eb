"""The agreement report of a campaign: computed in the background, kept, shown in words and numbers."""

import json
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import campaign_for
from annotation.models import Campaign, Rating, User
from annotation.policy import may_manage_campaign
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.agreement_page import page_of
from reviews.models import AgreementReport
from reviews.rater_codes import names_of_codes
from reviews.services.background import COMPUTE_AGREEMENT, gave_again, latest_job, start
from reviews.views.background import how_far, job_context


@polled
@login_required
@require_GET
@never_cache
def agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """The latest report. While one is computed the page asks each second how far it is."""
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    if request.htmx:
        return how_far(request, latest_job(campaign, COMPUTE_AGREEMENT))
    return render(request, "reviews/agreement/agreement.html", _context(campaign, request.user))


def _context(campaign: Campaign, user: User) -> dict[str, Any]:
    report, job = AgreementReport.objects.latest_of(campaign), latest_job(campaign, COMPUTE_AGREEMENT)
    context = {
        "campaign": campaign,
        "manages": may_manage_campaign(user, campaign),
        "may_compute": policy.may_compute_agreement(user, campaign),
        "unchanged": gave_again(job),
        **job_context(job, user),
    }
    if report is None:
        return context
    names = {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}
    people = names_of_codes(campaign) if context["manages"] else {}
    page = page_of(
        report.result,
        dimension_name=lambda key: names.get(key, key),
        rater_name=lambda code: people.get(code, code),
    )
    since = Rating.objects.counted().in_campaign(campaign).filter(submitted_at__gt=report.created_at).count()
    return {**context, "report": report, "result": report.result, "page": page, "since": since}


@login_required
@require_POST
def compute(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_compute_agreement)
    start(campaign, COMPUTE_AGREEMENT, by=request.user)
    return redirect("reviews:agreement", slug=slug)


@login_required
@require_GET
@never_cache
def as_json(request: SignedInRequest, slug: str) -> HttpResponse:
    """The stored result, as `agreement --json` prints it."""
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    report = AgreementReport.objects.latest_of(campaign)
    if report is None:
        raise Http404
    text = json.dumps(report.result, ensure_ascii=False, indent=2) + "\n"
    disposition = f'attachment; filename="agreement-{campaign.slug}.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})
