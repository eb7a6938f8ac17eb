from django.db import models


class LiveAgreement(models.Model):
    """The agreement of a campaign while its rating goes on: one row, made anew when ratings have come in.

    What a paper stands on is an AgreementReport; this is for deciding whether to go on.
    """

    campaign = models.OneToOneField("annotation.Campaign", on_delete=models.CASCADE, related_name="live_agreement")
    # When a sweep last looked for other ratings. The one that changes it looks; another at the same time does not.
    looked_at = models.DateTimeField(null=True)
    # When its ratings were read; null before the first time, as is the result.
    computed_at = models.DateTimeField(null=True)
    data_version = models.CharField(max_length=64, blank=True)
    # What told these ratings from others without reading them (reviews/services/live.py).
    seen = models.JSONField(default=list)
    # As reviews/services/live_numbers.py makes it: the steps as items came in, and what more raters would bring.
    result = models.JSONField(null=True)
    # How long that took.
    seconds = models.FloatField(default=0)

    def __str__(self) -> str:
        return f"live agreement of {self.campaign}"
