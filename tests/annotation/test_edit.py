"""An edit supersedes, and changes nothing of what was said before; until an expert takes the item or it closes."""

import uuid

import pytest

from annotation import policy
from annotation.errors import AlreadyRated, EditClosed, RatingInvalid
from annotation.models import Membership, Rating, WorkItem
from annotation.own_ratings import EDITABLE, own_ratings, why_final
from annotation.services.campaigns import close_campaign, open_campaign, pause_campaign
from annotation.services.items import bar_from_item, lock_item, locked_item, unlock_item, withdraw_item
from annotation.services.people import add_member, change_membership
from annotation.services.ratings import submit_rating, withdraw_rating
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def rated():
    campaign = factories.campaign(overlap=2)
    return factories.rating(factories.items_of(campaign)[0], 2)


def values(rating):
    return {score.value for score in rating.scores.all()}


def test_it_supersedes_and_keeps_the_place(rated):
    edited = factories.edit(rated, 4)
    rated.refresh_from_db()
    assert (rated.status, values(rated)) == ("superseded", {2})
    assert (edited.status, edited.rank, edited.supersedes, values(edited)) == ("counted", 1, rated, {4})


def test_the_item_counts_one(rated):
    for scores in (3, 4, 5):
        rated = factories.edit(rated, scores)
    assert rated.work_item.ratings.counted().count() == 1


def test_it_runs_the_rule_again(rated):
    factories.rating(rated.work_item, 5)
    item = WorkItem.objects.get(pk=rated.work_item_id)
    assert item.state == "in_review"
    factories.edit(rated, 5)
    item.refresh_from_db()
    assert item.state == "settled"


def test_twice_with_one_client_id_is_one_edit(rated):
    client_id = uuid.uuid4()
    assert factories.edit(rated, 4, client_id=client_id) == factories.edit(rated, 4, client_id=client_id)
    assert Rating.objects.count() == 2


def test_an_edit_of_what_was_edited_meanwhile_is_refused_with_what_stands(rated):
    newer = factories.edit(rated, 4)
    with pytest.raises(AlreadyRated) as error:
        factories.edit(rated, 1)
    assert error.value.more["rating"] == newer.pk


@pytest.mark.parametrize("number", [True, "1", 1.0, [], {}])
def test_supersedes_is_a_number(rated, number):
    with pytest.raises(RatingInvalid) as error:
        submit_rating(
            assignment_id=rated.assignment_id,
            user=rated.annotator,
            client_id=uuid.uuid4(),
            scores=factories.full_scores(3),
            supersedes=number,
        )
    assert "supersedes" in error.value.fields


def test_a_first_rating_supersedes_nothing(rated):
    with pytest.raises(RatingInvalid) as error:
        factories.rating(rated.work_item, supersedes=rated.pk)
    assert "supersedes" in error.value.fields


def test_a_faulty_edit_leaves_what_stood(rated):
    with pytest.raises(RatingInvalid):
        factories.edit(rated, 9)
    rated.refresh_from_db()
    assert rated.status == "counted"


def test_it_is_refused_once_an_expert_has_the_item_and_taken_once_it_is_given_back(rated):
    lock_item(locked_item(rated.work_item_id))
    with pytest.raises(EditClosed) as error:
        factories.edit(rated, 4)
    assert error.value.more["rating"] == rated.pk
    unlock_item(locked_item(rated.work_item_id))
    assert factories.edit(rated, 4).status == "counted"


def test_it_is_refused_once_the_campaign_is_closed(rated):
    close_campaign(campaign=rated.work_item.campaign)
    with pytest.raises(EditClosed):
        factories.edit(rated, 4)


def test_it_is_taken_again_once_the_campaign_is_opened_again(rated):
    close_campaign(campaign=rated.work_item.campaign)
    open_campaign(campaign=rated.work_item.campaign, reason="a batch was forgotten")
    assert factories.edit(rated, 4).status == "counted"


def test_it_is_taken_in_a_paused_campaign_and_of_a_paused_member(rated):
    pause_campaign(campaign=rated.work_item.campaign)
    change_membership(membership=Membership.objects.get(user=rated.annotator), state="paused")
    assert factories.edit(rated, 4).status == "counted"


def test_it_is_refused_of_who_was_removed_and_may_see_the_others_now(rated):
    campaign = rated.work_item.campaign
    change_membership(membership=Membership.objects.get(user=rated.annotator), state="removed")
    add_member(campaign=campaign, user=rated.annotator, role="manager")
    with pytest.raises(EditClosed, match="no longer rate"):
        factories.edit(rated, 4)


def test_it_is_refused_of_who_has_seen_since_what_others_say(rated):
    """In a training round, say, that holds the same response."""
    bar_from_item(locked_item(rated.work_item_id), rated.annotator)
    with pytest.raises(EditClosed, match="seen since"):
        factories.edit(rated, 4)
    assert not policy.may_edit_rating(rated.annotator, Rating.objects.get(pk=rated.pk))
    mine = Membership.objects.get(user=rated.annotator)
    assert not own_ratings(mine, show=EDITABLE).exists()
    assert "seen since" in why_final(own_ratings(mine).get())


def test_it_is_refused_on_a_withdrawn_item(rated):
    withdraw_item(locked_item(rated.work_item_id))
    with pytest.raises(EditClosed):
        factories.edit(rated, 4)


def test_it_is_refused_of_a_withdrawn_rating(rated):
    withdraw_rating(rating_id=rated.pk)
    with pytest.raises(EditClosed, match="withdrawn"):
        factories.edit(rated, 4)


def test_a_surplus_rating_stays_surplus(rated):
    campaign = rated.work_item.campaign
    user = factories.member(campaign)
    held = factories.lease(rated.work_item, user)
    close_campaign(campaign=campaign)
    late = factories.rating(rated.work_item, user=user, assignment=held)
    open_campaign(campaign=campaign, reason="a batch was forgotten")
    assert (late.status, factories.edit(late, 3).status) == ("surplus", "surplus")
