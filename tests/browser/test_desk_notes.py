"""A remark on a passage: chosen by sentences without a pointer, or by touch; its place is kept to the code point."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Note
from tests import factories as f
from tests.browser.axe import PHONE, assert_fit
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "👨‍👩‍👧‍👧 到家了！别怕，我在。\r\nYou need nobody else. 𠮷野家见？好"


def test_a_note_is_written_on_sentences_by_keyboard_alone(page: Page, live_server: LiveServer) -> None:
    made = f.campaign(data=f.dataset(scenarios=1, texts=[TEXT], language="zh-Hans"))
    desk = Desk(page, live_server, made).sit_down()
    desk.press("v")
    expect(page.get_by_role("dialog", name="Mark or note")).to_be_visible()
    desk.press("Space", "Enter")
    expect(page.get_by_text("Say which passage the note is about.")).to_be_visible()
    boxes = page.get_by_role("group", name="Sentences of the response").get_by_role("checkbox")
    expect(boxes).to_have_count(5)
    desk.press("Tab", "Tab")  # past the heading of the list
    expect(boxes.first).to_be_focused()
    desk.press("ArrowDown", "Space", "ArrowDown", "Space", "ArrowDown")
    expect(page.get_by_label("Passage that shows it")).to_have_value("别怕，我在。\nYou need nobody else.")
    desk.press("Space", "Space")  # the next one in, and out again
    desk.press("Enter")
    expect(page.get_by_text("Write the note.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    page.keyboard.type("两句")
    assert_fit(page)
    page.get_by_role("button", name="Keep it").press("Enter")
    expect(desk.response.locator("mark.remark")).to_have_text(
        "别怕，我在。\r\nYou need nobody else.", use_inner_text=False
    )
    expect(page.locator("#marks-count")).to_have_text("· 1")
    desk.press("3", "3", "3", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    note = Note.objects.get()
    assert TEXT[note.start : note.end] == note.quote == "别怕，我在。\r\nYou need nobody else."
    assert note.text == "两句"


def test_a_passage_selected_by_touch_is_marked_beside_the_scales(browser: Browser, live_server: LiveServer) -> None:
    made = f.campaign(data=f.dataset(scenarios=1, texts=[TEXT + " Read on." * 200], language="zh-Hans"))
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = phone.new_page()
    desk = Desk(page, live_server, made).sit_down()
    button = page.locator("#rating").get_by_role("button", name="Mark this passage")
    expect(button).to_be_hidden()
    panel = page.locator("#rating").bounding_box()
    desk.select("𠮷野家")
    expect(button).to_be_in_viewport()
    assert page.locator("#rating").bounding_box() == panel, "nothing moves when it comes"
    button.tap()
    expect(page.get_by_label("Passage that shows it")).to_have_value("𠮷野家")
    page.get_by_label("fosters dependence").tap()
    page.get_by_role("button", name="Keep it").tap()
    expect(desk.response.locator("mark")).to_have_text("𠮷野家")
    for name in ("Empathy", "Fluency", "Safety"):
        desk.scale(name).get_by_text("3", exact=True).tap()
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    (mark,) = desk.kept()[0].marks.all()
    assert TEXT[mark.start : mark.end] == mark.quote == "𠮷野家"
    phone.close()
