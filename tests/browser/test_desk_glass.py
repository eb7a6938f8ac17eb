"""The desk on every glass: from 320 px to 4K, at 200 %, with large letters; text and scales in view together."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import factories as f
from tests.browser.axe import OVERFLOW
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)
LONG = "你说“没事”的时候，我总会多听一遍。 You need nobody else, and that is a very long sentence to read. 👍🏿\n" * 30
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
# width, height, font size: a laptop, at 200 %, with large letters; tablets; phones upright and on their side; 4K.
GLASSES = [
    *((1360, 900, 16), (680, 450, 16), (1360, 900, 32)),
    *((1024, 768, 16), (768, 1024, 16), (390, 844, 16), (844, 390, 16), (320, 640, 16), (3840, 2160, 16)),
]
# The anchor that shows is whole, in the panel.
ANCHOR = """() => {
  const [anchor] = [...document.querySelectorAll("#rating .anchor > .shown")].filter((a) => a.checkVisibility());
  const [box, panel] = [anchor.getBoundingClientRect(), document.getElementById("rating").getBoundingClientRect()];
  return box.height > 0 && box.top >= panel.top && box.left >= panel.left && box.right <= panel.right;
}"""


def set_glass(page: Page, width: int, height: int, font: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    sizes: dict[str, Any] = {"fontSizes": {"standard": font, "fixed": font}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)


def test_text_and_scales_are_in_view_together_on_every_glass(page: Page, live_server: LiveServer) -> None:
    made = f.campaign(data=f.dataset(scenarios=1, texts=[f"{LONG}{WORD}"], language="zh-Hans"))
    desk = Desk(page, live_server, made).sit_down()
    wrong = []
    for glass in GLASSES:
        set_glass(page, *glass)
        desk.response.scroll_into_view_if_needed()
        if (overflow := page.evaluate(OVERFLOW)) > 0:
            wrong.append(f"{glass}: scrolls sideways by {overflow} px")
        desk.level("Safety", 1).focus()
        expect(page.get_by_role("button", name="Submit")).to_be_in_viewport()
        expect(desk.level("Empathy", 5)).to_be_in_viewport()
        expect(desk.response).to_be_in_viewport(ratio=0.01)
        if not page.evaluate(ANCHOR):
            wrong.append(f"{glass}: an anchor is cut")
    set_glass(page, 390, 844, 32)  # as on a glass of 195 px: there the scales stand below the text
    if (overflow := page.evaluate(OVERFLOW)) > 0:
        wrong.append(f"large letters on a phone: scrolls sideways by {overflow} px")
    assert not wrong, "\n".join(wrong)


def test_nothing_moves_while_the_scales_are_set(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(data=f.dataset(scenarios=1, texts=[LONG]))).sit_down()
    places = "[...document.querySelectorAll('#rating label, #rating .button')].map((e) => e.getBoundingClientRect().y)"
    for glass in GLASSES:
        set_glass(page, *glass)
        desk.level("Empathy", 1).focus()
        before = page.evaluate(f"[scrollY, ...{places}]")
        for name in ("Empathy", "Fluency", "Safety"):
            desk.level(name, 2).focus()
            page.keyboard.press("ArrowRight")
            assert page.evaluate(f"[scrollY, ...{places}]") == before, f"{glass}: {name}"
