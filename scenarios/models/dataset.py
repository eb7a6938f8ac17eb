from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from scenarios import ports
from scenarios.models.imports import Import

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from annotation.models import User


class Datasets(models.QuerySet["Dataset"]):
    def established(self) -> "Datasets":
        """Without those that an import under way has made: nobody sees them before it is done."""
        making = Import.objects.unfinished().filter(dataset=OuterRef("pk"), created_dataset=True)
        return self.filter(~Exists(making))

    def visible_to(self, user: "User | AnonymousUser") -> "Datasets":
        """Site managers see all, others those that a room above shows them (ports.py)."""
        if not user.is_authenticated:
            return self.none()
        if user.is_site_manager:
            return self.established()
        return self.established().filter(Q(pk__in=ports.datasets_shown_to(user)))


class Dataset(models.Model):
    """A named collection of scenarios and of what companions said to them."""

    slug = models.SlugField(_("short name"), max_length=50, unique=True)
    title = models.CharField(_("title"), max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = Datasets.as_manager()

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title or self.slug
