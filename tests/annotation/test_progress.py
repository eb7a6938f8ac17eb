"""How far a campaign is and who has done what."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.models import Membership
from annotation.own_work import items_left
from annotation.progress import progress_of, who_did_what
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.leases import lease_next, skip_item
from annotation.services.people import add_member, change_membership
from tests import factories

pytestmark = pytest.mark.django_db


def test_it_counts_places_of_items_that_are_not_withdrawn():
    campaign = factories.campaign(items=4, overlap=2)
    settled, disputed, begun, gone = factories.items_of(campaign)
    factories.rated_item([5, 5], item=settled)
    factories.rated_item([1, 5], item=disputed)
    factories.rating(begun)
    factories.lease(begun, factories.member(campaign))
    withdraw_item(locked_item(gone.pk))
    progress = progress_of(campaign)
    assert (progress.items, progress.settled, progress.in_review, progress.open, progress.withdrawn) == (4, 1, 1, 1, 1)
    assert (progress.places, progress.got, progress.under_way, progress.left, progress.urgent) == (6, 5, 1, 1, 1)
    assert progress.share == pytest.approx(5 / 6)


def test_it_is_nothing_of_nothing_where_all_is_withdrawn():
    campaign = factories.campaign()
    withdraw_item(locked_item(factories.items_of(campaign)[0].pk))
    assert (progress_of(campaign).places, progress_of(campaign).share) == (0, 0.0)


def test_who_did_what():
    campaign = factories.campaign(items=3, overlap=3)
    mei = factories.member(campaign, user=factories.person("mei"))
    first, second, third = factories.items_of(campaign)
    with time_machine.travel(timezone.now() + timedelta(minutes=1)):
        rating = factories.rating(first, user=mei, seconds=0)
        factories.edit(rating, 4, seconds=1)
    skip_item(assignment_id=factories.lease(second, mei).pk, user=mei, reason="heavy")
    factories.lease(third, mei)
    factories.member(campaign, user=factories.person("ada"))
    ada, doing = who_did_what(campaign)
    assert (ada.user.username, ada.ratings, ada.last) == ("ada", 0, None)
    assert (doing.ratings, doing.surplus, doing.skipped, doing.under_way, doing.seconds) == (1, 0, 1, 1, 1)


def test_who_left_the_campaign_is_still_told_of():
    campaign = factories.campaign(overlap=2)
    rating = factories.rating(factories.items_of(campaign)[0])
    change_membership(membership=Membership.objects.get(user=rating.annotator), state="removed")
    Membership.objects.all().delete()
    assert [(doing.user, doing.membership) for doing in who_did_what(campaign)] == [(rating.annotator, None)]


def test_surplus_is_told_apart():
    campaign = factories.campaign()
    user = factories.member(campaign)
    held = lease_next(campaign=campaign, user=user)
    close_campaign(campaign=campaign)
    factories.rating(held.work_item, user=user, assignment=held)
    assert [(doing.ratings, doing.surplus) for doing in who_did_what(campaign)] == [(0, 1)]


def test_left_counts_what_this_person_can_still_be_given():
    campaign = factories.campaign(items=3, overlap=1)
    user = factories.member(campaign)
    assert items_left(campaign, user) == 3
    factories.lease(factories.items_of(campaign)[0], user)
    assert items_left(campaign, user) == 3
    factories.rating(factories.items_of(campaign)[1])
    assert items_left(campaign, user) == 2


def test_left_never_passes_the_share():
    campaign = factories.campaign(items=3)
    user = factories.person()
    add_member(campaign=campaign, user=user, role="annotator", share=2)
    factories.rating(factories.items_of(campaign)[0], user=user)
    assert items_left(campaign, user) == 1


def test_nothing_is_left_for_who_does_not_rate_here():
    assert items_left(factories.campaign(), factories.person()) == 0
