"""The list of cases, as an expert meets it without a script."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment
from annotation.services.people import change_membership
from reviews.models import Case
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_expert(client, expert):
    client.force_login(expert)
    return client


def test_it_says_why_each_case_is_there(as_expert, case):
    body = page(as_expert, "cases", case.campaign.slug).content.decode()
    assert "Empathy spread 4" in body


def test_an_empty_queue_says_when_a_case_opens(client):
    campaign = factories.campaign()
    client.force_login(factories.member(campaign, "expert"))
    assert "A case opens by itself" in page(client, "cases", campaign.slug).content.decode()


def test_urgent_cases_come_first(as_expert, case):
    other = factories.campaign(data=factories.dataset(scenarios=2))
    expert = factories.member(other, "expert")
    first, second = factories.items_of(other)
    factories.rated_item([{"empathy": 1}, 5, 5], item=first)
    factories.rated_item([{"safety": 1}, 5, 5], item=second)
    as_expert.force_login(expert)
    rows = page(as_expert, "cases", other.slug).context["listed"].rows
    assert [row.urgent for row in rows] == [True, False]


@pytest.mark.parametrize(
    ("query", "there"),
    [
        ({}, True),
        ({"state": "waiting"}, True),
        ({"state": "mine"}, False),
        ({"state": "decided"}, False),
        ({"reason": "range"}, True),
        ({"reason": "asked"}, False),
        ({"task": "dialogue_emotion"}, True),
        ({"task": "itinerary_basic"}, False),
    ],
)
def test_it_filters_by_state_reason_and_task(as_expert, case, query, there):
    listed = page(as_expert, "cases", case.campaign.slug, **query).context["listed"]
    assert bool(listed.rows) == there


@pytest.mark.parametrize("query", [{"state": "lost"}, {"reason": "x"}, {"task": "x"}, {"cursor": "x"}])
def test_a_filter_that_cannot_be_read_is_refused(as_expert, case, query):
    assert page(as_expert, "cases", case.campaign.slug, **query).status_code == 400


@pytest.mark.parametrize("decided", [False, True])
def test_pages_hold_every_case_once(as_expert, expert, case, decided, monkeypatch):
    monkeypatch.setattr("reviews.queue.PAGE", 2)
    data = factories.dataset(scenarios=5)
    campaign = factories.campaign(data=data, overlap=2)
    for place, item in enumerate(factories.items_of(campaign)):
        factories.rated_item([{"empathy": 1 + place % 2, "safety": 1 if place == 3 else 5}, 5], item=item)
    factories.member(campaign, "expert", user=expert)
    if decided:
        now = timezone.now()
        for place, waiting in enumerate(Case.objects.filter(campaign=campaign)):
            moment = now - timedelta(minutes=place // 2)
            Case.objects.filter(pk=waiting.pk).update(state="decided", decided_at=moment)
    query, seen = {"state": "decided"} if decided else {}, []
    while True:
        listed = page(as_expert, "cases", campaign.slug, **query).context["listed"]
        seen += [row.id for row in listed.rows]
        if listed.next is None:
            break
        query["cursor"] = listed.next
    assert sorted(seen) == sorted(Case.objects.filter(campaign=campaign).values_list("pk", flat=True))
    assert len(seen) == len(set(seen)) == 5


def test_htmx_gets_the_list_alone(as_expert, case):
    url = reverse("reviews:cases", args=[case.campaign.slug])
    body = as_expert.get(url, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in body
    assert "Empathy spread 4" in body


def test_going_back_gets_the_whole_page(as_expert, case):
    url = reverse("reviews:cases", args=[case.campaign.slug])
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<html" in as_expert.get(url, headers=headers).content.decode()


def test_the_number_of_queries_does_not_grow_with_the_cases(as_expert, expert, case):
    def queries(campaign):
        with CaptureQueriesContext(connection) as asked:
            page(as_expert, "cases", campaign.slug)
        return len(asked)

    many = factories.campaign(items=4, overlap=2)
    for item in factories.items_of(many):
        factories.rated_item([{"empathy": 1}, 5], item=item)
    factories.member(many, "expert", user=expert)
    assert queries(many) == queries(case.campaign)


def test_a_conflict_of_interest_is_said_and_its_reasons_are_not(client, disputed, case):
    rater = Assignment.objects.filter(work_item=disputed).first().annotator
    factories.member(case.campaign, "expert", user=rater)
    client.force_login(rater)
    body = page(client, "cases", case.campaign.slug).content.decode()
    assert "conflict of interest" in body
    assert "Empathy spread" not in body
    assert reverse("reviews:case", args=[case.pk]) not in body


def test_a_manager_looks_on_and_cannot_take(client, case):
    client.force_login(factories.member(case.campaign, "manager"))
    body = page(client, "cases", case.campaign.slug).content.decode()
    assert "You look on as a manager" in body
    assert "Take next" not in body
    assert post(client, "take_next_case", case.campaign.slug).status_code == 403


def test_take_next_leads_to_the_case(as_expert, case):
    response = post(as_expert, "take_next_case", case.campaign.slug)
    assert response.url == reverse("reviews:case", args=[case.pk])


def test_take_next_says_when_nothing_waits(as_expert, case):
    Case.objects.update(state="fallen")
    response = as_expert.post(reverse("reviews:take_next_case", args=[case.campaign.slug]), follow=True)
    assert "No case waits for you" in response.content.decode()


def test_who_works_through_all_campaigns_goes_on_in_all(as_expert, expert, case):
    elsewhere = factories.rated_item([{"empathy": 2}, 5]).campaign  # behind the other by the rule
    factories.member(elsewhere, "expert", user=expert)
    assert post(as_expert, "take_next_of_all").url == reverse("reviews:case", args=[case.pk])
    fields = {"client_id": str(uuid.uuid4()), "value.empathy": "4"}
    following = Case.objects.get(campaign=elsewhere)
    assert post(as_expert, "decide_case", case.pk, **fields).url == reverse("reviews:case", args=[following.pk])


def test_who_works_through_one_campaign_stays_in_it(as_expert, expert, case):
    elsewhere = factories.rated_item([{"empathy": 2}, 5]).campaign
    factories.member(elsewhere, "expert", user=expert)
    post(as_expert, "take_next_case", case.campaign.slug)
    fields = {"client_id": str(uuid.uuid4()), "value.empathy": "4"}
    assert post(as_expert, "decide_case", case.pk, **fields).url == reverse("reviews:cases", args=[case.campaign.slug])


def test_the_one_list_is_for_experts_and_managers(client, case):
    client.force_login(factories.member(case.campaign))
    assert page(client, "all_cases").status_code == 403


def test_home_leads_an_active_expert_to_the_one_list(client, case, expert):
    client.force_login(expert)
    link = f'href="{reverse("reviews:all_cases")}"'
    assert "All my cases" in client.get("/").content.decode()
    change_membership(membership=expert.memberships.get(), state="paused")
    body = client.get("/").content.decode()
    assert link not in body
