"""What opens a door: one-time links and API tokens. Only hashes are stored."""

import hashlib
import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """The secrets are random and long: a plain SHA-256 is enough, and can be looked up."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Invitation(models.Model):
    """A one-time link by which a person sets a password and comes in."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invitations")
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class ApiTokens(models.QuerySet["ApiToken"]):
    def of_secret(self, secret: str) -> "ApiToken | None":
        return self.filter(secret_hash=hash_of(secret)).select_related("user").first()


class ApiToken(models.Model):
    """Lets a program act as its person. Shown once, when it is made."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(_("name"), max_length=100)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ApiTokens.as_manager()
