"""What becomes of an item when its ratings change. Bound to annotation's port in apps.py."""

from typing import Any

from annotation.models import Rating, WorkItem
from annotation.services import items
from reviews.models import Case, CaseEvent
from reviews.rules import Kind, RatingSeen, Reason, is_drawn, priority_of, reasons_of
from reviews.services.case_moves import move_case

State = Case.State


def review_item(item: WorkItem) -> None:
    """Asks the campaign's rule and does what it says. The caller holds the item's lock, in its own transaction.

    Complete: settled, or in review with its case. No longer complete: a waiting case falls; one that an expert holds
    stays theirs. A decided item stays decided, whatever the rule says, until someone reopens it.
    """
    case = Case.objects.standing().filter(work_item=item).first()
    if item.state != WorkItem.State.COMPLETE:
        if case is not None and case.state == State.WAITING and not was_reopened(case):
            move_case(case, State.FALLEN, detail={"why": "the item wants raters"})
        return
    if case is not None and case.state == State.DECIDED:
        items.settle_item(item)
    else:
        _evaluate(item, case)


def _evaluate(item: WorkItem, case: Case | None) -> None:
    reasons = rule_reasons(item)
    if case is not None and was_reopened(case):
        reasons += [Reason(**reason) for reason in case.reasons if reason["kind"] == Kind.REOPENED]
    if reasons:
        _open_or_refresh(item, case, reasons)
    if reasons or (case is not None and case.state != State.WAITING):
        items.send_to_review(item)  # an expert who holds the case keeps it, for the reasons it was taken for
        return
    if case is not None:
        move_case(case, State.FALLEN, detail={"why": "no reason is left"})
    items.settle_item(item)


def _open_or_refresh(item: WorkItem, case: Case | None, reasons: list[Reason]) -> None:
    found = reasons_as_fields(reasons) | {"rule_version": item.campaign.rule_version}
    if case is None:
        case = Case.objects.create(work_item=item, campaign_id=item.campaign_id, task=item.task, **found)
        CaseEvent.objects.create(case=case, kind="opened", detail={"reasons": case.reasons})
        return
    for name, value in found.items():
        setattr(case, name, value)
    case.save(update_fields=list(found))


def reasons_as_fields(reasons: list[Reason]) -> dict[str, Any]:
    """What a Case stores of its reasons."""
    return {
        "reasons": [reason.as_json() for reason in reasons],
        "kinds": f" {' '.join(sorted({str(reason.kind) for reason in reasons}))} ",
        "is_audit_only": all(reason.kind in (Kind.AUDIT, Kind.REOPENED) for reason in reasons)
        and any(reason.kind == Kind.AUDIT for reason in reasons),
        "priority": priority_of(reasons),
    }


def was_reopened(case: Case) -> bool:
    """A person asked for it, so that no edit makes it fall."""
    return any(reason["kind"] == Kind.REOPENED for reason in case.reasons)


def rule_reasons(item: WorkItem) -> list[Reason]:
    """What the campaign's rule says of the item's counted ratings."""
    rule, seed = item.campaign.rule, item.campaign.seed
    share = rule.get("audit_share") or 0.0
    return reasons_of(
        ratings_seen(item),
        rule,
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
        )
        for rating in counted.select_related("assignment").prefetch_related("scores", "marks")
    ]
