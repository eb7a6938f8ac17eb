"""Who holds which case. An item's lock comes first, then its case; two experts never hold one case."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Campaign, Membership, User, WorkItem
from annotation.services import items
from annotation.services.items import locked_item
from annotation.validation import fault_of_reason
from reviews import policy
from reviews.errors import (
    CaseFell,
    CaseNotFound,
    CaseNotFree,
    CaseNotHeld,
    ConflictOfInterest,
    DecisionInvalid,
    NotAnExpert,
    ReferenceKnown,
)
from reviews.models import Case, CaseEvent
from reviews.rules import Kind, Reason
from reviews.services.case_moves import move_case
from reviews.services.opinions import refuse_out_of_turn
from reviews.services.review_item import reasons_as_fields, review_item
from reviews.shares import Share, dealt

State = Case.State
# So many urgent items are tried before the queue goes on in its order: others may be taking them just now.
URGENT = 50


def take_next(*, expert: User, campaign: Campaign | None = None, beyond_share: bool = False) -> Case | None:
    """The case this expert holds, else the next one waiting that is not theirs by rating; None when there is none.

    Where someone may be in danger comes first, then the rule's priority. Without a campaign: over all of theirs. Only
    of what is dealt to them, unless they say `beyond_share`. Raises NotAnExpert where they are no active expert.
    """
    expire_case_leases()
    with transaction.atomic():
        # The memberships' rows make two requests of one person wait for each other.
        memberships = Membership.objects.active().filter(user=expert, role=Membership.Role.EXPERT)
        if campaign is not None:
            memberships = memberships.filter(campaign=campaign)
        shares = [Share.of(one) for one in memberships.select_for_update(of=("self",)).order_by("pk")]
        if not shares:
            raise NotAnExpert
        campaigns = [share.campaign_id for share in shares]
        held = Case.objects.held_by(expert).filter(campaign__in=campaigns).order_by("taken_at", "pk").first()
        if held is not None:
            return held
        found = _first_free(campaigns, expert, Q() if beyond_share else dealt(shares))
        return None if found is None else take(*found, expert)


def _first_free(campaigns: list[int], expert: User, share: Q) -> tuple[WorkItem, Case] | None:
    """The next case of the share that is free for the expert, its item and itself locked."""
    free = Case.objects.free_for(expert).filter(share, campaign__in=campaigns).without_conflict(expert)
    free = free.select_related("work_item")
    # The few urgent items are looked up first, from their own index; joined, all waiting cases would be gone through.
    waits = free.order_by().select_related(None).filter(work_item=OuterRef("pk"))
    urgent = WorkItem.objects.filter(Exists(waits), campaign__in=campaigns, urgent_at__isnull=False)
    first = list(urgent.order_by("urgent_at", "pk").values_list("pk", flat=True)[:URGENT])
    gone: list[int] = []
    in_danger = free.filter(work_item__in=first).order_by("work_item__urgent_at", "pk")
    for queue in (in_danger, free.order_by("priority", "pk")):
        while True:
            rest = queue.exclude(pk__in=gone)
            case = rest.select_for_update(skip_locked=True, of=("work_item",), no_key=True).first()
            # An item that someone else has locked just now may stay free: wait for it before saying "nothing left".
            case = case or rest.select_for_update(of=("work_item",), no_key=True).first()
            if case is None:
                break
            item, case = _locked(case.pk)
            if Case.objects.free_for(expert).without_conflict(expert).filter(pk=case.pk).exists():
                return item, case
            gone.append(case.pk)
    return None


def locked_case(case_id: int, user: User) -> tuple[WorkItem, Case]:
    """The item and the case, both locked. Raises CaseNotFound where there is none, or it is not theirs to see."""
    case = Case.objects.select_related("campaign").filter(pk=case_id).first()
    if case is None or not policy.may_see_cases(user, case.campaign):
        raise CaseNotFound
    return _locked(case_id)


def _locked(case_id: int) -> tuple[WorkItem, Case]:
    item = locked_item(Case.objects.values_list("work_item", flat=True).get(pk=case_id))
    case = Case.objects.select_for_update().get(pk=case_id)
    case.work_item, case.campaign = item, item.campaign
    return item, case


def refuse_unless_adjudicator(case: Case, expert: User) -> None:
    """Raises NotAnExpert, ConflictOfInterest."""
    if not policy.is_expert(expert, case.campaign):
        raise NotAnExpert
    if policy.has_conflict(expert, case):
        raise ConflictOfInterest
    if policy.has_read_reference(expert, case.campaign, case.work_item.scenario_id):
        raise ReferenceKnown


@transaction.atomic
def take_case(*, case_id: int, expert: User) -> Case:
    """This very case. One that they hold already is given again, its lease renewed.

    Raises CaseNotFound, NotAnExpert, ConflictOfInterest, CaseNotFree.
    """
    item, case = locked_case(case_id, expert)
    refuse_unless_adjudicator(case, expert)
    if case.state in Case.HELD_IN and case.taken_by_id == expert.pk:
        return _renew(case)
    if case.state in Case.HELD_IN and case.lease_expires_at and case.lease_expires_at <= timezone.now():
        item, case = _give_back(item, case, None, "lease over")
    if case.state == State.DECIDED:
        raise CaseNotFree(_("This case is decided already. Reopen it to decide it anew."))
    if case.state == State.FALLEN or item.state == WorkItem.State.WITHDRAWN:
        raise CaseFell
    if case.state == State.TAKEN or case.taken_by_id is not None:
        raise CaseNotFree
    if case.state == State.SECOND_OPINION:
        refuse_out_of_turn(case, expert)
    return take(item, case, expert)


def take(item: WorkItem, case: Case, expert: User) -> Case:
    """The caller holds the item's lock and has seen that the case waits and that the expert may have it."""
    case.taken_by, case.taken_at = expert, timezone.now()
    case.lease_expires_at = case.taken_at + timedelta(minutes=settings.LEASE_MINUTES)
    if case.state == State.SECOND_OPINION:  # it stays so until the experts are done with it
        case.save(update_fields=["taken_by", "taken_at", "lease_expires_at"])
        CaseEvent.objects.create(case=case, kind="taken", by=expert)
    else:
        move_case(case, State.TAKEN, by=expert)
    items.lock_item(item)
    items.bar_from_item(item, expert)
    return case


def _renew(case: Case) -> Case:
    assert case.taken_at is not None
    longest = case.taken_at + timedelta(hours=settings.LEASE_MAX_HOURS)
    case.lease_expires_at = min(timezone.now() + timedelta(minutes=settings.LEASE_MINUTES), longest)
    case.save(update_fields=["lease_expires_at"])
    return case


@transaction.atomic
def renew_case(*, case_id: int, expert: User) -> Case:
    """Thirty minutes from now, as long as the lease is not older than four hours. Raises CaseNotHeld."""
    _item, case = locked_case(case_id, expert)
    if case.state not in Case.HELD_IN or case.taken_by_id != expert.pk:
        raise CaseNotHeld
    return _renew(case)


@transaction.atomic
def give_back(*, case_id: int, expert: User) -> Case:
    """Back into the queue, undecided; its ratings can be edited again. Raises CaseNotHeld."""
    item, case = locked_case(case_id, expert)
    if case.state not in Case.HELD_IN or case.taken_by_id != expert.pk:
        raise CaseNotHeld(_("You do not hold this case."))
    return _give_back(item, case, expert, "given back")[1]


def _give_back(item: WorkItem, case: Case, by: User | None, word: str) -> tuple[WorkItem, Case]:
    """Waiting again, and the rule asked anew: what changed meanwhile may have taken its reason away.

    The item's ratings can be edited again, unless a decision stands on them as they are. Where other experts have
    given their opinions nothing changes but whose it is.
    """
    if case.state == State.SECOND_OPINION:
        case.let_go()
        case.save(update_fields=["taken_by", "taken_at", "lease_expires_at"])
        CaseEvent.objects.create(case=case, kind=word, by=by)
        return item, case
    move_case(case, State.WAITING, by=by, word=word)
    if not case.decisions.exists():
        items.unlock_item(item)
    if item.state == WorkItem.State.IN_REVIEW:
        items.return_from_review(item)
    review_item(item)
    return _locked(case.pk)


def expire_case_leases() -> int:
    """Brings back the cases whose lease is over. Each in its own short transaction."""
    expired = 0
    for case_id in Case.objects.overdue().order_by("work_item_id").values_list("pk", flat=True):
        with transaction.atomic():
            item, case = _locked(case_id)
            if Case.objects.overdue().filter(pk=case_id).exists():
                _give_back(item, case, None, "lease over")
                expired += 1
    return expired


@transaction.atomic
def reopen_case(*, case_id: int, by: User, reason: str) -> Case:
    """A decided case waits again, with the reason; its old decision stays on record until a new one supersedes it.

    Raises CaseNotFound, ConflictOfInterest, CaseFell where its item has left the campaign, DecisionInvalid without a
    reason, MoveRefused where it is not decided.
    """
    item, case = locked_case(case_id, by)
    if item.state == WorkItem.State.WITHDRAWN:
        raise CaseFell(_("Its item has left the campaign: there is nothing to decide any more."))
    if not policy.may_reopen(by, case):
        raise ConflictOfInterest
    if not reason.strip():
        raise DecisionInvalid(_("Say why the case is opened again."), fields={"reason": [_("A reason is needed.")]})
    if told := fault_of_reason(reason):
        raise DecisionInvalid(told, fields={"reason": [told]})
    move_case(case, State.WAITING, by=by, word="reopened", detail={"reason": reason})
    stood = [Reason(**found) for found in case.reasons if found["kind"] != Kind.REOPENED]
    for name, value in reasons_as_fields([*stood, Reason(Kind.REOPENED, detail={"reason": reason})]).items():
        setattr(case, name, value)
    case.round += 1
    case.opinions_needed, case.opinions_in = 1, 0
    case.save()
    if item.state == WorkItem.State.SETTLED:
        items.recount(item)
        if item.state == WorkItem.State.COMPLETE:
            items.send_to_review(item)
    return case
