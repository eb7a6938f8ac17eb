"""Withdrawing what one rater gave from a date on: counted beforehand, done in the background, taken back."""

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.errors import ConcordError
from annotation.models import Campaign, User
from annotation.views.sent import typed
from jobs.request import SignedInRequest
from reviews.access import rater_for
from reviews.models import RatingWithdrawal
from reviews.rater_page import preview_sentences
from reviews.services.withdrawal_preview import preview_of
from reviews.services.withdrawals import ask_revert, ask_withdrawal, go_on
from reviews.withdrawal_form import WithdrawalForm


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def withdraw(request: SignedInRequest, slug: str, user_id: int) -> HttpResponse:
    """GET counts what it would do and asks once more; POST does it, for the moment that was counted."""
    campaign, person = rater_for(request.user, slug, user_id)
    if request.method == "POST":
        return _withdraw(request, campaign, person)
    form = WithdrawalForm(request.GET if "since" in request.GET else None)
    context = {"campaign": campaign, "person": person, "form": form}
    if form.is_valid():
        preview = preview_of(campaign, person, form.cleaned_data["since"])
        sentences = preview_sentences(preview, closed=campaign.state == Campaign.State.CLOSED)
        context |= {"preview": preview, "sentences": sentences, "reason": form.cleaned_data["reason"]}
    return render(request, "reviews/raters/withdraw.html", context, status=422 if form.errors else 200)


def _withdraw(request: SignedInRequest, campaign: Campaign, person: User) -> HttpResponse:
    since = _moment(request.POST.get("since", ""))
    if since is None:
        messages.error(request, _("The form is damaged: reload the page."))
        return _back(campaign, person)
    reason = typed(request.POST.get("reason", ""))
    try:
        ask_withdrawal(campaign=campaign, annotator=person, since=since, reason=reason, by=request.user)
    except ConcordError as refusal:
        told = [fault for faults in refusal.fields.values() for fault in faults]
        messages.error(request, " ".join(told) or str(refusal))
    else:
        messages.success(request, _("The ratings are being taken out, item by item. Their rater was told."))
    return _back(campaign, person)


def _moment(text: str) -> datetime | None:
    """As the preview wrote it, its zone with it; None where it is no such moment."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and is_aware(moment) else None


@login_required
@require_POST
def revert(request: SignedInRequest, slug: str, user_id: int, withdrawal_id: int) -> HttpResponse:
    campaign, person = rater_for(request.user, slug, user_id)
    found = _withdrawal(campaign, person, withdrawal_id)
    try:
        ask_revert(withdrawal_id=found.pk, by=request.user)
    except ConcordError as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The ratings are being brought back, item by item. Their rater was told."))
    return _back(campaign, person)


@login_required
@require_POST
def resume(request: SignedInRequest, slug: str, user_id: int, withdrawal_id: int) -> HttpResponse:
    """Once more, where the work was cancelled or has failed."""
    campaign, person = rater_for(request.user, slug, user_id)
    try:
        go_on(withdrawal=_withdrawal(campaign, person, withdrawal_id), by=request.user)
    except ConcordError as refusal:
        messages.error(request, str(refusal))
    return _back(campaign, person)


def _withdrawal(campaign: Campaign, person: User, withdrawal_id: int) -> RatingWithdrawal:
    theirs = RatingWithdrawal.objects.of(campaign, person).select_related("campaign")
    return get_object_or_404(theirs, pk=withdrawal_id)


def _back(campaign: Campaign, person: User) -> HttpResponse:
    return redirect("reviews:rater", slug=campaign.slug, user_id=person.pk)
