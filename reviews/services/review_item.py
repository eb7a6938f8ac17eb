"""What becomes of an item when its ratings change. Bound to annotation's port in apps.py."""

from collections.abc import Sequence
from typing import Any

from annotation.models import Campaign, Rating, WorkItem
from annotation.services import items
from reviews.models import Case, CaseEvent
from reviews.pace import is_hurried
from reviews.rules import (
    Kind,
    RatingSeen,
    Reason,
    Rule,
    after_extra,
    is_drawn,
    priority_of,
    reasons_of,
    spread_of,
    wants_more_raters,
)
from reviews.services.case_moves import move_case

State = Case.State


def review_item(item: WorkItem) -> None:
    """Asks the campaign's rule and does what it says. The caller holds the item's lock, in its own transaction.

    Complete: settled, or asked of more raters, or in review with its case. No longer complete: a waiting case falls;
    one that an expert holds stays theirs. A decided item stays decided, whatever the rule says, until someone reopens
    it. Withdrawn: its case falls, unless several experts are at it: that one stays as it is, and nobody is shown it.
    """
    case = Case.objects.standing().filter(work_item=item).first()
    if item.state == WorkItem.State.WITHDRAWN:
        _let_fall(case, "the item left the campaign")
        return
    if item.state == WorkItem.State.OPEN and case is None:
        _call_off_extra(item)
    if item.state != WorkItem.State.COMPLETE:
        if case is not None and case.state == State.WAITING and not was_reopened(case):
            move_case(case, State.FALLEN, detail={"why": "the item wants raters"})
        return
    if case is not None and case.state == State.DECIDED:
        items.settle_item(item)
    else:
        _evaluate(item, case)


def _let_fall(case: Case | None, why: str) -> None:
    """One that several experts are at cannot fall; nobody holds it any more."""
    if case is not None and case.state == State.SECOND_OPINION and case.taken_by_id is not None:
        case.let_go()
        case.save()
        CaseEvent.objects.create(case=case, kind="called off", detail={"why": why})
    if case is None or case.state not in (State.WAITING, State.TAKEN):
        return
    if case.state == State.TAKEN:
        move_case(case, State.WAITING, word="called off", detail={"why": why})
    move_case(case, State.FALLEN, detail={"why": why})


def _call_off_extra(item: WorkItem) -> None:
    """More raters were asked for, and what has come since is enough: nobody else is needed."""
    if not item.extra or item.leased or not items.is_extra_place(item):
        return
    rule, seen = Rule.of(item.campaign.rule), ratings_seen(item)
    if not reasons_of(seen, rule, after_extra=after_extra(seen), audit_drawn=lambda: False):
        items.ask_for_no_more(item)


def _evaluate(item: WorkItem, case: Case | None) -> None:
    seen = ratings_seen(item)
    reasons = rule_reasons(item, seen)
    if case is not None and was_reopened(case):
        reasons = _of_reopened(case, reasons)
    if _asks_raters_first(item, case, reasons):
        _let_fall(case, "more raters are asked first")
        items.ask_for_more(item, Rule.of(item.campaign.rule).extra_raters)
        return
    if reasons:
        _open_or_refresh(item, case, reasons, seen)
    if reasons or (case is not None and case.state != State.WAITING):
        items.send_to_review(item)  # an expert who holds the case keeps it, for the reasons it was taken for
        return
    _let_fall(case, "no reason is left")
    items.settle_item(item)


def _of_reopened(case: Case, reasons: list[Reason]) -> list[Reason]:
    """That it was opened again stays a reason, and whether it was drawn for the audit is settled by its first draw."""
    stays = (Kind.REOPENED, Kind.AUDIT)
    kept = [Reason(**reason) for reason in case.reasons if reason["kind"] in stays]
    return [reason for reason in reasons if reason.kind != Kind.AUDIT] + kept


def _asks_raters_first(item: WorkItem, case: Case | None, reasons: list[Reason]) -> bool:
    if item.extra or item.campaign.state == Campaign.State.CLOSED:
        return False  # asked once already, or nobody is left to ask
    untouched = case is None or case.state == State.WAITING
    return untouched and wants_more_raters(reasons, Rule.of(item.campaign.rule))


def _open_or_refresh(item: WorkItem, case: Case | None, reasons: list[Reason], seen: Sequence[RatingSeen]) -> None:
    found = reasons_as_fields(reasons) | {"rule_version": item.campaign.rule_version, "spread": spread_of(seen)}
    if case is None:
        twice = is_drawn(
            item.response.item_id,
            seed=item.campaign.seed,
            share=Rule.of(item.campaign.rule).twice_share,
            what="twice",
        )
        case = Case.objects.create(
            work_item=item,
            campaign_id=item.campaign_id,
            task=item.task,
            component=item.scenario.component,
            language=item.language,
            drawn_twice=twice,
            opinions_needed=2 if twice else 1,
            **found,
        )
        CaseEvent.objects.create(case=case, kind="opened", detail={"reasons": case.reasons})
        return
    if was_reopened(case):
        del found["is_audit_only"]  # a decision was measured against the consensus, or was not: that does not change
    for name, value in found.items():
        setattr(case, name, value)
    case.save(update_fields=list(found))


def reasons_as_fields(reasons: list[Reason]) -> dict[str, Any]:
    """What a Case stores of its reasons."""
    named = sorted({reason.dimension for reason in reasons if reason.dimension})
    return {
        "reasons": [reason.as_json() for reason in reasons],
        "kinds": f" {' '.join(sorted({str(reason.kind) for reason in reasons}))} ",
        "dimensions": f" {' '.join(named)} " if named else " ",
        "is_audit_only": all(reason.kind in (Kind.AUDIT, Kind.REOPENED) for reason in reasons)
        and any(reason.kind == Kind.AUDIT for reason in reasons),
        "priority": priority_of(reasons),
    }


def was_reopened(case: Case) -> bool:
    """A person asked for it, so that no edit makes it fall."""
    return any(reason["kind"] == Kind.REOPENED for reason in case.reasons)


def rule_reasons(item: WorkItem, seen: Sequence[RatingSeen]) -> list[Reason]:
    """What the campaign's rule says of the item's counted ratings."""
    rule, seed = Rule.of(item.campaign.rule), item.campaign.seed
    share = rule.audit_share
    return reasons_of(
        seen,
        rule,
        after_extra=after_extra(seen),
        audit_drawn=lambda: share > 0 and is_drawn(item.response.item_id, seed=seed, share=share),
    )


def ratings_seen(item: WorkItem) -> list[RatingSeen]:
    """The item's counted ratings in order of rank, as the rule reads them."""
    counted = Rating.objects.counted().filter(work_item=item).order_by("rank", "pk")
    return [
        RatingSeen(
            scores={score.dimension: score.value for score in rating.scores.all()},
            marks=None if rating.assignment.imported else frozenset(mark.type for mark in rating.marks.all()),
            needs_expert=rating.needs_expert,
            hurried=not rating.assignment.imported and is_hurried(seconds=rating.seconds, text=item.response.text),
            is_extra=rating.is_extra,
        )
        for rating in counted.select_related("assignment").prefetch_related("scores", "marks")
    ]
