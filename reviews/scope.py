"""Over which campaigns a person's list of cases goes, and in which of them they decide."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from annotation.models import Campaign, Membership, User
from annotation.policy import Role
from reviews.models import Case
from reviews.models.case import Cases
from reviews.shares import Share


@dataclass(frozen=True)
class Scope:
    """campaigns: by id, those whose cases the viewer may see, as an expert or looking on as a manager.

    shares: by campaign, what is dealt to them; of the campaigns in which they are an expert, and so as blind as one.
    """

    viewer: User
    campaigns: Mapping[int, Campaign]
    shares: Mapping[int, Share]

    @property
    def judges(self) -> bool:
        return bool(self.shares)

    @property
    def is_dealt(self) -> bool:
        """Somebody dealt them less than all cases of a campaign of theirs."""
        return any(not share.is_whole for share in self.shares.values())

    @cached_property
    def by_slug(self) -> dict[str, Campaign]:
        """In the order of their titles."""
        found = sorted(self.campaigns.values(), key=lambda campaign: (campaign.title, campaign.pk))
        return {campaign.slug: campaign for campaign in found}

    @cached_property
    def dimensions(self) -> dict[str, str]:
        """Of all its rubrics: {key: name}."""
        return {d.key: d.name for campaign in self.campaigns.values() for d in campaign.rubric.dimensions}

    def cases(self) -> Cases:
        return Case.objects.filter(campaign__in=list(self.campaigns)).in_play()


def scope_of(viewer: User, campaign: Campaign | None = None) -> Scope:
    """All campaigns where the person is an active expert or manager; or the one, as far as they are that there."""
    roles = Membership.objects.active().filter(user=viewer, role__in=[Role.EXPERT, Role.MANAGER])
    if campaign is not None:
        roles = roles.filter(campaign=campaign)
    held = list(roles.select_related("campaign__rubric").order_by("campaign", "pk"))
    return Scope(
        viewer,
        {one.campaign_id: one.campaign for one in held},
        {one.campaign_id: Share.of(one) for one in held if one.role == Role.EXPERT},
    )
