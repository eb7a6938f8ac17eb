import pytest

from annotation.models import User
from jobs.errors import NotAllowed, NotCancellable
from jobs.models import Job
from jobs.services import cancel, claim, enqueue, finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(asker: User, rings: list[str]) -> Job:
    return enqueue(kind="x", arguments={}, by=asker)


def test_a_queued_job_is_cancelled_at_once_and_no_worker_takes_it(job: Job, asker: User) -> None:
    assert cancel(job, by=asker).state == Job.State.CANCELLED
    assert claim(job.pk) is None


def test_a_running_job_is_asked_to_stop(job: Job, asker: User) -> None:
    claim(job.pk)
    asked = cancel(job, by=asker)
    assert (asked.state, asked.cancel_requested) == (Job.State.RUNNING, True)


def test_a_finished_job_is_not_cancelled(job: Job, asker: User) -> None:
    attempt = claim(job.pk)
    assert attempt
    finish(job.pk, attempt=attempt, result={})
    with pytest.raises(NotCancellable):
        cancel(job, by=asker)


def test_only_who_asked_for_it_and_site_managers_may(job: Job) -> None:
    with pytest.raises(NotAllowed):
        cancel(job, by=User.objects.create_user("other"))
    assert cancel(job, by=User.objects.create_user("mina", is_site_manager=True)).state == Job.State.CANCELLED
