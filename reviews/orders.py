"""The orders of a list of cases, and the pages of each: a cursor names the last case of the page before.

Only numbers are read here, of all cases that fit; `reviews/queue.py` then reads the one page's cases.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q
from django.utils.dateparse import parse_datetime

from annotation.models import WorkItem
from reviews.asked import bad_cursor
from reviews.models import Case
from reviews.models.case import Cases

Place = tuple[Any, ...]  # what a case is ordered by, its number last


def _small(text: str) -> int:
    return _between(int(text), 2**15)


def _number(text: str) -> int:
    return _between(int(text), 2**63)


def _between(number: int, end: int) -> int:
    if not 0 <= number < end:
        raise ValueError
    return number


def _moment(text: str) -> datetime:
    found = parse_datetime(text)
    if found is None or found.tzinfo is None:
        raise ValueError
    try:
        return found.astimezone(UTC)
    except OverflowError as error:  # before the year 1 or after 9999, once its offset is taken off
        raise ValueError from error


@dataclass(frozen=True)
class Key:
    """One column, then the case's number. down: the highest first. newest: of equals, the highest number first."""

    column: str
    read: Callable[[str], Any]
    down: bool = False
    newest: bool = False


KEYS = {
    "oldest": Key("opened_at", _moment),
    "newest": Key("opened_at", _moment, down=True, newest=True),
    "spread": Key("spread", _small, down=True),
    "decided": Key("decided_at", _moment, down=True, newest=True),
}


def page_of(
    cases: Cases, *, campaigns: Collection[int], last: Q, order: str, cursor: str, size: int
) -> tuple[list[int], str | None]:
    """The numbers of one page's cases, in order, and the cursor of the next. Raises ListInvalid for a wrong cursor.

    campaigns: those of the cases, by id. last: cases whose priority must not show, behind all others by number.
    """
    if order == "priority":
        places = _by_priority(cases, campaigns, last, cursor, size)
    else:
        places = _by_key(cases, KEYS[order], cursor, size)
    page = places[:size]
    return [place[-1] for place in page], _written(page[-1]) if len(places) > size else None


def _written(place: Place) -> str:
    return "_".join(part.isoformat() if isinstance(part, datetime) else str(part) for part in place)


def _read(cursor: str, *parts: Callable[[str], Any]) -> Place | None:
    if not cursor:
        return None
    try:
        return tuple(read(text) for read, text in zip(parts, cursor.split("_"), strict=True))
    except ValueError as error:
        raise bad_cursor(cursor) from error


def _by_key(cases: Cases, key: Key, cursor: str, size: int) -> list[Place]:
    if (last := _read(cursor, key.read, _number)) is not None:
        cases = cases.filter(_beyond(key, *last))
    order = ("-" if key.down else "") + key.column, "-pk" if key.newest else "pk"
    return list(cases.order_by(*order).values_list(key.column, "pk")[: size + 1])


def _beyond(key: Key, value: Any, pk: int) -> Q:
    further = "lt" if key.down else "gt"
    equal = Q(**{key.column: value, f"pk__{'lt' if key.newest else 'gt'}": pk})
    return Q(**{f"{key.column}__{further}": value}) | equal


URGENT, CALM, LAST = range(3)


def _by_priority(cases: Cases, campaigns: Collection[int], last: Q, cursor: str, size: int) -> list[Place]:
    """Urgent ones, then all others, each by the rule's priority; then the last ones by number.

    The few urgent ones are found by their items' own index, so that the others can be read by the cases' index alone.
    """
    begun, priority, pk = _read(cursor, _part, _small, _number) or (URGENT, -1, -1)
    items = WorkItem.objects.filter(campaign__in=campaigns, urgent_at__isnull=False)
    urgent = Case.objects.filter(work_item__in=items.values("pk")).values("pk")
    others = cases.exclude(last)
    parts = {
        URGENT: others.filter(pk__in=urgent),
        CALM: others.exclude(pk__in=urgent),
        LAST: cases.filter(last),
    }
    places: list[Place] = []
    for part in range(begun, LAST + 1):
        if most := size + 1 - len(places):
            places += _from(parts[part], part, priority, pk, most)
        priority = pk = -1
    return places


def _from(cases: Cases, part: int, priority: int, pk: int, most: int) -> list[Place]:
    if part == LAST:
        numbers = cases.filter(pk__gt=pk).order_by("pk").values_list("pk", flat=True)
        return [(part, 0, number) for number in numbers[:most]]
    if priority >= 0:
        cases = cases.filter(Q(priority__gt=priority) | Q(priority=priority, pk__gt=pk))
    found = cases.order_by("priority", "pk").values_list("priority", "pk")
    return [(part, *place) for place in found[:most]]


def _part(text: str) -> int:
    return _between(int(text), LAST + 1)
