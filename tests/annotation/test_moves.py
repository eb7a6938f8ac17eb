"""Every move of a state that the table does not list is refused: the full product of states, through the services."""

import itertools
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from annotation.errors import ConcordError, MoveRefused
from annotation.models import Assignment, Campaign, Rating, WorkItem
from annotation.services.campaigns import close_campaign, open_campaign, pause_campaign
from annotation.services.items import (
    locked_item,
    move_item,
    recount,
    return_from_review,
    send_to_review,
    settle_item,
    withdraw_item,
)
from annotation.services.leases import expire_overdue, release_lease, skip_item, take_back_skip
from annotation.services.ratings import restore_rating, withdraw_rating
from tests import factories

pytestmark = pytest.mark.django_db

# As the contract lists them; the models' own tables are held to these.
CAMPAIGN = {("draft", "open"), ("open", "paused"), ("paused", "open"), ("open", "closed"), ("paused", "closed")} | {
    ("closed", "open")
}
ITEM = {
    ("open", "complete"),
    ("complete", "settled"),
    ("complete", "in_review"),
    ("in_review", "settled"),
    ("in_review", "complete"),
    *((state, "open") for state in ("complete", "in_review", "settled")),
    *((state, "withdrawn") for state in ("open", "complete", "in_review", "settled")),
}
ASSIGNMENT = {
    *(("leased", state) for state in ("submitted", "skipped", "expired", "released", "withdrawn")),
    ("expired", "submitted"),
    ("skipped", "leased"),
}
RATING = {
    ("counted", "superseded"),
    ("counted", "withdrawn"),
    ("surplus", "superseded"),
    ("surplus", "withdrawn"),
    ("withdrawn", "counted"),
    ("withdrawn", "surplus"),
    ("check", "superseded"),  # of check items, which stand outside the contract's table
}
TABLES = {
    Campaign: (Campaign.State, CAMPAIGN),
    WorkItem: (WorkItem.State, ITEM),
    Assignment: (Assignment.State, ASSIGNMENT),
    Rating: (Rating.Status, RATING),
}


@pytest.mark.parametrize("model", TABLES)
def test_the_tables_are_the_contracts(model):
    states, moves = TABLES[model]
    assert {(was, to) for was, goals in model.MOVES.items() for to in goals} == moves
    assert set(model.MOVES) == set(states)


def pairs(states):
    return list(itertools.product(states.values, states.values))


# Campaign


def campaign_in(state):
    campaign = factories.campaign(opened=state != "draft")
    if state == "paused":
        return pause_campaign(campaign=campaign)
    return close_campaign(campaign=campaign) if state == "closed" else campaign


CAMPAIGN_VERBS = {
    "open": lambda campaign: open_campaign(campaign=campaign, reason="a reason"),
    "paused": lambda campaign: pause_campaign(campaign=campaign),
    "closed": lambda campaign: close_campaign(campaign=campaign),
}


@pytest.mark.parametrize(("was", "to"), [pair for pair in pairs(Campaign.State) if pair[1] in CAMPAIGN_VERBS])
def test_campaign(was, to):
    campaign = campaign_in(was)
    if (was, to) in CAMPAIGN:
        assert CAMPAIGN_VERBS[to](campaign).state == to
        return
    with pytest.raises(MoveRefused):
        CAMPAIGN_VERBS[to](campaign)
    campaign.refresh_from_db()
    assert campaign.state == was


# WorkItem


def item_in(state):
    """Through the services, on an item that one rating completes."""
    item = factories.items_of(factories.campaign(overlap=1))[0]
    if state == "in_review":
        return locked_item(factories.rating(item, 1).work_item_id)
    if state in ("settled", "complete"):
        item = locked_item(factories.rating(item, 5).work_item_id)
        if state == "complete":
            recount(item)
    if state == "withdrawn":
        withdraw_item(item)
    return item


ITEM_VERBS = {
    "in_review": send_to_review,
    "settled": settle_item,
    "complete": return_from_review,
    "withdrawn": withdraw_item,
    "open": lambda item: move_item(item, WorkItem.State.OPEN),
}


@pytest.mark.parametrize(("was", "to"), pairs(WorkItem.State))
def test_item(was, to):
    item = item_in(was)
    assert item.state == was
    if (was, to) in ITEM:
        with transaction.atomic():
            ITEM_VERBS[to](item)
            assert item.state == to
            transaction.set_rollback(True)  # the bare move leaves counters that do not fit the state
        return
    with pytest.raises(MoveRefused):
        ITEM_VERBS[to](item)
    item.refresh_from_db()
    assert item.state == was


# Assignment


def assignment_in(state):
    item = factories.items_of(factories.campaign())[0]
    user = factories.member(item.campaign)
    assignment = factories.lease(item, user)
    if state != "leased":
        _to(state, assignment)
        assignment.refresh_from_db()
    assert assignment.state == state
    return assignment


def _to(state, assignment):
    user = assignment.annotator
    if state == "submitted":
        factories.rating(assignment.work_item, user=user, assignment=assignment)
    elif state == "skipped":
        skip_item(assignment_id=assignment.pk, user=user, reason="heavy")
    elif state == "released":
        release_lease(assignment_id=assignment.pk, user=user)
    elif state == "leased":
        take_back_skip(assignment_id=assignment.pk, user=user)
    elif state == "expired":
        Assignment.objects.filter(pk=assignment.pk).update(expires_at=timezone.now() - timedelta(1))
        expire_overdue()
    elif state == "withdrawn":
        withdraw_item(locked_item(assignment.work_item_id))


@pytest.mark.parametrize(("was", "to"), pairs(Assignment.State))
def test_assignment(was, to):
    assignment = assignment_in(was)
    try:
        _to(to, assignment)
    except ConcordError:
        assert (was, to) not in ASSIGNMENT
    assignment.refresh_from_db()
    assert assignment.state == (to if (was, to) in ASSIGNMENT else was)


# Rating


def rating_in(status):
    if status == "check":
        item = factories.check_item(factories.campaign())
        return factories.rating(item)
    campaign = factories.campaign(overlap=1)
    (item,) = factories.items_of(campaign)
    if status == "surplus":
        user = factories.member(campaign)
        held = factories.lease(item, user)
        close_campaign(campaign=campaign)
        rating = factories.rating(item, user=user, assignment=held)
        open_campaign(campaign=campaign, reason="the test goes on")
        return rating
    rating = factories.rating(item)
    if status == "superseded":
        factories.edit(rating, 4)
    if status == "withdrawn":
        withdraw_rating(rating_id=rating.pk)
    rating.refresh_from_db()
    return rating


def _change(rating, to):
    if to == "superseded":
        factories.edit(rating, 3)
    elif to == "withdrawn":
        withdraw_rating(rating_id=rating.pk)
    else:
        if to == "surplus" and rating.status == "withdrawn":
            factories.rating(rating.work_item)  # another takes the place first
        restore_rating(rating_id=rating.pk)


# No verb makes a rating a check's: one is born so, on a check item (test_checks_untold.py); no move leads there.
@pytest.mark.parametrize(("was", "to"), [pair for pair in pairs(Rating.Status) if pair[1] != "check"])
def test_rating(was, to):
    rating = rating_in(was)
    assert rating.status == was
    if (was, to) in RATING:
        _change(rating, to)
    else:
        with pytest.raises(ConcordError):
            _change(rating, to)
    rating.refresh_from_db()
    assert rating.status == (to if (was, to) in RATING else was)
