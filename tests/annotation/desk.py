"""Sitting at the desk without a browser: its pages asked for, its form filled and sent."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Campaign

BY_SCRIPT = {"Accept": "application/json"}


def address(name: str, campaign: Campaign, *more: Any) -> str:
    return reverse(f"annotation:{name}", args=[campaign.slug, *more])


def form(**changed: Any) -> dict[str, Any]:
    levels = {"score.empathy": "4", "score.fluency": "5", "score.safety": "3"}
    return {"client_id": str(uuid.uuid4()), "marks": "[]", "seconds": "12", "rationale": "", **levels, **changed}


def leased(client: Client, campaign: Campaign) -> tuple[Assignment, str]:
    page = client.get(address("rate", campaign)).content.decode()
    return Assignment.objects.live().get(), page


def submit(client: Client, campaign: Campaign, assignment: Assignment, **more: Any) -> HttpResponse:
    headers = more.pop("headers", None)
    sent = form(**more)
    return client.post(address("item", campaign, assignment.pk), sent, headers=headers)  # type: ignore[return-value]
