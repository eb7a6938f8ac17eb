"""Planning before spending: asked for by form or API, worked out by a worker, shown in words to who asked."""

import csv
import html
import io
import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotation.models import Membership
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.plan_reading import PlanOptions
from reviews.services.background import MAKE_PLAN
from reviews.services.base_ratings import frame_of
from reviews.services.plan import make_plan
from reviews.statistics.patterns import dimension_of
from reviews.statistics.planning import assume, designs_of, plan
from reviews.statistics.planning_pilot import Stated, assumptions_from
from reviews.statistics.tidy import code_ratings
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db
Role = Membership.Role
API = "/api/v1/plan/"
SHARES = {"level.1": "2", "level.2": "5", "level.3": "13", "level.4": "45", "level.5": "35"}
TYPED = {
    **SHARES,
    "source": "stated",
    "alpha": "0.6",
    "scenario_percent": "30",
    "scenarios": "20, 40",
    "responses": "2",
    "raters": "2",
    "width": "0.2",
    "range": "2",
    "cut": "",
    "audit_percent": "5",
    "seconds": "60",
    "case_minutes": "4",
    "wage": "12",
    "expert_wage": "40",
}


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch):
    """What is shown does not depend on how many."""
    monkeypatch.setattr("reviews.plan_reading.DEFAULTS", PlanOptions(simulations=20))


@pytest.fixture
def campaign():
    """Forty scenarios with two ratings each, now equal and now apart."""
    made = factories.campaign(slug="pilot-study", title="Pilot study", items=40, overlap=2)
    for at, item in enumerate(factories.items_of(made)):
        factories.rated_item([1 + at % 5, min(5, 1 + at % 5 + (at % 3 == 0))], item=item)
    return made


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def site():
    return client_of(factories.site_manager())


def text(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def planned(client, **typed):
    """The job that the form made."""
    answer = post(client, "plan", **(TYPED | typed))
    assert answer.status_code == 302, text(answer)
    return Job.objects.filter(kind=MAKE_PLAN).latest("created_at")


def test_the_form_becomes_a_job_and_the_job_a_page(site):
    job = planned(site)
    assert "Waiting for a worker" in text(page(site, "plan_result", job.pk))
    assert runner.run(job.pk)
    said = text(page(site, "plan_result", job.pk))
    best = "The cheapest design with alpha to ± .200 or better: 40 scenarios, 2 responses to each, 2 raters an item."
    assert best in said
    assert "It comes to alpha ± ." in said
    assert "160 ratings" in said
    assert "Why there is no interval" in said
    assert "too few scenarios for an interval: 30 are needed" in said
    assert "alpha .60; share of the scenarios 30 %; levels 1: 2 %, 2: 5 %, 3: 13 %, 4: 45 %, 5: 35 %" in said


def test_the_numbers_are_the_engines(site):
    job = planned(site)
    runner.run(job.pk)
    job.refresh_from_db()
    supposed = assume({1: 2, 2: 5, 3: 13, 4: 45, 5: 35}, alpha=0.6, scenario_share=0.3, scale="1-5")
    same = plan({"value": supposed}, designs_of([20, 40], [2], [2]), width=0.2, simulations=20).to_json()
    for name in ("designs", "recommended", "nearest", "why"):
        assert job.result[name] == same[name]


def test_where_none_is_narrow_enough_it_says_how_many_scenarios_it_takes(site):
    job = planned(site, width="0.01")
    runner.run(job.pk)
    said = text(page(site, "plan_result", job.pk))
    assert "No design gives alpha to ± .010." in said
    job.refresh_from_db()
    needed = job.result["nearest"]["scenarios"]
    assert f"With otherwise the same design it would take about {needed:,} scenarios." in said


def test_without_a_width_none_is_recommended(site):
    job = planned(site, width="")
    runner.run(job.pk)
    assert "No width was asked for" in text(page(site, "plan_result", job.pk))


def test_the_table_is_taken_away_with_its_numbers_in_full(site):
    job = planned(site)
    runner.run(job.pk)
    job.refresh_from_db()
    answer = page(site, "plan_table", job.pk, "designs")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    design = job.result["designs"][1]
    assert (rows[1]["scenarios"], rows[1]["raters"], rows[1]["recommended"]) == ("40", "2", "yes")
    assert float(rows[1]["half_width"]) == design["half_width"]
    assert float(rows[1]["cost"]) == design["cost"]
    assert rows[0]["half_width"] == ""
    assert page(site, "plan_table", job.pk, "other").status_code == 404


def test_a_campaign_of_ones_own_serves_as_pilot(campaign):
    manager = client_of(factories.member(campaign, Role.MANAGER))
    api = APIClient()
    api.force_authenticate(Membership.objects.get(campaign=campaign, role=Role.MANAGER).user)
    asked = {"pilot": "pilot-study", "scenario_share": 0.2, "scenarios": [40], "responses": [2], "raters": [2]}
    number = api.post(API, asked, format="json").json()["job"]
    assert runner.run(Job.objects.get(pk=number).pk)
    job = Job.objects.get(pk=number)
    assert job.state == Job.State.DONE, job.error
    ratings = code_ratings(frame_of(campaign), scale="1-5")
    own = {
        name: assumptions_from(dimension_of(ratings, at, "ordinal"), Stated(scenario_share=0.2))
        for at, name in enumerate(ratings.dimension_names)
    }
    same = plan(own, designs_of([40], [2], [2]), simulations=20).to_json()
    assert job.result["designs"] == same["designs"]
    said = text(page(manager, "plan_result", number))
    assert "Pilot study" in said
    assert "Empathy alpha" in said


def test_a_pilot_without_a_scenario_of_two_responses_is_refused_in_words(campaign):
    manager = client_of(factories.member(campaign, Role.MANAGER))
    job = planned(manager, source="pilot", pilot="pilot-study")
    runner.run(job.pk)
    assert "No scenario of the pilot has two items by two raters" in text(page(manager, "plan_result", job.pk))


def test_a_pilot_without_ratings_is_refused_in_words():
    empty = factories.campaign(slug="empty", items=1)
    manager = client_of(factories.member(empty, Role.MANAGER))
    job = planned(manager, source="pilot", pilot="empty")
    runner.run(job.pk)
    assert "No rating counts yet." in text(page(manager, "plan_result", job.pk))


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"level.5": "95"}, "level.1"),
        ({"level.5": "many"}, "level.5"),
        ({"level.4": "-45", "level.5": "125"}, "level.1"),
        ({"alpha": "1"}, "alpha"),
        ({"alpha": ""}, "alpha"),
        ({"scenario_percent": "130"}, "scenario_percent"),
        ({"scenarios": "sixty"}, "scenarios"),
        ({"responses": "0"}, "responses"),
        ({"raters": ""}, "raters"),
        ({"raters": "31"}, "raters"),
        ({"width": "5"}, "width"),
        ({"range": "0"}, "range"),
        ({"audit_percent": "101"}, "audit_percent"),
        ({"seconds": "-1"}, "seconds"),
        ({"wage": "nan"}, "wage"),
        ({"expert_wage": ""}, "expert_wage"),
    ],
)
def test_bad_input_is_refused_at_its_place(site, typed, field):
    answer = post(site, "plan", **(TYPED | typed))
    assert answer.status_code == 422
    assert field in answer.context["form"].errors
    assert "Nothing was planned yet: see the fields marked below." in text(answer)
    assert not Job.objects.exists()


def test_a_campaign_of_others_is_no_pilot(campaign):
    other = factories.campaign(slug="other", items=1)
    user = factories.member(other, Role.MANAGER)
    answer = post(client_of(user), "plan", **(TYPED | {"source": "pilot", "pilot": "pilot-study"}))
    assert answer.status_code == 422
    assert "pilot" in answer.context["form"].errors
    assert "Pilot study" not in text(page(client_of(user), "plan"))
    api = APIClient()
    api.force_authenticate(user)
    refused = api.post(API, {"pilot": "pilot-study"}, format="json")
    assert refused.status_code == 400
    assert "pilot" in refused.json()["fields"]
    assert not Job.objects.exists()


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT])
def test_nobody_else_plans(campaign, role):
    user = factories.member(campaign, role)
    api = APIClient()
    api.force_authenticate(user)
    assert page(client_of(user), "plan").status_code == 403
    assert post(client_of(user), "plan", **TYPED).status_code == 403
    assert api.post(API, {"pilot": "pilot-study"}, format="json").status_code == 403
    assert not Job.objects.exists()


def test_a_plan_is_for_who_asked_alone(site, campaign):
    job = planned(site)
    runner.run(job.pk)
    for user in (factories.site_manager(), factories.member(campaign, Role.MANAGER)):
        assert page(client_of(user), "plan_result", job.pk).status_code == 404
        assert page(client_of(user), "plan_table", job.pk, "designs").status_code == 404
        assert str(job.pk) not in page(client_of(user), "plan").content.decode()
    assert str(job.pk) in page(site, "plan").content.decode()


def test_who_manages_the_pilot_no_longer_sees_its_plan_no_longer(campaign):
    other = factories.campaign(slug="other", items=1)
    user = factories.member(campaign, Role.MANAGER)
    factories.member(other, Role.MANAGER, user=user)
    client = client_of(user)
    job = planned(client, source="pilot", pilot="pilot-study")
    assert page(client, "plan_result", job.pk).status_code == 200
    Membership.objects.filter(campaign=campaign, user=user).update(state="removed")
    assert page(client, "plan").status_code == 200
    assert page(client, "plan_result", job.pk).status_code == 404


def test_the_same_asked_twice_is_one_job(site):
    assert planned(site).pk == planned(site).pk
    assert planned(site, width="0.1").pk != Job.objects.earliest("created_at").pk


def test_an_earlier_plan_is_begun_with(site):
    job = planned(site, scenarios="70", alpha="0.55")
    shown = site.get(f"/plan/?from={job.pk}").context["form"]
    assert (shown["scenarios"].value(), shown["alpha"].value(), shown["level.4"].value()) == ("70", 0.55, 45)
    assert site.get("/plan/?from=nothing").status_code == 200


def test_the_api_reads_as_the_command_does(site):
    api = APIClient()
    api.force_authenticate(factories.site_manager("another"))
    asked = {"distribution": {"1": 1, "5": 2}, "alpha": 0.5, "scenario_share": 0.2, "scenarios": [40], "raters": [2]}
    number = api.post(API, asked, format="json").json()["job"]
    job = Job.objects.get(pk=number)
    assert make_plan(options=PlanOptions.of(job.arguments["options"]))["designs"][0]["scenarios"] == 40
    refused = api.post(API, asked | {"alpha": 3, "mood": 1}, format="json")
    assert refused.status_code == 400
    assert set(refused.json()["fields"]) == {"alpha", "mood"}


def test_it_is_led_to_from_the_campaigns(campaign, site):
    manager = client_of(factories.member(campaign, Role.MANAGER))
    assert 'href="/plan/"' in manager.get("/campaigns/").content.decode()
    rater = client_of(factories.member(campaign, Role.ANNOTATOR))
    assert 'href="/plan/"' not in rater.get("/campaigns/").content.decode()
    assert 'href="/plan/"' in site.get(f"/campaigns/new/?dataset={campaign.dataset.slug}").content.decode()
