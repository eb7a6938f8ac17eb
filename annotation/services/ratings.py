"""Taking ratings. What the server called saved is kept, once, whatever the client sends again."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import ports
from annotation.errors import AlreadyRated, EditClosed, LeaseLost, MoveRefused, NotYourLease, RatingInvalid
from annotation.models import Assignment, Campaign, Mark, Rating, Score, User, WorkItem
from annotation.services.items import free_places, locked_item, recount
from annotation.validation import Judgement, read_judgement

State, Status = Assignment.State, Rating.Status


@dataclass(frozen=True)
class Submitted:
    rating: Rating
    created: bool  # False: this client_id was saved before; nothing was done


@transaction.atomic
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
    supersedes: int | None = None,
) -> Submitted:
    """Saves one rating: scores {dimension: level}, marks [{type, start, end, quote, note}], seconds of active work.

    Counted while the item has a place for it, else kept as surplus (late, or the campaign closed). The same client_id
    again answers with what was saved. With `supersedes`, an edit of the person's standing rating.
    Raises NotYourLease, RatingInvalid (by field), AlreadyRated, EditClosed, LeaseLost.
    """
    known = Assignment.objects.of(user).filter(pk=assignment_id).values_list("work_item", flat=True).first()
    if known is None:
        raise NotYourLease
    item = locked_item(known)
    assignment = Assignment.objects.select_for_update().get(pk=assignment_id)
    before = Rating.objects.of(user).filter(client_id=client_id).first()
    if before is not None:
        if before.assignment_id != assignment.pk:
            raise RatingInvalid(fields={"client_id": [_("This client_id was used for another item.")]})
        return Submitted(before, created=False)
    judgement = read_judgement(
        rubric=item.campaign.rubric,
        text=item.response.text,
        scores=scores,
        marks=marks,
        rationale=rationale,
        seconds=seconds,
        needs_expert=needs_expert,
    )
    standing = Rating.objects.standing().of(user).filter(work_item=item).first()
    if standing is not None:
        if supersedes != standing.pk or standing.assignment_id != assignment.pk:
            raise AlreadyRated(rating=standing.pk, status_of_rating=standing.status)
        rating = _edit(item, standing, client_id, judgement)
    elif supersedes is not None:
        raise RatingInvalid(fields={"supersedes": [_("There is no standing rating of yours with this number.")]})
    else:
        rating = _first(item, assignment, client_id, judgement)
    return Submitted(rating, created=True)


def _first(item: WorkItem, assignment: Assignment, client_id: UUID, judgement: Judgement) -> Rating:
    closed = item.campaign.state == Campaign.State.CLOSED
    if assignment.state == State.LEASED:
        free_places(item)
        counts = not closed
    elif assignment.state == State.EXPIRED:
        _hand_back_newer_lease(item, assignment)
        counts = not closed and item.state == WorkItem.State.OPEN and item.counted + item.leased < item.needed
    else:
        raise LeaseLost(
            _("This assignment was %(state)s; ask for the next item.") % {"state": assignment.get_state_display()}
        )
    assignment.state, assignment.ended_at = State.SUBMITTED, timezone.now()
    assignment.save(update_fields=["state", "ended_at"])
    highest = item.ratings.order_by("-rank").values_list("rank", flat=True).first() or 0
    rating = _save(
        item, assignment, client_id, judgement, rank=highest + 1, status=Status.COUNTED if counts else Status.SURPLUS
    )
    if counts:
        item.counted += 1
        recount(item)
        ports.after_ratings_changed(item)
    return rating


def _hand_back_newer_lease(item: WorkItem, assignment: Assignment) -> None:
    """Late work on an expired lease takes the place of a newer lease of the same person on the same item."""
    newer = Assignment.objects.live().filter(work_item=item, annotator=assignment.annotator_id)
    if newer.update(state=State.RELEASED, ended_at=timezone.now()):
        free_places(item)


def _edit(item: WorkItem, standing: Rating, client_id: UUID, judgement: Judgement) -> Rating:
    if item.locked or item.campaign.state == Campaign.State.CLOSED or item.state == WorkItem.State.WITHDRAWN:
        raise EditClosed(rating=standing.pk)
    kept = Status(standing.status)
    standing.status = Status.SUPERSEDED
    standing.save(update_fields=["status"])
    rating = _save(
        item, standing.assignment, client_id, judgement, rank=standing.rank, status=kept, supersedes=standing
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
    rank: int,
    status: Rating.Status,
    supersedes: Rating | None = None,
) -> Rating:
    now = timezone.now()
    clock = int((now - assignment.leased_at).total_seconds()) + 1
    rating = Rating.objects.create(
        assignment=assignment,
        work_item=item,
        annotator_id=assignment.annotator_id,
        rubric_id=item.campaign.rubric_id,
        client_id=client_id,
        status=status,
        rank=rank,
        supersedes=supersedes,
        rationale=judgement.rationale,
        needs_expert=judgement.needs_expert,
        seconds=min(judgement.seconds, clock),
        submitted_at=now,
    )
    Score.objects.bulk_create(
        Score(rating=rating, dimension=dimension, value=value) for dimension, value in judgement.scores.items()
    )
    Mark.objects.bulk_create(Mark(rating=rating, **vars(mark)) for mark in judgement.marks)
    if judgement.urgent and item.urgent_at is None:
        item.urgent_at = now
        item.save(update_fields=["urgent_at"])
    return rating


@transaction.atomic
def withdraw_rating(*, rating_id: int) -> Rating:
    """A manager takes a rating out of agreement and gold; the item wants a rater more. Reversible."""
    item, rating = _locked(rating_id)
    if rating.status not in (Status.COUNTED, Status.SURPLUS):
        raise MoveRefused(_("Only a standing rating can be withdrawn."))
    counted = rating.status == Status.COUNTED
    rating.status = Status.WITHDRAWN
    rating.save(update_fields=["status"])
    if counted:
        item.counted -= 1
        recount(item)
        ports.after_ratings_changed(item)
    return rating


@transaction.atomic
def restore_rating(*, rating_id: int) -> Rating:
    """A withdrawn rating back: counted while the item has a place for it, else surplus."""
    item, rating = _locked(rating_id)
    if rating.status != Status.WITHDRAWN:
        raise MoveRefused(_("Only a withdrawn rating can be taken back."))
    if Rating.objects.standing().filter(work_item=item, annotator=rating.annotator_id).exists():
        raise MoveRefused(_("This person has rated the item anew."))
    counts = item.state == WorkItem.State.OPEN and item.counted + item.leased < item.needed
    rating.status = Status.COUNTED if counts else Status.SURPLUS
    rating.save(update_fields=["status"])
    if counts:
        item.counted += 1
        recount(item)
        ports.after_ratings_changed(item)
    return rating


def _locked(rating_id: int) -> tuple[WorkItem, Rating]:
    item = locked_item(Rating.objects.values_list("work_item", flat=True).get(pk=rating_id))
    return item, Rating.objects.get(pk=rating_id)
