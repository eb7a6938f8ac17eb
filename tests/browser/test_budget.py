"""What the rating page costs a browser that comes for the first time, from the server as it is in production."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.wire import Wire
from tests.throwaway import WebServer

pytestmark = [pytest.mark.servers, pytest.mark.pure, pytest.mark.timeout(180)]
BYTES, REQUESTS = 120_000, 45

# The demo's texts, people and campaigns without its journal; ana has read the content note. Printed is her session.
STAGE = """
from django.utils import timezone
from annotation.models import Membership, User
from reviews.demo import loading
from tests.sessions import session_of
texts = loading.load_texts()
loading.load_people()
loading.load_campaigns(texts)
Membership.objects.update(note_read_at=timezone.now())
print(session_of(User.objects.get(username="ana")))
"""


@pytest.fixture(scope="module")
def demo() -> Iterator[tuple[WebServer, str]]:
    """The demo's campaign on a server as in production, and ana's session there."""
    with WebServer() as web:
        yield web, web.manage("shell", "--verbosity=0", "-c", STAGE).stdout.strip().splitlines()[-1]


@pytest.fixture
def wire(browser: Browser, demo: tuple[WebServer, str]) -> Iterator[Wire]:
    web, session = demo
    with browser.new_context(viewport={"width": 1360, "height": 900}) as context:
        context.add_cookies([{"name": "sessionid", "value": session, "url": web.url}])
        yield Wire(context.new_page())


def test_the_first_load_of_the_rating_page_is_light_and_asks_no_one_else(
    wire: Wire, demo: tuple[WebServer, str]
) -> None:
    web, _session = demo
    response = wire.load(f"{web.url}/campaigns/demo/rate/")
    expect(wire.page.locator("#response")).to_be_visible()
    print(f"\n{wire.table()}")

    assert wire.bytes <= BYTES, f"{wire.bytes:,} bytes are more than {BYTES:,}; the dearest:\n{wire.table(12)}"
    assert len(wire.asked) <= REQUESTS, f"more than {REQUESTS} requests:\n{wire.table()}"
    elsewhere = [one.url for one in wire.asked if urlsplit(one.url).netloc != urlsplit(web.url).netloc]
    assert not elsewhere

    policy = response.headers["content-security-policy"]
    assert "unsafe-" not in policy
    assert "default-src 'none'" in policy
    assert {"script-src 'self'", "style-src 'self'"} <= {part.strip() for part in policy.split(";")}
    assert wire.violations == []

    # Every file is one to keep for ever, and text comes compressed.
    files = [one for one in wire.asked if one.path.startswith("/static/")]
    assert [one.path for one in files if "immutable" not in one.headers["cache-control"]] == []
    plain = [one.path for one in files if one.bytes > 2_000 and "content-encoding" not in one.headers]
    assert plain == []


def test_the_second_load_asks_for_the_page_alone(wire: Wire, demo: tuple[WebServer, str]) -> None:
    web, _session = demo
    wire.load(f"{web.url}/campaigns/demo/rate/")
    wire.load(f"{web.url}/campaigns/demo/rate/")
    assert [one.path for one in wire.asked if one.path.startswith("/static/")] == [], wire.table()
