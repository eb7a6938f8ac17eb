"""Every page of the site is fit for everyone: in both themes, at every width, enlarged, without motion."""

import logging
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests import pages
from tests.browser import axe
from tests.world import World

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
NARROW = {"width": 320, "height": 640}
ENLARGED = {"width": 640, "height": 400, "deviceScaleFactor": 2, "mobile": False}  # a window of 1280 at 200 %


@pytest.fixture
def there(live_server: LiveServer) -> Iterator[World]:
    logging.disable(logging.CRITICAL)
    yield pages.build()
    logging.disable(logging.NOTSET)


def sign_in(page: Page, server: LiveServer, there: World, who: str) -> None:
    page.context.clear_cookies()
    cookies = [{"name": name, "value": value, "url": server.url} for name, value in there.cookies_of(who).items()]
    if cookies:
        page.context.add_cookies(cookies)  # type: ignore[arg-type]


def sizes(page: Page) -> list[str]:
    """Where the page scrolls sideways: at the narrowest width, and enlarged to 200 %."""
    found = []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    if (over := page.evaluate(axe.OVERFLOW)) > 0:
        found.append(f"{page.url} at 320 px: scrolls sideways by {over} px")
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setDeviceMetricsOverride", ENLARGED)
    if (over := page.evaluate(axe.OVERFLOW)) > 0:
        found.append(f"{page.url} at 200 %: scrolls sideways by {over} px")
    cdp.send("Emulation.clearDeviceMetricsOverride")
    cdp.detach()
    page.set_viewport_size(axe.WIDE)  # type: ignore[arg-type]
    return found


def test_every_page_is_fit_for_everyone(page: Page, live_server: LiveServer, there: World) -> None:
    found: list[str] = []
    visits = sorted(pages.visits(there), key=lambda visit: visit.who)
    who = ""
    for visit in visits:
        if visit.who != who:
            sign_in(page, live_server, there, who := visit.who)
        answer = page.goto(live_server.url + visit.url)
        assert answer is not None
        assert answer.status == visit.status, f"{visit}: {answer.status}"
        found += [f"{visit.who}: {fault}" for fault in axe.faults(page)]
        found += [f"{visit.who}: {fault}" for fault in sizes(page)]
        if moving := page.evaluate(axe.MOVING):
            found.append(f"{visit}: moves though the reader asked for none: {moving[:5]}")
    print(f"{len(visits)} pages")
    assert not found, "\n\n".join(found)
