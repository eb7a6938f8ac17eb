from django.conf import settings
from django.db import models


class Draft(models.Model):
    """What a person has typed of an item and not submitted, so that work begun on one machine goes on at another.

    It belongs to the person and the item, and so outlives a lease that ended; a submit or a skip deletes it.
    """

    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts")
    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.CASCADE, related_name="drafts")
    content = models.JSONField()  # {"scores", "marks", "rationale", "needs_expert"}, unchecked: it is unfinished
    seconds = models.PositiveIntegerField(default=0)
    saved_at = models.DateTimeField()  # by the clock of the machine it was typed on
    stored_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["annotator", "work_item"], name="one_draft_a_person")]

    def __str__(self) -> str:
        return f"draft {self.pk}"
