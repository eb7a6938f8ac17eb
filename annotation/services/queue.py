"""Which item a person is given next, its row locked."""

from collections.abc import Iterator

from django.db.models import QuerySet

from annotation.models import Assignment, Campaign, Membership, WorkItem
from annotation.order import WINDOW, Candidate, in_order


def pick(membership: Membership) -> WorkItem | None:
    """The next item for this person, locked; of another scenario than their last one's if there is any.

    Reads `membership.campaign` and `membership.user`. None where nothing is left for them.
    """
    items = WorkItem.objects.open_to(membership)
    last = _last_scenario(membership)
    people = _people(membership.campaign)
    for left in (items.exclude(scenario=last), items) if last else (items,):
        if found := _first_free(left, membership, people):
            return found
    return None


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
        who = {"seed": membership.campaign.seed, "person": membership.user.username, "people": people}
        ordered = [candidate.pk for candidate in in_order(window, **who)]
        for found in _locked(items, ordered):
            # Asked again under the lock: late work of theirs on it may have come in while this waited.
            if items.filter(pk=found.pk).exists():
                return found
        gone += ordered
    return None


def _window(items: QuerySet[WorkItem], gone: list[int]) -> list[Candidate]:
    """The first of them in the campaign's order."""
    rest = items.exclude(pk__in=gone) if gone else items
    rows = rest.order_by("priority", "id").values_list("pk", "priority", "language", "needed")[:WINDOW]
    return [Candidate(*row) for row in rows]


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
