"""Items leased beside the one in hand, so that the next is there at once and a lost network does not stop work."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import CampaignNotOpen, NotAllowed
from annotation.models import Assignment, Campaign, Membership
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.leases import expire_overdue, lease_ahead, lease_next, release_lease, renew_lease, skip_item
from annotation.services.people import change_membership
from tests import factories
from tests.annotation.api import assert_problem, client_of, post

pytestmark = pytest.mark.django_db


def campaign_with(ahead, **options):
    campaign = factories.campaign(**options)
    Campaign.objects.filter(pk=campaign.pk).update(ahead=ahead)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.parametrize("ahead", range(6))
def test_it_gives_one_and_as_many_as_the_campaign_allows_ahead(ahead):
    campaign = campaign_with(ahead, items=8)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    assert len({one.work_item_id for one in held}) == 1 + ahead
    assert lease_ahead(campaign=campaign, user=user) == held


def test_next_is_the_oldest_of_them():
    campaign = campaign_with(2, items=5)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    assert lease_next(campaign=campaign, user=user) == held[0]


def test_what_was_rated_is_topped_up_at_the_end():
    campaign = campaign_with(2, items=5)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    factories.rating(held[0].work_item, 4, user=user, assignment=held[0])
    again = lease_ahead(campaign=campaign, user=user)
    assert again[:2] == held[1:]
    assert len(again) == 3


def test_next_leases_nothing_while_one_ahead_is_left():
    campaign = campaign_with(1, items=5)
    user = factories.member(campaign)
    first, second = lease_ahead(campaign=campaign, user=user)
    factories.rating(first.work_item, 4, user=user, assignment=first)
    assert lease_next(campaign=campaign, user=user) == second
    assert Assignment.objects.live().count() == 1


def test_those_ahead_take_places_like_any_other():
    campaign = campaign_with(5, items=3, overlap=1)
    first, second = factories.member(campaign), factories.member(campaign)
    assert len(lease_ahead(campaign=campaign, user=first)) == 3
    assert lease_ahead(campaign=campaign, user=second) == []


def test_a_share_counts_what_is_leased_ahead():
    campaign = campaign_with(5, items=8)
    user = factories.member(campaign)
    Membership.objects.filter(user=user).update(share=3)
    held = lease_ahead(campaign=campaign, user=user)
    assert len(held) == 3
    factories.rating(held[0].work_item, 4, user=user, assignment=held[0])
    assert lease_ahead(campaign=campaign, user=user) == held[1:]


def test_an_item_never_shown_goes_back_to_the_pool_untouched():
    campaign = campaign_with(2, items=3, overlap=1)
    first, second = factories.member(campaign), factories.member(campaign)
    _shown, ahead, _last = lease_ahead(campaign=campaign, user=first)
    release_lease(assignment_id=ahead.pk, user=first)
    item = ahead.work_item
    item.refresh_from_db()
    assert (item.state, item.counted, item.leased) == ("open", 0, 0)
    assert lease_next(campaign=campaign, user=second).work_item == item


@pytest.mark.parametrize("state", ["paused", "removed"])
def test_a_member_who_is_paused_or_removed_loses_all_of_them_at_once(state):
    campaign = campaign_with(3, items=4)
    user = factories.member(campaign)
    lease_ahead(campaign=campaign, user=user)
    change_membership(membership=Membership.objects.get(user=user), state=state)
    assert not Assignment.objects.live().exists()
    with pytest.raises(NotAllowed):
        lease_ahead(campaign=campaign, user=user)


@pytest.mark.parametrize("end", [pause_campaign, close_campaign])
def test_it_gives_nothing_once_the_campaign_is_paused_or_closed(end):
    campaign = campaign_with(3, items=4)
    user = factories.member(campaign)
    lease_ahead(campaign=campaign, user=user)
    end(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        lease_ahead(campaign=campaign, user=user)


def test_renewing_the_one_in_hand_renews_those_ahead():
    campaign = campaign_with(2, items=4)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        renew_lease(assignment_id=held[0].pk, user=user)
        ends = set(Assignment.objects.live().values_list("expires_at", flat=True))
        assert ends == {timezone.now() + timedelta(minutes=30)}


def test_each_keeps_its_own_four_hours():
    campaign = campaign_with(1, items=4)
    user = factories.member(campaign)
    first, second = lease_ahead(campaign=campaign, user=user)
    Assignment.objects.filter(pk=second.pk).update(leased_at=first.leased_at - timedelta(hours=3, minutes=50))
    renew_lease(assignment_id=first.pk, user=user)
    second.refresh_from_db()
    assert second.expires_at == first.leased_at + timedelta(minutes=10)


def test_renewing_touches_nobody_elses_and_no_other_campaigns():
    campaign, other = campaign_with(1, items=4), campaign_with(1, items=4)
    user, colleague = factories.member(campaign), factories.member(campaign)
    factories.member(other, user=user)
    first, _second = lease_ahead(campaign=campaign, user=user)
    untouched = [*lease_ahead(campaign=campaign, user=colleague), *lease_ahead(campaign=other, user=user)]
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        renew_lease(assignment_id=first.pk, user=user)
    for one in untouched:
        assert Assignment.objects.get(pk=one.pk).expires_at == one.expires_at


def test_all_that_nobody_renews_expire():
    campaign = campaign_with(2, items=4)
    lease_ahead(campaign=campaign, user=factories.member(campaign))
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        assert expire_overdue() == 3


def test_a_skip_leaves_the_others_ahead_as_they_are():
    campaign = campaign_with(2, items=5)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    skip_item(assignment_id=held[0].pk, user=user, reason="heavy")
    assert lease_ahead(campaign=campaign, user=user)[:2] == held[1:]


def test_the_api_sends_each_as_next_does_and_what_is_left_at_each():
    campaign = campaign_with(2, items=5)
    user = factories.member(campaign)
    api = client_of(user)
    sent = post(api, f"campaigns/{campaign.slug}/ahead/").json()["assignments"]
    assert sent[0] == post(api, f"campaigns/{campaign.slug}/next/").json()
    assert [one["left"] for one in sent] == [5, 4, 3]
    assert [set(one) for one in sent[1:]] == [set(sent[0])] * 2


def test_the_api_sends_an_empty_list_where_nothing_is_left():
    campaign = campaign_with(2, items=1, overlap=1)
    first, second = factories.member(campaign), factories.member(campaign)
    lease_ahead(campaign=campaign, user=first)
    answer = post(client_of(second), f"campaigns/{campaign.slug}/ahead/")
    assert (answer.status_code, answer.json()) == (200, {"assignments": []})


def test_the_api_refuses_as_next_does():
    campaign = campaign_with(2, items=1)
    pause_campaign(campaign=campaign)
    assert_problem(post(client_of(factories.member(campaign)), f"campaigns/{campaign.slug}/ahead/"), 409)
    assert_problem(post(client_of(factories.member(campaign, "expert")), f"campaigns/{campaign.slug}/ahead/"), 403)
