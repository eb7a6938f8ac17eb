"""Going over the items while people rate: whoever comes first, each item ends as the new rule has it."""

import threading
import uuid

import pytest
from django.db import connection, transaction

from annotation.errors import ConcordError
from annotation.models import Campaign
from annotation.services.items import locked_item
from annotation.services.ratings import submit_rating
from reviews.models import Case
from reviews.rules import Rule
from reviews.services.cases import take_case
from reviews.services.rule import apply_rule, change_rule
from tests import factories
from tests.at_once import at_once
from tests.invariants import breaches

pytestmark = pytest.mark.django_db(transaction=True)
NOBODY = {"range": None, "safety_at_most": None, "marks_split": False, "asked": False}
APART = [{"empathy": 3}, 5]


@pytest.fixture(autouse=True)
def _rubric(transactional_db: None) -> None:
    factories.default_rubric()


def unexpected(outcomes):
    return [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, ConcordError)]


def change_and_apply(campaign, rule):
    change_rule(campaign=campaign, rule=rule)
    return apply_rule(campaign=campaign)


def last_rating_of(item, scores):
    """The item has all its ratings but one; a call that gives the last."""
    held = factories.lease(item, factories.member(item.campaign))
    given = {"client_id": uuid.uuid4(), "scores": factories.full_scores(scores), "seconds": 20}
    return lambda: submit_rating(assignment_id=held.pk, user=held.annotator, **given)


@pytest.mark.parametrize("round_", range(4))
def test_a_rating_that_lands_meanwhile_is_right_under_the_new_rule(round_):
    campaign = factories.campaign(items=6, overlap=2, rule=NOBODY)
    items = factories.items_of(campaign)
    for item in items[:2]:
        factories.rated_item(APART, item=item)
    for item in items[2:]:
        factories.rating(item, {"empathy": 3})
    outcomes = at_once(
        lambda: change_and_apply(campaign, Rule(range=2)), *(last_rating_of(item, 5) for item in items[2:])
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    assert {item.state for item in factories.items_of(campaign)} == {"in_review"}
    assert list(Case.objects.values_list("state", "rule_version")) == [("waiting", 2)] * 6
    assert breaches(campaign) == []


@pytest.mark.parametrize("round_", range(3))
def test_an_edit_and_the_new_rule_end_in_one_state(round_):
    campaign = factories.campaign(items=3, overlap=2, rule=NOBODY)
    items = factories.items_of(campaign)
    lows = [factories.rating(item, {"empathy": 3}) for item in items]
    for item in items:
        factories.rating(item, 5)
    edits = [lambda low=low: factories.edit(low, 5) for low in lows[:2]]
    outcomes = at_once(lambda: change_and_apply(campaign, Rule(range=2)), *edits)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    assert [item.state for item in factories.items_of(campaign)] == ["settled", "settled", "in_review"]
    assert Case.objects.standing().count() == 1


def test_a_rating_that_began_under_the_old_rule_is_waited_for():
    """It holds its item and has read the campaign; the rule changes, and the items are gone over before it ends."""
    campaign = factories.campaign(items=1, overlap=2, rule=NOBODY)
    (item,) = factories.items_of(campaign)
    factories.rating(item, {"empathy": 3})
    last = last_rating_of(item, 5)
    began, changed, ended = threading.Event(), threading.Event(), threading.Event()

    def rate():
        with transaction.atomic():
            locked_item(item.pk)
            began.set()
            last()
            if connection.features.has_select_for_update:  # SQLite lets nobody else write meanwhile
                changed.wait(20)
            ended.set()

    def change():
        began.wait(20)
        change_rule(campaign=campaign, rule=Rule(range=2))
        threading.Timer(0.3, changed.set).start()
        apply_rule(campaign=campaign)
        return ended.is_set()

    outcomes = at_once(rate, change)
    assert outcomes == [None, True]
    assert factories.items_of(campaign)[0].state == "in_review"


@pytest.mark.parametrize("round_", range(3))
def test_a_case_that_is_being_taken_falls_or_is_the_experts(round_):
    campaign = factories.campaign(items=3, overlap=2, rule=NOBODY | {"range": 2})
    for item in factories.items_of(campaign):
        factories.rated_item(APART, item=item)
    expert = factories.member(campaign, "expert")
    case = Case.objects.order_by("pk").last()
    result, taken = at_once(
        lambda: change_and_apply(campaign, Rule(safety_at_most=1)), lambda: take_case(case_id=case.pk, expert=expert)
    )
    assert not unexpected([result, taken])
    case.refresh_from_db()
    item = case.work_item
    if isinstance(taken, Case):
        assert (case.state, case.taken_by, item.state) == ("taken", expert, "in_review")
    else:
        assert (case.state, item.state) == ("fallen", "settled")


def test_going_over_the_items_twice_at_once_does_everything_once():
    campaign = factories.campaign(items=5, overlap=2, rule=NOBODY)
    for item in factories.items_of(campaign):
        factories.rated_item(APART, item=item)
    change_rule(campaign=campaign, rule=Rule(range=2, extra_raters=1))
    outcomes = at_once(*[lambda: apply_rule(campaign=Campaign.objects.get(pk=campaign.pk))] * 3)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    assert sum(outcome["extra"] for outcome in outcomes) == 5
    assert {(item.state, item.needed, item.extra) for item in factories.items_of(campaign)} == {("open", 3, 1)}


def test_two_who_change_the_rule_at_once_make_two_versions_or_are_told():
    campaign = factories.campaign(items=1, overlap=2, rule=NOBODY)
    factories.rated_item(APART, item=factories.items_of(campaign)[0])
    outcomes = at_once(
        lambda: change_rule(campaign=campaign, rule=Rule(range=2), seen=1),
        lambda: change_rule(campaign=campaign, rule=Rule(range=3), seen=1),
    )
    assert not unexpected(outcomes)
    assert sum(isinstance(outcome, Campaign) for outcome in outcomes) == 1
    campaign.refresh_from_db()
    assert campaign.rule_version == 2
