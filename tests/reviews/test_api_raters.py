"""A rater by API: the page's numbers, and withdrawing with its way back."""

import pytest
from rest_framework.test import APIClient

from annotation.services.people import make_token
from jobs import runner
from jobs.models import Job
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.models import RatingWithdrawal
from reviews.services.withdrawals import bring_back, take_out
from tests import factories as f
from tests.annotation.api import assert_problem
from tests.reviews.withdrawing import statuses

pytestmark = pytest.mark.django_db
ALL = {"since": "2020-01-01T00:00:00+00:00", "reason": "why"}


@pytest.fixture
def campaign():
    return f.campaign(slug="study", items=2, overlap=2)


@pytest.fixture
def anna(campaign):
    anna = f.member(campaign, user=f.person("anna"))
    for item in f.items_of(campaign):
        f.rating(item, {"empathy": 2}, user=anna)
        f.rating(item, 5)
    return anna


@pytest.fixture
def api(campaign):
    return api_of(f.member(campaign, "manager"))


def api_of(user):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(user=user, name='test')}")
    return client


def url(anna, more=""):
    return f"/api/v1/campaigns/study/raters/{anna.pk}/{more}"


def test_it_tells_the_numbers_of_the_page(campaign, anna, api):
    told = api.get(url(anna)).json()
    assert (told["rater"], told["counted"], told["withdrawn"], told["report"]) == ("anna", 2, 0, None)
    assert told["dimensions"]["empathy"] == {"own": {"2": 2}, "others": {"5": 2}, "report": None}
    assert [(one["own"], one["others"], one["difference"]) for one in told["apart"]] == [(2, [5], -3.0)] * 2
    assert (told["next"], told["withdrawals"]) == (None, [])
    assert_problem(api.get(url(anna) + "?cursor=x"), 400, "cursor")


def test_a_manager_who_judges_cases_is_not_told_the_items(campaign, anna):
    both = f.member(campaign, "manager")
    f.member(campaign, "expert", user=both)
    assert api_of(both).get(url(anna)).json()["apart"] is None


def test_ratings_are_withdrawn_and_brought_back(campaign, anna, api):
    answer = api.post(url(anna, "withdrawals/"), ALL, format="json")
    assert answer.status_code == 202
    told = answer.json()
    assert told["job"] == str(Job.objects.get().pk)
    take_out(withdrawal_id=told["withdrawal"])
    assert statuses(anna) == ["withdrawn"] * 2
    again = f"withdrawals/{told['withdrawal']}/revert/"
    assert api.post(url(anna, again)).status_code == 202
    bring_back(withdrawal_id=told["withdrawal"])
    (kept,) = api.get(url(anna)).json()["withdrawals"]
    assert (kept["counted"], kept["again"], kept["reason"]) == (2, 2, "why")
    assert_problem(api.post(url(anna, again)), 409)


def test_what_stopped_before_its_end_goes_on(campaign, anna, api):
    stopped = f"withdrawals/{api.post(url(anna, 'withdrawals/'), ALL, format='json').json()['withdrawal']}"
    for end, verb in (("withdrawn", None), ("counted", "revert")):
        if verb:
            assert api.post(url(anna, f"{stopped}/{verb}/")).status_code == 202
        Job.objects.unfinished().update(state="cancelled")
        answer = api.post(url(anna, f"{stopped}/resume/"))
        assert answer.status_code == 202
        job = Job.objects.get(state="queued")
        assert answer.json()["job"] == str(job.pk)
        assert runner.run(job.pk)
        assert statuses(anna) == [end] * 2
        assert_problem(api.post(url(anna, f"{stopped}/resume/")), 409)


def test_of_another_rater_nothing_goes_on(campaign, anna, api):
    number = api.post(url(anna, "withdrawals/"), ALL, format="json").json()["withdrawal"]
    Job.objects.update(state="cancelled")
    other = f.member(campaign)
    f.rating(f.items_of(campaign)[0], user=other)
    assert api.post(url(other, f"withdrawals/{number}/resume/")).status_code == 404
    assert not Job.objects.unfinished().exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reason": "why"}, "since"),
        ({"since": "2020-01-01T00:00:00", "reason": "why"}, "since"),
        ({"since": "2020-13-01T00:00:00Z", "reason": "why"}, "since"),
        ({"since": 7, "reason": "why"}, "since"),
        ({"since": "2020-01-01T00:00:00Z"}, "reason"),
        ({"since": "2020-01-01T00:00:00Z", "reason": 7}, "reason"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_field(anna, api, body, field):
    assert_problem(api.post(url(anna, "withdrawals/"), body, format="json"), 400, field)
    assert not RatingWithdrawal.objects.exists()


def test_it_is_for_managers_alone(campaign, anna):
    for user, status in ((anna, 403), (f.member(campaign, "expert"), 403), (f.person(), 404)):
        assert api_of(user).get(url(anna)).status_code == status
        assert api_of(user).post(url(anna, "withdrawals/")).status_code == status
