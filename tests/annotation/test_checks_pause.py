"""Who misses too many hidden checks is paused, and both sides are told."""

import uuid

import pytest
import time_machine
from django.utils import timezone

from annotation.check_items import answered_checks
from annotation.models import Assignment, CampaignEvent, Membership, Message, Rating
from annotation.progress import who_did_what
from annotation.services.people import change_membership
from tests import factories
from tests.annotation.api import client_of, rate
from tests.annotation.checking import RULE, answer_check, to_the_next_check, with_checks
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db


def test_misses_pause_the_person_and_both_sides_are_told():
    campaign = with_checks(items=40, checks=4)
    user = factories.member(campaign)
    factories.member(campaign, "manager")
    api = client_of(user)
    for n in range(3):
        assert Membership.objects.get(user=user, campaign=campaign).state == "active"
        check = to_the_next_check(campaign, user)
        saved = rate(api, {"assignment": check.pk}, scores=factories.full_scores(1))
        assert saved.status_code == 201, n
        assert saved.json()["status"] == "counted"
    assert Membership.objects.get(user=user, campaign=campaign).state == "paused"
    assert not Assignment.objects.live().exists()
    assert Rating.objects.filter(status="check").count() == 3
    logged = CampaignEvent.objects.get(kind="checks missed")
    assert (logged.by, logged.detail) == (None, {"user": user.username, "missed": 3, "of": 3})
    assert CampaignEvent.objects.filter(kind="member paused", by=None).count() == 1
    to_them, to_managers = (Message.objects.get(recipient=whom) for whom in (user, None))
    assert (to_them.author, to_managers.author) == (None, None)
    assert "paused" in to_them.text
    assert "3" in to_managers.text
    assert user.username in to_managers.text
    text = check.work_item.response.text
    assert text not in to_them.text


def test_sending_the_last_one_again_pauses_and_tells_once():
    campaign = with_checks(items=40, checks=4, rule={"pause_after": 1})
    user = factories.member(campaign)
    check, client_id = to_the_next_check(campaign, user), uuid.uuid4()
    for _ in range(2):
        factories.rating(check.work_item, 1, user=user, assignment=check, client_id=client_id)
    assert Message.objects.count() == 2


def test_an_edit_does_not_mend_the_first_answer():
    campaign = with_checks(items=40, checks=4)
    user = factories.member(campaign)
    rating = answer_check(campaign, user, 1)
    factories.edit(rating, 5)
    assert [check.hit for check in answered_checks(campaign, RULE)[user.pk]] == [False]


def test_whom_a_manager_lets_go_on_begins_anew():
    campaign = with_checks(items=80, checks=8, rule={"pause_after": 2})
    user = factories.member(campaign)
    membership = Membership.objects.get(user=user, campaign=campaign)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for n in range(5):
            clock.shift(60)
            answer_check(campaign, user, 1)
            membership.refresh_from_db()
            assert membership.state == ("paused" if n % 2 else "active")
            if membership.state == "paused":
                clock.shift(60)
                change_membership(membership=membership, state="active")
    assert Message.objects.filter(recipient=user).count() == 2


def test_each_is_told_in_their_own_language():
    campaign = with_checks(items=40, checks=4, rule={"pause_after": 1})
    user = factories.person(language="en")
    factories.member(campaign, user=user)
    factories.member(campaign, "manager", user=factories.person(language="en"))
    answer_check(campaign, user, 1)
    assert {message.text.split()[0] for message in Message.objects.all()} == {"You", user.username}


def test_the_manager_sees_checks_and_hits_of_each():
    campaign = with_checks(items=40, checks=4)
    good, bad = factories.member(campaign), factories.member(campaign)
    for _ in range(2):
        answer_check(campaign, good, 5)
        answer_check(campaign, bad, 1)
    doings = {doing.user: (doing.checks, doing.hits) for doing in who_did_what(campaign)}
    assert doings == {good: (2, 2), bad: (2, 0)}
    body = signed_in(factories.member(campaign, "manager")).get(page("campaign", campaign.slug)).content.decode()
    assert "2 of 2" in body
    assert "0 of 2" in body
