from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from annotation.models.user import User


class Assignments(models.QuerySet["Assignment"]):
    def of(self, user: "User") -> "Assignments":
        return self.filter(annotator=user)

    def live(self) -> "Assignments":
        """Leases that hold a place. One past its time still does, until it is swept."""
        return self.filter(state=Assignment.State.LEASED)

    def consumed(self) -> "Assignments":
        """Held, rated or skipped: what was handed back, or ran out, may be given to the person again."""
        return self.filter(state__in=Assignment.CONSUMED)

    def overdue(self) -> "Assignments":
        return self.live().filter(expires_at__lte=timezone.now())


class Assignment(models.Model):
    """A lease of one WorkItem to one annotator."""

    class State(models.TextChoices):
        LEASED = "leased", _("under way")
        SUBMITTED = "submitted", _("submitted")
        SKIPPED = "skipped", _("skipped")
        EXPIRED = "expired", _("expired")  # its time ran out; late work is still taken
        RELEASED = "released", _("handed back")
        WITHDRAWN = "withdrawn", _("withdrawn")  # its annotator was paused or removed

    class SkipReason(models.TextChoices):
        UNSURE = "unsure", _("I cannot judge this")
        LANGUAGE = "language", _("not my language")
        BROKEN = "broken", _("the text is broken or missing")
        HEAVY = "heavy", _("too heavy for me now")
        KNOWN = "known", _("I know where this text comes from")
        OTHER = "other", _("another reason")

    CONSUMED = (State.LEASED, State.SUBMITTED, State.SKIPPED)
    MOVES = {
        State.LEASED: {State.SUBMITTED, State.SKIPPED, State.EXPIRED, State.RELEASED, State.WITHDRAWN},
        State.EXPIRED: {State.SUBMITTED},
        State.SKIPPED: {State.LEASED},
        State.SUBMITTED: set(),
        State.RELEASED: set(),
        State.WITHDRAWN: set(),
    }

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="assignments")
    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=16, choices=State.choices, default=State.LEASED)
    # Ratings brought in from a file stand on an assignment too, but never held a place.
    imported = models.BooleanField(default=False)
    # Of a hidden check: the block of the person's work that it was given for (annotation/checks.py).
    check_block = models.PositiveIntegerField(null=True)
    leased_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    skip_reason = models.CharField(max_length=16, choices=SkipReason.choices, blank=True)
    skip_note = models.TextField(blank=True)

    objects = Assignments.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["work_item", "annotator"],
                condition=Q(state__in=["leased", "submitted"]),
                name="one_live_or_submitted_a_person",
            )
        ]
        indexes = [
            models.Index(fields=["campaign", "annotator", "state"], name="assignment_of_person"),
            models.Index(fields=["state", "expires_at"], name="assignment_overdue"),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"
