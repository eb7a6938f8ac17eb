from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from annotation.models.user import User


def default_rule() -> dict[str, Any]:
    """What sends an item to an expert (reviews/rules.py reads it)."""
    return {"range": 2, "safety_at_most": 2, "marks_split": True, "asked": True, "audit_share": 0.05}


class Campaigns(models.QuerySet["Campaign"]):
    def of(self, user: "User", *roles: str) -> "Campaigns":
        """The campaigns in which this person holds one of the roles (any role, if none is named)."""
        mine = {"memberships__user": user, "memberships__state__in": ["active", "paused"]}
        if roles:
            mine["memberships__role__in"] = roles
        return self.filter(**mine).distinct()

    def managed_by(self, user: "User") -> "Campaigns":
        """Where they are an active manager, ratings and all; a site manager is not by that."""
        mine = {"memberships__user": user, "memberships__role": "manager", "memberships__state": "active"}
        return self.filter(**mine).distinct()

    def visible_to(self, user: "User") -> "Campaigns":
        """Their own campaigns; a site manager's are all (without any rating in them)."""
        return self if user.is_site_manager else self.of(user)


class Campaign(models.Model):
    """A rating project: which responses, on which rubric, by how many raters, under which rule."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    MOVES = {
        State.DRAFT: {State.OPEN},
        State.OPEN: {State.PAUSED, State.CLOSED},
        State.PAUSED: {State.OPEN, State.CLOSED},
        State.CLOSED: {State.OPEN},  # by a manager, with a reason
    }

    slug = models.SlugField(_("short name"), max_length=60, unique=True)
    title = models.CharField(_("title"), max_length=200)
    dataset = models.ForeignKey("scenarios.Dataset", on_delete=models.PROTECT, related_name="campaigns")
    rubric = models.ForeignKey("annotation.Rubric", on_delete=models.PROTECT, related_name="campaigns")
    state = models.CharField(max_length=16, choices=State.choices, default=State.DRAFT)
    # Raters an item needs. What the agreement is computed on, also where more are asked for later.
    overlap = models.PositiveSmallIntegerField(_("overlap"), default=3)
    rule = models.JSONField(default=default_rule)
    rule_version = models.PositiveIntegerField(default=1)
    # What was asked for when the items were drawn: tasks, companions, conditions, languages, sample. For the record.
    selection = models.JSONField(default=dict)
    # Drives the sample, the order of items and the audit draw.
    seed = models.PositiveBigIntegerField(default=0)
    content_note = models.TextField(_("content note"), blank=True)
    # Whom to turn to, one click from the desk: a name, a telephone number, an address.
    support_contact = models.TextField(_("support contact"), blank=True)
    # Minutes of active work after which a break is offered; 0 is never.
    break_minutes = models.PositiveSmallIntegerField(_("break after minutes"), default=45)
    # Items leased beside the one in hand, 0 to 5: the next is there at once, and a lost network does not stop work.
    ahead = models.PositiveSmallIntegerField(_("items leased ahead"), default=1)
    # The training round and the hidden checks; empty is none (annotation/qualification.py, annotation/checks.py).
    training = models.JSONField(default=dict, blank=True)
    checks = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    objects = Campaigns.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.title


class CampaignEvent(models.Model):
    """The campaign's log: openings, closings with their reason, people, withdrawals. Only ever added to."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40)
    detail = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]
