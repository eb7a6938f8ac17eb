"""A comparison as files: its tables as CSV, one or all, and its JSON, with the numbers of the page."""

import csv
import io
import json
import zipfile

import pytest

from annotation.models import Membership, Rubric
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from tests import factories
from tests.reviews.comparison.comparing import client_of, codes, compared

pytestmark = pytest.mark.django_db
HERE = "/campaigns/study/agreement/compare"
TABLES = ("alpha", "mean", "exact")


@pytest.fixture
def job(campaign, manager):
    own = codes(campaign)
    return compared(manager, by="raters", a=[own["ann"], own["bea"]], b=[own["cyd"]])


def rows(data):
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_each_table_is_had_with_its_numbers_in_full(job, manager):
    found = rows(manager.get(f"{HERE}/{job.pk}/mean.csv").content)
    empathy = job.result["dimensions"]["empathy"]
    assert found[0]["dimension"] == "Empathy"
    assert [float(found[0][f"mean_{side}"]) for side in "ab"] == [empathy["mean_a"], empathy["mean_b"]]
    difference = empathy["mean_difference"]
    ends = [difference[name] for name in ("value", "ci_low", "ci_high")]
    assert [float(found[0][name]) for name in ("difference", "difference_low", "difference_high")] == ends


def test_why_a_number_is_not_there_stands_in_the_table(job, manager):
    alpha = rows(manager.get(f"{HERE}/{job.pk}/alpha.csv").content)[0]
    assert (alpha["alpha_b"], alpha["alpha_b_reason"]) == ("", "one rater")


def test_all_tables_are_had_at_once(job, manager):
    answer = manager.get(f"{HERE}/{job.pk}/all.zip")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.namelist() == [f"{name}.csv" for name in TABLES]
    for name in TABLES:
        assert archive.read(f"{name}.csv") == manager.get(f"{HERE}/{job.pk}/{name}.csv").content


def test_the_json_is_what_the_job_kept(job, manager):
    own = compared(manager, by="periods", since="2026-05-10")
    assert json.loads(manager.get(f"{HERE}.json").content) == own.result
    assert json.loads(manager.get(f"{HERE}.json?comparison={job.pk}").content) == job.result


def test_no_cell_begins_as_a_formula(job, manager, campaign):
    content = json.loads(json.dumps(campaign.rubric.content))
    content["dimensions"][0]["names"] = {"en": "=1+1", "zh-Hans": "=1+1"}
    Rubric.objects.filter(pk=campaign.rubric_id).update(content=content)
    found = {name: rows(manager.get(f"{HERE}/{job.pk}/{name}.csv").content)[0] for name in TABLES}
    assert {row["dimension"] for row in found.values()} == {"'=1+1"}
    assert float(found["mean"]["difference"]) < 0  # a number keeps its minus bare


def test_the_page_leads_to_them(job, manager):
    shown = manager.get(f"{HERE}/").content.decode()
    for name in (*(f"{job.pk}/{table}.csv" for table in TABLES), f"{job.pk}/all.zip"):
        assert f'href="{HERE}/{name}" download' in shown
    assert f'href="{HERE}.json?comparison={job.pk}" download' in shown


def test_what_is_not_there_is_not_given(job, manager):
    assert manager.get(f"{HERE}/{job.pk}/raters.csv").status_code == 404
    other = factories.campaign(slug="other", items=1)
    chief = client_of(factories.member(other, Membership.Role.MANAGER))
    there = "/campaigns/other/agreement/compare"
    for name in (f"/{job.pk}/alpha.csv", f"/{job.pk}/all.zip", f".json?comparison={job.pk}", ".json"):
        assert chief.get(f"{there}{name}").status_code == 404
