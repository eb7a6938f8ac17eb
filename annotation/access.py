"""The first question of every door, page or API: may this person know of the campaign, and do this in it?"""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from annotation.models import Campaign, User


def known_campaign(user: User, slug: str) -> Campaign:
    """The campaign of this address. Raises Http404, as if it were not there, for those who have no part in it."""
    found = Campaign.objects.visible_to(user).select_related("dataset", "rubric")
    campaign: Campaign = get_object_or_404(found, slug=slug)
    return campaign


def campaign_for(user: User, slug: str, may: Callable[[Any, Campaign], bool]) -> Campaign:
    """The campaign of this address, where `may` (a predicate of a policy) lets the person in.

    Raises Http404 for those who may not know that it exists, PermissionDenied for members without the role.
    """
    campaign = known_campaign(user, slug)
    if not may(user, campaign):
        raise PermissionDenied
    return campaign
