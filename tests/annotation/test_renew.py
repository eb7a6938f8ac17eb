"""A lease is renewed by activity, up to four hours."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import LeaseLost, NotYourLease
from annotation.services.leases import expire_overdue, lease_next, release_lease, renew_lease
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
