"""Writing to the raters of a decided case: they learn the outcome and the reason, and nothing of each other."""

from typing import Any

from django.db import transaction

from annotation.models import Rating, User
from annotation.services.messages import send_outcome
from annotation.services.people import one_at_a_time
from reviews import policy
from reviews.lessons import decided
from reviews.models import CaseEvent
from reviews.services.lessons import locked_lesson
from reviews.verdict import AMBIGUOUS


@transaction.atomic
def write_to_raters(*, case_id: int, by: User, text: Any) -> int:
    """A letter to each person whose rating of the item counts and who is here to read it; returns how many they are.

    It holds the writer's words and what stands decided now; a later revision does not change it. Who gets it is barred
    from the item. The same words again within a minute are the same letter.
    Raises CaseNotFound, ConflictOfInterest, NotAllowed, CaseNotDecided, MessageRefused.
    """
    one_at_a_time(by)
    item, case, decision = locked_lesson(case_id, by)
    said = decided(decision)
    outcome = {
        "scores": {key: AMBIGUOUS if value is None else value for key, value in said.values.items()},
        "marks": said.marks,
        "rationale": said.rationale,
        "by": "expert" if policy.is_expert(by, case.campaign) else "manager",
    }
    raters = User.objects.filter(ratings__in=Rating.objects.counted().filter(work_item=item)).order_by("pk")
    readers = send_outcome(item=item, raters=list(raters), outcome=outcome, text=text, author=by)
    CaseEvent.objects.create(case=case, kind="letter", by=by, detail={"readers": readers})
    return readers
