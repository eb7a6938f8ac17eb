import pytest

from annotation.models import User
from jobs import running, services
from jobs.errors import JobFailed
from jobs.handlers import handles
from jobs.models import Job
from jobs.runner import run
from jobs.running import RunningJob
from jobs.services import cancel, enqueue

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(asker: User, rings: list[str]) -> Job:
    return enqueue(kind="count", arguments={"to": 3}, by=asker)


@pytest.fixture(autouse=True)
def _no_throttle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_BETWEEN_REPORTS", 0)


def test_the_handler_gets_its_arguments_and_its_result_is_kept(job: Job, asker: User) -> None:
    @handles("count")
    def count(running: RunningJob) -> dict[str, object]:
        assert running.by == asker
        for number in range(running.arguments["to"]):
            running.progress(number, 3, "Writing")
        return {"counted": 3}

    assert run(job.pk)
    done = Job.objects.get(pk=job.pk)
    assert (done.state, done.result, done.progress_done, done.progress_note) == ("done", {"counted": 3}, 2, "Writing")


def test_a_second_ring_does_nothing(job: Job) -> None:
    ran: list[int] = []
    handles("count")(lambda running: {"ran": ran.append(1)})
    assert run(job.pk)
    assert not run(job.pk)
    assert ran == [1]


def test_a_refusal_is_told_with_what_belongs_to_it(job: Job) -> None:
    @handles("count")
    def refuse(running: RunningJob) -> dict[str, object]:
        raise JobFailed("no good", result={"faults": [1]})

    run(job.pk)
    failed = Job.objects.get(pk=job.pk)
    assert (failed.state, failed.error, failed.result) == ("failed", "no good", {"faults": [1]})


def test_an_error_nobody_foresaw_fails_the_job_without_its_insides(job: Job) -> None:
    @handles("count")
    def break_down(running: RunningJob) -> dict[str, object]:
        raise ZeroDivisionError("secret")

    run(job.pk)
    failed = Job.objects.get(pk=job.pk)
    assert failed.state == Job.State.FAILED
    assert "ZeroDivisionError" in failed.error
    assert "secret" not in failed.error


@pytest.mark.django_db(transaction=True)  # the failed write would spoil a transaction around the test
def test_a_result_that_json_cannot_hold_fails_the_job(job: Job) -> None:
    handles("count")(lambda running: {"x": object()})
    run(job.pk)
    assert Job.objects.get(pk=job.pk).state == Job.State.FAILED


def test_a_kind_nobody_handles_fails_with_its_name(job: Job) -> None:
    run(job.pk)
    assert "“count”" in Job.objects.get(pk=job.pk).error


def test_a_cancelled_job_stops_where_it_reports(job: Job, asker: User) -> None:
    @handles("count")
    def count(running: RunningJob) -> dict[str, object]:
        cancel(job, by=asker)
        running.progress(1, 3)
        raise AssertionError("it went on")

    run(job.pk)
    assert Job.objects.get(pk=job.pk).state == Job.State.CANCELLED


def test_a_handler_that_lost_its_lease_is_stopped_and_changes_nothing(job: Job) -> None:
    @handles("count")
    def count(running: RunningJob) -> dict[str, object]:
        Job.objects.filter(pk=job.pk).update(state=Job.State.QUEUED)
        assert services.claim(job.pk) == 2
        running.renew()
        raise AssertionError("it went on")

    run(job.pk)
    assert Job.objects.get(pk=job.pk).state == Job.State.RUNNING


def test_progress_is_written_once_a_second_at_most(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_BETWEEN_REPORTS", 60)

    @handles("count")
    def count(running: RunningJob) -> dict[str, object]:
        for number in range(1000):
            running.progress(number, 1000)
        return {}

    run(job.pk)
    assert Job.objects.get(pk=job.pk).progress_done == 0


def test_it_speaks_the_language_of_who_asked(job: Job, asker: User) -> None:
    from django.utils import translation

    User.objects.filter(pk=asker.pk).update(language="zh-hans")
    heard: list[str | None] = []
    handles("count")(lambda running: {"said": heard.append(translation.get_language())})
    run(job.pk)
    assert heard == ["zh-hans"]


def test_two_handlers_of_a_kind_are_a_mistake() -> None:
    handles("count")(lambda running: {})
    with pytest.raises(ValueError, match="two handlers"):
        handles("count")(lambda running: {})
