"""What annotation needs of the rooms after it, without knowing them.

`after_ratings_changed(item)` is called inside the transaction of every service that changes which ratings of an item
count, with the item's row locked. reviews/apps.py binds it at start; a plain function, no signal.
"""

from collections.abc import Callable

from annotation.models import WorkItem

_after_ratings_changed: Callable[[WorkItem], None] | None = None


def bind(*, after_ratings_changed: Callable[[WorkItem], None]) -> None:
    global _after_ratings_changed
    _after_ratings_changed = after_ratings_changed


def after_ratings_changed(item: WorkItem) -> None:
    if _after_ratings_changed is None:
        raise RuntimeError("No room has bound annotation.ports.after_ratings_changed")
    _after_ratings_changed(item)
