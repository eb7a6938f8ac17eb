"""A manager takes a rating out of what counts, and may take it back; both are in the campaign's log."""

import pytest

from annotation.errors import MoveRefused
from annotation.models import CampaignEvent, WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.leases import lease_next
from annotation.services.ratings import restore_rating, withdraw_rating
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated():
    return factories.rating(factories.items_of(factories.campaign(overlap=1))[0])


def item_of(rating):
    return WorkItem.objects.get(pk=rating.work_item_id)


def test_the_item_wants_a_rater_again(rated):
    withdraw_rating(rating_id=rated.pk)
    assert (item_of(rated).state, item_of(rated).counted) == ("open", 0)


def test_the_log_says_who_and_why(rated):
    manager = factories.member(rated.work_item.campaign, "manager")
    withdraw_rating(rating_id=rated.pk, by=manager, reason="asked for it")
    event = CampaignEvent.objects.get(kind="rating withdrawn")
    assert (event.by, event.detail) == (manager, {"rating": rated.pk, "reason": "asked for it"})


def test_taken_back_it_counts_while_there_is_a_place(rated):
    withdraw_rating(rating_id=rated.pk)
    assert restore_rating(rating_id=rated.pk).status == "counted"
    assert item_of(rated).state == "settled"


def test_taken_back_it_is_surplus_where_another_has_rated_since(rated):
    withdraw_rating(rating_id=rated.pk)
    factories.rating(rated.work_item)
    assert restore_rating(rating_id=rated.pk).status == "surplus"


def test_taken_back_it_is_surplus_where_another_holds_the_place(rated):
    withdraw_rating(rating_id=rated.pk)
    factories.lease(rated.work_item, factories.member(rated.work_item.campaign))
    assert restore_rating(rating_id=rated.pk).status == "surplus"


def test_a_surplus_rating_withdrawn_changes_no_count():
    campaign = factories.campaign(overlap=1)
    user = factories.member(campaign)
    held = factories.lease(factories.items_of(campaign)[0], user)
    close_campaign(campaign=campaign)
    late = factories.rating(held.work_item, user=user, assignment=held)
    assert withdraw_rating(rating_id=late.pk).status == "withdrawn"
    assert item_of(late).counted == 0


def test_who_was_withdrawn_is_not_given_the_item_again(rated):
    withdraw_rating(rating_id=rated.pk)
    assert lease_next(campaign=rated.work_item.campaign, user=rated.annotator) is None


def test_what_was_superseded_is_neither_withdrawn_nor_taken_back(rated):
    factories.edit(rated, 3)
    for verb in (withdraw_rating, restore_rating):
        with pytest.raises(MoveRefused):
            verb(rating_id=rated.pk)
