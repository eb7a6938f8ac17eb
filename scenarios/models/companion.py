from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class Companion(models.Model):
    """A model under test."""

    class Openness(models.TextChoices):
        OPEN = "open", _("open weights")
        CLOSED = "closed", pgettext_lazy("weights", "closed")
        UNKNOWN = "unknown", _("not known")

    name = models.CharField(_("name"), max_length=200, unique=True)
    family = models.CharField(_("family"), max_length=200, blank=True)
    parameters = models.CharField(_("parameters"), max_length=50, blank=True)  # as people write it: 7B, 8x22B
    openness = models.CharField(_("openness"), max_length=16, choices=Openness.choices, default=Openness.UNKNOWN)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
