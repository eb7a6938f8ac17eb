"""The people of a campaign: bringing them in by a one-time link, pausing them, letting them go."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import policy
from annotation.access import campaign_for
from annotation.errors import ConcordError
from annotation.forms import PersonForm
from annotation.models import Campaign, Membership, User
from annotation.services.people import bring_in, change_membership, invite
from jobs.request import SignedInRequest

State = Membership.State
ROLES = {
    Membership.Role.ANNOTATOR: gettext_lazy("Annotators"),
    Membership.Role.EXPERT: gettext_lazy("Experts"),
    Membership.Role.MANAGER: gettext_lazy("Managers"),
}


def _page(request: SignedInRequest, campaign: Campaign, form: PersonForm | None = None, **more: Any) -> HttpResponse:
    """All that have a role here; one query for each kind of thing, however many people there are."""
    prefetch_related_objects([request.user], "memberships")
    members = campaign.memberships.select_related("user").prefetch_related("user__memberships").order_by("pk")
    rows = [(member, policy.may_invite(request.user, member.user)) for member in members]
    by_role = [(name, [row for row in rows if row[0].role == role]) for role, name in ROLES.items()]
    form = form or PersonForm(campaign=campaign)
    context = {"campaign": campaign, "by_role": by_role, "any": bool(rows), "form": form, **more}
    return render(request, "annotation/people/people.html", context, status=422 if form.errors else 200)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def people(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    if request.method == "GET":
        return _page(request, campaign)
    form = PersonForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return _page(request, campaign, form)
    try:
        member = bring_in(campaign=campaign, **form.cleaned_data, by=request.user)
    except ConcordError as refusal:
        for name in refusal.fields or [None]:
            form.add_error(name if name in form.fields else None, str(refusal))
        return _page(request, campaign, form)
    person = member.user
    if not person.has_usable_password() and policy.may_invite(request.user, person):
        return _page(request, campaign, **_link(request, person))
    messages.success(request, _("%(person)s is in, and signs in as before.") % {"person": person})
    return redirect("annotation:people", slug=slug)


def _link(request: SignedInRequest, person: User) -> dict[str, Any]:
    """A fresh one-time link. It is kept nowhere, so the answer that shows it is no redirect."""
    path = reverse("annotation:welcome", args=[invite(user=person)])
    return {"link": request.build_absolute_uri(path), "invited": person}


@login_required
@require_POST
@never_cache
def new_link(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    campaign, member = _member(request, slug, member_id)
    if not policy.may_invite(request.user, member.user):
        raise PermissionDenied(
            _("Only a site manager makes links for people who sign in already or are in other campaigns.")
        )
    return _page(request, campaign, **_link(request, member.user))


@login_required
@require_POST
def change_state(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    _campaign, member = _member(request, slug, member_id)
    state = request.POST.get("state", "")
    if state not in State.values:
        raise BadRequest
    try:
        change_membership(membership=member, state=state, by=request.user)
    except ConcordError as refusal:
        messages.error(request, str(refusal))
    else:
        names = {"person": member.user, "role": member.get_role_display()}
        messages.success(request, _moved(state) % names)
    return redirect("annotation:people", slug=slug)


def _member(request: SignedInRequest, slug: str, member_id: int) -> tuple[Campaign, Membership]:
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    return campaign, get_object_or_404(campaign.memberships.select_related("user", "campaign"), pk=member_id)


def _moved(state: str) -> str:
    return {
        State.ACTIVE.value: _("%(person)s works here again (%(role)s)."),
        State.PAUSED.value: _("%(person)s is paused (%(role)s): nothing new is given, what was done is kept."),
        State.REMOVED.value: _("%(person)s is no longer %(role)s here; what was done is kept."),
    }[state]
