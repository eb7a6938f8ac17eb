from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

# An import that has not been heard of for this long has died.
STALE_AFTER = timedelta(minutes=2)


class Imports(models.QuerySet["Import"]):
    def done(self) -> "Imports":
        return self.filter(state=Import.State.DONE)

    def unfinished(self) -> "Imports":
        """Under way, or failed with rows still to be cleared away."""
        return self.filter(finished_at__isnull=True)

    def stale(self, now: datetime) -> "Imports":
        return self.unfinished().filter(heartbeat_at__lt=now - STALE_AFTER)


class Import(models.Model):
    """The arrival of a file's records. Nobody sees its rows before its last transaction marks it done."""

    class Kind(models.TextChoices):
        SCENARIOS = "scenarios", _("scenarios")
        RESPONSES = "responses", _("responses")

    class State(models.TextChoices):
        RUNNING = "running", _("under way")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    dataset = models.ForeignKey("scenarios.Dataset", on_delete=models.CASCADE, related_name="imports")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    state = models.CharField(max_length=16, choices=State.choices, default=State.RUNNING)
    source = models.CharField(_("file"), max_length=255)
    sha256 = models.CharField(max_length=64)
    format = models.CharField(max_length=16)
    heartbeat_at = models.DateTimeField()
    # The job that runs it, if one does: its next attempt clears away what the last one left.
    job = models.ForeignKey("jobs.Job", on_delete=models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    counts = models.JSONField(default=dict)
    # What goes too, if the import dies.
    created_dataset = models.BooleanField(default=False)
    created_companions = models.JSONField(default=list)

    objects = Imports.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            # While one import writes, or its remains are cleared away, the dataset takes no other.
            models.UniqueConstraint(
                fields=["dataset"], condition=Q(finished_at__isnull=True), name="one_import_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} from {self.source}"
