"""What only the working out of a plan refuses: told in the reader's language, at its place in the form."""

import html
import re
import string
from dataclasses import replace

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import translation
from rest_framework.test import APIClient

from annotation.models import Membership
from jobs import runner
from jobs.models import Job
from reviews import plan_refusals, tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.errors import PlanInvalid
from reviews.plan_reading import PlanOptions
from reviews.plan_refusals import refusal_words
from reviews.services.background import start_plan
from reviews.services.plan import make_plan
from reviews.statistics.planning_refusals import PlanRefused, Refusal
from tests import factories
from tests.reviews.pages import page

OPTIONS = PlanOptions(
    scenarios=(40,),
    responses=(2,),
    raters=(2,),
    distribution={1: 2, 2: 5, 3: 13, 4: 45, 5: 35},
    alpha=0.6,
    scenario_share=0.3,
    scale="1-5",
    simulations=20,
)
PILOT = replace(OPTIONS, distribution=None, alpha=None, scenario_share=None, scale=None)


@pytest.fixture
def campaign(db):
    """Forty scenarios of one response each, now equal and now apart."""
    made = factories.campaign(slug="pilot-study", title="Pilot study", items=40, overlap=2)
    for at, item in enumerate(factories.items_of(made)):
        factories.rated_item([1 + at % 5, min(5, 1 + at % 5 + (at % 3 == 0))], item=item)
    return made


def worked_out(user, options, pilot=None):
    job = start_plan(options=options.as_json(), pilot=pilot, by=user)
    assert runner.run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.FAILED
    return job


def client_of(user, language=""):
    user.language = language
    user.save()
    client = Client()
    client.force_login(user)
    return client


def text(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def form_of(client, job):
    answer = client.get(f"/plan/?from={job.pk}")
    assert answer.status_code == 200
    return answer.context["form"]


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_has_words_with_all_that_is_told(refusal, monkeypatch):
    names = [name for _text, name, _form, _conversion in string.Formatter().parse(refusal.sentence) if name]
    told = {name: f"<{name}>" for name in names}
    english = refusal_words(PlanRefused(refusal, **told))
    assert english[0].isupper() or english[0] in "%<"
    assert english.endswith(".")
    monkeypatch.setattr(plan_refusals, "_", lambda words: f"译{words}")
    assert refusal_words(PlanRefused(refusal, **told)).startswith("译")


def test_a_dimension_is_called_by_its_name():
    refused = PlanRefused(Refusal.ALPHA_UNDEFINED, why="one rater").of("empathy")
    assert str(refused) == "empathy: alpha is undefined (one rater): state it"
    said = refusal_words(refused, dimension_name=str.upper)
    assert said == "EMPATHY: Alpha of the pilot is undefined (one rater): state it."


@pytest.mark.django_db
def test_an_alpha_that_no_raters_reach_is_marked_at_its_field():
    user = factories.site_manager()
    job = worked_out(user, replace(OPTIONS, alpha=0.99999))
    client = client_of(user)
    words = r"Alpha 0\.99999 cannot be reached: raters who differ by chance alone come to at most 0\.99\d\d\."
    assert re.search(words, text(page(client, "plan_result", job.pk)))
    form = form_of(client, job)
    assert list(form.errors) == ["alpha"]
    assert re.fullmatch(words, form.errors["alpha"][0])
    assert form["scenarios"].value() == "40"


def test_what_a_pilot_cannot_tell_is_marked_at_the_pilot(campaign):
    user = factories.member(campaign, Membership.Role.MANAGER)
    job = worked_out(user, PILOT, pilot="pilot-study")
    client = client_of(user)
    said = "Empathy: No scenario of the pilot has two items by two raters"
    assert said in text(page(client, "plan_result", job.pk))
    form = form_of(client, job)
    assert list(form.errors) == ["pilot"]
    assert form.errors["pilot"][0].startswith(said)
    assert form["pilot"].value() == "pilot-study"


@pytest.mark.parametrize(
    ("kept", "field"),
    [
        (PlanRefused(Refusal.NO_RATINGS), "pilot"),
        (PlanRefused(Refusal.CUT_WITHOUT_SAFETY), "cut"),
        (PlanRefused(Refusal.COST_OUT, option="expert_wage", cost="expert wage", number="-1"), "expert_wage"),
        (PlanRefused(Refusal.AUDIT_OUT, share="2"), "audit_percent"),
        (PlanRefused(Refusal.NO_SUCH_DIMENSION, names="a", name="b"), "__all__"),
    ],
)
def test_each_is_marked_where_it_is_mended(campaign, kept, field):
    user = factories.member(campaign, Membership.Role.MANAGER)
    job = start_plan(options=PILOT.as_json(), pilot="pilot-study", by=user)
    result = plan_refusals.as_plan_invalid(kept).more
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, result=result)
    assert form_of(client_of(user), job).errors == {field: [refusal_words(kept)]}


def test_it_is_told_in_the_language_of_who_reads(campaign, monkeypatch):
    """Not in that of the worker, nor in the engine's English."""
    user = factories.member(campaign, Membership.Role.MANAGER)
    job = worked_out(user, PILOT, pilot="pilot-study")
    monkeypatch.setattr(plan_refusals, "_", lambda words: f"{translation.get_language()} {words}")
    client = client_of(user, "zh-hans")
    assert "zh-hans No scenario of the pilot" in text(page(client, "plan_result", job.pk))
    assert "zh-hans No scenario of the pilot" in form_of(client, job).errors["pilot"][0]


@pytest.mark.django_db
def test_a_pilot_without_ratings_is_marked(campaign):
    empty = factories.campaign(slug="empty", items=1)
    user = factories.member(empty, Membership.Role.MANAGER)
    job = worked_out(user, PILOT, pilot="empty")
    assert form_of(client_of(user), job).errors == {"pilot": ["No rating counts yet."]}


@pytest.mark.django_db
def test_a_refused_plan_has_no_table():
    user = factories.site_manager()
    job = worked_out(user, replace(OPTIONS, alpha=0.99999))
    assert page(client_of(user), "plan_table", job.pk, "designs").status_code == 404


@pytest.mark.django_db
def test_the_api_says_it_in_english_words():
    user = factories.site_manager()
    api = APIClient()
    api.force_authenticate(user)
    asked = {"distribution": {"1": 1, "5": 2}, "alpha": 0.5, "scenario_share": 0.2, "scale": "1-4"}
    number = api.post("/api/v1/plan/", asked, format="json").json()["job"]
    assert runner.run(Job.objects.get(pk=number).pk)
    assert api.get(f"/api/v1/jobs/{number}/").json()["error"] == "Level 5 is not on the scale 1-4."


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"distribution": {1: 1, 7: 1}}, {"distribution": ["Level 7 is not on the scale 1-5."]}),
        ({"distribution": {1.5: 1, 2: 1}, "scale": None}, {"distribution": ["Levels that are no whole numbers need "]}),
        ({"distribution": {1: 1, 5000: 1}, "scale": None}, {"distribution": ["Levels from 1 to 5000 need a declared"]}),
        ({"scale": "5-1"}, {"scale": ["The scale 5-1 cannot be read: it is written 1-5, "]}),
    ],
)
def test_the_refusal_names_its_option(options, told):
    with pytest.raises(PlanInvalid) as refused:
        make_plan(options=replace(OPTIONS, **options))
    assert refused.value.fields.keys() == told.keys()
    for option, (begin,) in told.items():
        assert refused.value.fields[option][0].startswith(begin)


def test_the_command_says_it_by_its_option():
    stated = {"distribution": "1:2,2:5,3:13,4:45,5:35", "alpha": 0.99999, "scenario_share": 0.3, "scale": "1-5"}
    with pytest.raises(CommandError, match=r"--alpha: Alpha 0\.99999 cannot be reached: raters"):
        call_command("plan", **stated, scenarios="40", responses="2", raters="2", simulations=20)
