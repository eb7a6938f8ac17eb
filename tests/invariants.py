"""What must hold of a campaign's rows whatever was done to it: read from the rows, never from the counters alone."""

from collections import Counter, defaultdict
from typing import Any

from annotation.models import Assignment, Campaign, Rating, WorkItem

State = WorkItem.State
STANDING = (Rating.Status.COUNTED, Rating.Status.SURPLUS, Rating.Status.CHECK)
RATING, CHECK = WorkItem.Purpose.RATING, WorkItem.Purpose.CHECK


def breaches(campaign: Campaign) -> list[str]:
    """Every breach in words; empty where all holds. Five queries, however many rows."""
    everything = list(WorkItem.everything.filter(campaign=campaign).order_by("pk"))
    items = [item for item in everything if item.purpose == RATING]
    ratings = list(
        Rating.objects.given_in(campaign).values_list("work_item", "annotator", "status", "assignment__imported")
    )
    assignments = list(Assignment.objects.filter(campaign=campaign).values_list("work_item", "annotator", "state"))
    rated = set(Rating.objects.given_in(campaign).values_list("assignment", flat=True))
    submitted = Assignment.objects.filter(campaign=campaign, state=Assignment.State.SUBMITTED)
    counted = Counter(item for item, _, status, _ in ratings if status == Rating.Status.COUNTED)
    imported = Counter(item for item, _, status, brought in ratings if brought and status == Rating.Status.COUNTED)
    leased = Counter(item for item, _, state in assignments if state == Assignment.State.LEASED)
    found = []
    for item in items:
        if item.counted != counted[item.pk]:
            found.append(f"{item}: says {item.counted} counted, has {counted[item.pk]}")
        if item.leased != leased[item.pk]:
            found.append(f"{item}: says {item.leased} leased, has {leased[item.pk]}")
        if not imported[item.pk] and counted[item.pk] + leased[item.pk] > item.needed:
            found.append(f"{item}: {counted[item.pk]} counted and {leased[item.pk]} leased pass {item.needed}")
        if item.state != State.WITHDRAWN and (item.state == State.OPEN) != (counted[item.pk] < item.needed):
            found.append(f"{item}: is {item.state} with {counted[item.pk]} of {item.needed}")
    standing = Counter((item, person) for item, person, status, _ in ratings if status in STANDING)
    held = Counter(
        (item, person)
        for item, person, state in assignments
        if state in (Assignment.State.LEASED, Assignment.State.SUBMITTED)
    )
    for name, counts in {"standing ratings": standing, "leases or submits": held}.items():
        found += [f"person {who} has {n} {name} of item {item}" for (item, who), n in counts.items() if n > 1]
    found += [f"assignment {a.pk} is submitted without a rating" for a in submitted if a.pk not in rated]
    return found + _of_known_answers(everything, ratings, assignments)


def _of_known_answers(everything: list[WorkItem], ratings: list[Any], assignments: list[Any]) -> list[str]:
    """Training and check items take no place and no count; nobody meets a response both as a check and for real."""
    by_pk = {item.pk: item for item in everything}
    found = [
        f"{item}, a {item.purpose} item, has moved: {item.state}, {item.counted} counted, {item.leased} leased"
        for item in everything
        if item.purpose != RATING and (item.state, item.needed, item.counted, item.leased) != (State.OPEN, 0, 0, 0)
    ]
    for pk, _who, status, _brought in ratings:
        apart = (Rating.Status.CHECK, Rating.Status.SUPERSEDED)
        if (by_pk[pk].purpose == CHECK and status not in apart) or (by_pk[pk].purpose != CHECK and status == apart[0]):
            found.append(f"{by_pk[pk]}, a {by_pk[pk].purpose} item, has a rating that is {status}")
    met: dict[tuple[int, int], set[str]] = defaultdict(set)
    for pk, who, _state in assignments:
        met[by_pk[pk].response_id, who].add(by_pk[pk].purpose)
    return found + [f"person {who} met response {pk} as {both}" for (pk, who), both in met.items() if len(both) > 1]
