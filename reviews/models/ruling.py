from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scenarios.models.scenario import Fault

if TYPE_CHECKING:
    from annotation.models import Campaign


class Rulings(models.QuerySet["ScenarioRuling"]):
    def in_campaign(self, campaign: "Campaign") -> "Rulings":
        return self.filter(campaign=campaign)


class ScenarioRuling(models.Model):
    """What an expert ruled about a scenario itself, in one campaign. Only ever added to: the newest stands."""

    class Verdict(models.TextChoices):
        KEEP = "keep", _("keep")
        REVISE = "revise", _("revise")  # a new version of the scenario; the old one is kept, out of gold
        WITHDRAW = "withdraw", _("withdraw")

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="scenario_rulings")
    scenario = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, related_name="rulings")
    verdict = models.CharField(max_length=8, choices=Verdict.choices)
    # What is wrong with it; empty where it is kept.
    fault = models.CharField(max_length=20, choices=Fault.choices, blank=True)
    reason = models.TextField()
    revised_to = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    objects = Rulings.as_manager()

    class Meta:
        ordering = ["at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict="revise", revised_to__isnull=False)
                | (~Q(verdict="revise") & Q(revised_to__isnull=True)),
                name="a_revision_names_its_version",
            )
        ]
