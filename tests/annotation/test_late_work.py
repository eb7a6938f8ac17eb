"""Nothing that was typed is refused for lateness: counted while there is a place, else kept as surplus."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import AlreadyRated, LeaseLost
from annotation.models import Assignment, Membership, WorkItem
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.imported import ImportedScore, import_ratings
from annotation.services.items import bar_from_item, locked_item, withdraw_item
from annotation.services.leases import expire_overdue, lease_next
from annotation.services.people import add_member, change_membership
from annotation.services.ratings import withdraw_rating
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def late():
    """A lease that ran out an hour ago on an item that needs one rater; it is an hour later now."""
    campaign = factories.campaign(overlap=1)
    assignment = lease_next(campaign=campaign, user=factories.member(campaign))
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        expire_overdue()
        assignment.refresh_from_db()
        assert assignment.state == "expired"
        yield assignment


def submit(assignment, scores=4, **given):
    return factories.rating(
        assignment.work_item, scores, user=assignment.annotator, assignment=assignment, seconds=600, **given
    )


def item_of(assignment):
    return WorkItem.objects.get(pk=assignment.work_item_id)


def test_it_counts_while_the_item_has_a_place(late):
    assert submit(late).status == "counted"
    assert item_of(late).state == "settled"


def test_it_counts_where_the_lease_ran_out_and_nobody_has_swept():
    campaign = factories.campaign(overlap=1)
    assignment = lease_next(campaign=campaign, user=factories.member(campaign))
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        assert submit(assignment).status == "counted"


def test_it_is_surplus_where_another_has_rated(late):
    factories.rating(late.work_item, 5)
    rating = submit(late)
    assert (rating.status, rating.rank, rating.seconds) == ("surplus", 2, 600)
    assert item_of(late).counted == 1


def test_it_is_surplus_where_another_holds_the_place(late):
    newer = lease_next(campaign=late.campaign, user=factories.member(late.campaign))
    assert submit(late).status == "surplus"
    assert submit(newer).status == "counted"


def test_a_surplus_rating_opens_no_case(late):
    factories.rating(late.work_item, 5)
    submit(late, 1)
    assert item_of(late).state == "settled"


def test_a_newer_lease_of_the_same_person_on_the_item_is_handed_back(late):
    newer = lease_next(campaign=late.campaign, user=late.annotator)
    assert newer.work_item == late.work_item
    assert submit(late).status == "counted"
    newer.refresh_from_db()
    assert newer.state == Assignment.State.RELEASED


def test_the_newer_lease_then_answers_with_the_rating_that_stands(late):
    newer = lease_next(campaign=late.campaign, user=late.annotator)
    standing = submit(late)
    with pytest.raises(AlreadyRated) as error:
        submit(newer)
    assert error.value.more["rating"] == standing.pk


def test_after_the_newer_lease_was_rated_the_older_answers_with_what_stands(late):
    standing = submit(lease_next(campaign=late.campaign, user=late.annotator))
    with pytest.raises(AlreadyRated) as error:
        submit(late)
    assert error.value.more["rating"] == standing.pk


def test_it_is_refused_where_a_manager_withdrew_what_they_said_since(late):
    withdrawn = submit(lease_next(campaign=late.campaign, user=late.annotator))
    withdraw_rating(rating_id=withdrawn.pk)
    with pytest.raises(AlreadyRated) as error:
        submit(late)
    assert error.value.more == {"rating": withdrawn.pk, "status_of_rating": "withdrawn"}


def test_it_counts_in_a_paused_campaign(late):
    pause_campaign(campaign=late.campaign)
    assert submit(late).status == "counted"


def test_it_is_surplus_in_a_closed_campaign(late):
    close_campaign(campaign=late.campaign)
    assert submit(late).status == "surplus"


def test_a_lease_that_the_closing_ended_is_surplus_too():
    campaign = factories.campaign()
    assignment = lease_next(campaign=campaign, user=factories.member(campaign))
    close_campaign(campaign=campaign)
    assert submit(assignment).status == "surplus"


def test_it_is_surplus_on_an_item_that_was_withdrawn(late):
    withdraw_item(locked_item(late.work_item_id))
    assert submit(late).status == "surplus"


def test_it_counts_for_a_paused_member(late):
    change_membership(membership=Membership.objects.get(user=late.annotator), state="paused")
    assert submit(late).status == "counted"


def test_it_is_surplus_for_who_was_removed_and_may_see_the_others_now(late):
    change_membership(membership=Membership.objects.get(user=late.annotator), state="removed")
    add_member(campaign=late.campaign, user=late.annotator, role="manager")
    assert submit(late).status == "surplus"


def test_it_is_surplus_for_who_has_seen_since_what_others_say(late):
    bar_from_item(locked_item(late.work_item_id), late.annotator)
    assert submit(late).status == "surplus"


def test_so_is_work_in_time_of_who_has_seen_since_what_others_say():
    campaign = factories.campaign(overlap=1)
    assignment = lease_next(campaign=campaign, user=factories.member(campaign))
    bar_from_item(locked_item(assignment.work_item_id), assignment.annotator)
    assert submit(assignment).status == "surplus"
    assert (item_of(assignment).counted, item_of(assignment).leased) == (0, 0)


def test_what_a_pause_of_the_member_ended_is_refused():
    campaign = factories.campaign()
    user = factories.member(campaign)
    assignment = lease_next(campaign=campaign, user=user)
    change_membership(membership=Membership.objects.get(user=user), state="paused")
    with pytest.raises(LeaseLost):
        submit(assignment)


def test_a_lease_on_an_item_that_a_file_has_filled_is_surplus():
    campaign = factories.campaign(overlap=1)
    assignment = lease_next(campaign=campaign, user=factories.member(campaign))
    item_id = assignment.work_item.response.item_id
    import_ratings(campaign=campaign, scores=[ImportedScore(2, item_id, "another", "safety", 5)])
    assert submit(assignment).status == "surplus"
