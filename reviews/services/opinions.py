"""Several experts on one case: each gives an opinion without sight of the others', then they talk, then one decides.

The caller holds the lock of the item and the case.
"""

import uuid

from annotation.models import User, WorkItem
from annotation.services import items
from reviews import policy
from reviews.errors import NobodyElse, NotAmongThem, OpinionGiven
from reviews.models import Case, CaseEvent, Decision, DecisionValue
from reviews.panel import others_able
from reviews.services.case_moves import move_case
from reviews.verdict import Verdict

State = Case.State


def save_decision(
    case: Case,
    expert: User,
    client_id: uuid.UUID,
    verdict: Verdict,
    *,
    kind: Decision.Kind = Decision.Kind.RULING,
    supersedes: Decision | None = None,
) -> Decision:
    decision = Decision.objects.create(
        case=case,
        expert=expert,
        kind=kind,
        round=case.round,
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


def rule(item: WorkItem, case: Case, decision: Decision) -> None:
    """The decision stands: the case is decided, its item settled."""
    move_case(case, State.DECIDED, by=decision.expert, detail={"decision": decision.pk})
    if item.state == WorkItem.State.IN_REVIEW:
        items.settle_item(item)


def take_opinion(
    item: WorkItem, case: Case, expert: User, client_id: uuid.UUID, verdict: Verdict, *, standing: Decision | None
) -> Decision:
    """One more opinion. Where it is the last and all are the same, that is the decision; else they have to talk."""
    opinion = save_decision(case, expert, client_id, verdict, kind=Decision.Kind.OPINION)
    case.opinions_in += 1
    case.let_go()
    if case.state == State.TAKEN:
        move_case(case, State.SECOND_OPINION, by=expert, detail={"decision": opinion.pk})
    else:
        case.save()
        CaseEvent.objects.create(case=case, kind="opinion given", by=expert, detail={"decision": opinion.pk})
    if case.is_to_settle and _all_equal(case):
        rule(item, case, save_decision(case, expert, uuid.uuid4(), verdict, supersedes=standing))
    return opinion


def _all_equal(case: Case) -> bool:
    """In every value and every ruling on a violation."""
    opinions = case.decisions.opinions().filter(round=case.round).prefetch_related("values")
    said = [({given.dimension: given.value for given in o.values.all()}, o.marks) for o in opinions]
    return all(one == said[0] for one in said)


def widen(case: Case, expert: User, panel: int) -> None:
    """So many experts, this one among them, are to judge the case. Raises NobodyElse where they are not there."""
    missing = panel - case.opinions_in - (0 if case.has_opinion_of(expert) else 1)
    if missing < 1 or others_able(case, expert) < missing:
        raise NobodyElse
    case.opinions_needed = panel
    case.save(update_fields=["opinions_needed"])


def is_one_of_several(case: Case, expert: User) -> bool:
    """What this expert says now is an opinion, not the decision.

    A case drawn for two experts is decided by one where nobody else could judge it.
    """
    if case.opinions_in >= case.opinions_needed or case.opinions_needed < 2:
        return False
    if case.opinions_in == 0 and others_able(case, expert) < case.opinions_needed - 1:
        case.opinions_needed = 1
        case.save(update_fields=["opinions_needed"])
        return False
    return True


def refuse_out_of_turn(case: Case, expert: User) -> None:
    """Who may take a case on which opinions were given: for one more, who gave none; to settle it, who gave one.

    Where all who could are gone, nobody waits for them. Raises OpinionGiven, NotAmongThem.
    """
    gave = case.has_opinion_of(expert)
    if case.is_awaiting_opinions and gave:
        if others_able(case, expert):
            raise OpinionGiven
        case.opinions_needed = case.opinions_in
        case.save(update_fields=["opinions_needed"])
    elif case.is_to_settle and not gave:
        givers = case.decisions.opinions().filter(round=case.round).select_related("expert")
        if any(policy.is_expert(opinion.expert, case.campaign) for opinion in givers):
            raise NotAmongThem
