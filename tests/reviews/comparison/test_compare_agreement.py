"""Two groups of ratings compared: split as asked, computed by a worker with the engine's numbers, said in words."""

import re
from datetime import timedelta

import numpy as np
import pytest
from django.utils import translation

from annotation.models import Membership, Rating, Rubric
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.agreement_comparison_page import sentences_of
from reviews.agreement_split import Split, read_split
from reviews.errors import SplitInvalid
from reviews.services.base_ratings import base_ratings
from reviews.services.compare_agreement import compare_agreement, groups_of
from reviews.statistics.comparison import compare
from reviews.statistics.tidy import code_ratings
from tests import factories
from tests.reviews.comparison.comparing import API, DAY, api_of, codes, compared, text
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db
Role = Membership.Role


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
    ann, bea, cyd = (codes(campaign)[name] for name in ("ann", "bea", "cyd"))
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
