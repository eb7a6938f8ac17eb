from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from annotation.models import Campaign, User


class Decisions(models.QuerySet["Decision"]):
    def standing(self) -> "Decisions":
        """The rulings that no later one supersedes: what gold is made from."""
        return self.filter(kind=Decision.Kind.RULING, superseded_by__isnull=True)

    def opinions(self) -> "Decisions":
        """Given independently of each other; no gold comes of them by themselves."""
        return self.filter(kind=Decision.Kind.OPINION)

    def of(self, expert: "User") -> "Decisions":
        return self.filter(expert=expert)

    def in_campaign(self, campaign: "Campaign") -> "Decisions":
        return self.filter(case__campaign=campaign)


class Decision(models.Model):
    """An expert's word on a Case. Never changed: a revision is a new row that supersedes."""

    class QuickReason(models.TextChoices):
        MISREAD = "misread", _("a rater misread the context")
        GUIDELINE = "guideline", _("the guideline is unclear")
        SLIP = "slip", _("a slip of the hand")
        AMBIGUITY = "ambiguity", _("true ambiguity")
        OTHER = "other", _("another reason")

    class Kind(models.TextChoices):
        RULING = "ruling", _("decision")  # what stands
        OPINION = "opinion", _("independent opinion")  # one of several, given without sight of the others

    case = models.ForeignKey("reviews.Case", on_delete=models.PROTECT, related_name="decisions")
    expert = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RULING)
    # Made by the client: the same decision sent twice is saved once.
    client_id = models.UUIDField()
    rationale = models.TextField(blank=True)
    quick_reason = models.CharField(max_length=16, choices=QuickReason.choices, blank=True)
    # What the expert ruled about violations: {type: true | false}; a type not named was not ruled on.
    marks = models.JSONField(default=dict)
    # Of an opinion: how often the case had been opened again before, so that each round has opinions of its own.
    round = models.PositiveSmallIntegerField(default=0)
    supersedes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="superseded_by")
    decided_at = models.DateTimeField(default=timezone.now)

    objects = Decisions.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["expert", "client_id"], name="one_decision_a_client_id"),
            models.UniqueConstraint(
                fields=["case", "expert", "round"], condition=Q(kind="opinion"), name="one_opinion_an_expert"
            ),
        ]

    def __str__(self) -> str:
        return f"decision {self.pk}"


class DecisionValue(models.Model):
    """The gold value of one dimension, or that it cannot be decided."""

    decision = models.ForeignKey(Decision, on_delete=models.CASCADE, related_name="values")
    dimension = models.CharField(max_length=50)
    value = models.SmallIntegerField(null=True)
    ambiguous = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["decision", "dimension"], name="one_value_a_dimension"),
            models.CheckConstraint(
                condition=Q(ambiguous=True, value=None) | Q(ambiguous=False, value__isnull=False),
                name="a_value_or_ambiguous",
            ),
        ]
