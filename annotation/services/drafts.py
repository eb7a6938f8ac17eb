"""Keeping drafts: the newer one stands, and the one it replaces is told to whoever replaced it."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from annotation.drafts import draft_json, read_draft
from annotation.errors import DraftOlder, LeaseLost, NotYourLease
from annotation.models import Assignment, Draft, Rating, User, WorkItem
from annotation.services.items import locked_item

State = Assignment.State


@dataclass(frozen=True)
class Kept:
    draft: Draft
    replaced: dict[str, Any] | None  # what stood there before, as JSON, where it said something else


@transaction.atomic
def keep_draft(*, assignment_id: int, user: User, sent: dict[str, Any]) -> Kept:
    """Keeps what was typed of an item that is held, or was and is not submitted.

    Raises NotYourLease, LeaseLost, RatingInvalid (by field), DraftOlder where the stored one was saved later and says
    something else: nothing is overwritten then.
    """
    known = Assignment.objects.of(user).filter(pk=assignment_id).values_list("work_item", flat=True).first()
    if known is None:
        raise NotYourLease
    item = locked_item(known)  # a submit that is under way has the draft deleted for good
    state = Assignment.objects.values_list("state", flat=True).get(pk=assignment_id)
    if state not in (State.LEASED, State.EXPIRED) or Rating.objects.of(user).filter(work_item=item).exists():
        raise LeaseLost
    given = read_draft(rubric=item.campaign.rubric, sent=sent)
    stored = Draft.objects.filter(annotator=user, work_item=item).first()
    before = draft_json(stored) if stored else None
    same = stored is not None and stored.content == given.content
    if stored is None:
        stored = Draft(annotator=user, work_item=item)
    elif stored.saved_at > given.saved_at and not same:
        raise DraftOlder(draft=before)
    stored.seconds = max(stored.seconds, given.seconds)  # the same work, seen from two machines: never the sum
    stored.content = given.content
    stored.saved_at = max(stored.saved_at, given.saved_at) if same else given.saved_at
    stored.save()
    return Kept(stored, None if same else before)


def drop_draft(*, item: WorkItem, user: User) -> None:
    """What was submitted or skipped is no draft any more."""
    Draft.objects.filter(annotator=user, work_item=item).delete()
