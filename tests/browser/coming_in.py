from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from annotation.models import User


def come_in(page: Page, live_server: LiveServer, user: User) -> None:
    """Signed in, as after the sign-in page."""
    client = Client()
    client.force_login(user)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
