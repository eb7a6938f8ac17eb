"""Leases end: by time, by a pause, by a departure, by the campaign's closing. Their places come back."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.models import Assignment, Campaign, Membership, User
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.leases import end_stranded, expire_overdue, lease_next
from annotation.services.people import change_membership, deactivate
from annotation.tasks import sweep_leases
from tests import factories

pytestmark = pytest.mark.django_db
State = Assignment.State


@pytest.fixture
def leased():
    campaign = factories.campaign(overlap=1)
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user)


def free_again(assignment):
    other = factories.member(assignment.campaign)
    given = lease_next(campaign=assignment.campaign, user=other)
    return given is not None and given.work_item == assignment.work_item


def state_of(assignment):
    return Assignment.objects.get(pk=assignment.pk).state


def test_a_lease_past_its_time_is_given_to_the_next_who_asks(leased):
    with time_machine.travel(leased.expires_at + timedelta(seconds=1)):
        assert free_again(leased)
    assert state_of(leased) == State.EXPIRED


def test_a_lease_within_its_time_is_not(leased):
    with time_machine.travel(leased.expires_at - timedelta(seconds=1)):
        assert not free_again(leased)


def test_the_sweep_brings_places_back_where_nobody_asks(leased):
    with time_machine.travel(leased.expires_at + timedelta(seconds=1)):
        assert sweep_leases() == 1
    leased.work_item.refresh_from_db()
    assert leased.work_item.leased == 0


def test_swept_twice_it_frees_the_place_once(leased):
    with time_machine.travel(leased.expires_at + timedelta(seconds=1)):
        assert [expire_overdue(), expire_overdue()] == [1, 0]


@pytest.mark.parametrize("state", ["paused", "removed"])
def test_the_leases_of_a_member_end_at_once_who_is(leased, state):
    change_membership(membership=Membership.objects.get(user=leased.annotator), state=state)
    assert state_of(leased) == State.WITHDRAWN
    assert free_again(leased)


def test_the_leases_of_someone_who_leaves_end_at_once(leased):
    deactivate(user=leased.annotator)
    assert state_of(leased) == State.WITHDRAWN
    assert free_again(leased)


def test_a_pause_of_the_campaign_leaves_what_is_under_way(leased):
    pause_campaign(campaign=leased.campaign)
    assert state_of(leased) == State.LEASED


def test_closing_ends_all_leases(leased):
    close_campaign(campaign=leased.campaign)
    assert state_of(leased) == State.EXPIRED


def test_an_expert_who_is_paused_keeps_what_they_rate(leased):
    factories.member(leased.campaign, "expert", user=leased.annotator)
    change_membership(membership=Membership.objects.get(user=leased.annotator, role="expert"), state="paused")
    assert state_of(leased) == State.LEASED


def test_the_sweep_ends_what_an_interrupted_pause_left(leased):
    Membership.objects.filter(user=leased.annotator).update(state="paused")
    assert end_stranded() == 1
    assert state_of(leased) == State.WITHDRAWN


def test_the_sweep_ends_what_an_interrupted_closing_left(leased):
    Campaign.objects.update(state="closed")
    assert end_stranded() == 1
    assert state_of(leased) == State.EXPIRED


def test_the_sweep_ends_what_an_interrupted_departure_left(leased):
    User.objects.filter(pk=leased.annotator_id).update(is_active=False)
    assert end_stranded() == 1


def test_the_sweep_leaves_what_is_under_way(leased):
    assert sweep_leases() == 0
    assert timezone.now() < leased.expires_at
