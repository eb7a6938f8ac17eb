from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from annotation.models import Campaign


class Releases(models.QuerySet["Release"]):
    def latest_of(self, campaign: "Campaign") -> "Release | None":
        return self.filter(campaign=campaign).order_by("-number").first()


class Release(models.Model):
    """An immutable, numbered, hashed export: gold labels, ratings, decisions, agreement. The files lie in `folder`."""

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.PROTECT, related_name="releases")
    number = models.PositiveIntegerField()
    data_version = models.CharField(max_length=64)
    parameters = models.JSONField()
    # As manifest.json holds it, the hash of each file with it.
    manifest = models.JSONField()
    # Under MEDIA_ROOT.
    folder = models.CharField(max_length=255)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    # Orders the pseudonyms of this release, so that no two releases can be joined by them. Never published.
    salt = models.CharField(max_length=64)

    objects = Releases.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_release_a_number")]

    def __str__(self) -> str:
        return f"{self.campaign.slug} {self.number}"

    @property
    def path(self) -> Path:
        return Path(settings.MEDIA_ROOT) / self.folder
