from django.db import models
from django.utils.translation import gettext_lazy as _

from scenarios.benchmark import Condition
from scenarios.item_ids import make_item_id
from scenarios.models.imports import Import


class Responses(models.QuerySet["Response"]):
    def current(self) -> "Responses":
        """Those whose import is done and that no newer version has replaced."""
        return self.filter(arrival__state=Import.State.DONE, superseded=False)

    def with_names(self) -> "Responses":
        """With what `item_id` reads, in the same query."""
        return self.select_related("scenario", "companion")


class Response(models.Model):
    """What one Companion said to one Scenario under one condition. Another text is another version."""

    # The version of the scenario that it answered: a later one does not change what the companion was shown.
    scenario = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, related_name="responses")
    companion = models.ForeignKey("scenarios.Companion", on_delete=models.PROTECT, related_name="responses")
    condition = models.CharField(_("condition"), max_length=16, choices=Condition.choices)
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    content_hash = models.CharField(max_length=64)
    arrival = models.ForeignKey(Import, on_delete=models.PROTECT, related_name="responses")
    superseded = models.BooleanField(default=False)

    objects = Responses.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["scenario", "companion", "condition", "version"], name="one_response_a_version"
            ),
        ]
        indexes = [
            # Everything a count by companion and condition reads, so that no count touches a text.
            models.Index(fields=["arrival", "superseded", "companion", "condition"], name="response_by_companion"),
        ]

    def __str__(self) -> str:
        return self.item_id

    @property
    def item_id(self) -> str:
        return make_item_id(self.scenario.key, self.companion.name, self.condition)
