"""Nothing an annotator sees tells a hidden check from any other item."""

import json
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import EditClosed
from annotation.models import Assignment, Campaign, Membership, Rating
from annotation.own_work import own_work
from annotation.services.campaigns import close_campaign
from annotation.services.leases import (
    expire_overdue,
    lease_ahead,
    lease_next,
    release_lease,
    skip_item,
    take_back_skip,
)
from tests import factories
from tests.annotation.api import client_of, post, rate
from tests.annotation.checking import is_check, to_the_next_check, with_checks
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db


def told(api, campaign):
    return [(one["status"], one["rating"]) for one in api.get(ratings_address(campaign)).json()["results"]]


def ratings_address(campaign):
    return f"/api/v1/campaigns/{campaign.slug}/ratings/?mine=1"


def test_every_answer_of_the_api_is_as_of_any_other_item():
    """Keys, kinds of values, statuses, and what is left: from the first item to the last."""
    campaign = with_checks(items=18, checks=3, slug="c")  # two whole blocks
    user = factories.member(campaign)
    api = client_of(user)
    left, shapes, checks = [], set(), 0
    while (answer := post(api, "campaigns/c/next/")).status_code == 200:
        leased = answer.json()
        checks += is_check(Assignment.objects.get(pk=leased["assignment"]))
        left.append(leased["left"])
        saved = rate(api, leased)
        again = rate(api, leased)
        edited = rate(api, leased, supersedes=saved.json()["rating"])
        renewed, skipped = (
            post(api, f"assignments/{leased['assignment']}/{verb}/", {"reason": "unsure"}) for verb in ("renew", "skip")
        )
        shapes.add(
            json.dumps(
                [
                    [sorted(leased), sorted(leased["item"]), leased["draft"], leased["item"]["content_note"]],
                    [saved.status_code, sorted(saved.json()), saved.json()["status"]],
                    [again.status_code, sorted(again.json()), again.json()["status_of_rating"]],
                    [edited.status_code, edited.json()["status"]],
                    [renewed.status_code, renewed.json()["detail"], skipped.status_code, skipped.json()["detail"]],
                ]
            )
        )
    assert checks == 2
    assert left == list(range(20, 0, -1))
    assert len(shapes) == 1, shapes
    mine = api.get(ratings_address(campaign)).json()["results"]
    assert {one["status"] for one in mine} == {"counted", "superseded"}
    assert len({json.dumps(sorted(one)) for one in mine}) == 1
    assert len(mine) == 40


def test_the_pages_count_and_list_them_as_any_other():
    campaign = with_checks(items=18, checks=3)
    user = factories.member(campaign)
    membership = Membership.objects.select_related("campaign", "user").get(user=user)
    web, seen = signed_in(user), []
    while assignment := lease_next(campaign=campaign, user=user):
        work = own_work(membership)
        seen.append((work.done, work.left, work.total))
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
    assert seen == [(done, 20 - done, 20) for done in range(20)]
    for show in ("", "?show=counted"):
        body = web.get(page("mine", campaign.slug) + show).content.decode()
        assert ">check<" not in body
    counted = web.get(page("mine", campaign.slug) + "?show=counted")
    assert counted.context["page"].paginator.count == 20
    check = Rating.objects.get(status="check", pk=Rating.objects.filter(status="check").first().pk)
    edit = web.get(page("edit", campaign.slug, check.assignment_id))
    assert edit.status_code == 200
    assert "check item" not in edit.content.decode()


@pytest.mark.parametrize("kind", ["check", "rating"])
def test_a_skip_a_release_and_a_lease_that_ran_out_move_the_counts_alike(kind):
    campaign = with_checks(items=30, checks=3)
    user = factories.member(campaign)
    membership = Membership.objects.select_related("campaign", "user").get(user=user)
    assignment = to_the_next_check(campaign, user)
    if kind == "rating":
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        assignment = lease_next(campaign=campaign, user=user)
    before = own_work(membership)
    release_lease(assignment_id=assignment.pk, user=user)
    assert own_work(membership) == before
    again = lease_next(campaign=campaign, user=user)
    assert own_work(membership) == before
    assert again.work_item.purpose == kind
    Assignment.objects.filter(pk=again.pk).update(expires_at=timezone.now())
    expire_overdue()
    assert own_work(membership) == before
    third = lease_next(campaign=campaign, user=user)
    skip_item(assignment_id=third.pk, user=user, reason="heavy")
    after = own_work(membership)
    assert (after.done, after.left, after.skipped) == (before.done, before.left - 1, before.skipped + 1)
    taken = take_back_skip(assignment_id=third.pk, user=user)
    assert taken.state == "leased"
    assert own_work(membership) == before


@pytest.mark.parametrize("ahead", [1, 5])
@pytest.mark.parametrize("kind", ["check", "rating"])
def test_handed_back_long_after_its_place_it_moves_the_counts_alike(kind, ahead):
    """Somebody who works round an item that they hold learns nothing from giving it back."""
    campaign = with_checks(items=40, checks=6)
    Campaign.objects.filter(pk=campaign.pk).update(ahead=ahead)
    campaign.refresh_from_db()
    user = factories.member(campaign)
    membership = Membership.objects.select_related("campaign", "user").get(user=user)
    kept, totals = None, set()
    for _ in range(15 if ahead == 1 else 25):
        held = lease_ahead(campaign=campaign, user=user)
        kept = kept or next((one for one in held if one.work_item.purpose == kind), None)
        rated = next(one for one in held if kept is None or one.pk != kept.pk)
        factories.rating(rated.work_item, 5, user=user, assignment=rated)
        totals.add(own_work(membership).total)
    release_lease(assignment_id=kept.pk, user=user)
    totals.add(own_work(membership).total)
    assert len(totals) == 1
    again = [one.work_item_id for one in lease_ahead(campaign=campaign, user=user)]
    while own_work(membership).left:
        for one in lease_ahead(campaign=campaign, user=user):
            factories.rating(one.work_item, 5, user=user, assignment=one)
        totals.add(own_work(membership).total)
    assert len(totals) == 1
    assert kind == "rating" or kept.work_item_id in again  # it is the next, whatever block is the present one
    assert Rating.objects.filter(work_item=kept.work_item_id).count() == 1


def test_a_skipped_check_is_never_given_again():
    campaign = with_checks(items=40, checks=1)
    user = factories.member(campaign)
    check = to_the_next_check(campaign, user)
    skip_item(assignment_id=check.pk, user=user, reason="heavy")
    with pytest.raises(AssertionError, match="no check"):
        to_the_next_check(campaign, user)


def test_leased_ahead_they_are_in_their_place():
    campaign = with_checks(items=20, checks=3)
    Campaign.objects.filter(pk=campaign.pk).update(ahead=5)
    campaign.refresh_from_db()
    user = factories.member(campaign)
    api = client_of(user)
    sent = post(api, f"campaigns/{campaign.slug}/ahead/").json()["assignments"]
    sent_again = post(api, f"campaigns/{campaign.slug}/ahead/").json()["assignments"]
    assert sent == sent_again
    left = [one["left"] for one in sent]
    assert left == list(range(left[0], left[0] - 6, -1))
    assert left[0] in (22, 23)  # whether the block that is cut short has its check is drawn
    for _ in range(10):
        held = lease_ahead(campaign=campaign, user=user)
        factories.rating(held[0].work_item, 5, user=user, assignment=held[0])
    assert Rating.objects.filter(status="check").count() == 1


@pytest.mark.parametrize("kind", ["check", "rating"])
def test_on_a_closed_campaign_it_is_told_surplus_as_any_other(kind):
    campaign = with_checks(items=30)
    user = factories.member(campaign)
    assignment = to_the_next_check(campaign, user)
    if kind == "rating":
        factories.rating(assignment.work_item, 5, user=user, assignment=assignment)
        assignment = lease_next(campaign=campaign, user=user)
    close_campaign(campaign=campaign)
    api = client_of(user)
    assert rate(api, {"assignment": assignment.pk}).json()["status"] == "surplus"
    assert told(api, campaign)[-1][0] == "surplus"
    with pytest.raises(EditClosed):
        factories.edit(Rating.objects.get(assignment=assignment), 4)


def test_late_work_on_it_is_taken():
    campaign = with_checks(items=30)
    user = factories.member(campaign)
    check = to_the_next_check(campaign, user)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        expire_overdue()
        assert rate(client_of(user), {"assignment": check.pk}).json()["status"] == "counted"
