"""Taking out what a rater gave while they and others rate: each rating is out or stands, and every count is right."""

import pytest

from annotation.errors import ConcordError, EditClosed
from annotation.models import Rating
from annotation.services.leases import lease_next
from reviews.models import RatingWithdrawal
from reviews.services.withdrawals import ask_revert, ask_withdrawal, bring_back, take_out
from tests import factories
from tests.at_once import at_once
from tests.invariants import breaches
from tests.reviews.withdrawing import day, statuses, withdraw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _rubric(transactional_db: None) -> None:
    factories.default_rubric()


def unexpected(outcomes):
    return [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, ConcordError)]


@pytest.fixture
def campaign():
    return factories.campaign(items=3, overlap=2)


@pytest.fixture
def anna(campaign):
    return factories.member(campaign)


@pytest.mark.parametrize("round_", range(4))
def test_a_submit_that_lands_meanwhile_is_out_or_was_given_after_it(campaign, anna, round_):
    first, second, _third = factories.items_of(campaign)
    factories.rating(first, user=anna)
    held = factories.lease(second, anna)
    outcomes = at_once(lambda: withdraw(campaign, anna), lambda: factories.rating(second, user=anna, assignment=held))
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    done, rating = outcomes
    rating.refresh_from_db()
    assert (rating.status == "withdrawn") == done.rows.filter(rating=rating).exists()
    assert (rating.status == "counted") == (rating.submitted_at > done.at)
    assert statuses(anna)[0] == "withdrawn"
    assert breaches(campaign) == []


@pytest.mark.parametrize("round_", range(4))
def test_an_edit_that_lands_meanwhile_does_not_escape_it(campaign, anna, round_):
    rated = [factories.rating(item, user=anna) for item in factories.items_of(campaign)]
    for item in factories.items_of(campaign):
        factories.rating(item)
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    outcomes = at_once(
        lambda: take_out(withdrawal_id=asked.pk), *(lambda one=one: factories.edit(one, 3) for one in rated)
    )
    assert not unexpected(outcomes), outcomes
    assert all(isinstance(one, EditClosed | Rating) for one in outcomes[1:])
    assert set(statuses(anna)) <= {"withdrawn", "superseded"}
    assert asked.rows.filter(was="counted").count() == 3
    assert breaches(campaign) == []


@pytest.mark.parametrize("round_", range(3))
def test_others_who_come_for_the_free_places_never_pass_what_an_item_needs(campaign, anna, round_):
    for item in factories.items_of(campaign):
        factories.rating(item, user=anna)
        factories.rating(item)
    done = withdraw(campaign, anna)
    others = [factories.member(campaign) for _ in range(3)]

    def rate(user):
        if held := lease_next(campaign=campaign, user=user):
            factories.rating(held.work_item, user=user, assignment=held)

    def revert():
        ask_revert(withdrawal_id=done.pk)
        return bring_back(withdrawal_id=done.pk)

    outcomes = at_once(revert, *(lambda user=user: rate(user) for user in others))
    assert not unexpected(outcomes), outcomes
    assert set(statuses(anna)) <= {"counted", "surplus"}
    assert outcomes[0]["again"] + outcomes[0]["again_surplus"] == 3
    assert breaches(campaign) == []


@pytest.mark.parametrize("round_", range(3))
def test_reverting_while_it_is_taken_out_leaves_nothing_out(campaign, anna, round_):
    for item in factories.items_of(campaign):
        factories.rating(item, user=anna)
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")

    def revert():
        ask_revert(withdrawal_id=asked.pk)
        return bring_back(withdrawal_id=asked.pk)

    outcomes = at_once(lambda: take_out(withdrawal_id=asked.pk), revert)
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    assert statuses(anna) == ["counted"] * 3
    assert breaches(campaign) == []


def test_two_managers_at_once_make_one_withdrawal(campaign, anna):
    factories.rating(factories.items_of(campaign)[0], user=anna)
    asked = [lambda: ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")] * 3
    outcomes = at_once(*asked)
    assert not unexpected(outcomes), outcomes
    assert RatingWithdrawal.objects.count() == 1


def test_two_workers_on_one_withdrawal_take_each_rating_out_once(campaign, anna):
    for item in factories.items_of(campaign):
        factories.rating(item, user=anna)
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    outcomes = at_once(*[lambda: take_out(withdrawal_id=asked.pk)] * 2)
    assert not [one for one in outcomes if isinstance(one, Exception)], outcomes
    assert asked.rows.filter(was="counted").count() == 3
    assert breaches(campaign) == []
