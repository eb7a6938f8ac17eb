import json
from typing import Any

import pandas as pd
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Campaign, Membership
from annotation.services.campaigns import close_campaign
from jobs import services as jobs
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.models import AgreementReport
from reviews.services.background import COMPUTE_AGREEMENT
from reviews.statistics.report import agreement
from tests import factories as f
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(slug="study", items=2)


@pytest.fixture
def manager(campaign: Campaign) -> Client:
    return signed_in(f.member(campaign, Role.MANAGER))


def url(name: str = "agreement", slug: str = "study") -> str:
    return reverse(f"reviews:{name}", args=[slug])


def result_of(*ratings: tuple[str, str, int], dimension: str = "empathy", bootstrap: int = 200) -> dict[str, Any]:
    """The stored result of (item, rater, value), each item its own scenario."""
    rows = [(item, rater, dimension, value, item) for item, rater, value in ratings]
    frame = pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value", "cluster_id"])
    return agreement(frame, scale="1-5", bootstrap=bootstrap).to_json()


def report(campaign: Campaign, result: dict[str, Any]) -> AgreementReport:
    return AgreementReport.objects.create(
        campaign=campaign,
        parameters=result["parameters"],
        data_version="d" * 64,
        code_version="0.1.0",
        seed=result["parameters"]["seed"],
        result=result,
        fingerprint="f" * 64,
    )


def text(client: Client) -> str:
    answer = client.get(url())
    assert answer.status_code == 200
    return answer.content.decode()


MANY = [
    (f"i{i}", rater, 1 + (i + (rater == "bo" and i % 4 == 0)) % 5)
    for i in range(40)
    for rater in ("anna", "bo", "chen")
]


def test_it_is_for_managers_and_for_experts_once_closed(campaign: Campaign, manager: Client) -> None:
    expert, annotator = (signed_in(f.member(campaign, role)) for role in (Role.EXPERT, Role.ANNOTATOR))
    report(campaign, result_of(*MANY))
    for name in ("agreement", "agreement_json"):
        assert manager.get(url(name)).status_code == 200
        assert expert.get(url(name)).status_code == 403
        assert annotator.get(url(name)).status_code == 403
        assert signed_in(f.site_manager()).get(url(name)).status_code == 403
        assert signed_in(f.person()).get(url(name)).status_code == 404
    close_campaign(campaign=campaign)
    assert expert.get(url()).status_code == 200
    assert annotator.get(url()).status_code == 403
    assert "Compute again" not in text(expert)
    assert expert.post(url("compute_agreement")).status_code == 403


def test_without_a_report_it_offers_to_compute_one(manager: Client) -> None:
    assert "No report yet" in text(manager)
    assert manager.get(url("agreement_json")).status_code == 404


def test_computing_is_asked_for_once(campaign: Campaign, manager: Client) -> None:
    for _ in range(2):
        assert manager.post(url("compute_agreement")).status_code == 302
    job = Job.objects.get()
    assert (job.kind, job.subject, job.arguments) == (COMPUTE_AGREEMENT, "campaign:study", {"campaign": "study"})
    assert "Waiting for a worker" in text(manager)
    assert "Another manager has asked" in text(signed_in(f.member(campaign, Role.MANAGER)))


def test_the_page_asks_how_far_it_is_and_loads_anew_when_it_is_done(manager: Client) -> None:
    manager.post(url("compute_agreement"))
    part = manager.get(url(), headers={"HX-Request": "true"})
    assert "Waiting for a worker" in part.content.decode()
    assert "<html" not in part.content.decode()
    job = Job.objects.get()
    attempt = jobs.claim(job.pk)
    jobs.fail(job.pk, attempt=attempt or 0, error="No rating counts yet.")
    assert manager.get(url(), headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "No rating counts yet." in text(manager)
    manager.logout()
    assert manager.get(url(), headers={"HX-Request": "true"}).status_code == 401


def test_it_says_it_in_words_then_in_numbers(campaign: Campaign, manager: Client) -> None:
    result = result_of(*MANY)
    report(campaign, result)
    said = text(manager)
    entry = result["dimensions"]["empathy"]
    assert "40 responses to 40 scenarios, 120 ratings by 3 people." in said
    assert "All raters of an item agree exactly on 75 %, within one level on" in said
    assert f"{entry['alpha']['value']:.2f}".removeprefix("0") in said
    assert "Krippendorff 2018" in said
    assert "95 % interval" in said
    assert "Download as JSON" in said
    assert "numpy" in said


def test_where_nearly_everything_is_one_level_both_measures_are_read(campaign: Campaign, manager: Client) -> None:
    ratings = [(f"i{i}", rater, 4 if (i, rater) == (3, "bo") else 5) for i in range(40) for rater in ("anna", "bo")]
    report(campaign, result_of(*ratings))
    said = text(manager)
    assert "read both" in said
    assert "of ratings are a 5: alpha measures the rare rest." in said
    assert "AC2" in said


def test_what_is_undefined_says_why(campaign: Campaign, manager: Client) -> None:
    report(campaign, result_of(*[(f"i{i}", rater, 5) for i in range(3) for rater in ("anna", "bo")]))
    said = text(manager)
    assert "Alpha is not defined: all ratings equal." in said
    assert "Too few: 3 items can be compared." in said


def test_too_few_scenarios_give_no_interval_and_no_band(campaign: Campaign, manager: Client) -> None:
    report(campaign, result_of(*MANY[:36]))
    said = text(manager)
    assert "no band without an interval" in said
    assert "no interval: too few scenarios for an interval: 30 are needed" in said


def test_a_severe_rater_is_named_under_what_to_do_next(campaign: Campaign, manager: Client) -> None:
    strict = [
        (f"i{i}", rater, max(1, 2 + i % 4 - (rater == "bo"))) for i in range(40) for rater in ("anna", "bo", "chen")
    ]
    report(campaign, result_of(*strict))
    assert "rates .7 levels lower than the others." in text(manager)


def test_who_gives_the_same_level_nearly_always_is_named(campaign: Campaign, manager: Client) -> None:
    ratings = [(item, rater, 3 if rater == "bo" else value) for item, rater, value in MANY]
    report(campaign, result_of(*ratings))
    assert "bo gives the same level nearly always: 100 % of the ratings, up to 40 in a row." in text(manager)


def test_managers_see_names_and_experts_codes(campaign: Campaign, manager: Client) -> None:
    f.rated_item(
        [5, 4],
        item=f.items_of(campaign)[0],
        raters=[f.member(campaign, user=f.person(name)) for name in ("anna", "bo")],
    )
    expert = signed_in(f.member(campaign, Role.EXPERT))
    work(manager)
    close_campaign(campaign=campaign)
    assert "anna" in text(manager)
    assert "anna" not in text(expert)
    assert "rater-" in text(expert)
    assert "anna" not in expert.get(url("agreement_json")).content.decode()


def test_where_nothing_has_changed_it_says_so(campaign: Campaign, manager: Client) -> None:
    f.rated_item([5, 4], item=f.items_of(campaign)[0])
    work(manager)
    assert "Nothing has changed" not in text(manager)
    work(manager)
    assert "Nothing has changed since this report" in text(manager)
    assert AgreementReport.objects.count() == 1


def work(client: Client) -> None:
    """Asks for a report, and does what a worker does."""
    client.post(url("compute_agreement"))
    run(Job.objects.order_by("-created_at")[0].pk)


def test_at_nominal_level_there_is_no_one_level_apart(campaign: Campaign, manager: Client) -> None:
    rows = [(item, rater, "empathy", value, item) for item, rater, value in MANY]
    frame = pd.DataFrame(rows, columns=["item_id", "rater_id", "dimension", "value", "cluster_id"])
    report(campaign, agreement(frame, level="nominal", bootstrap=200).to_json())
    assert "All raters of an item agree exactly on 75 %." in text(manager)


def test_it_says_that_ratings_came_in_since(campaign: Campaign, manager: Client) -> None:
    report(campaign, result_of(*MANY))
    assert "after this report was computed" not in text(manager)
    f.rating(f.items_of(campaign)[0])
    assert "1 rating came in after this report was computed." in text(manager)


def test_the_json_is_the_stored_result(campaign: Campaign, manager: Client) -> None:
    result = result_of(*MANY)
    report(campaign, result)
    answer = manager.get(url("agreement_json"))
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="agreement-study.json"'
    assert json.loads(answer.content) == json.loads(json.dumps(result))


def test_the_figures_are_drawn_without_a_style(campaign: Campaign, manager: Client) -> None:
    report(campaign, result_of(*MANY))
    said = text(manager)
    assert "data-chart" in said
    assert "style=" not in said


def test_its_queries_do_not_grow_with_raters(campaign: Campaign, manager: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            text(manager)
        return len(captured)

    kept = report(campaign, result_of(*MANY))
    before = queries()
    more = [(item, f"rater{n}", value) for item, _rater, value in MANY[::3] for n in range(12)]
    kept.result = result_of(*MANY, *more, bootstrap=0)
    kept.save()
    assert queries() == before
