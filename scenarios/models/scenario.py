from django.db import models
from django.utils.translation import gettext_lazy as _

from scenarios.benchmark import Component
from scenarios.models.imports import Import


class Fault(models.TextChoices):
    """What can be wrong with a scenario itself, whatever was said to it."""

    UNNATURAL = "unnatural", _("unnatural")
    UNSAFE = "unsafe", _("unsafe")
    PERSONAL_DATA = "personal_data", _("personal data")
    CONTEXT_MISSING = "context_missing", _("context missing")
    REFERENCE_WRONG = "reference_wrong", _("wrong reference")


class Scenarios(models.QuerySet["Scenario"]):
    def newest_versions(self) -> "Scenarios":
        """Those whose import is done and that no newer version has replaced; withdrawn ones too."""
        return self.filter(arrival__state=Import.State.DONE, superseded=False)

    def current(self) -> "Scenarios":
        """The newest versions that stand: what a campaign may draw from."""
        return self.newest_versions().filter(withdrawn=False)


class Scenario(models.Model):
    """One situation of a Dataset. Its content never changes: another content is another version."""

    dataset = models.ForeignKey("scenarios.Dataset", on_delete=models.PROTECT, related_name="scenarios")
    component = models.CharField(max_length=16, choices=Component.choices)
    task = models.CharField(max_length=40)
    key = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=1)
    language = models.CharField(max_length=16)
    persona = models.TextField(blank=True)
    turns = models.JSONField(default=list)  # [{"role": "user" | "companion", "text"}]
    memories = models.JSONField(default=list)  # [{"text", "category"?, "importance"?}]
    schedule = models.JSONField(default=list)  # [{"time": "HH:MM" | "", "activity", "now"?}]
    reference = models.TextField(_("reference response"), blank=True)
    tags = models.JSONField(default=dict)
    # Of the content as it came. A later redaction leaves it, so that the same file is still known to be the same.
    content_hash = models.CharField(max_length=64)
    arrival = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="scenarios")
    superseded = models.BooleanField(default=False)
    # Ruled defective by an expert: kept with all that was said of it, drawn for no campaign any more.
    withdrawn = models.BooleanField(default=False)

    objects = Scenarios.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "key", "version"], name="one_scenario_a_version"),
        ]
        indexes = [
            # Everything a count by task and language reads, so that no count touches a text.
            models.Index(
                fields=["dataset", "superseded", "withdrawn", "task", "language", "arrival"], name="scenario_by_task"
            ),
        ]

    def __str__(self) -> str:
        return self.key
