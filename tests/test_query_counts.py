"""The number of queries does not grow with the rows, and the queue is read by its index, not by scanning it."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from annotation.models import Assignment, Membership, WorkItem
from annotation.progress import progress_of, who_did_what
from annotation.services.leases import lease_next
from annotation.services.people import make_token
from scenarios.models import Scenario
from tests import factories

pytestmark = pytest.mark.django_db


def queries(act) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def world(size):
    """A campaign with `size` times everything: items, people, ratings, skips; and an annotator who has done as much."""
    campaign = factories.campaign(items=4 * size + 2, overlap=3)
    user = factories.member(campaign)
    for item in factories.items_of(campaign)[: 2 * size]:
        factories.rating(item, {"safety": 1}, user=user)
        factories.rating(item)
    return campaign, user


def client_of(user):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user=user, name='test')}")
    return client


def next_of(campaign, user):
    api = client_of(user)
    return queries(lambda: api.post(f"/api/v1/campaigns/{campaign.slug}/next/"))


def rating_of(campaign, user):
    api, assignment = client_of(user), lease_next(campaign=campaign, user=user)
    body = {"client_id": str(uuid.uuid4()), "scores": factories.full_scores(4)}
    return queries(lambda: api.post(f"/api/v1/assignments/{assignment.pk}/rating/", body, format="json"))


def desk_of(campaign, user):
    client = Client()
    client.force_login(user)
    address = f"/campaigns/{campaign.slug}/rate/ahead/"
    return queries(lambda: client.post(address))


def page_of(campaign, user):
    api = client_of(user)
    return queries(lambda: api.get(f"/api/v1/campaigns/{campaign.slug}/ratings/?mine=1"))


def managers_page_of(campaign, _user):
    api = client_of(factories.member(campaign, "manager"))
    return queries(lambda: api.get(f"/api/v1/campaigns/{campaign.slug}/ratings/"))


ACTS = {
    "next": next_of,
    "rating": rating_of,
    "what the desk goes on with": desk_of,
    "own ratings": page_of,
    "all ratings": managers_page_of,
    "progress": lambda campaign, _user: queries(lambda: progress_of(campaign)),
    "who did what": lambda campaign, _user: queries(lambda: who_did_what(campaign)),
}


@pytest.mark.parametrize("name", ACTS)
def test_it_takes_as_many_queries_of_much_as_of_little(name):
    few = ACTS[name](*world(1))
    many = ACTS[name](*world(8))
    assert few == many <= 40  # two leases taken one after the other are the most


def test_the_rating_that_completes_an_item_takes_as_many_however_many_others_there_are():
    def complete(size):
        campaign, _user = world(size)
        last = factories.items_of(campaign)[0]
        held = factories.lease(last, factories.member(campaign))
        return queries(lambda: factories.rating(last, user=held.annotator, assignment=held))

    assert complete(1) == complete(8)


def test_the_queue_is_read_by_its_index():
    """50,000 items, of which the person has rated the first thousand."""
    campaign = _large_campaign(50_000)
    user = factories.member(campaign)
    first = WorkItem.objects.filter(campaign=campaign).order_by("priority").values_list("pk", flat=True)[:1000]
    Assignment.objects.bulk_create(
        Assignment(campaign=campaign, work_item_id=pk, annotator=user, state="submitted", expires_at=timezone.now())
        for pk in first
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE annotation_workitem")
        cursor.execute("ANALYZE annotation_assignment")
    membership = Membership.objects.get(user=user)
    scenario = Scenario.objects.first()
    for items in (
        WorkItem.objects.open_to(membership),
        WorkItem.objects.open_to(membership).exclude(scenario=scenario),
    ):
        plan = items.order_by("priority", "id")[:1].explain()
        assert "item_queue" in plan
        assert "SCAN annotation_workitem" not in plan
        assert "Seq Scan on annotation_workitem" not in plan
        assert "TEMP B-TREE" not in plan  # SQLite's word for a sort
        assert "Sort" not in plan
    assert items.order_by("priority", "id").first().priority == 1000
    Assignment.objects.all().delete()  # those made by hand belong to no rating


def _large_campaign(size):
    """As rows: making it through the services would take longer than what is measured."""
    campaign = factories.campaign(items=10)
    items = list(campaign.items.all())
    data = factories.dataset(scenarios=size // 10, companions=[f"m{i}" for i in range(10)])
    responses = data.scenarios.values_list("pk", "responses__pk")
    campaign.items.all().delete()
    one = items[0]
    WorkItem.objects.bulk_create(
        (
            WorkItem(
                campaign=campaign,
                response_id=response,
                scenario_id=scenario,
                task=one.task,
                language=one.language,
                needed=3,
                priority=place,
            )
            for place, (scenario, response) in enumerate(responses)
        ),
        batch_size=5000,
    )
    return campaign
