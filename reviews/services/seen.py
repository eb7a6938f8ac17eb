"""Reading many items as the rule reads them, in a number of queries that does not grow with them."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Count, F, OuterRef, Q, Subquery

from annotation.models import Campaign, Mark, Rating, Score, WorkItem
from reviews.forecast import CaseSeen, ItemSeen
from reviews.models import Case
from reviews.pace import reading_seconds
from reviews.rules import Kind, RatingSeen
from scenarios.item_ids import make_item_id

BATCH = 500
_ITEM = ("pk", "scenario__key", "response__companion__name", "response__condition")
_COUNTERS = ("state", "needed", "extra", "leased")


def rated_items(campaign: Campaign) -> Any:
    """The items that have all their first ratings, those that more raters were asked for included."""
    items = WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN)
    return items.filter(counted__gte=F("needed") - F("extra"), counted__gt=0)


def enough_ratings(campaign: Campaign, *, fewest: int = 3) -> bool:
    """Whether an item has so many ratings, without those that were asked for because of disagreement."""
    first = Rating.objects.base().filter(work_item=OuterRef("pk")).order_by().values("work_item")
    base = first.annotate(n=Count("pk")).values("n")
    items = rated_items(campaign).filter(counted__gte=fewest).alias(base=Subquery(base))
    return bool(items.filter(Q(extra=0) | Q(base__gte=fewest)).exists())


def seen_in_batches(campaign: Campaign, *, hurried: bool) -> Iterator[list[ItemSeen]]:
    """All rated items in the campaign's random order. hurried: whether the rule asks for it, so that texts are read."""
    places = list(rated_items(campaign).order_by("priority").values_list("priority", flat=True))
    for start in range(0, len(places), BATCH):
        batch = places[start : start + BATCH]
        yield seen_of(campaign, first=batch[0], last=batch[-1], hurried=hurried)


def seen_of(campaign: Campaign, *, first: int, last: int, hurried: bool) -> list[ItemSeen]:
    """The rated items from one place of the campaign's order to another. Five queries, six where texts are read."""
    items = rated_items(campaign).filter(priority__gte=first, priority__lte=last)
    needed_seconds = _reading_seconds(items) if hurried else {}
    within = {
        "work_item__campaign": campaign,
        "work_item__purpose": WorkItem.Purpose.RATING,
        "work_item__priority__gte": first,
        "work_item__priority__lte": last,
    }
    ratings, seconds = _ratings(within, needed_seconds)
    cases = _cases(within)
    return [
        ItemSeen(
            pk=pk,
            item_id=make_item_id(key, companion, condition),
            cluster=key,
            state=state,
            needed=needed,
            extra=extra,
            leased=leased,
            ratings=ratings[pk],
            case=cases.get(pk),
            seconds=seconds[pk],
        )
        for pk, key, companion, condition, state, needed, extra, leased in items.order_by("priority", "pk").values_list(
            *_ITEM, *_COUNTERS
        )
    ]


def _reading_seconds(items: Any) -> dict[int, float]:
    """{item: the least time in which its text can be read}"""
    texts = items.order_by().values_list("pk", "response__text").iterator()
    return {pk: reading_seconds(text) for pk, text in texts}


def _ratings(
    within: dict[str, Any], needed_seconds: dict[int, float]
) -> tuple[dict[int, list[RatingSeen]], dict[int, list[int]]]:
    """{item: its counted ratings in order of rank}, {item: the seconds of each; 0 where nobody knows}"""
    counted = {f"rating__{name}": value for name, value in within.items()}
    counted["rating__status"] = Rating.Status.COUNTED
    scores: dict[int, dict[str, int]] = defaultdict(dict)
    marks: dict[int, set[str]] = defaultdict(set)
    given = Score.objects.filter(**counted).order_by("pk").values_list("rating", "dimension", "value")
    for rating, dimension, value in given.iterator():
        scores[rating][dimension] = value
    for rating, kind in Mark.objects.filter(**counted).order_by().values_list("rating", "type").iterator():
        marks[rating].add(kind)
    found: dict[int, list[RatingSeen]] = defaultdict(list)
    spent: dict[int, list[int]] = defaultdict(list)
    told = ("work_item", "pk", "needs_expert", "seconds", "assignment__imported", "is_extra")
    for item, pk, needs_expert, seconds, imported, is_extra in (
        Rating.objects.counted().filter(**within).order_by("rank", "pk").values_list(*told).iterator()
    ):
        found[item].append(
            RatingSeen(
                scores=scores[pk],
                marks=None if imported else frozenset(marks[pk]),
                needs_expert=needs_expert,
                hurried=not imported and 0 < seconds < needed_seconds.get(item, 0),
                is_extra=is_extra,
            )
        )
        spent[item].append(0 if imported else seconds)
    return found, spent


def _cases(within: dict[str, Any]) -> dict[int, CaseSeen]:
    standing = Case.objects.standing().filter(**within)
    told = ("work_item", "state", "rule_version", "kinds", "opinions_in")
    return {
        item: CaseSeen(
            is_free=state == Case.State.WAITING and not opinions_in,
            rule_version=version,
            reopened=f" {Kind.REOPENED} " in kinds,
        )
        for item, state, version, kinds, opinions_in in standing.values_list(*told)
    }
