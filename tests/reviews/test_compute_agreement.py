"""The agreement of a campaign: of the independent ratings, before adjudication, kept and traceable."""

import json

import pandas as pd
import pytest
from django.core.management import call_command

from annotation.services.items import ask_for_more, locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from jobs.models import Job
from jobs.runner import run
from jobs.services import enqueue
from reviews import tasks  # noqa: F401  (registers the handler, as the worker does)
from reviews.errors import NoRatings, OptionsInvalid
from reviews.models import AgreementReport
from reviews.rater_codes import names_of_codes, rater_codes
from reviews.services.agreement import Options, compute_agreement
from reviews.services.base_ratings import frame_of
from reviews.statistics.report import agreement
from tests import factories

pytestmark = pytest.mark.django_db
QUICK = Options(bootstrap=0)


@pytest.fixture
def campaign():
    """Three items, each rated by the same three people."""
    made = factories.campaign(slug="study", items=3)
    raters = [factories.member(made) for _ in range(3)]
    for item, scores in zip(factories.items_of(made), ([1, 2, 2], [3, 3, 3], [5, 5, 4]), strict=True):
        factories.rated_item([{"empathy": score} for score in scores], item=item, raters=raters)
    return made


def test_the_report_is_what_the_statistics_say_of_the_ratings(campaign):
    report, is_new = compute_agreement(campaign=campaign, options=QUICK)
    rows = [("a", 1, 1), ("a", 2, 2), ("a", 3, 2), ("b", 1, 3), ("b", 2, 3), ("b", 3, 3)]
    rows += [("c", 1, 5), ("c", 2, 5), ("c", 3, 4)]
    frame = pd.DataFrame(rows, columns=["item_id", "rater_id", "value"])
    expected = agreement(frame, scale="1-5", bootstrap=0).to_json()["dimensions"]["value"]
    assert is_new
    found = report.result["dimensions"]["empathy"]
    for name in ("alpha", "ac2", "icc2_1", "pair_exact", "all_adjacent", "distribution"):
        assert found[name] == expected[name]


def test_the_same_question_has_one_answer_computed_once(campaign):
    first, _new = compute_agreement(campaign=campaign, options=QUICK)
    again, is_new = compute_agreement(campaign=campaign, options=QUICK)
    other, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0, level="interval"))
    assert (again.pk, is_new) == (first.pk, False)
    assert other.pk != first.pk


def test_a_new_rating_makes_new_data(campaign):
    first, _new = compute_agreement(campaign=campaign, options=QUICK)
    standing = factories.items_of(campaign)[0].ratings.first()
    factories.edit(standing, {"empathy": 2})
    second, is_new = compute_agreement(campaign=campaign, options=QUICK)
    assert is_new
    assert second.data_version != first.data_version


def test_the_report_names_what_it_came_from(campaign):
    report, _new = compute_agreement(campaign=campaign)
    assert report.parameters == {
        "level": "ordinal",
        "scale": dict.fromkeys(factories.DIMENSIONS, "1-5"),
        "cluster": None,
        "bootstrap": 10_000,
        "seed": int(report.data_version[:8], 16),
    }
    assert report.result["parameters"]["seed"] == report.seed
    assert report.result["data"]["sha256"] == report.data_version
    assert report.code_version.startswith("0.1.0+")


def test_raters_asked_for_because_of_disagreement_do_not_bend_it(campaign):
    before = frame_of(campaign)
    item = locked_item(factories.items_of(campaign)[0].pk)
    ask_for_more(item, 2)
    for _ in range(2):
        factories.rating(item, {"empathy": 5})
    pd.testing.assert_frame_equal(frame_of(campaign), before)


def test_decisions_never_enter_it(decide, disputed, case, expert):
    before = frame_of(disputed.campaign)
    decide(case, expert)
    pd.testing.assert_frame_equal(frame_of(disputed.campaign), before)


def test_withdrawn_ratings_and_items_are_out(campaign):
    first, second, _third = factories.items_of(campaign)
    withdraw_rating(rating_id=first.ratings.first().pk)
    withdraw_item(locked_item(second.pk))
    frame = frame_of(campaign)
    assert len(frame) == (2 + 3) * 3
    assert second.response.item_id not in set(frame["item_id"])


def test_a_score_that_is_not_there_is_missing_and_counted(campaign):
    rating = factories.items_of(campaign)[0].ratings.first()
    rating.scores.filter(dimension="fluency").delete()
    report, _new = compute_agreement(campaign=campaign, options=QUICK)
    assert report.result["dimensions"]["fluency"]["missing"] == 1
    assert report.result["dimensions"]["fluency"]["ratings"] == 8


def test_responses_to_one_scenario_are_one_cluster():
    data = factories.dataset(scenarios=2, companions=("a", "b"))
    made = factories.campaign(data=data, overlap=1)
    for item in factories.items_of(made):
        factories.rating(item)
    assert frame_of(made)["cluster_id"].nunique() == 2


def test_raters_stand_under_codes_that_stay_and_managers_can_look_up(campaign):
    codes = rater_codes(campaign)
    frame = frame_of(campaign)
    assert set(frame["rater_id"]) == set(codes.values())
    assert not any(name in code for code, name in names_of_codes(campaign).items())
    factories.edit(factories.items_of(campaign)[0].ratings.first(), 4)
    assert rater_codes(campaign) == codes


def test_the_data_version_does_not_depend_on_what_raters_are_called(campaign):
    names = {pk: f"R{i}" for i, pk in enumerate(rater_codes(campaign))}
    assert frame_of(campaign, names=names).attrs["sha256"] == frame_of(campaign).attrs["sha256"]


def test_without_ratings_there_is_nothing_to_compute():
    with pytest.raises(NoRatings):
        compute_agreement(campaign=factories.campaign())


@pytest.mark.parametrize("options", [Options(scale="7", bootstrap=0), Options(cluster="nope"), Options(level="x")])
def test_options_that_cannot_be_are_refused(campaign, options):
    with pytest.raises(OptionsInvalid):
        compute_agreement(campaign=campaign, options=options)


def test_the_job_computes_and_keeps_it(campaign):
    job = enqueue(kind="compute_agreement", arguments={"campaign": "study"}, by=None)
    run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error
    assert job.result == {"report": AgreementReport.objects.get().pk, "new": True}


def test_the_job_says_why_there_is_none():
    factories.campaign(slug="empty")
    job = enqueue(kind="compute_agreement", arguments={"campaign": "empty"}, by=None)
    run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (Job.State.FAILED, "No rating counts yet.")


def test_the_command_prints_what_is_kept(campaign, capsys):
    call_command("agreement", campaign="study", json=True, bootstrap=0)
    printed = json.loads(capsys.readouterr().out)
    assert printed == AgreementReport.objects.get().result
    assert set(printed) > {"data", "parameters", "dimensions"}
