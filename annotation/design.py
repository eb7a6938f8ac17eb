"""Whether a campaign's raters can be compared: how many items each two of them share, and whether all hang together.

Reads counted ratings. Where raters fall apart into groups that share no item, nobody can tell a strict group from a
group of worse responses; where a pair shares none, the pairwise table has a hole there.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from django.db.models import Count, F

from annotation.models import Campaign, Rating, User, WorkItem

Pair = tuple[int, int]


@dataclass(frozen=True)
class Design:
    """`shared` items of the pairs of raters: the fewest, the median, the most. `groups` share no item with each other,
    the largest first. `apart` counts the pairs that share none."""

    raters: int
    least: int
    middle: float
    most: int
    apart: int
    groups: list[list[User]]

    @property
    def pairs(self) -> int:
        return self.raters * (self.raters - 1) // 2

    @property
    def connected(self) -> bool:
        return len(self.groups) <= 1

    @property
    def lonely(self) -> list[list[User]]:
        """All groups but the largest."""
        return self.groups[1:]


def design_of(campaign: Campaign) -> Design:
    """Of everyone with a counted rating in the campaign; three queries, however many they are."""
    counted = Rating.objects.counted().in_campaign(campaign).exclude(work_item__state=WorkItem.State.WITHDRAWN)
    raters = set(counted.order_by().values_list("annotator", flat=True).distinct())
    shared = _shared(campaign)
    users = User.objects.in_bulk(raters)
    each = [shared.get(pair, 0) for pair in combinations(sorted(raters), 2)]
    groups = [sorted((users[pk] for pk in group), key=str) for group in connected(raters, shared)]
    return Design(
        raters=len(raters),
        least=min(each, default=0),
        middle=median(each) if each else 0,
        most=max(each, default=0),
        apart=each.count(0),
        groups=sorted(groups, key=lambda group: (-len(group), str(group[0]))),
    )


def _shared(campaign: Campaign) -> Mapping[Pair, int]:
    """Items that both of a pair (the lower number first) have a counted rating of."""
    other = "work_item__ratings__"
    found = (
        Rating.objects.counted()
        .in_campaign(campaign)
        .exclude(work_item__state=WorkItem.State.WITHDRAWN)
        .filter(**{f"{other}status": Rating.Status.COUNTED, f"{other}annotator__gt": F("annotator")})
        .order_by()
        .values_list("annotator", f"{other}annotator")
        .annotate(n=Count("pk"))
    )
    return {(one, two): n for one, two, n in found}


def connected(raters: Iterable[int], shared: Mapping[Pair, int]) -> list[set[int]]:
    """The groups of raters who hang together by items they share, directly or through others."""
    leader = {rater: rater for rater in raters}

    def lead(rater: int) -> int:
        while leader[rater] != rater:
            rater = leader[rater]
        return rater

    for (one, two), n in shared.items():
        if n:
            leader[lead(one)] = lead(two)
    groups: dict[int, set[int]] = defaultdict(set)
    for rater in leader:
        groups[lead(rater)].add(rater)
    return list(groups.values())
