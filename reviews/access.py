"""Whose page an address leads to, for who may see it."""

from typing import Any

from django.http import Http404

from annotation.access import campaign_for
from annotation.models import Campaign, User
from reviews import policy
from reviews.rater_profile import rater_of


def rater_for(user: Any, slug: str, user_id: int) -> tuple[Campaign, User]:
    """One rater of a campaign that this person manages. Raises as `campaign_for` does, and Http404 for nobody there."""
    campaign = campaign_for(user, slug, policy.may_manage_raters)
    person = rater_of(campaign, user_id)
    if person is None:
        raise Http404
    return campaign, person
