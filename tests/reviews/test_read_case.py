"""Who has read what others rated can never be given the item, whatever role they hold later."""

import uuid

import pytest
from django.test import Client

from annotation.models import Campaign, ItemBar, Membership
from annotation.services.leases import lease_next
from annotation.services.people import add_member
from annotation.services.ratings import withdraw_rating
from reviews.models import Case
from reviews.services.cases import take_next
from reviews.services.decisions import decide_case
from tests import factories as f
from tests.reviews.pages import page

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided() -> Case:
    campaign = f.campaign(items=1, overlap=2)
    f.rated_item([1, 4], item=f.items_of(campaign)[0])
    expert = f.member(campaign, Membership.Role.EXPERT)
    case = take_next(expert=expert, campaign=campaign)
    assert case is not None
    values = dict.fromkeys(f.DIMENSIONS, 2)
    decide_case(
        case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values=values, marks={}, rationale="Read twice."
    )
    return Case.objects.get(pk=case.pk)


def opened_again(case: Case) -> Campaign:
    """The item wants a rater once more."""
    withdraw_rating(rating_id=case.work_item.ratings.counted().first().pk)
    return case.campaign


def test_an_expert_who_read_a_decided_case_is_not_given_its_item_as_an_annotator(decided: Case) -> None:
    reader = f.member(decided.campaign, Membership.Role.EXPERT)
    client = Client()
    client.force_login(reader)
    assert page(client, "case", decided.pk).status_code == 200
    assert ItemBar.objects.filter(user=reader, work_item=decided.work_item).exists()
    campaign = opened_again(decided)
    add_member(campaign=campaign, user=reader, role=Membership.Role.ANNOTATOR)
    assert lease_next(campaign=campaign, user=reader) is None
