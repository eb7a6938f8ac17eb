"""Which item a person is given next, its row locked."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q, QuerySet

from annotation.check_items import course_of
from annotation.checks import block_due, rule_of
from annotation.models import Assignment, Campaign, Membership, WorkItem
from annotation.order import WINDOW, Candidate, draw, in_order


class Picked(NamedTuple):
    item: WorkItem
    check_block: int | None  # of a check: the block it is for


def pick(membership: Membership) -> Picked | None:
    """The next item for this person, locked; of another scenario than their last one's if there is any.

    A check item where one is due; its place in the order may shift by one, so that no scenario comes twice in a row.
    Reads `membership.campaign` and `membership.user`. None where nothing is left for them.
    """
    items = WorkItem.objects.open_to(membership)
    block = _block_due(membership, items)
    last = _last_scenario(membership)
    people = _people(membership.campaign)
    for of in (~Q(scenario=last), Q()) if last else (Q(),):
        if block is not None and (check := _check(membership, block, of)):
            return Picked(check, block)
        if found := _first_free(items.filter(of), membership, people):
            return Picked(found, None)
    return None


def _block_due(membership: Membership, items: QuerySet[WorkItem]) -> int | None:
    rule = rule_of(membership.campaign.checks)
    if rule is None:
        return None
    course = course_of(membership)
    block = block_due(course, left=1, rule=rule)
    if block is None or block_due(course, left=0, rule=rule) is not None or items.exists():
        return block
    return None


def _check(membership: Membership, block: int, of: Q) -> WorkItem | None:
    """One of the check items, drawn anew for each person; the one that came back of this block before all others."""
    checks = WorkItem.everything.unused_checks(membership).filter(of)
    seed, person = membership.campaign.seed, membership.user.username
    mine = Assignment.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    back = set(mine.filter(check_block=block).values_list("work_item", flat=True))
    rows = checks.values_list("priority", "pk")
    drawn = sorted(rows, key=lambda row: (row[1] not in back, draw(seed, person, "check", row[0])))
    return next(_locked(checks, [pk for _place, pk in drawn]), None)


def _last_scenario(membership: Membership) -> int | None:
    leased = Assignment.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id)
    return leased.order_by("-leased_at", "-id").values_list("work_item__scenario", flat=True).first()


def _people(campaign: Campaign) -> dict[str, list[str]]:
    """The campaign's active annotators with their languages."""
    active = campaign.memberships.active().filter(role=Membership.Role.ANNOTATOR)
    return dict(active.values_list("user__username", "languages"))


def _first_free(items: QuerySet[WorkItem], membership: Membership, people: dict[str, list[str]]) -> WorkItem | None:
    """The best of the items that can be locked and is still open to them."""
    gone: list[int] = []
    while window := _window(items, gone):
        seed, person = membership.campaign.seed, membership.user.username
        ordered = [candidate.pk for candidate in in_order(window, seed=seed, person=person, people=people)]
        for found in _locked(items, ordered):
            # Asked again under the lock: late work of theirs on it may have come in while this waited.
            if items.filter(pk=found.pk).exists():
                return found
        gone += ordered
    return None


def _window(items: QuerySet[WorkItem], gone: list[int]) -> list[Candidate]:
    """The first of them in the campaign's order."""
    rest = items.exclude(pk__in=gone) if gone else items
    names = ("pk", "priority", "language", "needed", "counted", "leased")
    rows = rest.order_by("priority", "id").values_list(*names)[:WINDOW]
    return [
        Candidate(pk, place, language, needed, begun=counted + leased > 0)
        for pk, place, language, needed, counted, leased in rows
    ]


def _locked(items: QuerySet[WorkItem], pks: list[int]) -> Iterator[WorkItem]:
    """Each of them locked, in this order, then those whose row someone else held.

    Such a row may still have a place: it is waited for before anybody is told that nothing is left.
    """
    held = []
    for pk in pks:
        found = items.filter(pk=pk).select_for_update(skip_locked=True, of=("self",), no_key=True).first()
        if found:
            yield found
        else:
            held.append(pk)
    for pk in held:
        if found := items.filter(pk=pk).select_for_update(of=("self",), no_key=True).first():
            yield found
