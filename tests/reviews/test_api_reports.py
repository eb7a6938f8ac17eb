"""Agreement and releases by API: for those who may see them, asked for as jobs."""

import hashlib

import pytest
from django.core.management import call_command

from annotation.services.campaigns import close_campaign
from jobs.models import Job
from reviews.services.agreement import Options, compute_agreement
from reviews.services.releases import publish_release
from tests import factories
from tests.annotation.api import assert_problem, client_of, post

pytestmark = pytest.mark.django_db
AGREEMENT, RELEASES = "/api/v1/campaigns/study/agreement/", "/api/v1/campaigns/study/releases/"


@pytest.fixture
def manager(study):
    return client_of(factories.member(study, "manager"))


@pytest.fixture
def release(study):
    return publish_release(campaign=study).release


def test_the_latest_report_with_what_it_came_from(study, manager):
    report, _new = compute_agreement(campaign=study, options=Options(bootstrap=0))
    found = manager.get(AGREEMENT).json()
    assert {name: found[name] for name in report.result} == report.result
    assert found["report"]["data_version"] == report.data_version


def test_without_a_report_404_says_how_to_get_one(manager):
    answer = manager.get(AGREEMENT)
    assert_problem(answer, 404)
    assert "POST" in answer.json()["detail"]


def test_a_report_is_asked_for_as_a_job_once(study, manager):
    first, again = (post(manager, "campaigns/study/agreement/") for _ in range(2))
    assert first.status_code == 202
    assert first.json() == again.json() == {"job": str(Job.objects.get().pk)}


def test_experts_see_the_agreement_once_the_campaign_is_closed(study):
    compute_agreement(campaign=study, options=Options(bootstrap=0))
    api = client_of(factories.member(study, "expert"))
    assert_problem(api.get(AGREEMENT), 403)
    close_campaign(campaign=study)
    answer = api.get(AGREEMENT)
    assert answer.status_code == 200
    for rating in study.items.first().ratings.all():
        assert rating.annotator.username not in answer.content.decode()
    assert_problem(post(api, "campaigns/study/agreement/"), 403)


@pytest.mark.parametrize("role", ["annotator", "expert"])
def test_agreement_and_releases_are_for_managers(study, release, role):
    api = client_of(factories.member(study, role))
    for path in (AGREEMENT, RELEASES):
        assert_problem(api.get(path), 403)
        assert_problem(api.post(path, {}, format="json"), 403)
    assert_problem(api.get(f"/api/v1/releases/{release.pk}/files/gold.csv"), 404)


def test_the_releases_with_the_hash_and_address_of_each_file(manager, release):
    (found,) = manager.get(RELEASES).json()
    assert (found["release"], found["number"]) == (release.pk, 1)
    assert set(found["files"]) == {*release.manifest["files"], "manifest.json"}
    for about in found["files"].values():
        answer = manager.get(about["url"])
        content = b"".join(answer.streaming_content)
        assert about.get("sha256") in (None, hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gold.csv", "text/csv; charset=utf-8"),
        ("gold.parquet", "application/vnd.apache.parquet"),
        ("README.md", "text/markdown; charset=utf-8"),
        ("manifest.json", "application/json"),
    ],
)
def test_a_file_comes_under_its_name_and_type_whatever_is_accepted(manager, release, name, kind):
    answer = manager.get(f"/api/v1/releases/{release.pk}/files/{name}", headers={"accept": "text/csv"})
    assert answer.status_code == 200
    assert answer["Content-Type"] == kind
    assert answer["Content-Disposition"] == f'attachment; filename="study-1-{name}"'


def test_no_other_file_is_to_be_had(manager, release):
    for name in ("nope.csv", "..", "%2e%2e%2fmanifest.json"):
        assert_problem(manager.get(f"/api/v1/releases/{release.pk}/files/{name}"), 404)
    assert_problem(manager.get("/api/v1/releases/99/files/gold.csv"), 404)


def test_a_release_is_asked_for_as_a_job(manager):
    answer = post(manager, "campaigns/study/releases/", {"without_texts": True})
    assert answer.status_code == 202
    job = Job.objects.get()
    assert (job.kind, job.arguments) == ("publish_release", {"campaign": "study", "without_texts": True})
    assert_problem(post(manager, "campaigns/study/releases/", {"without_texts": "yes"}), 400, "without_texts")


def test_the_api_describes_itself_without_a_fault(tmp_path):
    call_command("spectacular", fail_on_warn=True, validate=True, file=str(tmp_path / "schema.yml"))
    text = (tmp_path / "schema.yml").read_text()
    for path in ("/api/v1/cases/{id}/decision/", "/api/v1/releases/{id}/files/{name}"):
        assert path in text
