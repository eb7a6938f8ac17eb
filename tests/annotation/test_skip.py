"""A skip has a reason, frees the place for others, and can be taken back while the item still wants raters."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import CampaignNotOpen, MoveRefused, NotAllowed, NotYourLease, RatingInvalid
from annotation.models import Assignment, Membership
from annotation.services.campaigns import pause_campaign
from annotation.services.items import bar_from_item
from annotation.services.leases import expire_overdue, lease_next, skip_item, take_back_skip
from annotation.services.people import add_member, change_membership
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def leased():
    campaign = factories.campaign(overlap=1)
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user), user


@pytest.fixture
def skipped(leased):
    assignment, user = leased
    return skip_item(assignment_id=assignment.pk, user=user, reason="heavy", note="another day"), user


def test_it_keeps_the_reason_and_the_note(skipped):
    assignment, _user = skipped
    assignment.refresh_from_db()
    assert (assignment.state, assignment.skip_reason, assignment.skip_note) == ("skipped", "heavy", "another day")


def test_the_item_is_free_for_others_at_once(skipped):
    assignment, _user = skipped
    other = factories.member(assignment.campaign)
    assert lease_next(campaign=assignment.campaign, user=other).work_item == assignment.work_item


@pytest.mark.parametrize("reason", ["", "bored", None, 3, [], {}])
def test_it_needs_a_reason_of_the_list(leased, reason):
    assignment, user = leased
    with pytest.raises(RatingInvalid) as refused:
        skip_item(assignment_id=assignment.pk, user=user, reason=reason)
    assert "reason" in refused.value.fields


@pytest.mark.parametrize("note", ["a\x00b", "\ud83d", "x" * 2001, 5, None])
def test_a_note_that_cannot_be_stored_is_refused(leased, note):
    assignment, user = leased
    with pytest.raises(RatingInvalid) as refused:
        skip_item(assignment_id=assignment.pk, user=user, reason="other", note=note)
    assert "note" in refused.value.fields


def test_twice_is_the_same_answer(skipped):
    assignment, user = skipped
    again = skip_item(assignment_id=assignment.pk, user=user, reason="broken")
    assert (again.pk, again.skip_reason) == (assignment.pk, "heavy")


def test_nobody_skips_for_another(leased):
    assignment, _user = leased
    with pytest.raises(NotYourLease):
        skip_item(assignment_id=assignment.pk, user=factories.person(), reason="heavy")


def test_taken_back_it_is_theirs_again(skipped):
    assignment, user = skipped
    taken = take_back_skip(assignment_id=assignment.pk, user=user)
    assert (taken.state, taken.skip_reason, taken.skip_note) == (Assignment.State.LEASED, "", "")
    assert lease_next(campaign=assignment.campaign, user=user) == taken
    assert factories.rating(assignment.work_item, user=user, assignment=taken).status == "counted"


def test_it_cannot_be_taken_back_once_the_item_has_its_raters(skipped):
    assignment, user = skipped
    factories.rating(assignment.work_item)
    with pytest.raises(MoveRefused, match="raters"):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_while_others_hold_the_places(skipped):
    assignment, user = skipped
    lease_next(campaign=assignment.campaign, user=factories.member(assignment.campaign))
    with pytest.raises(MoveRefused):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_twice(skipped):
    assignment, user = skipped
    take_back_skip(assignment_id=assignment.pk, user=user)
    with pytest.raises(MoveRefused):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_in_a_paused_campaign(skipped):
    assignment, user = skipped
    pause_campaign(campaign=assignment.campaign)
    with pytest.raises(CampaignNotOpen):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_by_a_paused_member(skipped):
    assignment, user = skipped
    change_membership(membership=Membership.objects.get(user=user), state="paused")
    with pytest.raises(NotAllowed):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_by_another(skipped):
    assignment, _user = skipped
    with pytest.raises(NotYourLease):
        take_back_skip(assignment_id=assignment.pk, user=factories.member(assignment.campaign))


def test_it_cannot_be_taken_back_by_who_has_seen_the_ratings(skipped):
    assignment, user = skipped
    bar_from_item(assignment.work_item, user)
    with pytest.raises(MoveRefused):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_once_their_language_is_another(skipped):
    assignment, user = skipped
    add_member(campaign=assignment.campaign, user=user, role="annotator", languages=["zh-Hans"])
    with pytest.raises(MoveRefused):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_past_the_share(skipped):
    assignment, user = skipped
    add_member(campaign=assignment.campaign, user=user, role="annotator", share=0)
    with pytest.raises(MoveRefused, match="share"):
        take_back_skip(assignment_id=assignment.pk, user=user)


def test_it_cannot_be_taken_back_where_late_work_of_theirs_stands():
    campaign = factories.campaign(overlap=3)
    user = factories.member(campaign)
    first = lease_next(campaign=campaign, user=user)
    with time_machine.travel(timezone.now() + timedelta(minutes=31)):
        expire_overdue()
        second = lease_next(campaign=campaign, user=user)
        assert second.work_item == first.work_item
        skip_item(assignment_id=second.pk, user=user, reason="unsure")
        factories.rating(first.work_item, user=user, assignment=first)
        with pytest.raises(MoveRefused, match="since"):
            take_back_skip(assignment_id=second.pk, user=user)
