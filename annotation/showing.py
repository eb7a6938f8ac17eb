"""What an annotator is shown of an item, and nothing else.

The one place that turns an assignment into what leaves the server: no companion, condition, key, reference or tag.
"""

from typing import Any

from annotation.models import Assignment, Campaign, Membership, User, WorkItem
from annotation.services.leases import share_left


def shown_item(assignment: Assignment, campaign: Campaign) -> dict[str, Any]:
    item = WorkItem.objects.select_related("scenario", "response").get(pk=assignment.work_item_id)
    scenario = item.scenario
    return {
        "language": item.language,
        "task": item.task,
        "persona": scenario.persona,
        "turns": scenario.turns,
        "memories": scenario.memories,
        "schedule": scenario.schedule,
        "text": item.response.text,
        "content_note": campaign.content_note,
    }


def items_left(campaign: Campaign, user: User) -> int:
    """Items this annotator can still be given, the one they hold included."""
    membership = Membership.objects.filter(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR).first()
    if membership is None:
        return 0
    held = Assignment.objects.live().of(user).filter(campaign=campaign).count()
    left = WorkItem.objects.open_to(membership).count() + held
    share = share_left(membership)
    return left if share is None else min(left, share)
