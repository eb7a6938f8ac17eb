"""Cases by API: the queue, the bench and the decision, as blind as the page."""

import json
import uuid

import pytest

from annotation.services.campaigns import close_campaign
from reviews.models import Case
from reviews.services.cases import take_case
from tests import factories
from tests.annotation.api import assert_problem, client_of, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(expert):
    return client_of(expert)


def cases(api, case, query=""):
    return api.get(f"/api/v1/campaigns/{case.campaign.slug}/cases/{query}")


def decision(**given):
    return {"client_id": str(uuid.uuid4()), "values": {"empathy": 4}} | given


def test_the_list_says_why_a_case_is_a_case(api, case):
    (row,) = cases(api, case).json()["results"]
    assert (row["case"], row["state"], row["task"]) == (case.pk, "waiting", "dialogue_emotion")
    assert [(reason["kind"], reason["dimension"]) for reason in row["reasons"]] == [("range", "empathy")]


def test_it_is_filtered_and_what_cannot_be_is_a_problem(api, case):
    assert len(cases(api, case, "?reason=range&task=dialogue_emotion").json()["results"]) == 1
    assert cases(api, case, "?reason=safety").json()["results"] == []
    assert cases(api, case, "?state=decided").json()["results"] == []
    assert_problem(cases(api, case, "?state=nope"), 400, "state")
    assert_problem(cases(api, case, "?cursor=nope"), 400, "cursor")


def test_the_list_says_what_is_disputed_and_how_far(api, case):
    (row,) = cases(api, case, "?dimension=empathy&spread=4&component=dialogue&language=en&sort=oldest").json()[
        "results"
    ]
    shown = {name: row[name] for name in ("campaign", "component", "dimensions", "spread")}
    assert shown == {
        "campaign": case.campaign.slug, "component": "dialogue", "dimensions": ["empathy"], "spread": 4,
    }  # fmt: skip
    assert cases(api, case, "?spread=5").json()["results"] == []
    for fault in ("dimension", "spread", "sort", "share"):
        assert_problem(cases(api, case, f"?{fault}=nope"), 400, fault)


def test_one_list_goes_over_all_campaigns(api, case, expert):
    elsewhere = factories.rated_item([{"empathy": 1}, 5]).campaign
    factories.member(elsewhere, "expert", user=expert)
    factories.rated_item([{"empathy": 1}, 5])  # of a campaign of others
    listed = api.get("/api/v1/cases/").json()["results"]
    assert {row["campaign"] for row in listed} == {case.campaign.slug, elsewhere.slug}
    (row,) = api.get("/api/v1/cases/", {"campaign": elsewhere.slug}).json()["results"]
    assert row["campaign"] == elsewhere.slug
    assert_problem(api.get("/api/v1/cases/", {"campaign": "nowhere"}), 400, "campaign")
    assert_problem(client_of(factories.person()).get("/api/v1/cases/"), 403)


def test_a_long_list_comes_in_pages_and_none_is_left_out():
    campaign = factories.campaign(items=60, overlap=1)
    for item in factories.items_of(campaign):
        factories.rating(item, {"safety": 1 + item.pk % 2})
    api, seen, cursor = client_of(factories.member(campaign, "expert")), [], ""
    while cursor is not None:
        page = api.get(f"/api/v1/campaigns/{campaign.slug}/cases/", {"cursor": cursor}).json()
        seen += [row["case"] for row in page["results"]]
        cursor = page["next"]
    assert len(seen) == len(set(seen)) == 60


def test_next_take_and_give_back(api, case):
    taken = post(api, "cases/next/", {"campaign": case.campaign.slug})
    assert taken.status_code == 200
    assert (taken.json()["case"], taken.json()["mine"]) == (case.pk, True)
    assert post(api, f"cases/{case.pk}/take/").json()["case"] == case.pk
    assert post(api, f"cases/{case.pk}/renew/").json()["state"] == "taken"
    assert post(api, f"cases/{case.pk}/give-back/").json() == {
        "case": case.pk,
        "state": "waiting",
        "lease_until": None,
    }
    assert_problem(post(api, f"cases/{case.pk}/give-back/"), 409)


def test_204_when_nothing_waits(api, case, decide, expert):
    decide(case, expert)
    assert post(api, "cases/next/").status_code == 204


def test_a_taken_case_shows_the_ratings_under_pseudonyms(api, case):
    shown = post(api, f"cases/{case.pk}/take/").json()
    assert [rating["rater"] for rating in shown["ratings"]] == ["A", "B", "C"]
    assert sorted(rating["scores"]["empathy"] for rating in shown["ratings"]) == [1, 5, 5]
    assert shown["required"] == {"values": ["empathy"], "marks": []}
    assert shown["item"]["text"] == case.work_item.response.text


def test_before_it_is_taken_there_are_no_ratings_to_see(api, case):
    shown = api.get(f"/api/v1/cases/{case.pk}/").json()
    assert (shown["item"], shown["ratings"], shown["decisions"]) == (None, None, None)


def test_the_model_the_condition_and_the_names_stay_hidden_until_the_campaign_is_closed():
    data = factories.dataset(companions=("secret-model",), conditions=("sap",), scenarios=1, reference="A reference.")
    item = factories.rated_item([1, 5], data=data)
    case = Case.objects.get(work_item=item)
    chief = factories.member(case.campaign, "expert")
    factories.member(case.campaign, "manager", user=chief)
    api = client_of(chief)
    told = post(api, f"cases/{case.pk}/take/").content.decode() + cases(api, case).content.decode()
    hidden = ["secret-model", "sap", item.response.item_id, item.scenario.key, "A reference."]
    hidden += [rating.annotator.username for rating in item.ratings.all()]
    for word in hidden:
        assert f'"{word}' not in told
    close_campaign(campaign=case.campaign)
    assert api.get(f"/api/v1/cases/{case.pk}/").json()["origin"]["companion"] == "secret-model"


def test_a_decision_is_saved_once_and_answers_the_same(api, case, expert):
    take_case(case_id=case.pk, expert=expert)
    body = decision(quick_reason="misread")
    first, again = (post(api, f"cases/{case.pk}/decision/", body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert (
        first.json()
        == again.json()
        == {
            "decision": case.decisions.get().pk,
            "case": case.pk,
            "kind": "ruling",
        }
    )
    other = post(api, f"cases/{case.pk}/decision/", decision())
    assert_problem(other, 409)
    assert json.loads(other.content)["decision"] == case.decisions.get().pk


def test_a_decision_can_be_revised_by_naming_it(api, case, expert, decide):
    standing = decide(case, expert)
    body = decision(values={"empathy": "ambiguous"}, rationale="On second thoughts.", supersedes=standing.pk)
    assert post(api, f"cases/{case.pk}/decision/", body).status_code == 201
    case.refresh_from_db()
    assert case.state == Case.State.DECIDED


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"client_id": "nope"}, "client_id"),
        ({"values": {"empathy": 9}}, "values.empathy"),
        ({"values": {}}, "values.empathy"),
        ({"values": [1]}, "values"),
        ({"marks": ["privacy"]}, "marks"),
        ({"rationale": 7}, "rationale"),
        ({"quick_reason": ["misread"]}, "quick_reason"),
        ({"supersedes": "x"}, "supersedes"),
        ({"supersedes": True}, "supersedes"),
    ],
)
def test_each_fault_is_named_by_its_field(api, case, expert, body, field):
    take_case(case_id=case.pk, expert=expert)
    assert_problem(post(api, f"cases/{case.pk}/decision/", decision(**body)), 400, field)


def test_a_body_that_is_no_object_is_a_problem(api, case):
    for path in (f"cases/{case.pk}/decision/", "cases/next/", f"cases/{case.pk}/reopen/"):
        assert_problem(api.post(f"/api/v1/{path}", "[1]", content_type="application/json"), 400)


def test_who_rated_the_item_is_refused_at_every_door(case, disputed):
    rater = factories.member(case.campaign, "expert", user=disputed.ratings.first().annotator)
    api = client_of(rater)
    assert_problem(api.get(f"/api/v1/cases/{case.pk}/"), 403)
    assert_problem(post(api, f"cases/{case.pk}/take/"), 403)
    assert_problem(post(api, f"cases/{case.pk}/decision/", decision()), 403)
    assert post(api, "cases/next/").status_code == 204
    (row,) = cases(api, case).json()["results"]
    assert (row["conflict"], row["reasons"]) == (True, [])


@pytest.mark.parametrize("role", ["annotator", None])
def test_to_others_there_is_no_such_case(case, role):
    user = factories.member(case.campaign, role) if role else factories.person()
    api = client_of(user)
    assert_problem(api.get(f"/api/v1/cases/{case.pk}/"), 404)
    assert_problem(post(api, f"cases/{case.pk}/take/"), 404)
    assert_problem(cases(api, case), 403 if role else 404)
    assert_problem(post(api, "cases/next/"), 403)


def test_a_case_is_reopened_with_a_reason(api, case, expert, decide):
    decide(case, expert)
    assert_problem(post(api, f"cases/{case.pk}/reopen/"), 400, "reason")
    assert post(api, f"cases/{case.pk}/reopen/", {"reason": "New guideline."}).json()["state"] == "waiting"


@pytest.mark.parametrize("reason", ["nul\x00", "x" * 2001])
def test_a_reason_that_cannot_be_kept_is_refused(api, case, expert, decide, reason):
    decide(case, expert)
    assert_problem(post(api, f"cases/{case.pk}/reopen/", {"reason": reason}), 400, "reason")
    case.refresh_from_db()
    assert case.state == Case.State.DECIDED


@pytest.mark.parametrize("campaign", ["\x00", "nowhere", 5, []])
def test_of_a_campaign_that_is_none_there_is_no_next_case(api, campaign):
    assert_problem(post(api, "cases/next/", {"campaign": campaign}), 404)
