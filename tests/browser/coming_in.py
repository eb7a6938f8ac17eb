from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from tests.sessions import session_of


def come_in(page: Page, live_server: LiveServer, user: User) -> None:
    """Signed in, as after the sign-in page."""
    cookie = {"name": "sessionid", "value": session_of(user), "url": live_server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
