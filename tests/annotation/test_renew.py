"""A lease is renewed by activity, up to four hours."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import LeaseLost, NotYourLease
from annotation.models import Membership
from annotation.services.leases import expire_overdue, lease_lost, lease_next, release_lease, renew_lease
from annotation.services.people import change_membership
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def leased():
    campaign = factories.campaign()
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user), user


def test_a_lease_lasts_thirty_minutes(leased):
    assignment, _user = leased
    assert assignment.expires_at - assignment.leased_at == timedelta(minutes=30)


def test_it_gives_thirty_minutes_from_now(leased):
    assignment, user = leased
    with time_machine.travel(timezone.now() + timedelta(minutes=20), tick=False):
        renewed = renew_lease(assignment_id=assignment.pk, user=user)
        assert renewed.expires_at == timezone.now() + timedelta(minutes=30)


def test_it_never_goes_past_four_hours(leased):
    assignment, user = leased
    with time_machine.travel(assignment.leased_at + timedelta(hours=3, minutes=50), tick=False):
        renewed = renew_lease(assignment_id=assignment.pk, user=user)
        assert renewed.expires_at == assignment.leased_at + timedelta(hours=4)


def test_it_is_refused_once_the_place_was_given_back(leased):
    assignment, user = leased
    release_lease(assignment_id=assignment.pk, user=user)
    with pytest.raises(LeaseLost):
        renew_lease(assignment_id=assignment.pk, user=user)


def test_it_is_refused_once_the_lease_was_swept(leased):
    assignment, user = leased
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        expire_overdue()
        with pytest.raises(LeaseLost, match="still kept"):
            renew_lease(assignment_id=assignment.pk, user=user)


def test_nobody_renews_anothers_lease(leased):
    assignment, _user = leased
    with pytest.raises(NotYourLease):
        renew_lease(assignment_id=assignment.pk, user=factories.person())


def test_each_way_a_lease_ends_is_told_with_what_to_do(leased):
    """What is typed then stays with the person: only a lease that ran out still takes a rating."""
    assignment, _user = leased
    said = {}
    for state in ("expired", "skipped", "released", "withdrawn", "submitted"):
        assignment.state = state
        said[state] = str(lease_lost(assignment))
    assert len(set(said.values())) == 5
    assert [state for state, words in said.items() if "still kept" in words] == ["expired"]
    assert "ask a manager" in said["withdrawn"]


def test_work_on_a_lease_that_a_pause_ended_is_refused_in_words_that_help(leased):
    assignment, user = leased
    change_membership(membership=Membership.objects.get(user=user), state="paused")
    with pytest.raises(LeaseLost, match="paused here"):
        factories.rating(assignment.work_item, user=user, assignment=assignment)
