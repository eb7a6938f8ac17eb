"""What a person finds after signing in: their campaigns, by role, with what is left, their messages, their pace."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.conversations import received_by
from annotation.letters import Letter, with_letters
from annotation.models import Campaign, Membership, Message, User, WorkItem
from annotation.own_work import own_work
from annotation.pace import DAYS, bars, items_an_hour, last_days
from annotation.training_round import TrainingState, training_state
from jobs.request import SignedInRequest

Role = Membership.Role
# Messages that stand here: all unread ones up to so many, and the latest of those read.
MOST_UNREAD, MOST_READ = 20, 3


@dataclass(frozen=True)
class MyRole:
    """One role of the person in one campaign. `done` of `total` is their own where they rate, the campaign's where
    they manage; `waiting` is what waits for an expert; `unread` are messages to the managers."""

    membership: Membership
    done: int = 0
    left: int = 0
    waiting: int = 0
    unread: int = 0
    training: TrainingState | None = None

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
    user = request.user
    memberships = _memberships(user)
    unread = _unread_by_campaign(user)
    roles = [_my_role(membership, unread.get(membership.campaign_id, 0)) for membership in memberships]
    by_role = {role.value: [mine for mine in roles if mine.membership.role == role] for role in Role}
    decides = any(mine.membership.state == Membership.State.ACTIVE for mine in by_role[Role.EXPERT])
    context = {**by_role, "any": bool(roles), "decides": decides, "received": _received(user, memberships)}
    return render(request, "annotation/home.html", context | (_pace(user) if by_role[Role.ANNOTATOR] else {}))


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


def _unread_by_campaign(user: User) -> dict[int, int]:
    """What was written to the managers and none of them has read."""
    waiting = Message.objects.waiting_for(user).filter(recipient=None)
    return dict(waiting.order_by().values_list("campaign").annotate(n=Count("pk")))


def _my_role(membership: Membership, unread: int) -> MyRole:
    campaign = membership.campaign
    if membership.role == Role.ANNOTATOR:
        work = own_work(membership)
        return MyRole(membership, done=work.done, left=work.left, training=training_state(membership))
    if membership.role == Role.EXPERT:
        return MyRole(membership, waiting=campaign.items.filter(state=WorkItem.State.IN_REVIEW).count())
    sums = campaign.items.exclude(state=WorkItem.State.WITHDRAWN).aggregate(done=Sum("counted"), needed=Sum("needed"))
    done, needed = sums["done"] or 0, sums["needed"] or 0
    return MyRole(membership, done=done, left=max(0, needed - done), unread=unread)


@dataclass(frozen=True)
class Received:
    """A message to the person; where they have a part no longer, or manage by now, there is nobody to answer."""

    message: Message
    letter: Letter | None
    may_answer: bool

    @property
    def field(self) -> str:
        """The id of the reply's field: one page may hold many."""
        return f"reply-{self.message.pk}"


def _received(user: User, memberships: list[Membership]) -> list[Received]:
    """Unread first. What was sent to them stays theirs, also when they have left the campaign."""
    latest = list(received_by(user)[: MOST_UNREAD + MOST_READ])
    read = [message for message in latest if message.read_at][:MOST_READ]
    shown = [message for message in latest if not message.read_at][:MOST_UNREAD] + read
    active = Membership.State.ACTIVE
    managed = {one.campaign_id for one in memberships if one.role == Role.MANAGER and one.state == active}
    here = {one.campaign_id for one in memberships} - managed
    return [Received(message, letter, message.campaign_id in here) for message, letter in with_letters(shown)]


def _pace(user: User) -> dict[str, Any]:
    days = last_days(user)
    worked = [day for day in days if day.seconds or day.items]
    return {
        "days": days,
        "bars": bars(days),
        "today": days[-1],
        "worked": worked,
        "seconds": sum(day.seconds for day in days),
        "items": sum(day.items for day in days),
        "an_hour": items_an_hour(days),
        "span": DAYS,
        "zone": timezone.get_current_timezone_name(),
    }
