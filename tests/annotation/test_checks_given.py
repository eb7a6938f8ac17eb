"""Who is given hidden checks: one in so many, never the same twice."""

import pytest

from annotation.models import Campaign, Membership, Rating, WorkItem
from annotation.services.leases import (
    lease_next,
)
from annotation.services.ratings import withdraw_rating
from tests import factories
from tests.annotation.checking import CHECK, to_the_next_check, with_checks

pytestmark = pytest.mark.django_db


def test_one_in_so_many_and_never_the_same_twice():
    campaign = with_checks(items=54, checks=4)
    user = factories.member(campaign)
    given = []
    while assignment := lease_next(campaign=campaign, user=user):
        given.append(assignment.work_item)
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
    checks = [item.pk for item in given if item.purpose == CHECK]
    assert (len(given), len(checks), len(set(checks))) == (58, 4, 4)
    assert [[item.purpose for item in given[at : at + 10]].count("check") for at in (0, 10, 20, 30)] == [1] * 4


def test_none_where_the_campaign_has_no_rule():
    campaign = with_checks(items=12)
    Campaign.objects.filter(pk=campaign.pk).update(checks={})
    user = factories.member(campaign)
    with pytest.raises(AssertionError, match="no check"):
        to_the_next_check(campaign, user)


def test_each_person_meets_them_at_places_of_their_own_however_many_are_at_it():
    campaign = with_checks(items=9, overlap=3, checks=1)
    people = [factories.member(campaign) for _ in range(3)]
    held = [to_the_next_check(campaign, user) for user in people]
    assert len({one.work_item_id for one in held}) == 1
    item = WorkItem.everything.get(pk=held[0].work_item_id)
    assert (item.needed, item.leased, item.counted, item.state) == (0, 0, 0, "open")


def test_never_one_of_a_language_they_do_not_read():
    campaign = with_checks(items=20, checks=0)
    other = factories.dataset(scenarios=1, language="zh-Hans")
    response = other.scenarios.get().responses.get()
    response.scenario.dataset = campaign.dataset
    response.scenario.key = "dialogue_emotion/q900"
    response.scenario.save()
    factories.check_item(campaign, response=response)
    with pytest.raises(AssertionError, match="no check"):
        to_the_next_check(campaign, factories.member(campaign, languages=["en"]))


def test_never_a_response_that_they_met_for_real():
    campaign = with_checks(items=20, checks=0, overlap=1)
    met, other = factories.member(campaign), factories.member(campaign)
    assignment = lease_next(campaign=campaign, user=met)
    factories.rating(assignment.work_item, 5, user=met, assignment=assignment)
    factories.check_item(campaign, response=assignment.work_item.response)
    check = to_the_next_check(campaign, other)
    assert check.work_item.response == assignment.work_item.response
    Membership.objects.filter(user=other).update(share=0)
    with pytest.raises(AssertionError, match="no check"):
        to_the_next_check(campaign, met)


def test_a_response_met_as_a_check_does_not_come_for_real():
    campaign = with_checks(items=12, checks=0, overlap=1)
    first, second = factories.member(campaign), factories.member(campaign)
    assignment = lease_next(campaign=campaign, user=first)
    rating = factories.rating(assignment.work_item, 5, user=first, assignment=assignment)
    factories.check_item(campaign, response=rating.work_item.response)
    check = to_the_next_check(campaign, second)
    factories.rating(check.work_item, 5, user=second, assignment=check)
    withdraw_rating(rating_id=rating.pk)  # the real item wants a rater again
    assert rating.work_item not in WorkItem.objects.open_to(Membership.objects.get(user=second))


def test_never_two_of_a_scenario_in_a_row():
    data = factories.dataset(scenarios=3, companions=("a", "b", "c", "d"))
    campaign = factories.campaign(data=data, overlap=1)
    Campaign.objects.filter(pk=campaign.pk).update(checks=factories.CHECKS | {"one_in": 4})
    user = factories.member(campaign)
    for scenario in data.scenarios.all():
        response = scenario.responses.first()
        real = WorkItem.objects.get(response=response)
        WorkItem.objects.filter(pk=real.pk).update(state="withdrawn")
        factories.check_item(campaign, response=response)
    given = []
    while assignment := lease_next(campaign=campaign, user=user):
        given.append(assignment.work_item)
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
    scenarios = [item.scenario_id for item in given]
    assert {"check", "rating"} == {item.purpose for item in given}
    for at in range(1, len(scenarios)):
        assert scenarios[at] != scenarios[at - 1] or set(scenarios[at:]) == {scenarios[at - 1]}


def test_a_share_counts_them():
    campaign = with_checks(items=30)
    user = factories.member(campaign)
    Membership.objects.filter(user=user).update(share=10)
    given = 0
    while assignment := lease_next(campaign=campaign, user=user):
        given += 1
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
    assert given == 10
    assert Rating.objects.filter(status="check").count() == 1
