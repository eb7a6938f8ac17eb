"""Which item a person is given next, its row locked."""

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from annotation.check_items import course_of
from annotation.checks import is_due, rule_of
from annotation.models import Assignment, Campaign, Membership, WorkItem
from annotation.order import WINDOW, Candidate, draw, in_order


def pick(membership: Membership) -> WorkItem | None:
    """The next item for this person, locked; of another scenario than their last one's if there is any.

    A check item where one is due; its place in the order may shift by one, so that no scenario comes twice in a row.
    Reads `membership.campaign` and `membership.user`. None where nothing is left for them.
    """
    items = WorkItem.objects.open_to(membership)
    checks = WorkItem.everything.unused_checks(membership) if _check_due(membership, items) else None
    last = _last_scenario(membership)
    people = _people(membership.campaign)
    for of in (~Q(scenario=last), Q()) if last else (Q(),):
        found = _check(checks.filter(of), membership) if checks is not None else None
        if found := found or _first_free(items.filter(of), membership, people):
            return found
    return None


def _check_due(membership: Membership, items: QuerySet[WorkItem]) -> bool:
    rule = rule_of(membership.campaign.checks)
    if rule is None:
        return False
    course = course_of(membership)
    return is_due(course, left=1, rule=rule) and (is_due(course, left=0, rule=rule) or items.exists())


def _check(checks: QuerySet[WorkItem], membership: Membership) -> WorkItem | None:
    """One of the check items, drawn anew for each person."""
    seed, person = membership.campaign.seed, membership.user.username
    rows = checks.values_list("priority", "pk")
    drawn = sorted(rows, key=lambda row: draw(seed, person, "check", *row[:1]))
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
        found = items.filter(pk=pk).select_for_update(skip_locked=True, of=("self",)).first()
        if found:
            yield found
        else:
            held.append(pk)
    for pk in held:
        if found := items.filter(pk=pk).select_for_update(of=("self",)).first():
            yield found
