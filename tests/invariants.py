"""What must hold of a campaign's rows whatever was done to it: read from the rows, never from the counters alone."""

from collections import Counter

from annotation.models import Assignment, Campaign, Rating, WorkItem

State = WorkItem.State
STANDING = (Rating.Status.COUNTED, Rating.Status.SURPLUS)


def breaches(campaign: Campaign) -> list[str]:
    """Every breach in words; empty where all holds. Four queries, however many rows."""
    items = list(WorkItem.objects.filter(campaign=campaign).order_by("pk"))
    ratings = list(
        Rating.objects.in_campaign(campaign).values_list("work_item", "annotator", "status", "assignment__imported")
    )
    assignments = list(Assignment.objects.filter(campaign=campaign).values_list("work_item", "annotator", "state"))
    rated = set(Rating.objects.in_campaign(campaign).values_list("assignment", flat=True))
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
    return found
