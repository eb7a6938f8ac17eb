"""Items that are hard to read: how they come to be known."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, QuerySet

from annotation.models import Assignment, Campaign, WorkItem

TAG = "heavy"  # of a scenario, set to true: every item over it is heavy from the beginning


def is_tagged_heavy(tags: Mapping[str, Any]) -> bool:
    return tags.get(TAG) is True


def skipped_as_heavy(campaign: Campaign) -> QuerySet[WorkItem]:
    """Items that no one has flagged and somebody skipped as too heavy, the most skipped first; `times`: how often."""
    found = WorkItem.objects.filter(
        campaign=campaign,
        heavy=False,
        assignments__state=Assignment.State.SKIPPED,
        assignments__skip_reason=Assignment.SkipReason.HEAVY,
    )
    counted = found.exclude(state=WorkItem.State.WITHDRAWN).annotate(times=Count("assignments"))
    in_order = counted.order_by("-times", "priority", "id")
    items: QuerySet[WorkItem] = in_order.select_related("response__scenario", "response__companion")
    return items
