"""`next`: who is given what."""

import pytest

from annotation.errors import CampaignNotOpen, NotAllowed
from annotation.models import Assignment, Membership
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.items import bar_from_item, locked_item, withdraw_item
from annotation.services.leases import lease_next, release_lease, skip_item
from annotation.services.people import add_member, change_membership
from tests import factories

pytestmark = pytest.mark.django_db


def rate_all(campaign, user):
    """Takes and rates what is given until nothing is; the items in the order given."""
    done = []
    while assignment := lease_next(campaign=campaign, user=user):
        factories.rating(assignment.work_item, 4, user=user, assignment=assignment)
        done.append(assignment.work_item)
    return done


def test_it_gives_every_item():
    campaign = factories.campaign(items=5)
    assert set(rate_all(campaign, factories.member(campaign))) == set(factories.items_of(campaign))


def test_it_gives_the_same_lease_again():
    campaign = factories.campaign(items=2)
    user = factories.member(campaign)
    assert lease_next(campaign=campaign, user=user) == lease_next(campaign=campaign, user=user)
    assert Assignment.objects.count() == 1


def test_it_gives_an_item_to_as_many_people_as_it_needs():
    campaign = factories.campaign(items=1, overlap=2)
    people = [factories.member(campaign) for _ in range(3)]
    given = [lease_next(campaign=campaign, user=user) for user in people]
    assert [lease and lease.annotator for lease in given] == [people[0], people[1], None]


def test_an_item_that_one_person_finished_is_given_to_the_next():
    campaign = factories.campaign(items=1, overlap=2)
    first, second = factories.member(campaign), factories.member(campaign)
    rate_all(campaign, first)
    assert lease_next(campaign=campaign, user=second).work_item == factories.items_of(campaign)[0]


def test_it_never_gives_an_item_twice_to_one_person():
    campaign = factories.campaign(items=1, overlap=3)
    user = factories.member(campaign)
    assert len(rate_all(campaign, user)) == 1
    assert lease_next(campaign=campaign, user=user) is None


def test_it_does_not_give_a_skipped_item_again():
    campaign = factories.campaign(items=2)
    user = factories.member(campaign)
    first = lease_next(campaign=campaign, user=user)
    skip_item(assignment_id=first.pk, user=user, reason="unsure")
    assert lease_next(campaign=campaign, user=user).work_item != first.work_item


def test_it_may_give_an_item_again_that_was_handed_back():
    campaign = factories.campaign(items=1)
    user = factories.member(campaign)
    first = lease_next(campaign=campaign, user=user)
    release_lease(assignment_id=first.pk, user=user)
    assert lease_next(campaign=campaign, user=user).work_item == first.work_item


def test_it_does_not_give_an_item_whose_ratings_the_person_has_seen():
    campaign = factories.campaign(items=1)
    user = factories.member(campaign)
    bar_from_item(factories.items_of(campaign)[0], user)
    assert lease_next(campaign=campaign, user=user) is None


def test_it_does_not_give_a_withdrawn_item():
    campaign = factories.campaign(items=1)
    withdraw_item(locked_item(factories.items_of(campaign)[0].pk))
    assert lease_next(campaign=campaign, user=factories.member(campaign)) is None


def two_of_each_scenario(scenarios):
    return factories.campaign(data=factories.dataset(scenarios=scenarios, companions=("a", "b")), overlap=1)


@pytest.mark.parametrize("seed", range(5))
def test_it_never_gives_two_items_of_a_scenario_in_a_row_while_there_is_another(seed):
    data = factories.dataset(scenarios=4, companions=("a", "b", "c"))
    campaign = factories.campaign(data=data, overlap=1, seed=seed)
    given = [item.scenario_id for item in rate_all(campaign, factories.member(campaign))]
    assert len(given) == 12
    for at in range(1, 12):
        assert given[at] != given[at - 1] or set(given[at:]) == {given[at - 1]}


def test_it_gives_two_items_of_a_scenario_in_a_row_where_nothing_else_is_left():
    campaign = two_of_each_scenario(1)
    assert len(rate_all(campaign, factories.member(campaign))) == 2


def test_people_rate_only_in_their_languages():
    campaign = factories.campaign(data=factories.dataset(scenarios=1, language="zh-Hans"))
    english = factories.member(campaign, languages=["en"])
    both = factories.member(campaign, languages=["en", "zh-Hans"])
    anything = factories.member(campaign)
    assert lease_next(campaign=campaign, user=english) is None
    assert lease_next(campaign=campaign, user=both)
    assert lease_next(campaign=campaign, user=anything)


def test_a_share_is_a_limit():
    campaign = factories.campaign(items=3)
    user = factories.person()
    add_member(campaign=campaign, user=user, role="annotator", share=2)
    assert len(rate_all(campaign, user)) == 2


def test_a_share_of_nothing_gives_nothing():
    campaign = factories.campaign(items=3)
    user = factories.person()
    add_member(campaign=campaign, user=user, role="annotator", share=0)
    assert lease_next(campaign=campaign, user=user) is None


@pytest.mark.parametrize("role", ["expert", "manager", None])
def test_it_gives_nothing_to_those_who_do_not_rate_here(role):
    campaign = factories.campaign()
    user = factories.member(campaign, role) if role else factories.site_manager()
    with pytest.raises(NotAllowed):
        lease_next(campaign=campaign, user=user)


@pytest.mark.parametrize("state", ["paused", "removed"])
def test_it_gives_nothing_to_a_member_who_is(state):
    campaign = factories.campaign()
    user = factories.member(campaign)
    change_membership(membership=Membership.objects.get(user=user), state=state)
    with pytest.raises(NotAllowed):
        lease_next(campaign=campaign, user=user)


def test_it_gives_nothing_before_the_campaign_opens():
    campaign = factories.campaign(opened=False)
    with pytest.raises(CampaignNotOpen):
        lease_next(campaign=campaign, user=factories.member(campaign))


@pytest.mark.parametrize("end", [pause_campaign, close_campaign])
def test_it_gives_nothing_once_the_campaign_is_paused_or_closed(end):
    campaign = factories.campaign()
    user = factories.member(campaign)
    end(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        lease_next(campaign=campaign, user=user)


def test_a_campaign_object_read_before_the_pause_does_not_help():
    campaign = factories.campaign()
    user = factories.member(campaign)
    pause_campaign(campaign=campaign)
    assert campaign.state == "open"
    with pytest.raises(CampaignNotOpen):
        lease_next(campaign=campaign, user=user)
