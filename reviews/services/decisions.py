"""Deciding a case, once, by someone who did not rate it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Rating, Score, User, WorkItem
from annotation.services import items
from reviews.errors import AlreadyDecided, CaseNotFree, CaseNotHeld, DecisionInvalid
from reviews.models import Case, Decision, DecisionValue
from reviews.services.case_moves import move_case
from reviews.services.cases import locked_case, refuse_unless_adjudicator, take
from reviews.verdict import Verdict, read_verdict

State = Case.State


@dataclass(frozen=True)
class Decided:
    decision: Decision
    created: bool  # False: this client_id was saved before; nothing was done


@transaction.atomic
def decide_case(
    *,
    case_id: int,
    expert: User,
    client_id: UUID,
    values: Any,
    marks: Any = None,
    rationale: Any = "",
    quick_reason: Any = "",
    supersedes: int | None = None,
) -> Decided:
    """Saves a decision: values {dimension: level | "ambiguous"}, marks {violation type: true | false}.

    Every disputed dimension needs a value and every split mark a ruling; where nothing in particular is disputed,
    every dimension does. A rationale is needed where a value leaves the raters' range, a violation is set, or an own
    decision is revised (`supersedes`). The same client_id again answers with what was saved.
    Raises CaseNotFound, NotAnExpert, ConflictOfInterest, CaseNotHeld, CaseNotFree, AlreadyDecided, DecisionInvalid.
    """
    item, case = locked_case(case_id, expert)
    before = Decision.objects.of(expert).filter(client_id=client_id).first()
    if before is not None:
        if before.case_id != case.pk:
            raise DecisionInvalid(fields={"client_id": [_("This client_id was used for another case.")]})
        return Decided(before, created=False)
    refuse_unless_adjudicator(case, expert)
    standing = Decision.objects.standing().filter(case=case).order_by("-pk").first()
    revises = case.state == State.DECIDED
    if revises:
        _refuse_unless_own(standing, expert, supersedes)
    else:
        _hold(item, case, expert)
    verdict = read_verdict(
        rubric=item.campaign.rubric,
        disputed=case.disputed,
        split_marks=case.split_marks,
        ranges=_ranges(item),
        revises=revises,
        values=values,
        marks=marks,
        rationale=rationale,
        quick_reason=quick_reason,
    )
    decision = _save(case, expert, client_id, verdict, supersedes=standing)
    if not revises:
        move_case(case, State.DECIDED, by=expert, detail={"decision": decision.pk})
        if item.state == WorkItem.State.IN_REVIEW:
            items.settle_item(item)
    return Decided(decision, created=True)


def _refuse_unless_own(standing: Decision | None, expert: User, supersedes: int | None) -> None:
    assert standing is not None
    if supersedes is None:
        raise AlreadyDecided(decision=standing.pk)
    if supersedes != standing.pk or standing.expert_id != expert.pk:
        raise AlreadyDecided(_("Only your own standing decision can be revised."), decision=standing.pk)


def _hold(item: WorkItem, case: Case, expert: User) -> None:
    """The expert holds the case; one whose lease ran out gets it back if it is free and nothing has changed."""
    if case.state == State.TAKEN and case.taken_by_id == expert.pk:
        return
    if case.state != State.WAITING or item.state == WorkItem.State.WITHDRAWN:
        raise CaseNotHeld if case.state == State.FALLEN else CaseNotFree
    taken = case.events.filter(kind="taken", by=expert).last()
    if taken is None:
        raise CaseNotHeld(_("Take the case before you decide it."))
    if Rating.objects.filter(work_item=item, submitted_at__gt=taken.at).exists():
        raise CaseNotHeld(_("A rating was changed since you took this case. Take it again and look once more."))
    take(item, case, expert)


def _ranges(item: WorkItem) -> Mapping[str, tuple[int, int]]:
    """The raters' lowest and highest score of each dimension."""
    ranges: dict[str, tuple[int, int]] = {}
    counted = Rating.objects.counted().filter(work_item=item)
    for dimension, value in Score.objects.filter(rating__in=counted).values_list("dimension", "value"):
        low, high = ranges.get(dimension, (value, value))
        ranges[dimension] = min(low, value), max(high, value)
    return ranges


def _save(case: Case, expert: User, client_id: UUID, verdict: Verdict, *, supersedes: Decision | None) -> Decision:
    decision = Decision.objects.create(
        case=case,
        expert=expert,
        client_id=client_id,
        rationale=verdict.rationale,
        quick_reason=verdict.quick_reason,
        marks=verdict.marks,
        supersedes=supersedes,
    )
    DecisionValue.objects.bulk_create(
        DecisionValue(decision=decision, dimension=dimension, value=value, ambiguous=value is None)
        for dimension, value in verdict.values.items()
    )
    return decision
