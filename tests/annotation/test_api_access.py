"""The annotation room's API: lists of ratings, tokens, and who may ask what."""

import pytest
from rest_framework.test import APIClient

from annotation.services.people import deactivate
from tests import factories
from tests.annotation.api import assert_problem, client_of, post, rate

pytestmark = pytest.mark.django_db


# ratings


def test_a_person_sees_their_own_ratings(api, leased, campaign):
    factories.rating(factories.items_of(campaign)[0])
    mine = rate(api, leased, rationale="Because.").json()["rating"]
    body = api.get("/api/v1/campaigns/c/ratings/?mine=1").json()
    assert [row["rating"] for row in body["results"]] == [mine]
    assert body["results"][0]["rationale"] == "Because."
    assert "rater" not in body["results"][0]
    assert body["next"] is None


def test_a_manager_sees_everyones_with_names(api, leased, campaign, annotator):
    rate(api, leased)
    factories.rating(factories.items_of(campaign)[1])
    manager = client_of(factories.member(campaign, "manager"))
    rows = manager.get("/api/v1/campaigns/c/ratings/").json()["results"]
    assert rows[0]["rater"] == annotator.username
    assert len(rows) == 2
    assert rows[0]["item"].endswith("/model-a/no_sap")


def test_everyones_are_not_for_annotators_experts_or_site_managers(api, campaign):
    for client in (api, client_of(factories.member(campaign, "expert")), client_of(factories.site_manager())):
        assert_problem(client.get("/api/v1/campaigns/c/ratings/"), 403)


def test_ratings_come_a_hundred_a_page():
    campaign = factories.campaign(items=101, overlap=1, slug="c")
    user = factories.member(campaign)
    for item in factories.items_of(campaign):
        factories.rating(item, user=user)
    manager = client_of(factories.member(campaign, "manager"))
    first = manager.get("/api/v1/campaigns/c/ratings/").json()
    second = manager.get(f"/api/v1/campaigns/c/ratings/?cursor={first['next']}").json()
    assert [len(first["results"]), len(second["results"]), second["next"]] == [100, 1, None]


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 5000, "", "٣"])
def test_a_cursor_that_was_never_given_is_refused(api, cursor):
    assert_problem(api.get("/api/v1/campaigns/c/ratings/", {"mine": "1", "cursor": cursor}), 400, "cursor")


# tokens and who is asking


def test_a_token_is_shown_once_and_works(client, annotator, campaign):
    client.force_login(annotator)
    made = client.post("/api/v1/tokens/", {"name": "laptop"}, content_type="application/json")
    assert made.status_code == 201
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {made.json()['token']}")
    assert [row["slug"] for row in api.get("/api/v1/campaigns/").json()] == ["c"]
    assert made.json()["token"] not in str(list(annotator.api_tokens.values()))


@pytest.mark.parametrize("name", ["\x00", "x" * 101, 5, []])
def test_a_tokens_name_is_short_text(api, name):
    assert_problem(post(api, "tokens/", {"name": name}), 400, "name")


@pytest.mark.parametrize("header", ["Bearer wrong", "Token wrong", "Bearer \x01", "Bearer é"])
def test_a_wrong_token_is_refused(campaign, header):
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=header)
    answer = post(api, "campaigns/c/next/")
    assert_problem(answer, 401)
    assert answer["WWW-Authenticate"] == "Bearer"


def test_nobody_gets_in_without_a_token_or_a_session(campaign):
    assert_problem(post(APIClient(), "campaigns/c/next/"), 401)


def test_a_session_needs_the_csrf_token(annotator, campaign):
    api = APIClient(enforce_csrf_checks=True)
    api.force_login(annotator)
    assert_problem(post(api, "campaigns/c/next/"), 403)


def test_the_token_of_who_left_is_dead(api, annotator):
    deactivate(user=annotator)
    assert_problem(post(api, "campaigns/c/next/"), 401)


def test_the_rubric_is_there_by_its_hash(api, campaign):
    body = api.get(f"/api/v1/rubrics/{campaign.rubric.hash}/").json()
    assert [dimension["key"] for dimension in body["content"]["dimensions"]] == list(factories.DIMENSIONS)
    assert_problem(api.get("/api/v1/rubrics/0000/"), 404)


def test_my_campaigns_come_with_my_roles(annotator, campaign):
    factories.member(campaign, "expert", user=annotator)
    body = client_of(annotator).get("/api/v1/campaigns/").json()
    assert body == [{"slug": "c", "title": "c", "state": "open", "roles": ["annotator", "expert"]}]
