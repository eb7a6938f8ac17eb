import pytest
from django.db import transaction

from annotation.models import User
from jobs import services
from jobs.models import Job
from jobs.services import enqueue


def test_it_rings_once_the_transaction_is_committed(
    asker: User, rings: list[str], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        job = enqueue(kind="x", arguments={"a": 1}, by=asker, subject="dataset:demo")
        assert rings == []
    assert rings == [str(job.pk)]
    stored = Job.objects.get(pk=job.pk)
    assert (stored.state, stored.arguments, stored.attempt) == ("queued", {"a": 1}, 0)


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_was_never_rung_for(rings: list[str]) -> None:
    with transaction.atomic():
        enqueue(kind="x", arguments={}, by=None)
        transaction.set_rollback(True)
    assert rings == []
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_broken_broker_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def send_task(self, *_args: object, **_options: object) -> None:
            raise ConnectionRefusedError

    monkeypatch.setattr(services, "current_app", Broken())
    job = enqueue(kind="x", arguments={}, by=None)
    assert Job.objects.get(pk=job.pk).state == Job.State.QUEUED
