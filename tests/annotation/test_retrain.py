"""Who is asked to train again is given nothing until they have passed once more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import CampaignNotOpen, LeaseLost, NotAllowed, NotQualified, TrainingRefused
from annotation.models import Assignment, Campaign, CampaignEvent, Membership, Message
from annotation.qualification import Rule
from annotation.services.campaigns import close_campaign
from annotation.services.desk_rules import save_training_rule
from annotation.services.leases import end_stranded, lease_next
from annotation.services.retraining import retrain
from annotation.services.training import grant_attempt, let_in
from annotation.training_round import training_state
from tests import factories as f
from tests.annotation.training import attempt_made, campaign_with_training, membership_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return campaign_with_training()


@pytest.fixture
def anna(campaign):
    """She has passed with her second attempt, the last the rule gives."""
    anna = f.member(campaign)
    attempt_made(campaign, anna, 1)
    attempt_made(campaign, anna, 4)
    assert membership_of(campaign, anna).qualified_at is not None
    return anna


def again(campaign, user, **given):
    return retrain(membership=membership_of(campaign, user), **given)


def test_they_are_given_nothing_until_they_have_passed_again(campaign, anna):
    assert lease_next(campaign=campaign, user=anna) is not None
    again(campaign, anna)
    with pytest.raises(NotQualified):
        lease_next(campaign=campaign, user=anna)
    attempt_made(campaign, anna, 1)
    with pytest.raises(NotQualified):
        lease_next(campaign=campaign, user=anna)
    assert attempt_made(campaign, anna, 4).number == 4
    assert lease_next(campaign=campaign, user=anna) is not None


def test_they_have_all_attempts_of_the_rule_anew_and_no_more(campaign, anna):
    again(campaign, anna)
    assert training_state(membership_of(campaign, anna)).attempts_left == 2
    for left in (1, 0):
        attempt_made(campaign, anna, 1)
        assert training_state(membership_of(campaign, anna)).attempts_left == left
    with pytest.raises(TrainingRefused):
        attempt_made(campaign, anna)
    assert Message.objects.filter(recipient=None, text__contains="no attempt left").count() == 1
    grant_attempt(membership=membership_of(campaign, anna))
    assert training_state(membership_of(campaign, anna)).attempts_left == 1


def test_an_attempt_given_before_is_none_of_the_new_ones(campaign):
    anna = f.member(campaign)
    attempt_made(campaign, anna, 1)
    attempt_made(campaign, anna, 1)
    grant_attempt(membership=membership_of(campaign, anna))
    attempt_made(campaign, anna, 4)
    again(campaign, anna)
    assert training_state(membership_of(campaign, anna)).attempts_left == 2


def test_what_they_have_in_hand_is_taken_back_and_what_they_rated_stays(campaign, anna):
    item, other = f.items_of(campaign)[:2]
    kept = f.rating(item, user=anna)
    held = f.lease(other, anna)
    again(campaign, anna)
    held.refresh_from_db()
    other.refresh_from_db()
    kept.refresh_from_db()
    assert (held.state, other.leased, kept.status) == ("withdrawn", 0, "counted")
    with pytest.raises(LeaseLost, match="asked to train again"):
        f.rating(other, user=anna, assignment=held)


def test_it_is_logged_and_they_are_told(campaign, anna):
    manager = f.member(campaign, "manager")
    membership = again(campaign, anna, by=manager)
    event = CampaignEvent.objects.get(kind="asked to train again")
    assert (event.by, event.detail) == (manager, {"member": membership.pk, "user": anna.username})
    assert "training once more" in Message.objects.get(recipient=anna).text


def test_a_lease_that_was_left_is_swept(campaign, anna):
    held = f.lease(f.items_of(campaign)[0], anna)
    Membership.objects.filter(user=anna).update(qualified_at=None, retrained_at=timezone.now() + timedelta(seconds=1))
    assert end_stranded() == 1
    held.refresh_from_db()
    assert held.state == Assignment.State.WITHDRAWN


def test_a_lease_from_before_there_was_a_round_is_not_swept():
    campaign = campaign_with_training()
    anna = f.member(campaign)
    held = f.lease(f.items_of(campaign)[0], anna)
    assert end_stranded() == 0
    held.refresh_from_db()
    assert held.state == Assignment.State.LEASED


def test_a_manager_may_still_let_them_in(campaign, anna):
    let_in(membership=again(campaign, anna))
    assert lease_next(campaign=campaign, user=anna) is not None


def test_a_round_that_begins_again_does_not_let_them_in(campaign, anna):
    f.rating(f.items_of(campaign)[0], user=anna)
    again(campaign, anna)
    save_training_rule(campaign=campaign, rule=None)
    save_training_rule(campaign=campaign, rule=Rule(items=2, attempts=2))
    assert membership_of(campaign, anna).qualified_at is None


def test_it_is_refused_where_nobody_could_pass(campaign, anna):
    with pytest.raises(TrainingRefused, match="still to pass"):
        again(campaign, f.member(campaign))
    with pytest.raises(NotAllowed):
        retrain(membership=Membership.objects.get(user=f.member(campaign, "expert")))
    Membership.objects.filter(user=anna).update(languages=["ja"])
    with pytest.raises(TrainingRefused, match="too few"):
        again(campaign, anna)
    Membership.objects.filter(user=anna).update(languages=[], state="removed")
    with pytest.raises(NotAllowed):
        again(campaign, anna)
    Membership.objects.filter(user=anna).update(state="active")
    Campaign.objects.update(training={})
    with pytest.raises(TrainingRefused, match="no training round"):
        again(campaign, anna)
    close_campaign(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        again(campaign, anna)
    assert membership_of(campaign, anna).qualified_at is not None
