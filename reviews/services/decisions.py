"""Deciding a case, once, by someone who did not rate it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Rating, Score, User, WorkItem
from reviews.errors import AlreadyDecided, CaseFell, CaseNotFree, CaseNotHeld, DecisionInvalid
from reviews.models import Case, Decision
from reviews.panel import LARGEST_PANEL
from reviews.services.cases import locked_case, refuse_unless_adjudicator, take
from reviews.services.opinions import (
    is_one_of_several,
    refuse_out_of_turn,
    rule,
    save_decision,
    take_opinion,
    widen,
)
from reviews.verdict import read_verdict

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
    panel: Any = None,
) -> Decided:
    """Saves a decision: values {dimension: level | "ambiguous"}, marks {violation type: true | false}.

    Where several experts judge the case it is an opinion, and the case waits for the others'; so too where the expert
    asks for them: `panel`, how many in all, 2 to 5.

    Every disputed dimension needs a value and every split mark a ruling; where nothing in particular is disputed,
    every dimension does. A rationale is needed where a value leaves the raters' range, a violation is set, or an own
    decision is revised (`supersedes`). The same client_id again answers with what was saved.
    Raises CaseNotFound, NotAnExpert, ConflictOfInterest, CaseNotHeld, CaseNotFree, OpinionGiven, NotAmongThem,
    NobodyElse, AlreadyDecided, DecisionInvalid.
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
    elif item.state == WorkItem.State.WITHDRAWN:
        raise CaseFell
    else:
        _hold(case, expert, item)
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
    if panel is not None:
        _escalate(case, expert, panel)
    if not revises and is_one_of_several(case, expert):
        return Decided(take_opinion(item, case, expert, client_id, verdict, standing=standing), created=True)
    decision = save_decision(case, expert, client_id, verdict, supersedes=standing)
    if not revises:
        rule(item, case, decision)
    return Decided(decision, created=True)


def _escalate(case: Case, expert: User, panel: Any) -> None:
    if type(panel) is not int or not 2 <= panel <= LARGEST_PANEL:
        told = _("A panel has 2 to %(most)s experts.") % {"most": LARGEST_PANEL}
        raise DecisionInvalid(fields={"panel": [told]})
    if case.state != State.TAKEN:
        raise CaseNotHeld(_("A second opinion is asked for by who holds the case, before anybody has decided it."))
    widen(case, expert, max(panel, case.opinions_needed))


def _refuse_unless_own(standing: Decision | None, expert: User, supersedes: int | None) -> None:
    assert standing is not None
    if supersedes is None:
        raise AlreadyDecided(decision=standing.pk)
    if supersedes != standing.pk or standing.expert_id != expert.pk:
        raise AlreadyDecided(_("Only your own standing decision can be revised."), decision=standing.pk)


def _hold(case: Case, expert: User, item: WorkItem) -> None:
    """The expert holds the case; one whose lease ran out gets it back if it is free and nothing has changed."""
    if case.state in Case.HELD_IN and case.taken_by_id == expert.pk:
        return
    if case.state == State.SECOND_OPINION and case.taken_by_id is None:
        refuse_out_of_turn(case, expert)
    elif case.state != State.WAITING:
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
