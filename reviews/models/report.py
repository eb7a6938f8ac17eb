from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

if TYPE_CHECKING:
    from annotation.models import Campaign


class AgreementReports(models.QuerySet["AgreementReport"]):
    def latest_of(self, campaign: "Campaign", raters: "list[str] | None" = None) -> "AgreementReport | None":
        """That of all raters; raters: that of these alone, by their codes in order."""
        chosen = Q(parameters__raters__isnull=True) if raters is None else Q(parameters__raters=raters)
        return self.filter(chosen, campaign=campaign).order_by("-created_at", "-pk").first()

    def asked_for(self, campaign: "Campaign", number: str) -> "AgreementReport | None":
        """The one of this number, of whichever raters; without a number the latest of all."""
        if not number:
            return self.latest_of(campaign)
        return self.filter(campaign=campaign, pk=number).first() if number.isdecimal() else None


class AgreementReport(models.Model):
    """The agreement of a campaign's raters at one moment, with everything needed to make it again."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="agreement_reports")
    # Of some raters alone it has their codes as `raters`, and as `raters_of` of how many they are.
    parameters = models.JSONField()
    data_version = models.CharField(max_length=64)
    code_version = models.CharField(max_length=64)
    seed = models.PositiveBigIntegerField()
    # As `agreement --json` prints it.
    result = models.JSONField()
    # Of campaign, parameters, data and code: the same question has one answer, computed once.
    fingerprint = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")

    objects = AgreementReports.as_manager()

    class Meta:
        indexes = [models.Index(fields=["campaign", "-created_at"], name="report_of_campaign")]

    def __str__(self) -> str:
        return f"agreement of {self.campaign}, {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def raters(self) -> list[str] | None:
        """Whose ratings it is of, by their codes; None is all."""
        raters: list[str] | None = self.parameters.get("raters")
        return raters
