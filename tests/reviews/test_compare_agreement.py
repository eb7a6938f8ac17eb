"""Two groups of ratings compared: split as asked, computed by a worker with the engine's numbers, said in words."""

import html
import re
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.test import Client
from django.utils import translation
from rest_framework.test import APIClient

from annotation.models import Campaign, Membership, Rating, Rubric, User
from annotation.services.campaigns import close_campaign
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.agreement_comparison_page import sentences_of
from reviews.agreement_split import Split, read_split
from reviews.errors import SplitInvalid
from reviews.rater_codes import rater_codes
from reviews.services.background import COMPARE_AGREEMENT
from reviews.services.base_ratings import base_ratings
from reviews.services.compare_agreement import compare_agreement, groups_of
from reviews.statistics.comparison import compare
from reviews.statistics.tidy import code_ratings
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db
Role = Membership.Role
API = "/api/v1/campaigns/study/agreement/compare/"
DAY = datetime(2026, 5, 10, tzinfo=UTC)
NAMES = ("ann", "bea", "cyd", "dot")


@pytest.fixture
def campaign():
    """Forty scenarios. Of the first half the raters are far apart, before DAY; of the second they agree, from then on.

    Ann and Bea rate all; Cyd all too, always a level lower in empathy.
    """
    made = factories.campaign(slug="study", items=40, overlap=3, title="Study")
    raters = [factories.member(made, Role.ANNOTATOR, user=factories.person(name)) for name in NAMES[:3]]
    for at, item in enumerate(factories.items_of(made)):
        level = 2 + at % 4
        late = at >= 20
        for place, user in enumerate(raters):
            apart = 0 if late else (at + place) % 3 - 1
            scores = {"empathy": max(1, min(5, level + apart) - (place == 2))}
            factories.rating(item, {**scores, "fluency": level, "safety": 5}, user=user)
        moment = DAY + timedelta(hours=at - 20)
        Rating.objects.filter(work_item=item).update(submitted_at=moment)
    return made


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def api_of(user):
    api = APIClient()
    api.force_authenticate(user)
    return api


@pytest.fixture
def boss(campaign):
    return factories.member(campaign, Role.MANAGER)


@pytest.fixture
def manager(boss):
    return client_of(boss)


@pytest.fixture(autouse=True)
def few_replicates(monkeypatch):
    monkeypatch.setitem(compare_agreement.__kwdefaults__, "bootstrap", 200)


def text(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def codes(campaign):
    """{person's name: their code}"""
    found = rater_codes(campaign)
    return {user.username: found[user.pk] for user in User.objects.filter(pk__in=found)}


def compared(client, **fields):
    answer = post(client, "compare_agreement", "study", **fields)
    assert answer.status_code == 302, text(answer)
    job = Job.objects.filter(kind=COMPARE_AGREEMENT).latest("created_at")
    assert runner.run(job.pk)
    job.refresh_from_db()
    return job


def test_two_periods_are_told_apart_in_words(manager):
    post(manager, "compare_agreement", "study", by="periods", since="2026-05-10")
    assert "Waiting for a worker" in text(page(manager, "compare_agreement", "study"))
    runner.run(Job.objects.get().pk)
    said = text(page(manager, "compare_agreement", "study"))
    assert "Before: submitted before" in said
    assert "60 ratings of 20 items by 3 raters" in said
    assert "The ratings cannot tell whether alpha is higher before or after: too few scenarios for an interval" in said
    assert "The difference of alpha is undefined: all ratings equal." in said


def test_the_numbers_are_the_engines_on_the_same_frame(campaign, manager):
    ann, bea, cyd = (codes(campaign)[name] for name in NAMES[:3])
    job = compared(manager, by="raters", a=[ann, bea], b=[cyd])
    base = base_ratings(campaign)
    frame = base.frame()
    ratings = code_ratings(frame, scale="1-5")
    rater = frame["rater_id"].to_numpy()[ratings.kept]
    in_a, in_b = np.isin(rater, [ann, bea]), np.isin(rater, [cyd])
    seed = job.result["parameters"]["seed"]
    same = compare(ratings, in_a, in_b, level="ordinal", bootstrap=200, seed=seed).to_json()
    assert job.result["dimensions"] == same["dimensions"]
    assert job.result["groups"][0] == {"ratings": 80, "items": 40, "scenarios": 40, "raters": 2}


def test_the_same_question_has_the_same_answer(campaign):
    split = Split("periods", since=DAY)
    assert compare_agreement(campaign=campaign, split=split) == compare_agreement(campaign=campaign, split=split)


def test_a_period_begins_at_its_moment(campaign):
    base = base_ratings(campaign)
    before, after = groups_of(base, Split("periods", since=DAY))
    assert (before.sum(), after.sum()) == (60, 60)
    _before, later = groups_of(base, Split("periods", since=DAY + timedelta(microseconds=1)))
    assert later.sum() == 57


def test_a_day_is_one_of_who_typed_it(campaign, manager):
    post(manager, "compare_agreement", "study", by="periods", since="2026-05-10", zone="Asia/Shanghai")
    kept = Job.objects.get().arguments["split"]["since"]
    assert kept == "2026-05-09T16:00:00+00:00"


def test_a_rater_before_and_after_is_compared_with_all_who_rated_the_same_items(campaign):
    own = codes(campaign)["cyd"]
    items = factories.items_of(campaign)
    Rating.objects.filter(work_item=items[0], annotator__username="cyd").update(status="surplus")
    base = base_ratings(campaign)
    before, after = groups_of(base, Split("retraining", since=DAY, rater=own))
    assert (before.sum(), after.sum()) == (57, 60)  # not of the item that Cyd's rating left
    assert not (before & after).any()


def test_a_retraining_that_is_known_needs_no_day(campaign, manager):
    own = codes(campaign)["cyd"]
    membership = Membership.objects.get(campaign=campaign, user__username="cyd")
    refused = post(manager, "compare_agreement", "study", by="retraining", rater=own)
    assert refused.status_code == 422
    assert "No retraining of this rater is known" in text(refused)
    membership.retrained_at = DAY
    membership.save()
    job = compared(manager, by="retraining", rater=own)
    assert job.result["parameters"]["split"] == Split("retraining", since=DAY, rater=own).as_json()
    said = text(page(manager, "compare_agreement", "study"))
    assert "Before: all ratings of the items that cyd rated before" in said


def test_two_rubric_versions(campaign, manager):
    assert "Two rubric versions" not in text(page(manager, "compare_agreement", "study"))
    rubric = campaign.rubric
    newer = Rubric.objects.create(key=rubric.key, version=77, content=rubric.content, hash="b" * 64)
    Rating.objects.filter(submitted_at__gte=DAY).update(rubric=newer)
    assert "Two rubric versions" in text(page(manager, "compare_agreement", "study"))
    a, b = f"{rubric.key} {rubric.version}", f"{rubric.key} 77"
    job = compared(manager, by="rubrics", a=a, b=b)
    assert job.result["groups"][1]["ratings"] == 60
    assert f"Rated on {a}" in text(page(manager, "compare_agreement", "study"))


def test_two_groups_of_raters_by_name(campaign, manager):
    own = codes(campaign)
    job = compared(manager, by="raters", a=[own["ann"], own["bea"]], b=[own["cyd"]])
    shown = page(manager, "compare_agreement", "study")
    assert "First group: ann, bea" in text(shown)
    assert "The difference of alpha is undefined: one rater." in text(shown)
    assert "The mean value is lower in the second group than in the first group: by" in text(shown)
    assert not re.search(r"\b(ann|bea|cyd)\b", str(job.result))


def test_an_empty_group_is_said(manager):
    job = compared(manager, by="periods", since="2020-01-01")
    assert (job.state, job.error) == (Job.State.FAILED, "One of the two groups has no rating.")
    assert "One of the two groups has no rating." in text(page(manager, "compare_agreement", "study"))


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "by"),
        ({"by": "mood"}, "by"),
        ({"by": "periods"}, "since"),
        ({"by": "periods", "since": "soon"}, "since"),
        ({"by": "periods", "since": "2026-02-31"}, "since"),
        ({"by": "periods", "since": "2026-05-01T10:00:00"}, "since"),
        ({"by": "periods", "since": 5}, "since"),
        ({"by": "rubrics", "a": ["default 1"], "b": ["default 9"]}, "b"),
        ({"by": "rubrics", "a": ["default 1"], "b": ["default 1"]}, "b"),
        ({"by": "raters", "a": [], "b": ["x"]}, "a"),
        ({"by": "raters", "a": {"x": 1}, "b": "x"}, "a"),
        ({"by": "raters", "a": [7], "b": ["x"]}, "a"),
        ({"by": "retraining"}, "rater"),
        ({"by": "retraining", "rater": ["x"]}, "rater"),
        ({"by": "retraining", "rater": "ann", "since": "2026-05-01"}, "rater"),
    ],
)
def test_faults_are_named(campaign, boss, sent, field):
    with pytest.raises(SplitInvalid) as refused:
        read_split(sent, campaign)
    assert field in refused.value.fields
    answer = api_of(boss).post(API, sent, format="json")
    assert answer.status_code == 400
    assert field in answer.json()["fields"]
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"by": "periods", "since": ""}, "since"),
        ({"by": "periods", "since": "yesterday"}, "since"),
        ({"by": "raters"}, "a"),
        ({"by": "raters", "a": ["nobody"], "b": ["nobody"]}, "a"),
        ({"by": "retraining", "rater": "nobody"}, "rater"),
        ({"by": "mood"}, "since"),
    ],
)
def test_bad_input_is_refused_at_its_place(manager, sent, field):
    answer = post(manager, "compare_agreement", "study", **sent)
    assert answer.status_code == 422
    assert field in answer.context["refused"].errors
    assert "Nothing is compared yet: see the fields marked below." in text(answer)
    assert not Job.objects.exists()


def test_nobody_is_in_both_groups(campaign, manager):
    ann = codes(campaign)["ann"]
    answer = post(manager, "compare_agreement", "study", by="raters", a=[ann], b=[ann])
    assert answer.context["refused"].errors == {"b": ["Nothing can be in both groups."]}


def test_a_split_comes_back_as_a_job_keeps_it():
    split = Split("retraining", since=DAY, rater="rater-abc")
    assert Split.of(split.as_json()) == split


def test_the_api_starts_and_reads(boss):
    api = api_of(boss)
    assert api.get(API).status_code == 404
    number = api.post(API, {"by": "periods", "since": "2026-05-10T02:00:00+02:00"}, format="json").json()["job"]
    assert runner.run(Job.objects.get(pk=number).pk)
    told = api.get(API).json()
    assert told["parameters"]["split"]["since"] == "2026-05-10T00:00:00+00:00"
    assert {"difference", "mean_difference", "exact_difference"} <= told["dimensions"]["empathy"].keys()
    assert "computed_at" in told


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.EXPERT, None])
def test_nobody_else_sees_or_starts_while_it_is_open(campaign, role):
    user = factories.member(campaign, role) if role else factories.site_manager()
    client, api = client_of(user), api_of(user)
    assert page(client, "compare_agreement", "study").status_code == 403
    assert post(client, "compare_agreement", "study", by="periods", since="2026-05-10").status_code == 403
    assert api.get(API).status_code == 403
    assert api.post(API, {"by": "periods", "since": "2026-05-10"}, format="json").status_code == 403
    assert not Job.objects.exists()


def test_an_expert_of_a_closed_campaign_reads_codes_and_starts_nothing(campaign, boss, manager):
    own = codes(campaign)
    expert = client_of(factories.member(campaign, Role.EXPERT))
    compared(manager, by="raters", a=[own["ann"]], b=[own["cyd"]])
    close_campaign(campaign=Campaign.objects.get(slug="study"), by=boss)
    shown = text(page(expert, "compare_agreement", "study"))
    assert f"First group: {own['ann']}" in shown
    assert "Two periods" not in shown
    assert not re.search(r"\b(ann|cyd)\b", shown)
    assert post(expert, "compare_agreement", "study", by="periods", since="2026-05-10").status_code == 403


def test_an_earlier_comparison_is_reached_by_its_number(manager):
    first = compared(manager, by="periods", since="2026-05-10")
    compared(manager, by="periods", since="2026-05-10", zone="Asia/Shanghai")
    assert f"?comparison={first.pk}" in page(manager, "compare_agreement", "study").content.decode()
    assert page(manager, "compare_agreement", "study", comparison=first.pk).context["made"] == first
    assert page(manager, "compare_agreement", "study", comparison="nothing").status_code == 404


def test_of_another_campaign_nothing_is_shown(manager, campaign):
    job = compared(manager, by="periods", since="2026-05-10")
    other = factories.campaign(slug="other", items=1)
    there = client_of(factories.member(other, Role.MANAGER))
    assert page(there, "compare_agreement", "other", comparison=job.pk).status_code == 404


def entry(value=None, low=None, high=None, outcome="undefined", reason=None):
    return {"value": value, "ci_low": low, "ci_high": high, "outcome": outcome, "reason": reason}


def test_each_outcome_is_a_plain_sentence():
    lies = "the difference lies between −.04 and .06"
    dimension = {
        "difference": entry(0.12, 0.05, 0.2, "higher"),
        "mean_difference": entry(-0.3, -0.5, -0.1, "lower"),
        "exact_difference": entry(0.01, -0.04, 0.06, "cannot_tell"),
    }
    assert list(sentences_of(dimension, ("before", "after"))) == [
        "Alpha is higher after than before: by .12 (.05 to .20).",
        "The mean value is lower after than before: by .30 (.10 to .50).",
        f"The ratings cannot tell whether more pairs are equal before or after: {lies}.",
    ]


def test_it_is_led_to_from_the_agreement(manager):
    assert "/campaigns/study/agreement/compare/" in page(manager, "agreement", "study").content.decode()


def test_the_page_is_there_in_chinese(manager):
    with translation.override("zh-hans"):
        assert page(manager, "compare_agreement", "study").status_code == 200
