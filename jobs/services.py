"""Verbs of a Job row, each one transaction. The row decides; the broker may lose every message it is given."""

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from jobs.errors import NotAllowed, NotCancellable
from jobs.models import LEASE, MAX_ATTEMPTS, Job
from jobs.policy import may_cancel_job

if TYPE_CHECKING:
    from annotation.models import User

logger = logging.getLogger(__name__)
State = Job.State


def enqueue(*, kind: str, arguments: dict[str, Any], by: "User | None", subject: str = "") -> Job:
    """Write down a job and ring for a worker once the transaction around it is committed."""
    now = timezone.now()
    job = Job.objects.create(
        kind=kind, arguments=arguments, subject=subject, created_by=by, created_at=now, queued_at=now, rung_at=now
    )
    transaction.on_commit(lambda: ring(job.pk))
    return job


def ring(job_id: UUID) -> bool:
    """Ask a worker to look at the job; False where the broker cannot be reached, which the sweep makes good."""
    try:
        current_app.send_task("jobs.tasks.run_job", args=[str(job_id)], ignore_result=True, retry=False)
    except Exception as error:  # each transport has errors of its own, and none of them may undo what the row says
        logger.warning("no ring for job %s: %s", job_id, error)
        return False
    return True


def claim(job_id: UUID) -> int | None:
    """Take a queued job and lease it; returns the attempt number that finishing needs, None where another has it."""
    now = timezone.now()
    with transaction.atomic():
        taken = Job.objects.filter(pk=job_id, state=State.QUEUED).update(
            state=State.RUNNING,
            attempt=F("attempt") + 1,
            lease_until=now + LEASE,
            started_at=Coalesce("started_at", now),
            progress_done=0,
            progress_note="",
        )
        return Job.objects.values_list("attempt", flat=True).get(pk=job_id) if taken else None


def renew(job_id: UUID, *, attempt: int) -> bool:
    """Keep the lease; False where another worker has it or the job is to stop."""
    held = _held(job_id, attempt).filter(cancel_requested=False)
    return held.update(lease_until=timezone.now() + LEASE) == 1


def report_progress(job_id: UUID, *, attempt: int, done: int, total: int, note: str = "") -> bool:
    """Say how far it is, which keeps the lease too; False as in `renew`."""
    held = _held(job_id, attempt).filter(cancel_requested=False)
    changed = {"progress_done": done, "progress_total": total, "progress_note": note[:200]}
    return held.update(lease_until=timezone.now() + LEASE, **changed) == 1


def finish(job_id: UUID, *, attempt: int, result: dict[str, Any]) -> bool:
    """Done; False where the attempt is no longer the one that counts."""
    return _end(job_id, attempt, State.DONE, result=result)


def fail(job_id: UUID, *, attempt: int, error: str, result: dict[str, Any] | None = None) -> bool:
    """Failed, with the reason told to people; False where the attempt is no longer the one that counts."""
    return _end(job_id, attempt, State.FAILED, error=error, result=result)


def stop(job_id: UUID, *, attempt: int) -> bool:
    """The worker has stopped as it was asked to; False where the attempt is no longer the one that counts."""
    return _end(job_id, attempt, State.CANCELLED)


def cancel(job: Job, *, by: "User") -> Job:
    """Cancel a queued job at once; ask the worker of a running one to stop.

    Raises NotAllowed and NotCancellable.
    """
    if not may_cancel_job(by, job):
        raise NotAllowed(_("Only who started this, or a site manager, may cancel it."))
    now = timezone.now()
    with transaction.atomic():
        held = Job.objects.select_for_update().get(pk=job.pk)
        if held.is_finished:
            raise NotCancellable(_("This is finished already."))
        held.cancel_requested = True
        if held.state == State.QUEUED:
            held.state, held.finished_at = State.CANCELLED, now
        held.save(update_fields=["cancel_requested", "state", "finished_at"])
        return held


def sweep(*, now: datetime | None = None) -> list[UUID]:
    """Give abandoned jobs to other workers and ring again for those nobody came for; returns the jobs rung for."""
    now = now or timezone.now()
    with transaction.atomic():
        Job.objects.abandoned(now).filter(cancel_requested=True).update(state=State.CANCELLED, finished_at=now)
        Job.objects.abandoned(now).filter(attempt__gte=MAX_ATTEMPTS).update(
            state=State.FAILED,
            finished_at=now,
            error=f"Its worker stopped {MAX_ATTEMPTS} times without finishing it; it is not tried again.",
        )
        back = list(Job.objects.abandoned(now).values_list("pk", flat=True))
        Job.objects.abandoned(now).filter(pk__in=back).update(state=State.QUEUED, lease_until=None, queued_at=now)
        due = [*back, *Job.objects.to_ring_again(now).exclude(pk__in=back).values_list("pk", flat=True)]
        Job.objects.filter(pk__in=due).update(rung_at=now)
    for job_id in due:
        if not ring(job_id):
            break  # the broker is away: the next sweep tries again
    return due


def forget_finished(*, kind: str, subject: str) -> None:
    """Delete the rows that are over: of work that is done again and again, and whose result stands elsewhere."""
    over = Job.objects.filter(kind=kind, subject=subject, finished_at__isnull=False)
    over.filter(state__in=[State.DONE, State.FAILED, State.CANCELLED]).delete()


def _held(job_id: UUID, attempt: int) -> Any:
    return Job.objects.filter(pk=job_id, state=State.RUNNING, attempt=attempt)


def _end(job_id: UUID, attempt: int, state: str, **outcome: Any) -> bool:
    changed = {"state": state, "finished_at": timezone.now(), "lease_until": None, **outcome}
    return _held(job_id, attempt).update(**changed) == 1
