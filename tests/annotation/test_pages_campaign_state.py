"""Opening, pausing and closing a campaign in the browser."""

import pytest

from annotation.models import Membership
from annotation.services.campaigns import close_campaign
from tests.annotation.pages import campaign_and, page

pytestmark = pytest.mark.django_db
Role = Membership.Role


def test_a_manager_opens_pauses_and_closes() -> None:
    campaign, client = campaign_and(Role.MANAGER, opened=False)
    for name, state in [
        ("open_campaign", "open"),
        ("pause_campaign", "paused"),
        ("open_campaign", "open"),
        ("close_campaign", "closed"),
    ]:
        answer = client.post(page(name, campaign.slug))
        assert answer.url == page("campaign", campaign.slug)  # type: ignore[attr-defined]
        campaign.refresh_from_db()
        assert campaign.state == state


def test_looking_changes_nothing() -> None:
    campaign, client = campaign_and(Role.MANAGER)
    assert "Close the campaign?" in client.get(page("close_campaign", campaign.slug)).content.decode()
    campaign.refresh_from_db()
    assert campaign.state == "open"


def test_a_closed_one_opens_again_only_with_a_reason() -> None:
    campaign, client = campaign_and(Role.MANAGER)
    close_campaign(campaign=campaign)
    url = page("open_campaign", campaign.slug)
    refused = client.post(url, {"reason": " "})
    assert refused.status_code == 422
    assert "Say why" in refused.content.decode()
    client.post(url, {"reason": "two more raters came"})
    campaign.refresh_from_db()
    assert campaign.state == "open"
    assert campaign.events.filter(kind="open", detail__reason="two more raters came").exists()


def test_a_refused_move_is_said() -> None:
    campaign, client = campaign_and(Role.MANAGER, opened=False)
    answer = client.post(page("pause_campaign", campaign.slug), follow=True)
    assert "A campaign that is draft cannot become paused." in answer.content.decode()


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
def test_others_may_not(role: str) -> None:
    campaign, client = campaign_and(role)
    assert client.post(page("close_campaign", campaign.slug)).status_code == 403
    campaign.refresh_from_db()
    assert campaign.state == "open"
