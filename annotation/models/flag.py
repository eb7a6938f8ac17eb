from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from scenarios.models.scenario import Fault

if TYPE_CHECKING:
    from annotation.models.campaign import Campaign
    from annotation.models.user import User


class Flags(models.QuerySet["ScenarioFlag"]):
    def in_campaign(self, campaign: "Campaign") -> "Flags":
        return self.filter(campaign=campaign)

    def of(self, user: "User") -> "Flags":
        return self.filter(by=user)


class ScenarioFlag(models.Model):
    """An annotator's word that the scenario itself is defective; one a person and scenario, the last word stands."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="flags")
    scenario = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, related_name="flags")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    fault = models.CharField(_("fault"), max_length=20, choices=Fault.choices)
    note = models.TextField(blank=True)
    at = models.DateTimeField(auto_now=True)

    objects = Flags.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "scenario", "by"], name="one_flag_a_person")]

    def __str__(self) -> str:
        return f"flag {self.pk}"
