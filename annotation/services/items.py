"""Moves of a WorkItem. The caller holds the item's row lock (`locked_item`)."""

from collections.abc import Iterable

from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import ports
from annotation.errors import MoveRefused
from annotation.models import Assignment, Campaign, ItemBar, User, WorkItem


def locked_item(pk: int) -> WorkItem:
    """The item, its row locked until the transaction ends: the first lock anyone takes who changes the item.

    Its campaign is read once the lock is held: who waited for the lock must not go by the rule of before they waited.
    Rows that point at the item may come meanwhile (`no_key`): who holds one item and bars a person from others waits
    for nobody.
    """
    items = WorkItem.everything.select_for_update(of=("self",), no_key=True)
    item: WorkItem = items.select_related("response").get(pk=pk)
    item.campaign = Campaign.objects.select_related("rubric").get(pk=item.campaign_id)
    return item


def move_item(item: WorkItem, to: WorkItem.State) -> None:
    if to not in WorkItem.MOVES[WorkItem.State(item.state)]:
        raise MoveRefused(_("An item that is %(now)s cannot become %(to)s.") % {"now": item.state, "to": to})
    item.state = to
    if to == WorkItem.State.IN_REVIEW:  # experts may read from now on why it is a case
        item.was_in_review = True
    item.save(update_fields=["state", "was_in_review"])


def recount(item: WorkItem) -> None:
    """The one rule of when an item wants raters and when it has them; after any change of `counted` or `needed`.

    A settled or reviewed item whose ratings changed goes through `open` again, so that the rule is asked anew.
    """
    if item.state != WorkItem.State.WITHDRAWN:
        full = item.counted >= item.needed
        item.state = WorkItem.State.COMPLETE if full else WorkItem.State.OPEN
    item.save()


def send_to_review(item: WorkItem) -> None:
    move_item(item, WorkItem.State.IN_REVIEW)


def return_from_review(item: WorkItem) -> None:
    """The case fell away."""
    move_item(item, WorkItem.State.COMPLETE)


def settle_item(item: WorkItem) -> None:
    move_item(item, WorkItem.State.SETTLED)


def lock_item(item: WorkItem) -> None:
    """An expert has taken its case: no more edits."""
    item.locked = True
    item.save(update_fields=["locked"])


def unlock_item(item: WorkItem) -> None:
    """The case was given back, or its lease ran out."""
    item.locked = False
    item.save(update_fields=["locked"])


def ask_for_more(item: WorkItem, k: int) -> None:
    """`k` more raters than the item has counted (more, where more are at it already); it is open again."""
    more = max(k, item.leased)
    item.needed = item.counted + more
    item.extra += more
    recount(item)


def ask_for_no_more(item: WorkItem) -> None:
    """Those who have rated are enough; nobody may be at it just now."""
    item.extra -= item.needed - item.counted
    item.needed = item.counted
    recount(item)


def withdraw_item(item: WorkItem) -> None:
    """Out of the campaign: no more raters, no gold. Its live leases end, and so does what stands open on it."""
    now = timezone.now()
    Assignment.objects.live().filter(work_item=item).update(state=Assignment.State.WITHDRAWN, ended_at=now)
    item.leased = 0
    item.save(update_fields=["leased"])
    move_item(item, WorkItem.State.WITHDRAWN)
    ports.after_ratings_changed(item)


def bar_from_item(item: WorkItem, user: User) -> None:
    """They have seen what others rated: they can never rate it themselves, nor the same words of another companion."""
    bar_from_items(twins_of(item).exclude(bars__user=user), user)


def bar_from_items(items: Iterable[WorkItem], user: User) -> None:
    """The same for many at once."""
    ItemBar.objects.bulk_create([ItemBar(work_item=item, user=user) for item in items], ignore_conflicts=True)


def twins_of(item: WorkItem) -> QuerySet[WorkItem]:
    """The items that ask the same of people: the same words answer the same scenario. Itself among them."""
    twins: QuerySet[WorkItem] = WorkItem.everything.with_twin(pk=item.pk)
    return twins.order_by("pk")


def put_in_guideline(item: WorkItem) -> None:
    """Its verdict is for all to read from now on: it is given to nobody, should it ever open again."""
    item.in_guideline = True
    item.save(update_fields=["in_guideline"])


def take_place(item: WorkItem) -> None:
    """A lease of the item begins. What `free_place` gives back."""
    if item.purpose == WorkItem.Purpose.RATING:
        item.leased += 1
        item.save(update_fields=["leased"])


def free_place(item: WorkItem) -> None:
    """A lease of the item ended. Items with a known answer have no places: no count of theirs moves."""
    if item.purpose != WorkItem.Purpose.RATING:
        return
    WorkItem.everything.filter(pk=item.pk).update(leased=F("leased") - 1)
    item.refresh_from_db(fields=["leased"])


def is_extra_place(item: WorkItem) -> bool:
    """Whether the next rater is one whom disagreement called: the overlap has all its ratings."""
    if not item.extra:
        return False
    return item.ratings.base().count() >= item.needed - item.extra


def next_rank(item: WorkItem) -> int:
    """Which rater of the item the next one is, 1 for the first."""
    return (item.ratings.order_by("-rank").values_list("rank", flat=True).first() or 0) + 1
