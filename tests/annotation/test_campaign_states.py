"""Opening, pausing, closing: in the log with their reasons."""

import pytest

from annotation.errors import MoveRefused
from annotation.models import Campaign
from annotation.services.campaigns import close_campaign, open_campaign, pause_campaign
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_log_tells_the_whole_story():
    user = factories.site_manager()
    campaign = factories.campaign(opened=False, by=user)
    open_campaign(campaign=campaign, by=user)
    pause_campaign(campaign=campaign, by=user)
    open_campaign(campaign=campaign, by=user)
    close_campaign(campaign=campaign, by=user)
    open_campaign(campaign=campaign, by=user, reason="a batch was forgotten")
    kinds = list(campaign.events.order_by("pk").values_list("kind", flat=True))
    assert kinds == ["created", "open", "paused", "open", "closed", "open"]
    assert campaign.events.first().detail == {"reason": "a batch was forgotten"}


@pytest.mark.parametrize("reason", ["", "   "])
def test_a_closed_one_is_opened_again_only_with_a_reason(reason):
    campaign = close_campaign(campaign=factories.campaign())
    with pytest.raises(MoveRefused) as error:
        open_campaign(campaign=campaign, reason=reason)
    assert "reason" in error.value.fields


def test_one_that_was_closed_meanwhile_needs_the_reason_too():
    campaign = factories.campaign()
    stale = Campaign.objects.get(pk=campaign.pk)
    close_campaign(campaign=campaign)
    with pytest.raises(MoveRefused):
        open_campaign(campaign=stale)


def test_the_times_of_opening_and_closing_are_kept():
    campaign = factories.campaign(opened=False)
    assert (campaign.opened_at, campaign.closed_at) == (None, None)
    first = open_campaign(campaign=campaign).opened_at
    closed = close_campaign(campaign=campaign)
    assert closed.closed_at is not None
    again = open_campaign(campaign=campaign, reason="a batch was forgotten")
    assert (again.opened_at, again.closed_at) == (first, None)


@pytest.mark.parametrize("reason", ["nul\x00", "x" * 2001])
def test_the_reason_is_one_that_can_be_kept(reason):
    campaign = close_campaign(campaign=factories.campaign())
    with pytest.raises(MoveRefused) as error:
        open_campaign(campaign=campaign, reason=reason)
    assert "reason" in error.value.fields
