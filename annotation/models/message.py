from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q

if TYPE_CHECKING:
    from annotation.models.user import User


class Messages(models.QuerySet["Message"]):
    def of(self, user: "User") -> "Messages":
        """What this person got or wrote as one of the campaign's people, never what others did."""
        return self.filter(Q(recipient=user) | Q(author=user, recipient=None))

    def waiting_for(self, user: "User") -> "Messages":
        """Sent to them and not read, or to the managers of a campaign that they manage."""
        managed = user.memberships.filter(role="manager", state="active").values("campaign")
        return self.filter(Q(recipient=user) | Q(recipient=None, campaign__in=managed), read_at=None)


class Message(models.Model):
    """A word between a person of a campaign and its managers, or of an expert to a rater. Never changed or deleted."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="messages")
    # Empty: Concord itself, as when a rule paused somebody.
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    # Empty: the campaign's managers.
    recipient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    # The item it is about, where it is about one: its rater finds their own rating by it.
    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.SET_NULL, null=True, related_name="+")
    reply_to = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="replies")
    text = models.TextField()
    # Of a letter to the raters of a decided case, what was decided when it was sent: {"scores": {dimension: level or
    # "ambiguous"}, "marks": {type: bool}, "rationale", "by": the role they wrote in, "expert" or "manager"}.
    outcome = models.JSONField(null=True)
    sent_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)

    objects = Messages.as_manager()

    class Meta:
        ordering = ["sent_at", "id"]
        indexes = [models.Index(fields=["campaign", "recipient", "read_at"], name="message_unread")]

    def __str__(self) -> str:
        return f"message {self.pk}"

    @property
    def is_from_an_expert(self) -> bool:
        """Its reader does not learn the name: who decided a case stays unknown to its raters."""
        return self.outcome is not None and self.outcome["by"] == "expert"
