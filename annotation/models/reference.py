from django.conf import settings
from django.db import models


class ReferenceAnswer(models.Model):
    """The known answer to a training or check item: what experts gave, and why."""

    work_item = models.OneToOneField("annotation.WorkItem", on_delete=models.CASCADE, related_name="reference")
    scores = models.JSONField()  # {dimension: level}
    marks = models.JSONField(default=list)  # [{"type", "start", "end", "quote", "note"}], as a rating's
    reasons = models.JSONField(default=dict)  # {dimension: why}; "" is of the whole answer
    source = models.CharField(max_length=200, blank=True)  # the file or the decision it came from
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"answer to item {self.work_item_id}"
