from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import User
from jobs.models import Job
from jobs.services import claim, enqueue, fail, finish, report_progress

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(asker: User, rings: list[str]) -> Job:
    return enqueue(kind="x", arguments={}, by=asker)


@pytest.fixture
def asking(client: Client, asker: User) -> Client:
    client.force_login(asker)
    return client


def shown(client: Client, job: Job) -> str:
    return client.get(reverse("jobs:job", args=[job.pk])).content.decode()


def waits_since(job: Job, seconds: int) -> None:
    Job.objects.filter(pk=job.pk).update(queued_at=timezone.now() - timedelta(seconds=seconds))


def test_a_fresh_job_waits_and_nobody_is_blamed(asking: Client, job: Job) -> None:
    waits_since(job, 9)
    assert "Waiting for a worker" in shown(asking, job)
    assert "No worker is running" not in shown(asking, job)


def test_after_ten_seconds_the_page_says_how_to_start_a_worker(asking: Client, job: Job) -> None:
    waits_since(job, 11)
    assert "No worker is running" in shown(asking, job)
    assert "celery -A config worker" in shown(asking, job)


def test_a_busy_worker_is_a_worker(asking: Client, job: Job, asker: User) -> None:
    waits_since(job, 60)
    claim(enqueue(kind="x", arguments={}, by=asker).pk)
    assert "No worker is running" not in shown(asking, job)


def test_a_worker_that_has_gone_is_missed(asking: Client, job: Job) -> None:
    claim(job.pk)
    Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert "No worker is running" in shown(asking, job)


def test_progress_is_the_same_after_a_reload(asking: Client, job: Job) -> None:
    attempt = claim(job.pk)
    assert attempt
    report_progress(job.pk, attempt=attempt, done=30, total=120, note="Checking the file")
    for _ in range(2):
        assert 'value="25"' in shown(asking, job)
        assert "Checking the file" in shown(asking, job)


def test_the_page_stops_asking_when_the_job_is_finished(asking: Client, job: Job) -> None:
    address = reverse("jobs:progress", args=[job.pk])
    assert asking.get(address).status_code == 200
    attempt = claim(job.pk)
    assert attempt
    finish(job.pk, attempt=attempt, result={})
    assert asking.get(address).status_code == 286
    assert "hx-get" not in shown(asking, job)


def test_a_failure_says_why(asking: Client, job: Job) -> None:
    attempt = claim(job.pk)
    assert attempt
    fail(job.pk, attempt=attempt, error="a.jsonl:3: <no> good")
    assert "a.jsonl:3: &lt;no&gt; good" in shown(asking, job)


def test_it_can_be_cancelled(asking: Client, job: Job) -> None:
    assert "Cancel" in shown(asking, job)
    answer = asking.post(reverse("jobs:cancel", args=[job.pk]), follow=True)
    assert "Cancelled" in answer.content.decode()
    answer = asking.post(reverse("jobs:cancel", args=[job.pk]), follow=True)
    assert "finished already" in answer.content.decode()


def test_it_rejects_get_where_it_changes_something(asking: Client, job: Job) -> None:
    assert asking.get(reverse("jobs:cancel", args=[job.pk])).status_code == 405


@pytest.mark.parametrize("name", ["job", "progress", "cancel"])
def test_it_is_nobody_elses(client: Client, job: Job, name: str) -> None:
    address = reverse(f"jobs:{name}", args=[job.pk])
    ask = client.post if name == "cancel" else client.get
    assert ask(address).status_code == (401 if name == "progress" else 302)
    client.force_login(User.objects.create_user("other"))
    assert ask(address).status_code == 404
    client.force_login(User.objects.create_user("mina", is_site_manager=True))
    assert ask(address).status_code in (200, 302)


def test_the_api_tells_the_same(client: Client, job: Job, asker: User) -> None:
    address = f"/api/v1/jobs/{job.pk}/"
    assert client.get(address).status_code in (401, 403)
    client.force_login(User.objects.create_user("other"))
    assert client.get(address).status_code == 404
    client.force_login(asker)
    told = client.get(address).json()
    assert told["id"] == str(job.pk)
    assert told["state"] == "queued"
    assert told["progress"] == {"done": 0, "total": 0, "note": ""}


@pytest.mark.parametrize("kind", ["compare_agreement", "compare_overlaps", "make_plan"])
def test_the_api_tells_no_figures_of_agreement(client: Client, job: Job, asker: User, kind: str) -> None:
    """Who may see them is asked by pages of their own."""
    Job.objects.filter(pk=job.pk).update(kind=kind, state="done", result={"alpha": 0.71})
    for person in (asker, User.objects.create_user("mina", is_site_manager=True)):
        client.force_login(person)
        assert client.get(f"/api/v1/jobs/{job.pk}/").json()["result"] is None
