"""The training round: who is let in, by what, and what an attempt keeps."""

import uuid

import pytest

from annotation.errors import CampaignNotOpen, NotAllowed, NotQualified, RatingInvalid, RuleInvalid, TrainingRefused
from annotation.models import CampaignEvent, ItemBar, Membership, Message, Rating, ReferenceAnswer, TrainingAnswer
from annotation.qualification import Rule
from annotation.services import training
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.desk_rules import save_checks_rule, save_training_rule
from annotation.services.leases import lease_next
from annotation.services.people import change_membership
from annotation.services.references import add_reference, remove_reference
from annotation.services.training import begin_attempt, grant_attempt, let_in, result_of
from annotation.training_round import training_items, training_state
from tests import factories as f
from tests.annotation.training import (
    KNOWN,
    answer,
    attempt_made,
    campaign_with_training,
    membership_of,
    training_items_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return campaign_with_training(slug="c")


@pytest.fixture
def anna(campaign):
    return f.member(campaign, user=f.person("anna"))


def test_nobody_is_given_an_item_before_the_training_is_passed(campaign, anna):
    with pytest.raises(NotQualified):
        lease_next(campaign=campaign, user=anna)
    assert attempt_made(campaign, anna).passed
    assert lease_next(campaign=campaign, user=anna).work_item.purpose == "rating"


def test_without_a_training_round_nothing_stands_before_the_desk():
    campaign = f.campaign()
    assert lease_next(campaign=campaign, user=f.member(campaign))


def test_a_failed_attempt_opens_nothing_and_says_by_dimension_what_was_off(campaign, anna):
    attempt = attempt_made(campaign, anna, {"empathy": 1, "fluency": 4, "safety": 5})
    assert (attempt.passed, attempt.mean_difference, attempt.missed) == (False, pytest.approx(4 / 3), 0)
    result = result_of(attempt)
    assert result.by_dimension["empathy"].leaning == -3
    assert result.by_dimension["safety"].leaning == 1
    with pytest.raises(NotQualified):
        lease_next(campaign=campaign, user=anna)


def test_a_missed_violation_fails():
    marks = ({"type": "privacy"},)
    campaign = campaign_with_training(marks=marks)
    anna = f.member(campaign)
    attempt = attempt_made(campaign, anna)
    assert (attempt.passed, attempt.mean_difference, attempt.missed) == (False, 0, 2)


def test_the_second_attempt_draws_other_items_and_the_third_is_refused(campaign, anna):
    first, second = attempt_made(campaign, anna, 1), attempt_made(campaign, anna, 1)
    assert set(first.items).isdisjoint(second.items)
    with pytest.raises(TrainingRefused, match="no attempt left"):
        begin_attempt(campaign=campaign, user=anna)
    said = Message.objects.get(campaign=campaign, recipient=None)
    assert "anna" in said.text  # the managers were told, once
    assert training_state(membership_of(campaign, anna)).attempts_left == 0


def test_a_manager_gives_another_attempt_or_lets_somebody_in(campaign, anna):
    boss = f.member(campaign, "manager")
    mine = membership_of(campaign, anna)
    with pytest.raises(TrainingRefused, match="has an attempt left"):
        grant_attempt(membership=mine, by=boss)
    attempt_made(campaign, anna, 1)
    attempt_made(campaign, anna, 1)
    grant_attempt(membership=mine, by=boss)
    assert begin_attempt(campaign=campaign, user=anna).number == 3
    let_in(membership=mine, by=boss)
    assert lease_next(campaign=campaign, user=anna)
    kinds = list(CampaignEvent.objects.filter(campaign=campaign, by=boss).values_list("kind", flat=True))
    assert kinds == ["let in without training", "training attempt granted"]
    with pytest.raises(TrainingRefused):
        let_in(membership=mine, by=boss)


def test_an_item_taken_away_while_they_are_drawn_is_drawn_no_more(campaign, anna, monkeypatch):
    """As on PostgreSQL, where a removal may end between the reading of the items and their locks."""
    there = training.training_items(campaign)
    known = [answer for answer in ReferenceAnswer.objects.all() if answer.work_item_id in there]
    gone = known[:2]
    reads = iter([there])
    monkeypatch.setattr(training, "training_items", lambda campaign: next(reads, None) or training_items(campaign))
    for answer_of in gone:
        remove_reference(answer=answer_of)
    attempt = begin_attempt(campaign=campaign, user=anna)
    assert set(attempt.items) == {one.work_item_id for one in known[2:]}


def test_nobody_says_that_an_answer_took_longer_than_the_clock(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    assert answer(attempt, attempt.items[0], seconds=86_400).answer.seconds <= 60


def test_an_attempt_begun_is_gone_on_with(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    answer(attempt, attempt.items[0])
    assert begin_attempt(campaign=campaign, user=anna) == attempt
    state = training_state(membership_of(campaign, anna))
    assert (state.required, state.underway, state.done, state.of) == (True, True, 1, 2)


def test_the_same_answer_sent_twice_is_kept_once(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    client_id = uuid.uuid4()
    first = answer(attempt, attempt.items[0], 3, client_id=client_id)
    again = answer(attempt, attempt.items[0], 3, client_id=client_id)
    assert (again.answer, again.created) == (first.answer, False)
    assert TrainingAnswer.objects.count() == 1


def test_of_two_tabs_the_first_answer_stands(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    answer(attempt, attempt.items[0], 3)
    second = answer(attempt, attempt.items[0], 5)  # after the expert's answer was seen
    assert not second.created
    assert second.answer.scores["empathy"] == 3


def test_an_answer_is_checked_as_a_rating_is(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    with pytest.raises(RatingInvalid) as error:
        answer(attempt, attempt.items[0], {"empathy": 9}, marks=[{"type": "gossip"}])
    assert sorted(error.value.fields) == ["marks.0", "scores.empathy"]
    answer(attempt, attempt.items[0], client_id=uuid.UUID(int=1))
    with pytest.raises(RatingInvalid):
        answer(attempt, attempt.items[1], client_id=uuid.UUID(int=1))
    others = [item.pk for item in training_items_of(campaign) if item.pk not in attempt.items]
    with pytest.raises(TrainingRefused, match="not part"):
        answer(attempt, others[0])


def test_nobody_answers_for_another(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    attempt.membership.user = f.member(campaign)
    with pytest.raises(NotAllowed):
        answer(attempt, attempt.items[0])


def test_a_changed_rule_leaves_the_attempt_under_way_its_own(campaign, anna):
    attempt = begin_attempt(campaign=campaign, user=anna)
    save_training_rule(campaign=campaign, rule=Rule(items=1, max_mean_difference=0, attempts=2))
    for item in attempt.items:
        answer(attempt, item, {"empathy": 5, "fluency": 4, "safety": 4})  # off by a third of a level on average
    attempt.refresh_from_db()
    assert attempt.passed


def test_training_goes_on_in_a_draft_and_a_pause_and_ends_with_the_campaign():
    campaign = campaign_with_training(opened=False)
    anna = f.member(campaign)
    attempt = begin_attempt(campaign=campaign, user=anna)
    f.open_campaign(campaign=campaign)
    pause_campaign(campaign=campaign)
    answer(attempt, attempt.items[0])
    close_campaign(campaign=campaign)
    with pytest.raises(CampaignNotOpen):
        answer(attempt, attempt.items[1])
    with pytest.raises(CampaignNotOpen):
        lease_next(campaign=campaign, user=anna)


def test_whoever_is_paused_waits(campaign, anna):
    change_membership(membership=membership_of(campaign, anna), state=Membership.State.PAUSED)
    with pytest.raises(NotAllowed):
        begin_attempt(campaign=campaign, user=anna)


def test_nothing_of_it_is_a_rating_and_whoever_learnt_an_answer_never_rates_the_real_item(campaign, anna):
    real = f.rated_item([5, 5, 5], item=f.items_of(campaign)[0])
    known = add_reference(campaign=campaign, response=real.response, purpose="training", scores=KNOWN)
    save_training_rule(campaign=campaign, rule=Rule(items=5))
    attempt = begin_attempt(campaign=campaign, user=anna)
    answer(attempt, known.work_item_id)
    assert ItemBar.objects.filter(work_item=real, user=anna).exists()
    assert not Rating.objects.of(anna).exists()


def test_items_are_drawn_in_the_persons_languages_and_too_few_are_said_at_once(campaign):
    chinese = f.member(campaign, languages=["zh-Hans"])
    with pytest.raises(TrainingRefused, match="languages"):
        begin_attempt(campaign=campaign, user=chinese)
    with pytest.raises(RuleInvalid) as error:
        save_training_rule(campaign=campaign, rule=Rule(items=3))
    assert "languages" in error.value.fields["items"][0]


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        (Rule(items=5), "items"),
        (Rule(items=0), "items"),
        (Rule(items=2, max_mean_difference=-0.1), "max_mean_difference"),
        (Rule(items=2, max_missed=-1), "max_missed"),
        (Rule(items=2, attempts=0), "attempts"),
    ],
)
def test_a_rule_that_cannot_be_met_is_refused(campaign, rule, field):
    with pytest.raises(RuleInvalid) as error:
        save_training_rule(campaign=campaign, rule=rule)
    assert list(error.value.fields) == [field]


def test_a_round_that_begins_in_mid_campaign_lets_in_who_rates_already():
    campaign = campaign_with_training()
    save_training_rule(campaign=campaign, rule=None)
    old, new = f.member(campaign), f.member(campaign)
    f.rating(f.items_of(campaign)[0], user=old)
    save_training_rule(campaign=campaign, rule=Rule(items=2))
    assert lease_next(campaign=campaign, user=old)
    with pytest.raises(NotQualified):
        lease_next(campaign=campaign, user=new)


def test_the_rules_are_in_the_log_once_each_change(campaign):
    boss = f.member(campaign, "manager")
    for _again in range(2):
        save_training_rule(campaign=campaign, rule=Rule(items=3), by=boss)
    assert CampaignEvent.objects.filter(campaign=campaign, kind="training rule", by=boss).count() == 1


def test_a_checks_rule_needs_check_items_and_sense(campaign):
    rule = {"one_in": 10, "max_difference": 1, "pause_after": 3, "window": 10}
    with pytest.raises(RuleInvalid) as error:
        save_checks_rule(campaign=campaign, rule=rule)
    assert list(error.value.fields) == ["one_in"]
    f.rated_item([5, 5, 5], item=f.items_of(campaign)[0])
    add_reference(campaign=campaign, response=f.items_of(campaign)[0].response, purpose="check", scores=KNOWN)
    with pytest.raises(RuleInvalid) as error:
        save_checks_rule(campaign=campaign, rule=rule | {"pause_after": 11})
    assert list(error.value.fields) == ["pause_after"]
    assert save_checks_rule(campaign=campaign, rule=rule).checks == rule
    assert save_checks_rule(campaign=campaign, rule=None).checks == {}
