from django.conf import settings
from django.db import models


class SavedView(models.Model):
    """A filter of the queue of cases that a person keeps under a name; nobody else sees it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views")
    name = models.CharField(max_length=60)
    # As behind the question mark of the list's address, in its own order.
    query = models.CharField(max_length=1000)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_view_a_name")]

    def __str__(self) -> str:
        return self.name
