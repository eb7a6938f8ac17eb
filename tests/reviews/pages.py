"""Asking the reviews room's pages by their names."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse


def page(client: Client, name: str, /, *arguments: Any, **query: Any) -> HttpResponse:
    return client.get(reverse(f"reviews:{name}", args=arguments), query)


def post(client: Client, name: str, /, *arguments: Any, **fields: Any) -> HttpResponse:
    return client.post(reverse(f"reviews:{name}", args=arguments), fields)
