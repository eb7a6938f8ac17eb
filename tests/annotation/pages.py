"""Asking the annotation room's pages by their names, signed in."""

from django.test import Client
from django.urls import reverse

from annotation.models import Campaign, User
from tests import factories as f


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(name: str, *args: object) -> str:
    return reverse(f"annotation:{name}", args=args)


def campaign_and(role: str, **options: object) -> tuple[Campaign, Client]:
    campaign = f.campaign(**options)  # type: ignore[arg-type]
    return campaign, signed_in(f.member(campaign, role))
