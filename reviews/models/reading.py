from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.models import WorkItem

if TYPE_CHECKING:
    from annotation.models import User


class ReferenceReading(models.Model):
    """This expert has read the scenario's reference response: they decide no case of it in this campaign any more."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="+")
    scenario = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, related_name="reference_readings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "scenario", "user"], name="one_reference_reading_a_person")
        ]


def items_with_reference_read_by(user: "User") -> models.QuerySet[WorkItem]:
    """In every campaign; few, so found from the readings."""
    readings = Q(scenario__reference_readings__user=user, scenario__reference_readings__campaign=F("campaign"))
    return WorkItem.objects.filter(readings)
