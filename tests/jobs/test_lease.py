"""Who holds the last attempt may finish; who lost the lease may not."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import User
from jobs import services
from jobs.models import MAX_ATTEMPTS, Job
from jobs.services import cancel, claim, enqueue, fail, finish, renew, report_progress, stop, sweep

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=5)


@pytest.fixture
def job(asker: User, rings: list[str]) -> Job:
    return enqueue(kind="x", arguments={}, by=asker)


def state(job: Job) -> str:
    return Job.objects.get(pk=job.pk).state


def test_a_job_is_claimed_once(job: Job) -> None:
    assert claim(job.pk) == 1
    assert claim(job.pk) is None
    assert state(job) == Job.State.RUNNING


def test_who_holds_it_finishes_it(job: Job) -> None:
    attempt = claim(job.pk)
    assert attempt
    assert report_progress(job.pk, attempt=attempt, done=1, total=2, note="Writing")
    assert renew(job.pk, attempt=attempt)
    assert finish(job.pk, attempt=attempt, result={"n": 1})
    done = Job.objects.get(pk=job.pk)
    assert (done.state, done.result, done.percent, done.lease_until) == ("done", {"n": 1}, 100, None)
    assert done.finished_at


def test_a_worker_that_lost_its_lease_cannot_finish(job: Job, rings: list[str]) -> None:
    first = claim(job.pk)
    assert first
    assert sweep(now=timezone.now() + LATER) == [job.pk]
    assert rings == [str(job.pk)]
    assert not finish(job.pk, attempt=first, result={"by": "first"})
    second = claim(job.pk)
    assert second == 2
    for late in (renew, stop):
        assert not late(job.pk, attempt=first)
    assert not report_progress(job.pk, attempt=first, done=1, total=1)
    assert not fail(job.pk, attempt=first, error="late")
    assert not finish(job.pk, attempt=first, result={"by": "first"})
    assert finish(job.pk, attempt=second, result={"by": "second"})
    assert Job.objects.get(pk=job.pk).result == {"by": "second"}


def test_a_lease_that_is_kept_is_not_swept(job: Job) -> None:
    claim(job.pk)
    assert sweep() == []
    assert state(job) == Job.State.RUNNING


def test_a_lost_ring_is_rung_again(job: Job, rings: list[str]) -> None:
    assert sweep() == []
    later = timezone.now() + timedelta(seconds=16)
    assert sweep(now=later) == [job.pk]
    assert rings == [str(job.pk)]
    assert sweep(now=later) == []
    assert state(job) == Job.State.QUEUED


def test_with_the_broker_away_the_sweep_leaves_the_rows_for_the_next(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "ring", lambda job_id: False)
    sweep(now=timezone.now() + LATER)
    assert state(job) == Job.State.QUEUED


def test_a_job_that_kills_its_workers_is_not_given_to_another(job: Job) -> None:
    later = timezone.now()
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert claim(job.pk) == attempt
        later += LATER
        sweep(now=later)
    assert state(job) == Job.State.FAILED
    assert "not tried again" in Job.objects.get(pk=job.pk).error


def test_a_job_to_be_cancelled_whose_worker_died_is_cancelled(job: Job, asker: User) -> None:
    claim(job.pk)
    cancel(job, by=asker)
    assert state(job) == Job.State.RUNNING
    assert sweep(now=timezone.now() + LATER) == []
    assert state(job) == Job.State.CANCELLED


VERBS: dict[str, Callable[[Job], object]] = {
    Job.State.RUNNING: lambda job: claim(job.pk),
    Job.State.DONE: lambda job: finish(job.pk, attempt=job.attempt, result={}),
    Job.State.FAILED: lambda job: fail(job.pk, attempt=job.attempt, error="x"),
    Job.State.CANCELLED: lambda job: stop(job.pk, attempt=job.attempt),
    Job.State.QUEUED: lambda job: sweep(now=timezone.now() + LATER),
}
NOT_BY_WORKER = {(Job.State.QUEUED, Job.State.CANCELLED)}  # that is for a person: see test_cancel.py


@pytest.mark.parametrize("now_in", list(Job.State))
@pytest.mark.parametrize("to", list(Job.State))
def test_every_move_that_is_not_listed_is_refused(job: Job, now_in: Job.State, to: Job.State) -> None:
    lease = timezone.now() + timedelta(minutes=1)
    Job.objects.filter(pk=job.pk).update(state=now_in, attempt=1, lease_until=lease)
    VERBS[to](Job.objects.get(pk=job.pk))
    allowed = to in Job.MOVES[now_in] and (now_in, to) not in NOT_BY_WORKER
    assert state(job) == (to if allowed or to == now_in else now_in)
