from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from annotation.models import Campaign


class AgreementReports(models.QuerySet["AgreementReport"]):
    def latest_of(self, campaign: "Campaign") -> "AgreementReport | None":
        return self.filter(campaign=campaign).order_by("-created_at", "-pk").first()


class AgreementReport(models.Model):
    """The agreement of a campaign's raters at one moment, with everything needed to make it again."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="agreement_reports")
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
