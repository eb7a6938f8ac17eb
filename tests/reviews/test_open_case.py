"""A case opens in the transaction of the rating that makes it, and goes with the edit that unmakes it."""

import pytest
from django.db import transaction

from annotation.errors import MoveRefused
from annotation.models import WorkItem
from annotation.services.items import locked_item, recount
from annotation.services.ratings import restore_rating, withdraw_rating
from reviews.models import Case
from reviews.services.case_moves import move_case
from reviews.services.review_item import review_item
from tests import factories

pytestmark = pytest.mark.django_db
State = Case.State


def case_of(item):
    return Case.objects.standing().get(work_item=item)


def test_an_agreed_item_is_settled_without_a_case():
    item = factories.rated_item([4, 4, 5])
    assert item.state == WorkItem.State.SETTLED
    assert not Case.objects.exists()


def test_a_disputed_item_is_in_review_with_the_reasons():
    item = factories.rated_item([{"empathy": 1}, 5, 5])
    assert item.state == WorkItem.State.IN_REVIEW
    case = case_of(item)
    assert case.state == State.WAITING
    assert case.reasons == [{"kind": "range", "dimension": "empathy", "detail": {"low": 1, "high": 5}}]
    assert case.disputed == ["empathy"]


def test_no_case_opens_before_the_item_has_its_raters():
    campaign = factories.campaign(overlap=3)
    (item,) = factories.items_of(campaign)
    for scores in (1, 5):
        factories.rating(item, scores)
    assert not Case.objects.exists()


def test_an_edit_that_removes_the_disagreement_drops_the_case():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    far = factories.rating(item, {"empathy": 1})
    factories.rating(item, 5)
    case = case_of(item)
    factories.edit(far, 5)
    case.refresh_from_db()
    item.refresh_from_db()
    assert case.state == State.FALLEN
    assert item.state == WorkItem.State.SETTLED


def test_an_edit_that_brings_the_disagreement_back_opens_a_new_case():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    far = factories.rating(item, {"empathy": 1})
    factories.rating(item, 5)
    nearer = factories.edit(far, 5)
    factories.edit(nearer, {"fluency": 2})
    assert list(Case.objects.order_by("id").values_list("state", flat=True)) == [State.FALLEN, State.WAITING]
    assert case_of(item).disputed == ["fluency"]


def test_an_edit_refreshes_the_reasons_of_a_waiting_case():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    first = factories.rating(item, {"empathy": 1})
    factories.rating(item, 5)
    factories.edit(first, {"safety": 1})
    assert [(r["kind"], r["dimension"]) for r in case_of(item).reasons] == [("safety", "safety"), ("range", "safety")]
    assert Case.objects.count() == 1


def test_a_waiting_case_falls_when_a_rating_is_withdrawn_and_opens_again_when_it_is_back():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    far = factories.rating(item, {"empathy": 1})
    factories.rating(item, 5)
    withdraw_rating(rating_id=far.pk)
    item.refresh_from_db()
    assert item.state == WorkItem.State.OPEN
    assert Case.objects.get().state == State.FALLEN
    restore_rating(rating_id=far.pk)
    item.refresh_from_db()
    assert item.state == WorkItem.State.IN_REVIEW
    assert case_of(item).state == State.WAITING


def test_agreed_items_drawn_for_the_audit_are_looked_at():
    item = factories.rated_item([5, 5], rule={"audit_share": 1.0})
    case = case_of(item)
    assert case.is_audit_only
    assert case.kinds == " audit "


def test_a_split_mark_names_the_violation_and_its_votes():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    factories.rating(item, 5, marks=["privacy"])
    factories.rating(item, 5)
    (reason,) = case_of(item).reasons
    assert reason["kind"] == "marks_split"
    assert reason["detail"] == {"types": ["privacy"], "votes": {"privacy": 1}, "raters": 2}
    assert case_of(item).split_marks == ["privacy"]


ALLOWED = [(now, to) for now, targets in Case.MOVES.items() for to in targets]
FORBIDDEN = [(now, to) for now in State for to in State if (now, to) not in ALLOWED]


@pytest.mark.parametrize(("now", "to"), FORBIDDEN)
def test_a_move_that_is_not_listed_is_refused(now, to):
    item = factories.rated_item([1, 5])
    case = case_of(item)
    Case.objects.filter(pk=case.pk).update(state=now)
    case.refresh_from_db()
    with pytest.raises(MoveRefused):
        move_case(case, to)
    case.refresh_from_db()
    assert case.state == now


def test_the_moves_are_those_of_the_table():
    assert set(ALLOWED) == {
        ("waiting", "taken"),
        ("waiting", "fallen"),
        ("taken", "waiting"),
        ("taken", "decided"),
        ("taken", "second_opinion"),
        ("second_opinion", "decided"),
        ("decided", "waiting"),
    }


def test_an_item_has_one_case_however_often_the_rule_is_asked():
    item = factories.rated_item([1, 5])
    for _ in range(3):
        with transaction.atomic():
            locked = locked_item(item.pk)
            recount(locked)
            review_item(locked)
    assert Case.objects.count() == 1
