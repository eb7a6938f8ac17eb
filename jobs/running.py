from time import monotonic
from typing import TYPE_CHECKING, Any
from uuid import UUID

from jobs import services
from jobs.errors import JobCancelled, LeaseLost
from jobs.models import Job

if TYPE_CHECKING:
    from annotation.models import User

# Progress goes to the database at most this often.
SECONDS_BETWEEN_REPORTS = 1.0


class RunningJob:
    """A claimed job, as its handler sees it."""

    def __init__(self, job: Job, *, attempt: int) -> None:
        self.id: UUID = job.pk
        self.arguments: dict[str, Any] = job.arguments
        self.subject: str = job.subject
        self.by: User | None = job.created_by
        self.attempt = attempt
        self._reported_at = -SECONDS_BETWEEN_REPORTS
        self._note = ""

    def progress(self, done: int, total: int, note: str = "") -> None:
        """Say how far it is; costs next to nothing where it is called often.

        done, total: any unit, the same throughout. note: a message id that the catalogue holds (`gettext_noop`).
        Raises JobCancelled where someone asked for a stop, LeaseLost where another worker has the job now.
        """
        if note == self._note and monotonic() - self._reported_at < SECONDS_BETWEEN_REPORTS:
            return
        self._reported_at, self._note = monotonic(), note
        if not services.report_progress(self.id, attempt=self.attempt, done=done, total=total, note=note):
            self._stop()

    def renew(self) -> None:
        """Keep the lease where there is no figure to report; raises as `progress` does."""
        if not services.renew(self.id, attempt=self.attempt):
            self._stop()

    def _stop(self) -> None:
        job = Job.objects.get(pk=self.id)
        if job.cancel_requested and job.attempt == self.attempt:
            raise JobCancelled
        raise LeaseLost
