"""An item handed back goes to the pool untouched."""

import pytest

from annotation.errors import LeaseLost, MoveRefused, NotYourLease
from annotation.services.leases import lease_next, release_lease
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def leased():
    campaign = factories.campaign(overlap=1)
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user), user


def test_the_place_is_free_for_the_next_person_at_once(leased):
    assignment, user = leased
    other = factories.member(assignment.campaign)
    assert lease_next(campaign=assignment.campaign, user=other) is None
    release_lease(assignment_id=assignment.pk, user=user)
    assert lease_next(campaign=assignment.campaign, user=other).work_item == assignment.work_item


def test_twice_is_refused_and_frees_the_place_once(leased):
    assignment, user = leased
    release_lease(assignment_id=assignment.pk, user=user)
    with pytest.raises(MoveRefused):
        release_lease(assignment_id=assignment.pk, user=user)


def test_nobody_hands_back_anothers_item(leased):
    assignment, _user = leased
    with pytest.raises(NotYourLease):
        release_lease(assignment_id=assignment.pk, user=factories.person())


def test_what_was_handed_back_cannot_be_rated(leased):
    assignment, user = leased
    release_lease(assignment_id=assignment.pk, user=user)
    with pytest.raises(LeaseLost):
        factories.rating(assignment.work_item, user=user, assignment=assignment)
