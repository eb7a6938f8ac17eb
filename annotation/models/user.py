from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.utils.translation import gettext_lazy as _


class People(UserManager["User"]):
    def called(self, name: str) -> "User | None":
        """The active person of this name; written in another case, where only one can be meant."""
        found = list(self.filter(username__iexact=name, is_active=True))
        exact = [person for person in found if person.username == name]
        return (exact or found)[0] if exact or len(found) == 1 else None

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **more: Any
    ) -> "User":
        """The first site manager comes by `createsuperuser`."""
        more.setdefault("is_site_manager", True)
        return super().create_superuser(username, email, password, **more)


class User(AbstractUser):
    """A person. One who leaves is deactivated, never deleted: what they rated stays."""

    # Datasets, imports, campaigns, people; not by that a manager, expert or annotator of any campaign.
    is_site_manager = models.BooleanField(_("site manager"), default=False)
    display_name = models.CharField(_("name"), max_length=150, blank=True)
    # The interface's language; empty follows the browser.
    language = models.CharField(_("language"), max_length=16, blank=True)

    # Their single-key shortcuts: {"off": true}, or {action: key} where theirs differ (annotation/shortcuts.py).
    keys = models.JSONField(default=dict, blank=True)

    objects: ClassVar[People] = People()

    class Meta(AbstractUser.Meta):
        swappable = "AUTH_USER_MODEL"

    @property
    def own_language(self) -> str:
        """What they are written to in: the language they chose, else the site's."""
        return self.language or settings.LANGUAGE_CODE

    def __str__(self) -> str:
        return self.display_name or self.username
