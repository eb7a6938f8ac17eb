import uuid
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from annotation.models import User

LEASE = timedelta(seconds=60)
RING_AGAIN_AFTER = timedelta(seconds=15)
# A queued job that no worker has taken for this long has none to take it.
PATIENCE = timedelta(seconds=10)
# A job whose worker died this often kills its workers: it is not given to another.
MAX_ATTEMPTS = 5


class Jobs(models.QuerySet["Job"]):
    def visible_to(self, user: "User | AnonymousUser") -> "Jobs":
        if not user.is_authenticated:
            return self.none()
        return self if user.is_site_manager else self.filter(created_by=user)

    def unfinished(self) -> "Jobs":
        return self.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])

    def abandoned(self, now: datetime) -> "Jobs":
        """Running, but the worker has let its lease run out."""
        return self.filter(state=Job.State.RUNNING, lease_until__lt=now)

    def under_way(self, now: datetime) -> "Jobs":
        return self.filter(state=Job.State.RUNNING, lease_until__gte=now)

    def to_ring_again(self, now: datetime) -> "Jobs":
        """Queued, and whoever was rung for has not come."""
        return self.filter(state=Job.State.QUEUED, rung_at__lt=now - RING_AGAIN_AFTER)


class Job(models.Model):
    """One piece of background work. The row is the truth, the broker's message only says: look at it."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    # Every move that is not here is refused. Back to queued: its worker let the lease run out.
    MOVES = {
        State.QUEUED: {State.RUNNING, State.CANCELLED},
        State.RUNNING: {State.QUEUED, State.DONE, State.FAILED, State.CANCELLED},
        State.DONE: set(),
        State.FAILED: set(),
        State.CANCELLED: set(),
    }

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=50)
    arguments = models.JSONField(default=dict)
    # What the job is about, "dataset:demo", so that its page can be found from there.
    subject = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    progress_done = models.PositiveBigIntegerField(default=0)
    progress_total = models.PositiveBigIntegerField(default=0)
    # A message id of the catalogue, translated for whoever reads it.
    progress_note = models.CharField(max_length=200, blank=True)
    result = models.JSONField(null=True)
    error = models.TextField(blank=True)
    # Counts the claims. Only the worker that holds the last one may renew, finish or fail.
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    queued_at = models.DateTimeField()
    rung_at = models.DateTimeField()
    cancel_requested = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = Jobs.as_manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index(fields=["state", "rung_at"], name="job_bell"),
            models.Index(fields=["subject", "-created_at"], name="job_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @property
    def is_finished(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.CANCELLED)

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, self.progress_done * 100 // self.progress_total) if self.progress_total else 0

    def no_worker_in_sight(self, now: datetime) -> bool:
        """Nobody has taken it for ten seconds, or who took it has gone, and no worker is busy with another job."""
        if self.state == self.State.QUEUED and self.queued_at < now - PATIENCE:
            return not Job.objects.under_way(now).exists()
        return self.state == self.State.RUNNING and self.lease_until is not None and self.lease_until < now

    def as_json(self) -> dict[str, Any]:
        """What the API and `--json` say of a job. Some results are shown elsewhere alone, to fewer people."""
        return {
            "id": str(self.pk),
            "kind": self.kind,
            "subject": self.subject,
            "state": self.state,
            "progress": {"done": self.progress_done, "total": self.progress_total, "note": self.progress_note},
            "result": None if self.kind in settings.JOBS_WITH_PAGES_OF_THEIR_OWN else self.result,
            "error": self.error,
            "attempt": self.attempt,
            "cancel_requested": self.cancel_requested,
            "created_at": self.created_at,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
        }
