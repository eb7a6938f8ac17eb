"""Taking ratings. What the server called saved is kept, once, whatever the client sends again."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import ports
from annotation.errors import AlreadyRated, EditClosed, MoveRefused, NotYourLease, RatingInvalid
from annotation.models import Assignment, Campaign, Mark, Membership, Note, Rating, Score, User, WorkItem
from annotation.services.campaigns import log
from annotation.services.checks import pause_by_rule
from annotation.services.drafts import drop_draft
from annotation.services.items import free_place, is_extra_place, locked_item, next_rank, recount
from annotation.services.leases import lease_lost
from annotation.services.people import one_at_a_time
from annotation.validation import Judgement, read_judgement, seconds_since

State, Status = Assignment.State, Rating.Status


@dataclass(frozen=True)
class Submitted:
    rating: Rating
    created: bool  # False: this client_id was saved before; nothing was done


def submit_rating(
    *,
    assignment_id: int,
    user: User,
    client_id: UUID,
    scores: Any,
    marks: Any = (),
    rationale: Any = "",
    seconds: Any = 0,
    needs_expert: Any = False,
    supersedes: Any = None,
) -> Submitted:
    """Saves one rating: scores {dimension: level}, marks [{type, start, end, quote, note}], seconds of active work.

    Counted while the item has a place for it, else kept as surplus (late, or the campaign closed). The same client_id
    again answers with what was saved. With `supersedes`, an edit of the person's standing rating.
    Of a check item it is kept apart, answered in the same way, and the rule on checks is asked once it is saved.
    Raises NotYourLease, RatingInvalid (by field), AlreadyRated, EditClosed, LeaseLost.
    """
    judged = {"scores": scores, "marks": marks, "rationale": rationale, "seconds": seconds}
    judged["needs_expert"] = needs_expert
    submitted = _submit(assignment_id, user, client_id, judged, supersedes)
    if submitted.rating.status == Status.CHECK:
        pause_by_rule(campaign=submitted.rating.work_item.campaign, user=user)
    return submitted


@transaction.atomic
def _submit(assignment_id: int, user: User, client_id: UUID, judged: dict[str, Any], supersedes: Any) -> Submitted:
    known = Assignment.objects.of(user).filter(pk=assignment_id).values_list("work_item", flat=True).first()
    if known is None:
        raise NotYourLease
    # Of two items, whose locks know nothing of each other: one client_id is kept once, and one clock is shared.
    one_at_a_time(user)
    item = locked_item(known)
    assignment = Assignment.objects.select_for_update().get(pk=assignment_id)
    before = Rating.objects.of(user).filter(client_id=client_id).first()
    if before is not None:
        if before.assignment_id != assignment.pk:
            raise RatingInvalid(fields={"client_id": [_("This client_id was used for another item.")]})
        return Submitted(before, created=False)
    judgement = read_judgement(rubric=item.campaign.rubric, text=item.response.text, **judged)
    standing = _last_said(item, user)
    if supersedes is not None and (standing is None or type(supersedes) is not int):
        raise RatingInvalid(fields={"supersedes": [_("There is no standing rating of yours with this number.")]})
    if standing is None:
        rating = _first(item, assignment, client_id, judgement)
    elif supersedes != standing.pk or standing.assignment_id != assignment.pk:
        raise AlreadyRated(rating=standing.pk, status_of_rating=standing.told)
    else:
        rating = _edit(item, standing, client_id, judgement)
    drop_draft(item=item, user=user)
    return Submitted(rating, created=True)


def _last_said(item: WorkItem, user: User) -> Rating | None:
    """The person's rating of the item that no edit has replaced; a manager may have withdrawn it."""
    return Rating.objects.of(user).filter(work_item=item).exclude(status=Status.SUPERSEDED).order_by("-pk").first()


def _still_rates(item: WorkItem, annotator_id: int) -> bool:
    """Not removed from the campaign: who was may manage it by now, and see what others said."""
    roles = Membership.objects.filter(campaign=item.campaign_id, user=annotator_id, role=Membership.Role.ANNOTATOR)
    return roles.exclude(state=Membership.State.REMOVED).exists()


def _first(item: WorkItem, assignment: Assignment, client_id: UUID, judgement: Judgement) -> Rating:
    counts = item.campaign.state != Campaign.State.CLOSED and not item.is_barred_to(assignment.annotator_id)
    if assignment.state == State.LEASED:
        free_place(item)
    elif assignment.state == State.EXPIRED:
        _hand_back_newer_lease(item, assignment)
        counts = counts and _still_rates(item, assignment.annotator_id)
    else:
        raise lease_lost(assignment)
    check = item.purpose == WorkItem.Purpose.CHECK
    counts = counts and (check or item.has_free_place)
    assignment.state, assignment.ended_at = State.SUBMITTED, timezone.now()
    assignment.save(update_fields=["state", "ended_at"])
    answered = Status.COUNTED if counts else Status.SURPLUS
    status = Status.CHECK if check else answered
    place = {"rank": next_rank(item), "is_extra": is_extra_place(item)}
    rating = _save(item, assignment, client_id, judgement, place=place, status=status, answered=answered)
    if status == Status.COUNTED:
        item.counted += 1
        recount(item)
        ports.after_ratings_changed(item)
    return rating


def _hand_back_newer_lease(item: WorkItem, assignment: Assignment) -> None:
    """Late work on an expired lease takes the place of a newer lease of the same person on the same item."""
    newer = Assignment.objects.live().filter(work_item=item, annotator=assignment.annotator_id)
    if newer.update(state=State.RELEASED, ended_at=timezone.now()):
        free_place(item)


def _edit(item: WorkItem, standing: Rating, client_id: UUID, judgement: Judgement) -> Rating:
    kept = Status(standing.status)
    if standing.told == Status.WITHDRAWN:
        raise EditClosed(_("This rating was withdrawn by a manager; it cannot be edited."), rating=standing.pk)
    if item.locked or item.campaign.state == Campaign.State.CLOSED or item.state == WorkItem.State.WITHDRAWN:
        raise EditClosed(rating=standing.pk)
    if not _still_rates(item, standing.annotator_id):
        raise EditClosed(_("You no longer rate in this campaign."), rating=standing.pk)
    if item.is_barred_to(standing.annotator_id):
        raise EditClosed(_("You have seen since what others say of this item; your rating stands."), rating=standing.pk)
    answered = standing.told
    _move(standing, Status.SUPERSEDED)
    rating = _save(
        item,
        standing.assignment,
        client_id,
        judgement,
        place=standing.place,
        status=kept,
        answered=answered,
        supersedes=standing,
    )
    if kept == Status.COUNTED:
        recount(item)
        ports.after_ratings_changed(item)
    return rating


def _save(
    item: WorkItem,
    assignment: Assignment,
    client_id: UUID,
    judgement: Judgement,
    *,
    place: dict[str, Any],
    status: Rating.Status,
    answered: Rating.Status,
    supersedes: Rating | None = None,
) -> Rating:
    now = timezone.now()
    rating = Rating.objects.create(
        assignment=assignment,
        work_item=item,
        annotator_id=assignment.annotator_id,
        rubric_id=item.campaign.rubric_id,
        client_id=client_id,
        status=status,
        answered=answered,
        **place,
        supersedes=supersedes,
        rationale=judgement.rationale,
        needs_expert=judgement.needs_expert,
        seconds=min(judgement.seconds, _seconds_passed(assignment)),
        submitted_at=now,
    )
    Score.objects.bulk_create(
        Score(rating=rating, dimension=dimension, value=value) for dimension, value in judgement.scores.items()
    )
    Mark.objects.bulk_create(Mark(rating=rating, **vars(mark)) for mark in judgement.marks)
    Note.objects.bulk_create(Note(rating=rating, **vars(note)) for note in judgement.notes)
    if judgement.urgent and item.urgent_at is None and status != Status.CHECK:
        item.urgent_at = now
        item.save(update_fields=["urgent_at"])
    return rating


def _seconds_passed(assignment: Assignment) -> int:
    """The clock since the lease, less the work sent on other items meanwhile: items leased together share it."""
    others = Rating.objects.filter(annotator=assignment.annotator_id, submitted_at__gt=assignment.leased_at)
    others = others.exclude(status=Status.SUPERSEDED).exclude(assignment=assignment).exclude(assignment__imported=True)
    spent: int = others.aggregate(all=Sum("seconds"))["all"] or 0
    return max(0, seconds_since(assignment.leased_at) - spent)


@transaction.atomic
def withdraw_rating(*, rating_id: int, by: User | None = None, reason: str = "") -> Rating:
    """A manager takes a rating out of agreement and gold; the item wants a rater more. Reversible."""
    item, rating = _locked(rating_id)
    counted = rating.status == Status.COUNTED
    _move(rating, Status.WITHDRAWN)
    if counted:
        item.counted -= 1
        recount(item)
        ports.after_ratings_changed(item)
    log(item.campaign, "rating withdrawn", by, rating=rating.pk, reason=reason)
    return rating


@transaction.atomic
def restore_rating(*, rating_id: int, by: User | None = None, was: str = Status.COUNTED) -> Rating:
    """A withdrawn rating back: counted while the item has a place for it, else surplus; surplus where it `was` that."""
    item, rating = _locked(rating_id)
    if rating.status != Status.WITHDRAWN:
        raise MoveRefused(_("Only a withdrawn rating can be taken back."))
    counts = was == Status.COUNTED and item.has_free_place
    _move(rating, Status.COUNTED if counts else Status.SURPLUS)
    if counts:
        item.counted += 1
        recount(item)
        ports.after_ratings_changed(item)
    log(item.campaign, "rating restored", by, rating=rating.pk, status=str(rating.status))
    return rating


@transaction.atomic
def retell_check(*, rating_id: int, as_status: str) -> Rating:
    """Of a check: its annotator is told this status from now on, as of the ratings around it. Nothing else changes."""
    _item, rating = _locked(rating_id)
    if rating.status != Status.CHECK:
        raise MoveRefused(_("Only of a check item something else is told than what it is."))
    rating.retold = Status(as_status)
    rating.save(update_fields=["retold"])
    return rating


def _move(rating: Rating, to: Rating.Status) -> None:
    if to not in Rating.MOVES[Status(rating.status)]:
        names = {"now": rating.get_status_display(), "to": to.label}
        raise MoveRefused(_("A rating that is %(now)s cannot become %(to)s.") % names)
    rating.status = to
    rating.save(update_fields=["status"])


def _locked(rating_id: int) -> tuple[WorkItem, Rating]:
    item = locked_item(Rating.objects.values_list("work_item", flat=True).get(pk=rating_id))
    return item, Rating.objects.get(pk=rating_id)
