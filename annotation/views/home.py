"""What a person finds after signing in: their campaigns, by role, with what is left for them."""

from dataclasses import dataclass

from django.contrib.auth.decorators import login_required
from django.db.models import Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.models import Campaign, Membership, User, WorkItem
from annotation.own_work import own_work
from jobs.request import SignedInRequest

Role = Membership.Role


@dataclass(frozen=True)
class MyRole:
    """One role of the person in one campaign. `done` of `total` is their own where they rate, the campaign's where
    they manage; `waiting` is what waits for an expert."""

    membership: Membership
    done: int = 0
    left: int = 0
    waiting: int = 0

    @property
    def campaign(self) -> Campaign:
        return self.membership.campaign

    @property
    def total(self) -> int:
        return self.done + self.left


@login_required
@require_GET
@never_cache
def home(request: SignedInRequest) -> HttpResponse:
    roles = [_my_role(membership) for membership in _memberships(request.user)]
    by_role = {role.value: [mine for mine in roles if mine.membership.role == role] for role in Role}
    return render(request, "annotation/home.html", {**by_role, "any": bool(roles)})


def _memberships(user: User) -> list[Membership]:
    """Open campaigns first, closed ones last."""
    found = (
        Membership.objects.filter(user=user)
        .exclude(state=Membership.State.REMOVED)
        .select_related("campaign", "user")
        .order_by("-campaign__created_at", "-campaign")
    )
    order = [Campaign.State.OPEN, Campaign.State.PAUSED, Campaign.State.DRAFT, Campaign.State.CLOSED]
    return sorted(found, key=lambda membership: order.index(Campaign.State(membership.campaign.state)))


def _my_role(membership: Membership) -> MyRole:
    campaign = membership.campaign
    if membership.role == Role.ANNOTATOR:
        work = own_work(membership)
        return MyRole(membership, done=work.done, left=work.left)
    if membership.role == Role.EXPERT:
        return MyRole(membership, waiting=campaign.items.filter(state=WorkItem.State.IN_REVIEW).count())
    sums = campaign.items.exclude(state=WorkItem.State.WITHDRAWN).aggregate(done=Sum("counted"), needed=Sum("needed"))
    done, needed = sums["done"] or 0, sums["needed"] or 0
    return MyRole(membership, done=done, left=max(0, needed - done))
