"""Two releases of a campaign side by side: which labels changed between them, and why."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.access import campaign_for
from annotation.errors import ConcordError
from jobs.request import SignedInRequest
from reviews import policy
from reviews.comparing import WRITERS, pair_of
from reviews.comparison_page import comparison_page
from reviews.errors import NothingToCompare
from reviews.models import Release


@login_required
@require_GET
@never_cache
def compare(request: SignedInRequest, slug: str) -> HttpResponse:
    """`?from=1&to=2`; without them the last two releases."""
    campaign = campaign_for(request.user, slug, policy.may_see_releases)
    asked = {name: request.GET.get(name, "") for name in ("from", "to", "kind", "page")}
    context: dict[str, Any] = {
        "campaign": campaign,
        "releases": Release.objects.filter(campaign=campaign),
        "asked": {"of": asked["from"], "to": asked["to"]},
    }
    status = 200
    try:
        pair = pair_of(campaign, asked)
        found = comparison_page(pair, campaign, kind=asked["kind"], number=asked["page"])
    except NothingToCompare as refusal:
        context["empty"] = str(refusal)
    except ConcordError as refusal:
        status = refusal.status
        context["faults"] = [str(refusal), *(fault for faults in refusal.fields.values() for fault in faults)]
    else:
        numbers = {"of": str(pair.before.number), "to": str(pair.after.number)}
        query = {"from": numbers["of"], "to": numbers["to"], **({"kind": asked["kind"]} if asked["kind"] else {})}
        context |= {"pair": pair, "found": found, "asked": numbers, "query": urlencode(query)}
    return render(request, "reviews/releases/compare.html", context, status=status)


@login_required
@require_GET
def differences(request: SignedInRequest, slug: str, form: str) -> StreamingHttpResponse:
    """Every label that changed, as a file."""
    campaign = campaign_for(request.user, slug, policy.may_see_releases)
    try:
        pair = pair_of(campaign, request.GET.dict())
        comparison = pair.comparison()
    except ConcordError as refusal:
        raise Http404(str(refusal)) from refusal
    media_type, lines = WRITERS[form]
    name = f"{campaign.slug}-{pair.before.number}-to-{pair.after.number}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(lines(comparison), content_type=media_type, headers=headers)
