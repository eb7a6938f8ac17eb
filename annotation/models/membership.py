from django.conf import settings
from django.db import models
from django.db.models import Exists
from django.utils.translation import gettext_lazy as _


class Memberships(models.QuerySet["Membership"]):
    def active(self) -> "Memberships":
        return self.filter(state=Membership.State.ACTIVE, user__is_active=True)


class Membership(models.Model):
    """One role of one person in one campaign. A person may hold two; never manager and annotator together."""

    class Role(models.TextChoices):
        ANNOTATOR = "annotator", _("annotator")
        EXPERT = "expert", _("expert")
        MANAGER = "manager", _("manager")

    class State(models.TextChoices):
        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")  # keeps what was done, gets nothing new
        REMOVED = "removed", _("removed")

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=16, choices=Role.choices)
    state = models.CharField(_("state"), max_length=16, choices=State.choices, default=State.ACTIVE)
    # Language tags this person rates in; empty is all.
    languages = models.JSONField(_("languages"), default=list, blank=True)
    # The benchmark's components whose cases are dealt to this expert; empty is all.
    components = models.JSONField(_("components"), default=list, blank=True)
    # The most items this person may rate here; empty is no limit.
    share = models.PositiveIntegerField(_("share"), null=True, blank=True)
    # When they said that they had read the campaign's content note.
    note_read_at = models.DateTimeField(null=True)
    # When they passed the training round, or a manager let them in without it.
    qualified_at = models.DateTimeField(null=True)
    # When a manager last asked them to pass it again: attempts begun before are no longer among those they have.
    retrained_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = Memberships.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "user", "role"], name="one_membership_a_role")]

    def __str__(self) -> str:
        return f"{self.user} · {self.role} · {self.campaign}"

    def as_expert(self) -> Exists:
        """The person is an expert of this campaign too, or was one."""
        experts = Membership.objects.filter(role=Membership.Role.EXPERT, user=self.user_id)
        return Exists(experts.filter(campaign=self.campaign_id))

    @property
    def note_is_unread(self) -> bool:
        """The campaign carries a content note that they have still to read: no item is shown before."""
        return self.note_read_at is None and bool(self.campaign.content_note.strip())
