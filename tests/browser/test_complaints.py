"""What typists and clock-watchers complained of in other tools, tried on the real browser: input methods, two tabs."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import CDPSession, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment
from tests import factories as f
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)


class InputMethod:
    """Types by way of candidates, as pinyin does: the letters stand underlined until one is picked."""

    def __init__(self, page: Page) -> None:
        self.cdp: CDPSession = page.context.new_cdp_session(page)

    def press(self, key: str) -> None:
        """A key that the method takes for itself: the browser tells of it with the code 229; some also name the key."""
        self.cdp.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "windowsVirtualKeyCode": 229, "key": key})

    def compose(self, letters: str) -> None:
        for end in range(1, len(letters) + 1):
            self.press(letters[end - 1])
            so_far = {"text": letters[:end], "selectionStart": end, "selectionEnd": end}
            self.cdp.send("Input.imeSetComposition", so_far)

    def pick(self, text: str, key: str) -> None:
        self.press(key)
        self.cdp.send("Input.insertText", {"text": text})


def test_an_input_method_types_chinese_and_neither_submits_nor_opens_anything(
    page: Page, live_server: LiveServer
) -> None:
    desk = Desk(page, live_server, f.campaign(items=2)).sit_down()
    method = InputMethod(page)
    desk.press("4", "5", "3", "r")  # complete: an Enter that came through would submit
    method.compose("bie")
    method.pick("别", "Enter")
    method.compose("pa")
    method.pick("怕", "1")  # the first candidate, by its number
    method.pick("、", "、")
    method.pick("？", "?")
    expect(page.get_by_label("Rationale")).to_have_value("别怕、？")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert desk.kept() == []

    # Outside a text field too, where the input method is on and a key is a shortcut's.
    desk.press("Escape")
    for key in ("s", "v", "1", "?", "Enter"):
        method.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(desk.level("Safety", 3)).to_be_checked()
    assert desk.kept() == []

    desk.press("Enter")
    desk.expect_rated(1, 2)
    expect(page.locator("#said")).to_contain_text("Next item.")


def test_a_tab_that_nobody_looks_at_counts_no_time(page: Page, live_server: LiveServer) -> None:
    page.clock.install()
    desk = Desk(page, live_server, f.campaign()).sit_down()
    Assignment.objects.of(desk.user).update(leased_at=timezone.now() - timedelta(minutes=10))
    page.clock.run_for(10_000)
    for away in (
        "document.hasFocus = () => false",
        "document.hasFocus = () => true; Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })",
    ):
        page.evaluate(away)
        page.mouse.move(200, 300)  # a pointer that passes over it is no work
        page.clock.run_for(30_000)
    expect(page.locator("#clock")).to_have_text("0:10")
