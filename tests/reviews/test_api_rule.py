"""The rule by API: read, counted, changed."""

import pytest
from rest_framework.test import APIClient

from annotation.models import Campaign, Membership
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from tests import factories

pytestmark = pytest.mark.django_db
Role = Membership.Role
RULE = "/api/v1/campaigns/study/rule/"
OVERLAP = "/api/v1/campaigns/study/overlap/"


@pytest.fixture
def campaign():
    made = factories.campaign(slug="study", items=2, rule={"range": 2})
    for item, given in zip(factories.items_of(made), ([5, 5, 5], [{"empathy": 1}, 5, 5]), strict=True):
        factories.rated_item(given, item=item)
    return made


def api_of(user):
    api = APIClient()
    api.force_authenticate(user)
    return api


@pytest.fixture
def manager(campaign):
    return api_of(factories.member(campaign, Role.MANAGER))


def test_managers_and_experts_read_it(campaign, manager):
    for api in (manager, api_of(factories.member(campaign, Role.EXPERT))):
        told = api.get(RULE).json()
        assert (told["version"], told["rule"]["range"]) == (1, 2)
        assert "The scores of one dimension are 2 levels or more apart." in told["words"]


def test_a_rule_is_counted_without_being_saved(campaign, manager):
    told = manager.post(f"{RULE}count/", {"rule": {"range": 2, "extra_raters": 1}}, format="json").json()
    assert (told["looked_at"], told["sent"], told["extra"]) == (2, 0, 1)
    assert told["kinds"] == {"range": {"items": 1, "alone": 1}}
    assert told["changes"]["extra"] == 1
    assert {"rule", "sent", "extra"} <= told["others"][0].keys()
    own = manager.post(f"{RULE}count/", {}, format="json").json()
    assert own["sent"] == 1
    assert Campaign.objects.get().rule_version == 1


def test_a_change_is_a_new_version_with_a_job(campaign, manager):
    told = manager.put(RULE, {"rule": {"range": 3}, "reason": "Fewer.", "version": 1}, format="json").json()
    assert (told["version"], told["rule"]["range"]) == (2, 3)
    assert told["job"] == str(Job.objects.get().pk)
    assert manager.put(RULE, {"rule": {"range": 3}}, format="json").json()["version"] == 2
    outdated = manager.put(RULE, {"rule": {"range": 1}, "version": 1}, format="json")
    assert outdated.status_code == 409


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"rule": {"range": 9}}, "range"),
        ({"rule": {"mood": 1}}, "mood"),
        ({"rule": {}, "version": "1"}, "version"),
        ({"rule": {}, "reason": 3}, "reason"),
        ({"rule": {"range": 1}, "reason": "x" * 5000}, "reason"),
    ],
)
def test_faults_are_named(manager, body, field):
    refused = manager.put(RULE, body, format="json")
    assert refused.status_code == 400
    assert field in refused.json()["fields"]


def test_the_comparison_is_asked_for_and_read(manager):
    assert manager.get(OVERLAP).status_code == 404
    started = manager.post(OVERLAP)
    assert started.status_code == 202
    assert runner.run(Job.objects.get(pk=started.json()["job"]).pk)
    told = manager.get(OVERLAP).json()
    assert told["designs"][0]["first"] == 2
    assert told["parameters"]["rule_version"] == 1
