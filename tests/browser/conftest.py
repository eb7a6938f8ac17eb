"""A real Chromium for the tests that ask for `page`, and a watch on what the page complains of."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
WHY_NONE = os.environ.get("WHY_NO_CHROMIUM", "no Chromium: apt-get install -y chromium, or set CHROMIUM=/path/to/it")
# it is to be still, and quiet on the network; as root it runs only without its sandbox
FLAGS = [
    *("--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"),
    *(["--no-sandbox"] if os.geteuid() == 0 else []),
]

expect.set_options(timeout=10_000)


@pytest.hookimpl(tryfirst=True)  # before -m deselects by these marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if {"page", "context", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
            if not CHROMIUM and not os.environ.get("REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason=WHY_NONE))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if not CHROMIUM:
        pytest.fail(f"REQUIRE_BROWSER is set, and there is {WHY_NONE}", pytrace=False)
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS, "headless": True}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    viewport = {"width": 1280, "height": 800}
    return {**browser_context_args, "viewport": viewport, "reduced_motion": "reduce", "locale": "en-GB"}


@pytest.fixture(autouse=True)
def _default_rubric(request: pytest.FixtureRequest) -> None:
    """A database that the test before has emptied lacks what the migrations put there."""
    if "live_server" not in request.fixturenames:
        return
    request.getfixturevalue("transactional_db")
    from tests import factories

    factories.default_rubric()


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """pytest-playwright's page; the test fails if a script broke on it or the content security policy was offended."""
    complaints: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            complaints.append(message.text)

    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", on_console)
    yield page
    assert not complaints, "the page complained:\n" + "\n".join(complaints)
