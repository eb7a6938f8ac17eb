"""The annotation room's API: answers, problem documents, and who may ask what."""

import uuid

import pytest

from annotation.models import Assignment, Membership, Rating
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.people import change_membership
from tests import factories
from tests.annotation.api import GOOD, assert_problem, client_of, post, rate

pytestmark = pytest.mark.django_db


# next


def test_next_gives_an_assignment_with_its_content(api, campaign):
    answer = post(api, "campaigns/c/next/")
    assert answer.status_code == 200
    body = answer.json()
    assert set(body) == {"assignment", "expires_at", "item", "rubric", "draft", "left"}
    item = Assignment.objects.get(pk=body["assignment"]).work_item
    assert body["item"] == {
        "language": "en",
        "task": "dialogue_emotion",
        "persona": item.scenario.persona,
        "turns": item.scenario.turns,
        "memories": [],
        "schedule": [],
        "text": item.response.text,
        "heavy": False,
        "content_note": "",
    }
    assert (body["rubric"], body["draft"], body["left"]) == (campaign.rubric.hash, None, 3)


def test_next_tells_nothing_of_where_a_text_comes_from(api):
    item = Assignment.objects.get(pk=post(api, "campaigns/c/next/").json()["assignment"]).work_item
    told = post(api, "campaigns/c/next/").content.decode()
    for hidden in ("model-a", "no_sap", item.scenario.reference):
        assert hidden not in told
    assert f'"{item.scenario.key}"' not in told


def test_next_gives_the_same_again(api, leased):
    assert post(api, "campaigns/c/next/").json() == leased


def test_next_answers_204_when_nothing_is_left(api):
    while (answer := post(api, "campaigns/c/next/")).status_code == 200:
        assert rate(api, answer.json()).status_code == 201
    assert (answer.status_code, answer.content) == (204, b"")
    assert Rating.objects.count() == 3


@pytest.mark.parametrize("end", [pause_campaign, close_campaign])
def test_next_answers_409_where_the_campaign_is_not_open(api, campaign, end):
    end(campaign=campaign)
    assert_problem(post(api, "campaigns/c/next/"), 409)


@pytest.mark.parametrize("role", ["expert", "manager"])
def test_next_answers_403_to_other_roles(campaign, role):
    assert_problem(post(client_of(factories.member(campaign, role)), "campaigns/c/next/"), 403)


def test_next_answers_403_to_a_paused_member(api, annotator):
    change_membership(membership=Membership.objects.get(user=annotator), state="paused")
    assert_problem(post(api, "campaigns/c/next/"), 403)


def test_next_answers_404_to_who_has_no_part_in_it(campaign):
    assert_problem(post(client_of(factories.person()), "campaigns/c/next/"), 404)
    assert_problem(post(client_of(factories.person()), "campaigns/nowhere/next/"), 404)


# leases


def test_renew_release_and_skip_answer_with_the_lease(api, leased):
    path = f"assignments/{leased['assignment']}"
    assert post(api, f"{path}/renew/").json()["state"] == "leased"
    assert post(api, f"{path}/release/").json()["state"] == "released"
    assert_problem(post(api, f"{path}/renew/"), 409)
    again = post(api, "campaigns/c/next/").json()
    skipped = post(api, f"assignments/{again['assignment']}/skip/", {"reason": "heavy", "note": "later"})
    assert skipped.json()["state"] == "skipped"


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "reason"), ({"reason": "bored"}, "reason"), ({"reason": ["heavy"]}, "reason")]
    + [({"reason": "other", "note": note}, "note") for note in ("\x00", 5, [], "x" * 2001)],
)
def test_a_skip_without_a_reason_is_refused_by_field(api, leased, body, field):
    assert_problem(post(api, f"assignments/{leased['assignment']}/skip/", body), 400, field)


@pytest.mark.parametrize("verb", ["renew", "release", "skip", "rating"])
def test_anothers_assignment_is_not_there(campaign, leased, verb):
    other = client_of(factories.member(campaign))
    body = {"reason": "heavy", "client_id": str(uuid.uuid4()), "scores": GOOD}
    assert_problem(post(other, f"assignments/{leased['assignment']}/{verb}/", body), 404)


@pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
def test_an_assignment_that_is_not_there(api, number):
    assert_problem(post(api, f"assignments/{number}/renew/"), 404)


# rating


def test_a_rating_is_answered_201_then_200_with_the_same_body(api, leased):
    client_id = str(uuid.uuid4())
    first, again = rate(api, leased, client_id=client_id), rate(api, leased, client_id=client_id)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() == {"rating": Rating.objects.get().pk, "status": "counted"}


def test_an_edit_does_not_change_the_answer_to_what_it_edits(api, leased):
    client_id = str(uuid.uuid4())
    first = rate(api, leased, client_id=client_id)
    assert rate(api, leased, supersedes=first.json()["rating"]).status_code == 201
    assert rate(api, leased, client_id=client_id).json() == first.json()


def test_a_second_rating_is_answered_with_the_one_that_stands(api, leased):
    first = rate(api, leased).json()
    body = assert_problem(rate(api, leased), 409)
    assert (body["rating"], body["status_of_rating"]) == (first["rating"], "counted")


def test_an_edit_after_closing_is_answered_with_the_one_that_stands(api, leased, campaign):
    first = rate(api, leased).json()
    close_campaign(campaign=campaign)
    assert assert_problem(rate(api, leased, supersedes=first["rating"]), 409)["rating"] == first["rating"]


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"scores": GOOD | {"safety": 6}}, ["scores.safety"]),
        ({"scores": GOOD | {"safety": "good"}}, ["scores.safety"]),
        ({"scores": GOOD | {"safety": True}}, ["scores.safety"]),
        ({"scores": GOOD | {"safety": 3.5}}, ["scores.safety"]),
        ({"scores": {"empathy": 3, "fluency": 3}}, ["scores.safety"]),
        ({"scores": GOOD | {"warmth": 3}}, ["scores.warmth"]),
        ({"scores": None}, ["scores"]),
        ({"scores": 0, "rationale": "\x00"}, ["scores", "rationale"]),
        ({"rationale": "x" * 10_001}, ["rationale"]),
        ({"rationale": 0}, ["rationale"]),
        ({"rationale": False}, ["rationale"]),
        ({"marks": 0}, ["marks"]),
        ({"marks": ""}, ["marks"]),
        ({"marks": {}}, ["marks"]),
        ({"marks": [{"type": "privacy", "start": 0, "end": 2, "quote": "xx"}]}, ["marks.0"]),
        ({"seconds": ""}, ["seconds"]),
        ({"seconds": "31"}, ["seconds"]),
        ({"needs_expert": 0}, ["needs_expert"]),
        ({"supersedes": 12}, ["supersedes"]),
        ({"supersedes": "12"}, ["supersedes"]),
        ({"client_id": "not-a-uuid"}, ["client_id"]),
        ({"client_id": None}, ["client_id"]),
        ({"client_id": 5}, ["client_id"]),
    ],
)
def test_what_is_wrong_with_a_rating_is_named_by_field(api, leased, given, fields):
    assert_problem(rate(api, leased, **given), 400, *fields)
    assert not Rating.objects.exists()


def test_what_may_be_left_out_may_be_null(api, leased):
    nothing = dict.fromkeys(["marks", "rationale", "seconds", "needs_expert", "supersedes"])
    assert rate(api, leased, **nothing).status_code == 201


@pytest.mark.parametrize("body", ["", "[]", "5", '"text"', "null"])
def test_a_body_that_is_no_object_is_refused(api, leased, body):
    path = f"/api/v1/assignments/{leased['assignment']}/rating/"
    answer = api.generic("POST", path, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("body", [b'{"client_id":', b"\xff\xfe", b'{"seconds": NaN}', b"{'a': 1}"])
def test_a_body_that_is_no_json_is_refused(api, leased, body):
    path = f"/api/v1/assignments/{leased['assignment']}/rating/"
    assert_problem(api.generic("POST", path, body, content_type="application/json"), 400)


def test_another_media_type_is_refused(api, leased):
    path = f"/api/v1/assignments/{leased['assignment']}/rating/"
    assert_problem(api.generic("POST", path, b"<a/>", content_type="text/xml"), 415)


def test_another_method_is_refused(api):
    assert_problem(api.get("/api/v1/campaigns/c/next/"), 405)


def test_what_is_not_there_is_a_problem_document_too(api):
    assert_problem(api.get("/api/v1/nothing/of/the/kind/"), 404)
