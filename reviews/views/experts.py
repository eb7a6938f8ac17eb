"""The experts of a campaign: what is dealt to each, and how they get on. An expert sees their own line."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import campaign_for
from annotation.errors import ConcordError
from annotation.models import Campaign
from annotation.policy import Role, may_manage_campaign
from annotation.services.people import deal_share
from jobs.request import SignedInRequest
from reviews import policy
from reviews.models import Decision
from reviews.views.queue import refused
from reviews.workload import DAYS, WEEK, quick_reasons_of, workload_of
from scenarios.benchmark import LANGUAGES, Component


@login_required
@require_safe
@never_cache
def experts(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_see_cases)
    manages = may_manage_campaign(request.user, campaign)
    work = workload_of(campaign, None if manages else request.user)
    there = set(campaign.items.order_by().values_list("language", flat=True).distinct())
    there |= {language for line in work.lines for language in line.share.languages}
    context = {
        "campaign": campaign,
        "work": work,
        "components": Component.choices,
        "languages": [(tag, LANGUAGES.get(tag, tag)) for tag in sorted(there)],
        "span": DAYS,
        "week": WEEK,
        "zone": timezone.get_current_timezone_name(),
    }
    if not manages:
        return render(request, "reviews/experts/own.html", context)
    return render(request, "reviews/experts/experts.html", context | _what_went_wrong(campaign))


@login_required
@require_POST
def deal(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    campaign = campaign_for(request.user, slug, may_manage_campaign)
    member = get_object_or_404(campaign.memberships.select_related("user", "campaign"), pk=member_id, role=Role.EXPERT)
    chosen = {part: request.POST.getlist(part) for part in ("components", "languages")}
    try:
        deal_share(membership=member, **chosen, by=request.user)
    except ConcordError as error:
        return refused(request, campaign, error)
    messages.success(request, _("The share of %(person)s is changed.") % {"person": member.user})
    return redirect("reviews:experts", slug=slug)


def _what_went_wrong(campaign: Campaign) -> dict[str, Any]:
    """The quick reasons by the dimension disputed: a row a dimension, a column a reason."""
    names = dict(Decision.QuickReason.choices)
    dimensions = {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}
    told = [
        (dimensions.get(row.dimension, row.dimension), [row.counts.get(key, 0) for key in names], row.total)
        for row in quick_reasons_of(campaign)
    ]
    return {"quick_names": list(names.values()), "told": told}
