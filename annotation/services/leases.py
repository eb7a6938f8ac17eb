"""Who gets what, and for how long. Invariant: counted ratings + live leases never pass what an item needs."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import CampaignNotOpen, LeaseLost, MoveRefused, NotAllowed, NotQualified, NotYourLease
from annotation.models import Assignment, Campaign, Membership, User, WorkItem
from annotation.services.drafts import drop_draft
from annotation.services.items import free_place, locked_item, take_place
from annotation.services.queue import Picked, pick
from annotation.validation import check_skip

State = Assignment.State


def lease_next(*, campaign: Campaign, user: User) -> Assignment | None:
    """The person's first live lease, else a new one; None when nothing is left for them.

    Raises NotAllowed where they are no active annotator here, NotQualified where the training round stands before them,
    CampaignNotOpen where it is not open.
    """
    return next(iter(_leased(campaign, user, ahead=False)), None)


def lease_ahead(*, campaign: Campaign, user: User) -> list[Assignment]:
    """The person's live leases, oldest first, with new ones up to `campaign.ahead` (0 to 5) beside the first.

    Fewer where their share or the items end, none where nothing is left. Raises what `lease_next` raises.
    """
    return _leased(campaign, user, ahead=True)


def _leased(campaign: Campaign, user: User, *, ahead: bool) -> list[Assignment]:
    """Their live leases; more are taken while there are fewer than wanted.

    Each is taken in a transaction of its own: whoever held one item's lock and waited for another's could wait forever.
    """
    expire_overdue(campaign=campaign)
    while True:
        with transaction.atomic():
            membership = _locked_membership(campaign.pk, user)
            campaign.refresh_from_db(fields=["state", "ahead"])
            if campaign.state != Campaign.State.OPEN:
                raise CampaignNotOpen
            wanted = 1 + campaign.ahead if ahead else 1
            held = list(Assignment.objects.live().of(user).filter(campaign=campaign).order_by("leased_at", "id"))
            share = share_left(membership)
            if len(held) >= wanted or (share is not None and len(held) >= share):
                return held
            picked = pick(membership)
            if picked is None:
                return held
            held.append(_lease(picked, user))
            if len(held) >= wanted:
                return held


def _locked_membership(campaign_id: int, user: User) -> Membership:
    """Its row is locked before any item's: two requests of one person wait for each other, and so does a pause."""
    found = (
        Membership.objects.active()
        .select_for_update(of=("self",))
        .select_related("campaign", "user")
        .filter(campaign=campaign_id, user=user, role=Membership.Role.ANNOTATOR)
        .first()
    )
    if found is None:
        raise NotAllowed(_("You are not an active annotator of this campaign."))
    if found.campaign.training and found.qualified_at is None and found.campaign.state != Campaign.State.CLOSED:
        raise NotQualified
    return found


def rated_by(*, campaign: Campaign, user: User) -> int:
    return Assignment.objects.of(user).filter(campaign=campaign, state=State.SUBMITTED, imported=False).count()


def share_left(membership: Membership) -> int | None:
    """How many items this person may still rate here; None where no share is set."""
    if membership.share is None:
        return None
    return max(0, membership.share - rated_by(campaign=membership.campaign, user=membership.user))


def _lease(picked: Picked, user: User) -> Assignment:
    now = timezone.now()
    take_place(picked.item)
    return Assignment.objects.create(
        campaign_id=picked.item.campaign_id,
        work_item=picked.item,
        check_block=picked.check_block,
        annotator=user,
        leased_at=now,
        expires_at=now + timedelta(minutes=settings.LEASE_MINUTES),
    )


def _held(assignment_id: int, user: User) -> tuple[WorkItem, Assignment]:
    """The item (locked) and the person's own assignment on it."""
    known = Assignment.objects.of(user).filter(pk=assignment_id).values_list("work_item", flat=True).first()
    if known is None:
        raise NotYourLease
    item = locked_item(known)
    return item, Assignment.objects.select_for_update().get(pk=assignment_id)


def renew_lease(*, assignment_id: int, user: User) -> Assignment:
    """Thirty minutes from now for all that the person holds in the campaign; none longer than four hours in all.

    Who is at the first item is on the way to those leased ahead of it. Raises NotYourLease, LeaseLost.
    """
    with transaction.atomic():
        _item, assignment = _held(assignment_id, user)
        if assignment.state != State.LEASED:
            raise lease_lost(assignment)
        assignment.expires_at = _renewed(assignment)
        assignment.save(update_fields=["expires_at"])
    others = Assignment.objects.live().of(user).filter(campaign=assignment.campaign_id).exclude(pk=assignment.pk)
    for other in others:  # each by itself: no lock is held while another is waited for
        Assignment.objects.live().filter(pk=other.pk).update(expires_at=_renewed(other))
    return assignment


def lease_lost(assignment: Assignment) -> LeaseLost:
    """The error where a lease has ended, by how it ended, with what to do: a rating is taken for a lease that ran out,
    for no other that has ended."""
    said = {
        State.EXPIRED: _("The time for this item ran out. What you submit is still kept."),
        State.SUBMITTED: _("You have rated this item already."),
        State.SKIPPED: _("You skipped this item. To rate it after all, take the skip back under “My ratings”."),
        State.RELEASED: _("This item was handed back. Ask for the next one."),
        State.WITHDRAWN: _(
            "This item was taken back: you are paused here or asked to train again, or it has left the campaign. It "
            "takes no rating of yours now. Keep what you wrote, and ask a manager of the campaign."
        ),
    }
    return LeaseLost(said.get(State(assignment.state)))


def _renewed(assignment: Assignment) -> datetime:
    longest = assignment.leased_at + timedelta(hours=settings.LEASE_MAX_HOURS)
    return min(timezone.now() + timedelta(minutes=settings.LEASE_MINUTES), longest)


def _end(assignment: Assignment, state: Assignment.State) -> None:
    if state not in Assignment.MOVES[State(assignment.state)]:
        raise MoveRefused(_("This assignment is %(now)s already.") % {"now": assignment.get_state_display()})
    assignment.state = state
    assignment.ended_at = timezone.now()
    assignment.save()


@transaction.atomic
def release_lease(*, assignment_id: int, user: User) -> Assignment:
    """Handed back untouched; the item goes to someone else, or to them again."""
    item, assignment = _held(assignment_id, user)
    _end(assignment, State.RELEASED)
    free_place(item)
    return assignment


@transaction.atomic
def skip_item(*, assignment_id: int, user: User, reason: Any, note: Any = "") -> Assignment:
    """The place is free for others at once; the person will not be given the item unless they take the skip back.

    A heavy item needs no reason. Raises NotYourLease, RatingInvalid (by field), MoveRefused.
    """
    item, assignment = _held(assignment_id, user)
    reason = check_skip(reason=reason, note=note, heavy=item.heavy)
    if assignment.state == State.SKIPPED:
        return assignment  # the same answer twice
    assignment.skip_reason, assignment.skip_note = reason, note
    _end(assignment, State.SKIPPED)
    free_place(item)
    drop_draft(item=item, user=user)
    return assignment


@transaction.atomic
def take_back_skip(*, assignment_id: int, user: User) -> Assignment:
    """The skipped item again, while it still wants raters and their share is not reached."""
    campaign_id = Assignment.objects.of(user).filter(pk=assignment_id).values_list("campaign", flat=True).first()
    if campaign_id is None:
        raise NotYourLease
    membership = _locked_membership(campaign_id, user)
    item, assignment = _held(assignment_id, user)
    if assignment.state != State.SKIPPED:
        raise MoveRefused(_("Only a skipped item can be taken back."))
    if item.campaign.state != Campaign.State.OPEN:
        raise CampaignNotOpen
    if share_left(membership) == 0:
        raise MoveRefused(_("You have rated your share of this campaign."))
    others = Assignment.objects.of(user).filter(work_item=item, state__in=[State.LEASED, State.SUBMITTED])
    if others.exists():
        raise MoveRefused(_("You have rated this item since, or hold it now."))
    suited = WorkItem.everything.suited_to(membership).filter(pk=item.pk)
    if not suited.exists() or (item.purpose == WorkItem.Purpose.RATING and not item.has_free_place):
        raise MoveRefused(_("This item has all the raters it needs by now."))
    take_place(item)
    now = timezone.now()
    assignment.state, assignment.ended_at = State.LEASED, None
    assignment.leased_at, assignment.expires_at = now, now + timedelta(minutes=settings.LEASE_MINUTES)
    assignment.skip_reason = assignment.skip_note = ""
    assignment.save()
    return assignment


def expire_overdue(*, campaign: Campaign | None = None) -> int:
    """Ends leases whose time is over, so that their places come back. Each in its own short transaction."""
    overdue = Assignment.objects.overdue()
    if campaign is not None:
        overdue = overdue.filter(campaign=campaign)
    return _end_each(overdue.values_list("pk", "work_item_id"), State.EXPIRED, still_overdue=True)


def end_stranded() -> int:
    """Ends leases that a pause, a departure or a closing would have ended, had it not been cut short.

    So would being asked to train again.
    """
    live = Assignment.objects.live()
    rates = Membership.objects.active().filter(
        campaign=OuterRef("campaign"), user=OuterRef("annotator"), role=Membership.Role.ANNOTATOR
    )
    left = live.filter(~Exists(rates)).values_list("pk", "work_item_id")
    closed = live.filter(campaign__state=Campaign.State.CLOSED).values_list("pk", "work_item_id")
    ended = _end_each(left.union(_of_retrained(live)), State.WITHDRAWN, still_overdue=False)
    return ended + _end_each(closed, State.EXPIRED, still_overdue=False)


def _of_retrained(live: Any) -> Any:
    """Leases from before their holder was asked to train again, who has not passed since."""
    to_train = Membership.objects.filter(
        campaign=OuterRef("campaign"),
        user=OuterRef("annotator"),
        role=Membership.Role.ANNOTATOR,
        qualified_at=None,
        retrained_at__gt=OuterRef("leased_at"),
    )
    return live.filter(Exists(to_train)).values_list("pk", "work_item_id")


def end_leases(*, campaign: Campaign, user: User | None, state: Assignment.State) -> int:
    """Ends the live leases of a person, or of everyone when the campaign closes."""
    leases = Assignment.objects.live().filter(campaign=campaign)
    if user is not None:
        leases = leases.of(user)
    return _end_each(leases.values_list("pk", "work_item_id"), state, still_overdue=False)


def _end_each(leases, state: Assignment.State, *, still_overdue: bool) -> int:  # type: ignore[no-untyped-def]
    ended = 0
    for pk, item_pk in sorted(leases, key=lambda lease: lease[1]):
        with transaction.atomic():
            item = locked_item(item_pk)
            again = Assignment.objects.overdue() if still_overdue else Assignment.objects.live()
            if again.filter(pk=pk).update(state=state, ended_at=timezone.now()):
                free_place(item)
                ended += 1
    return ended
