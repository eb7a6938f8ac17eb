"""What more raters would save, if only those items had them whose first raters disagree."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import campaign_for
from annotation.models import Campaign, User
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.overlap_page import shown_overlaps
from reviews.services.background import COMPARE_OVERLAPS, latest_done, latest_job, start
from reviews.services.seen import enough_ratings
from reviews.views.background import how_far, job_context


@polled
@login_required
@require_GET
@never_cache
def overlap(request: SignedInRequest, slug: str) -> HttpResponse:
    """The latest comparison. While one is made the page asks each second how far it is."""
    campaign = campaign_for(request.user, slug, policy.may_compare_overlaps)
    if request.htmx:
        return how_far(request, latest_job(campaign, COMPARE_OVERLAPS))
    return render(request, "reviews/overlap/overlap.html", _context(campaign, request.user))


def _context(campaign: Campaign, user: User) -> dict[str, Any]:
    done = latest_done(campaign, COMPARE_OVERLAPS)
    context = {
        "campaign": campaign,
        "enough": enough_ratings(campaign),
        **job_context(latest_job(campaign, COMPARE_OVERLAPS), user),
    }
    if done is None or not done.result:
        return context
    return {**context, "made": done, "result": done.result, "page": shown_overlaps(done.result, campaign)}


@login_required
@require_POST
def compare(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_compare_overlaps)
    start(campaign, COMPARE_OVERLAPS, by=request.user)
    return redirect("reviews:overlap", slug=slug)
