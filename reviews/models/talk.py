from django.conf import settings
from django.db import models


class CaseRemark(models.Model):
    """A word among the experts who gave their opinions on a case, before one of them decides. Only ever added to."""

    case = models.ForeignKey("reviews.Case", on_delete=models.CASCADE, related_name="remarks")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    text = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["at", "id"]
