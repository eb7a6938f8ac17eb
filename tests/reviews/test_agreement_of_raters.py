"""Agreement of a set of raters: what the ratings of these alone would give, and never taken for the campaign's."""

import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotation.services.campaigns import close_campaign
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handler, as the worker does)
from reviews.errors import OptionsInvalid
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.rater_profile import measured
from reviews.services.agreement import Options, compute_agreement
from reviews.services.background import start_agreement
from reviews.services.base_ratings import base_ratings, frame_of
from reviews.statistics.report import agreement
from tests import factories
from tests.annotation.api import assert_problem, client_of, post

pytestmark = pytest.mark.django_db
API = "/api/v1/campaigns/study/agreement/"


@pytest.fixture
def raters():
    return [factories.person(name) for name in ("ana", "bo", "chen", "dai")]


@pytest.fixture
def campaign(raters):
    """Forty scenarios, each response rated by three of four."""
    data = factories.dataset(scenarios=40, companions=["model-a"])
    made = factories.campaign(slug="study", data=data, overlap=3, rule={"range": 9})
    for rater in raters:
        factories.member(made, user=rater)
    draw = np.random.default_rng(3)
    for place, item in enumerate(factories.items_of(made)):
        for at in draw.permutation(4)[:3]:
            scores = {key: int(np.clip(place % 5 + draw.integers(0, 3), 1, 5)) for key in factories.DIMENSIONS}
            factories.rating(item, scores, user=raters[at])
    return made


@pytest.fixture
def codes(campaign, raters):
    known = rater_codes(campaign)
    return [known[rater.pk] for rater in raters]


def options(*raters, **more):
    return Options(**{"bootstrap": 200, "seed": 5, "raters": raters} | more)


def close(found, expected):
    """Equal, numbers to 1e-12."""
    if isinstance(expected, dict):
        return found.keys() >= expected.keys() and all(close(found[key], one) for key, one in expected.items())
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(close, found, expected))
    if isinstance(expected, float):
        return found == pytest.approx(expected, abs=1e-12)
    return found == expected


class TestWhatIsComputed:
    def test_it_is_the_report_of_a_file_with_their_ratings_alone(self, campaign, codes):
        report, _new = compute_agreement(campaign=campaign, options=options(*codes[:3]))
        frame = frame_of(campaign)
        alone = frame[frame["rater_id"].isin(codes[:3])]
        expected = agreement(alone, scale="1-5", bootstrap=200, seed=5).to_json()
        for dimension, entry in expected["dimensions"].items():
            assert entry["alpha"]["ci_low"] is not None
            assert close(report.result["dimensions"][dimension], entry)
        assert report.result["data"]["ratings"] == expected["data"]["ratings"] < len(frame)
        assert {one["rater"] for one in report.result["raters"]} == set(codes[:3])

    def test_its_data_version_is_that_of_their_ratings(self, campaign, codes):
        of_all, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0))
        report, _new = compute_agreement(campaign=campaign, options=options(*codes[:2], seed=None))
        assert report.data_version == base_ratings(campaign).of(codes[:2]).data_version != of_all.data_version
        assert report.seed == int(report.data_version[:8], 16)
        assert report.result["data"]["sha256"] == report.data_version

    def test_an_edit_of_another_rater_leaves_the_report_as_it_is(self, campaign, codes, raters):
        first, _new = compute_agreement(campaign=campaign, options=options(*codes[:2]))
        item = next(item for item in factories.items_of(campaign) if item.ratings.filter(annotator=raters[3]).exists())
        factories.edit(item.ratings.get(annotator=raters[3]), 2)
        again, is_new = compute_agreement(campaign=campaign, options=options(*codes[:2]))
        assert (again.pk, is_new) == (first.pk, False)

    def test_the_report_keeps_whose_ratings_it_is_of(self, campaign, codes):
        report, _new = compute_agreement(campaign=campaign, options=options(codes[1], codes[0], codes[1]))
        kept = {"raters": sorted(codes[:2]), "raters_of": 4}
        assert {name: report.parameters[name] for name in kept} == kept
        assert {name: report.result["parameters"][name] for name in kept} == kept
        assert report.result["rules"] is None

    def test_the_order_of_the_codes_makes_no_other_report(self, campaign, codes):
        first, _new = compute_agreement(campaign=campaign, options=options(*codes[:2]))
        again, is_new = compute_agreement(campaign=campaign, options=options(*reversed(codes[:2])))
        assert (again.pk, is_new) == (first.pk, False)

    def test_all_of_them_by_name_is_the_report_of_all(self, campaign, codes):
        of_all, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0))
        named, is_new = compute_agreement(campaign=campaign, options=Options(bootstrap=0, raters=tuple(codes)))
        assert (named.pk, is_new) == (of_all.pk, False)
        assert "raters" not in of_all.parameters

    def test_of_one_rater_it_is_undefined_with_the_reason(self, campaign, codes):
        report, _new = compute_agreement(campaign=campaign, options=options(codes[0]))
        entry = report.result["dimensions"]["empathy"]
        assert (entry["alpha"]["value"], entry["alpha"]["reason"]) == (None, "one rater")
        assert entry["reasons"]["pairs"] == "one rater"

    def test_a_code_that_nobody_has_is_refused_by_name(self, campaign, codes):
        with pytest.raises(OptionsInvalid, match="rater-nobody") as refused:
            compute_agreement(campaign=campaign, options=options(codes[0], "rater-nobody"))
        assert set(refused.value.fields) == {"raters"}
        assert not AgreementReport.objects.exists()

    def test_the_items_stay_where_only_some_ratings_are_taken(self, campaign, codes):
        base = base_ratings(campaign)
        some = base.of([codes[2]])
        assert some.names == [codes[2]]
        assert set(some.rater.tolist()) == {0}
        assert some.items is base.items
        assert len(some) == len(some.scores) == (base.rater == base.names.index(codes[2])).sum()


class TestTheLatestReport:
    def test_is_that_of_all_raters_wherever_it_is_asked_for(self, campaign, codes, raters):
        of_all, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0))
        some, _new = compute_agreement(campaign=campaign, options=options(*codes[:3]))
        assert AgreementReport.objects.latest_of(campaign) == of_all
        assert AgreementReport.objects.latest_of(campaign, sorted(codes[:3])) == some
        assert AgreementReport.objects.latest_of(campaign, sorted(codes[:2])) is None
        assert measured(campaign, raters[0])[0] == of_all
        api = client_of(factories.member(campaign, "manager"))
        assert api.get(API).json()["report"]["id"] == of_all.pk

    def test_is_none_where_only_some_raters_have_one(self, campaign, codes, raters):
        compute_agreement(campaign=campaign, options=options(*codes[:3]))
        assert AgreementReport.objects.latest_of(campaign) is None
        assert_problem(client_of(factories.member(campaign, "manager")).get(API), 404)


class TestDoors:
    def test_the_job_carries_whose_ratings(self, campaign, codes):
        job = start_agreement(campaign, by=None, raters=sorted(codes[:2]))
        run(job.pk)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.error
        assert AgreementReport.objects.get(pk=job.result["report"]).raters == sorted(codes[:2])

    def test_the_job_tells_whose_ratings_are_gone(self, campaign):
        job = start_agreement(campaign, by=None, raters=["rater-gone"])
        run(job.pk)
        job.refresh_from_db()
        assert job.state == Job.State.FAILED
        assert "rater-gone" in job.error

    def test_the_command_takes_codes(self, campaign, codes, capsys):
        call_command("agreement", campaign="study", raters=f"{codes[1]}, {codes[0]}", bootstrap=0, json=True)
        assert json.loads(capsys.readouterr().out)["parameters"]["raters"] == sorted(codes[:2])
        call_command("agreement", campaign="study", raters=",".join(codes[:2]), bootstrap=0)
        assert f"2 of 4 raters ({', '.join(sorted(codes[:2]))})" in capsys.readouterr().out
        with pytest.raises(CommandError, match="rater-nobody"):
            call_command("agreement", campaign="study", raters="rater-nobody")
        with pytest.raises(CommandError, match="--raters"):
            call_command("agreement", campaign="study", raters=" , ")

    def test_the_api_takes_codes_and_gives_the_report_by_its_number(self, campaign, codes):
        api = client_of(factories.member(campaign, "manager"))
        answer = post(api, "campaigns/study/agreement/", {"raters": [codes[1], codes[0]]})
        assert answer.status_code == 202
        job = Job.objects.get()
        assert job.arguments == {"campaign": "study", "raters": sorted(codes[:2])}
        run(job.pk)
        made = Job.objects.get().result["report"]
        found = api.get(API, {"report": made}).json()
        assert found["parameters"]["raters"] == sorted(codes[:2])
        assert found["report"]["id"] == made

    @pytest.mark.parametrize("given", [["rater-nobody"], [], "all", [1], {"a": 1}])
    def test_the_api_refuses_what_are_no_raters(self, campaign, given):
        api = client_of(factories.member(campaign, "manager"))
        assert_problem(post(api, "campaigns/study/agreement/", {"raters": given}), 400, "raters")
        assert not Job.objects.exists()

    def test_null_is_everybody(self, campaign):
        post(client_of(factories.member(campaign, "manager")), "campaigns/study/agreement/", {"raters": None})
        assert Job.objects.get().arguments == {"campaign": "study"}

    @pytest.mark.parametrize("asked", ["99", "x", "-1", "9" * 30])
    def test_a_report_that_is_not_there_is_not_found(self, campaign, codes, asked):
        compute_agreement(campaign=campaign, options=options(*codes[:2], bootstrap=0))
        assert_problem(client_of(factories.member(campaign, "manager")).get(API, {"report": asked}), 404)

    def test_experts_of_a_closed_campaign_read_codes_alone(self, campaign, codes, raters):
        made, _new = compute_agreement(campaign=campaign, options=options(*codes[:2]))
        close_campaign(campaign=campaign)
        api = client_of(factories.member(campaign, "expert"))
        told = api.get(API, {"report": made.pk}).content.decode()
        assert codes[0] in told
        assert not any(f'"{rater.username}"' in told for rater in raters)
