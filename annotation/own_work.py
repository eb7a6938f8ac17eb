"""How far one annotator is in one campaign: their own work only, nothing about others'."""

from dataclasses import dataclass

from django.db.models import Count

from annotation.check_items import checks_to_come
from annotation.models import Assignment, Campaign, Membership, User, WorkItem
from annotation.services.leases import share_left


@dataclass(frozen=True)
class OwnWork:
    """`left` counts the item in hand; `share_reached` says that a limit was set and is used up."""

    done: int
    left: int
    skipped: int
    share_reached: bool

    @property
    def total(self) -> int:
        return self.done + self.left


def own_work(membership: Membership) -> OwnWork:
    mine = Assignment.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id, imported=False)
    counts = dict(mine.values_list("state").annotate(n=Count("pk")).order_by())
    left = items_left(membership.campaign, membership.user) if membership.campaign.state == Campaign.State.OPEN else 0
    return OwnWork(
        done=counts.get(Assignment.State.SUBMITTED, 0),
        left=left,
        skipped=counts.get(Assignment.State.SKIPPED, 0),
        share_reached=share_left(membership) == 0,
    )


def items_left(campaign: Campaign, user: User) -> int:
    """Items this annotator can still be given, those they hold included."""
    mine = Membership.objects.select_related("campaign", "user")
    membership = mine.filter(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR).first()
    if membership is None:
        return 0
    held = Assignment.objects.live().of(user).filter(campaign=campaign).count()
    real = WorkItem.objects.open_to(membership).count()
    left = real + checks_to_come(membership, left=real) + held
    share = share_left(membership)
    return left if share is None else min(left, share)
