"""The agreement so far, a part of the campaign's page that asks again by itself."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.access import campaign_for
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.live_page import live_page


@polled
@login_required
@require_GET
@never_cache
def live_agreement(request: SignedInRequest, slug: str) -> HttpResponse:
    """The figures, for the width asked for; with `?part=steps` the chart and its table.

    `?since=` names the numbers that the page has: where they are the latest still, there is nothing to swap in.
    """
    campaign = campaign_for(request.user, slug, policy.may_see_live_agreement)
    page = live_page(campaign, asked=request.GET.get("width", ""))
    if request.GET.get("since") == page.stamp and page.goes_on:
        return HttpResponse(status=204)
    part = "_steps" if request.GET.get("part") == "steps" else "_figures"
    return render(request, f"reviews/live/{part}.html", {"campaign": campaign, "live": page, "part": page.part})
