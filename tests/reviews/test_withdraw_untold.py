"""Taking out all that someone gave from a date on must not show them which of it was a hidden check."""

import json

import pytest

from annotation.errors import EditClosed
from annotation.models import Assignment, Membership, Rating
from annotation.own_ratings import own_ratings, why_final
from annotation.services.leases import lease_next
from reviews.rater_profile import totals_of
from reviews.services.withdrawals import ask_withdrawal, take_out
from tests import factories
from tests.annotation.api import client_of, post, rate
from tests.annotation.checking import is_check, with_checks
from tests.annotation.pages import page, signed_in
from tests.reviews.withdrawing import day, revert, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return with_checks(items=18, checks=3, slug="c")


@pytest.fixture
def anna(campaign):
    return factories.member(campaign)


@pytest.fixture
def leased(campaign, anna):
    """All that she was given, two checks among it, each rated."""
    api, all_of_it = client_of(anna), []
    while (answer := post(api, "campaigns/c/next/")).status_code == 200:
        assert rate(api, answer.json(), scores=factories.full_scores(5)).status_code == 201
        all_of_it.append(answer.json())
    assert sum(is_check(Assignment.objects.get(pk=one["assignment"])) for one in all_of_it) == 2
    return all_of_it


def told(anna, leased):
    """All that she can learn of each of her ratings, without its number, words and times."""
    api, web, seen = client_of(anna), signed_in(anna), []
    listed = {one["assignment"]: one for one in api.get("/api/v1/campaigns/c/ratings/?mine=1").json()["results"]}
    for one in leased:
        again = rate(api, one)
        other = rate(api, one, supersedes=listed[one["assignment"]]["rating"])
        desk = web.get(page("edit", "c", one["assignment"]))
        rating = Rating.objects.filter(assignment=one["assignment"]).latest("pk")
        seen.append(
            [
                listed[one["assignment"]]["status"],
                [again.status_code, again.json().get("status"), again.json().get("status_of_rating")],
                [other.status_code, other.json().get("status"), other.json().get("detail")],
                [desk.status_code],
                rating.told,
            ]
        )
    return seen


def names_of_list(anna, campaign, show):
    membership = Membership.objects.select_related("campaign", "user").get(campaign=campaign, user=anna)
    return {rating.assignment_id for rating in own_ratings(membership, show=show)}


def test_a_withdrawn_check_is_told_as_any_other_withdrawn_rating(campaign, anna, leased):
    withdraw(campaign, anna)
    assert len({json.dumps(one) for one in told(anna, leased)}) == 1, told(anna, leased)
    everything = {one["assignment"] for one in leased}
    assert names_of_list(anna, campaign, "withdrawn") == everything
    assert names_of_list(anna, campaign, "final") == everything
    assert names_of_list(anna, campaign, "counted") == names_of_list(anna, campaign, "editable") == set()
    reasons = {why_final(rating) for rating in Rating.objects.of(anna)}
    assert reasons == {"withdrawn by a manager"}
    check = Rating.objects.of(anna).filter(status="check").first()
    with pytest.raises(EditClosed, match="withdrawn by a manager"):
        factories.edit(check, 4)


def test_half_way_they_go_in_the_order_given(campaign, anna, leased):
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")

    class Stopped(Exception):
        pass

    def stop(done, total):
        if done == 12:
            raise Stopped

    with pytest.raises(Stopped):
        take_out(withdrawal_id=asked.pk, progress=stop)
    statuses = [rating.told for rating in Rating.objects.of(anna).order_by("submitted_at", "pk")]
    assert statuses == ["withdrawn"] * 12 + ["counted"] * (len(leased) - 12)


def test_brought_back_as_surplus_a_check_is_told_as_those_around_it(campaign, anna, leased):
    done = withdraw(campaign, anna)
    for _ in range(3):
        other = factories.member(campaign)
        while held := lease_next(campaign=campaign, user=other):
            factories.rating(held.work_item, user=other, assignment=held)
    revert(done)
    assert {rating.told for rating in Rating.objects.of(anna)} == {"surplus"}
    assert names_of_list(anna, campaign, "surplus") == {one["assignment"] for one in leased}


def test_brought_back_it_is_as_it_was(campaign, anna, leased):
    revert(withdraw(campaign, anna))
    assert {rating.told for rating in Rating.objects.of(anna)} == {"counted"}
    assert names_of_list(anna, campaign, "editable") == {one["assignment"] for one in leased}
    assert Rating.objects.of(anna).filter(status="check").count() == 2


def test_what_they_hit_is_known_all_the_same(campaign, anna, leased):
    """Checks are measured by the first answer, whatever is told of it."""
    before = totals_of(campaign, anna)
    withdraw(campaign, anna)
    after = totals_of(campaign, anna)
    assert (before.checks, before.hits) == (after.checks, after.hits) == (2, 2)
    assert (after.counted, after.withdrawn) == (0, 18)
