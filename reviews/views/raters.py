"""One rater's page, for the campaign's managers: how they stand, and what may be done about it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation import policy as annotation_policy
from annotation.errors import ConcordError
from annotation.models import Campaign, Membership, User
from annotation.services.people import change_membership
from annotation.services.retraining import retrain
from annotation.training_round import training_state
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.access import rater_for
from reviews.models import RatingWithdrawal
from reviews.rater_page import apart_shown, done_sentences, measured_of, rows_of, standing_sentence
from reviews.rater_profile import given_by, measured, most_apart, totals_of, with_items
from reviews.services.background import latest_of_withdrawals
from reviews.views.background import how_far, job_context
from reviews.withdrawal_form import WithdrawalForm

PAGE = 25
State = Membership.State


@polled
@login_required
@require_GET
@never_cache
def rater(request: SignedInRequest, slug: str, user_id: int) -> HttpResponse:
    """Live from the ratings, beside the latest report. While ratings are taken out it asks how far that is."""
    campaign, person = rater_for(request.user, slug, user_id)
    withdrawals = list(RatingWithdrawal.objects.of(campaign, person).with_counts().select_related("by", "reverted_by"))
    job = latest_of_withdrawals(campaign, [one.pk for one in withdrawals])
    if request.htmx:
        return how_far(request, job)
    membership = _membership(campaign, person)
    context = {
        "campaign": campaign,
        "person": person,
        "membership": membership,
        "training": training_state(membership) if membership else None,
        "may_write": annotation_policy.may_write_to(request.user, campaign, person),
        "form": WithdrawalForm(),
        "withdrawals": [(one, done_sentences(one)) for one in withdrawals],
        **_numbers(request, campaign, person),
        **job_context(job, request.user),
    }
    report, changed = context["report"], [one.reverted_at or one.at for one in withdrawals]
    context["outdated"] = report is not None and any(moment > report.created_at for moment in changed)
    return render(request, "reviews/raters/rater.html", context)


def _membership(campaign: Campaign, person: User) -> Membership | None:
    theirs = campaign.memberships.select_related("campaign", "user")
    return theirs.filter(user=person, role=Membership.Role.ANNOTATOR).first()


def _member(campaign: Campaign, person: User) -> Membership:
    member = _membership(campaign, person)
    if member is None:
        raise Http404
    return member


def _numbers(request: SignedInRequest, campaign: Campaign, person: User) -> dict[str, Any]:
    totals, (report, details) = totals_of(campaign, person), measured(campaign, person)
    found = measured_of(details, campaign)
    context = {
        "totals": totals,
        "report": report,
        "measured": found,
        "sentence": standing_sentence(person, totals, found, report),
        "given": rows_of(given_by(campaign, person), campaign),
        "sees_items": policy.looks_on(request.user, campaign),
    }
    if not context["sees_items"]:
        return context
    page = Paginator(most_apart(campaign, person), PAGE).get_page(request.GET.get("page"))
    shown = [apart_shown(one, campaign) for one in with_items(campaign, person, list(page.object_list))]
    return {**context, "page": page, "apart": shown}


@login_required
@require_POST
def change_state(request: SignedInRequest, slug: str, user_id: int) -> HttpResponse:
    """Pauses them, or lets them go on; people are removed on the people's page."""
    campaign, person = rater_for(request.user, slug, user_id)
    member = _member(campaign, person)
    state = request.POST.get("state", "")
    if state not in (State.ACTIVE, State.PAUSED):
        raise BadRequest
    if member.state == State.REMOVED:
        messages.error(request, _("%(person)s no longer rates here.") % {"person": person})
        return redirect("reviews:rater", slug=slug, user_id=user_id)
    change_membership(membership=member, state=state, by=request.user)
    said = _("%(person)s is paused: nothing new is given, what was done is kept.")
    if state == State.ACTIVE:
        said = _("%(person)s rates here again.")
    messages.success(request, said % {"person": person})
    return redirect("reviews:rater", slug=slug, user_id=user_id)


@login_required
@require_POST
def train_again(request: SignedInRequest, slug: str, user_id: int) -> HttpResponse:
    campaign, person = rater_for(request.user, slug, user_id)
    try:
        retrain(membership=_member(campaign, person), by=request.user)
    except ConcordError as refusal:
        messages.error(request, str(refusal))
    else:
        said = _("%(person)s is given items again once they have passed the training. They were told.")
        messages.success(request, said % {"person": person})
    return redirect("reviews:rater", slug=slug, user_id=user_id)
