"""The refinement by API: the table, a ruling, its faults by field; as blind as the page."""

import pytest

from annotation.models import WorkItem
from annotation.services.flags import flag_scenario
from reviews.models import ScenarioRuling
from scenarios.models import Scenario
from tests import factories
from tests.annotation.api import assert_problem, client_of, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return factories.campaign(items=2)


@pytest.fixture
def scenario(campaign):
    return Scenario.objects.filter(dataset=campaign.dataset).first()


@pytest.fixture
def api(campaign):
    return client_of(factories.member(campaign, "expert"))


def rule(api, campaign, scenario, /, **given):
    body = {"campaign": campaign.slug, "verdict": "withdraw", "fault": "unsafe", "reason": "It names a dose."}
    return post(api, f"scenarios/{scenario.pk}/ruling/", body | given)


def test_the_table_and_what_waits(api, campaign, scenario):
    user = factories.member(campaign)
    given = factories.lease(WorkItem.objects.get(campaign=campaign, scenario=scenario), user)
    flag_scenario(assignment_id=given.pk, user=user, fault="unsafe", note="SECRET")
    answer = api.get(f"/api/v1/campaigns/{campaign.slug}/refinement/")
    assert b"SECRET" not in answer.content
    (flagged,) = answer.json()["flagged"]
    assert (flagged["scenario"], flagged["people"], flagged["votes"]) == (scenario.pk, 1, {"unsafe": 1})
    rule(api, campaign, scenario)
    body = api.get(f"/api/v1/campaigns/{campaign.slug}/refinement/").json()
    counts = {"scenarios": 2, "flagged": 1, "kept": 0, "revised": 0, "withdrawn": 1, "faults": {"unsafe": 1}}
    assert body == {"tasks": [{"task": "dialogue_emotion"} | counts], "total": counts, "flagged": []}


def test_a_revision_names_its_version_and_sent_twice_it_is_one(api, campaign, scenario):
    changes = {"turns": [{"role": "user", "text": "The tide is in."}]}
    first = rule(api, campaign, scenario, verdict="revise", changes=changes)
    again = rule(api, campaign, scenario, verdict="revise", changes=changes)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    new = Scenario.objects.current().get(key=scenario.key)
    assert first.json() == {
        "ruling": ScenarioRuling.objects.get().pk,
        "scenario": scenario.pk,
        "verdict": "revise",
        "revised_to": new.pk,
    }


@pytest.mark.parametrize(
    ("given", "status", "fields"),
    [
        ({"campaign": None}, 400, ["campaign"]),
        ({"campaign": 3}, 400, ["campaign"]),
        ({"campaign": "a\x00"}, 400, ["campaign"]),
        ({"campaign": "nothing"}, 404, []),
        ({"verdict": "burn"}, 400, ["verdict"]),
        ({"fault": None}, 400, ["fault"]),
        ({"reason": 3}, 400, ["reason"]),
        ({"verdict": "revise", "changes": [1]}, 400, ["changes"]),
        ({"verdict": "revise", "changes": {"turns": [3]}}, 400, ["changes.turns"]),
        ({"verdict": "revise", "changes": {"reference": "Mine."}}, 400, ["changes.reference"]),
    ],
)
def test_what_is_wrong_is_named(api, campaign, scenario, given, status, fields):
    assert_problem(rule(api, campaign, scenario, **given), status, *fields)
    assert not ScenarioRuling.objects.exists()


def test_who_was_given_a_response_to_it_may_not(campaign, scenario):
    user = factories.member(campaign, "expert")
    item = WorkItem.objects.get(campaign=campaign, scenario=scenario)
    factories.rating(item, user=factories.member(campaign, user=user))
    assert "given a response" in assert_problem(rule(client_of(user), campaign, scenario), 403)["detail"]


def test_a_scenario_that_is_not_of_the_campaign_is_not_there(api, campaign):
    factories.dataset(scenarios=1)
    assert_problem(rule(api, campaign, Scenario.objects.last()), 404)


def test_a_second_ruling_on_what_was_withdrawn_is_refused(api, campaign, scenario):
    rule(api, campaign, scenario)
    assert_problem(rule(api, campaign, scenario, verdict="keep"), 409)
