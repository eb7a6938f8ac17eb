"""Two groups of a campaign's ratings compared: before and after a day, two rubric versions, two groups of raters."""

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access import campaign_for
from annotation.models import Campaign
from annotation.policy import may_manage_campaign
from annotation.views.polled import polled
from jobs.models import Job
from jobs.request import SignedInRequest
from reviews import policy
from reviews.agreement_comparison_page import shown_comparison
from reviews.agreement_split_form import FORMS, SplitForm
from reviews.report.reading import report_for
from reviews.services.background import COMPARE_AGREEMENT, every_done, latest_job, start
from reviews.views.background import how_far, job_context

EARLIER = 20


@polled
@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def compare_agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """The latest comparison, or the one that `?comparison=` names, and a form for each way of splitting."""
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    sent = None
    if request.method == "POST":
        sent = _sent(request, campaign)
        if sent.is_valid() and sent.split is not None:
            start(campaign, COMPARE_AGREEMENT, by=request.user, split=sent.split.as_json())
            return redirect("reviews:compare_agreement", slug=slug)
    job = latest_job(campaign, COMPARE_AGREEMENT)
    if request.htmx:
        return how_far(request, job)
    may_compare = policy.may_compare_agreement(request.user, campaign)
    context = {
        "campaign": campaign,
        "forms": _forms(campaign, sent) if may_compare else {},
        "refused": sent,
        **job_context(job, request.user),
        **_shown(request, campaign),
    }
    return render(request, "reviews/agreement/compare.html", context, status=422 if sent else 200)


def _sent(request: SignedInRequest, campaign: Campaign) -> SplitForm:
    if not policy.may_compare_agreement(request.user, campaign):
        raise PermissionDenied
    form = FORMS.get(request.POST.get("by", ""), FORMS["periods"])
    return form(request.POST, campaign=campaign)


def _forms(campaign: Campaign, sent: SplitForm | None) -> dict[str, SplitForm]:
    """Each way of splitting for which there is something to choose from; the one that was refused with its faults."""
    forms = {by: form(campaign=campaign) for by, form in FORMS.items()}
    if sent is not None:
        forms[sent.BY] = sent
    return {by: form for by, form in forms.items() if form.is_possible or form is sent}


def _shown(request: SignedInRequest, campaign: Campaign) -> dict[str, Any]:
    made = asked_comparison(campaign, request)
    if made is None or not made.result:
        return {}
    read = report_for(made.result, campaign, with_names=may_manage_campaign(request.user, campaign))
    return {
        "made": made,
        "result": made.result,
        "page": shown_comparison(read.result, read.names),
        "tables_at": reverse("reviews:compare_agreement", args=[campaign.slug]) + f"{made.pk}/",
        "comparisons": every_done(campaign, COMPARE_AGREEMENT).defer("result")[:EARLIER],
    }


def asked_comparison(campaign: Campaign, request: SignedInRequest) -> Job | None:
    """The one that `?comparison=` names, else the latest. Raises Http404 where the campaign has no such comparison."""
    every = every_done(campaign, COMPARE_AGREEMENT)
    if "comparison" not in request.GET:
        return every.first()
    try:
        found = every.filter(pk=UUID(request.GET["comparison"])).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404
    return found
