"""An annotator rates by keyboard alone, from the first item to the last; typing and input methods are left in peace."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.desk import COMPOSING, Desk, scores_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_ten_items_are_rated_by_keyboard_alone_from_sign_in_to_sign_out(page: Page, live_server: LiveServer) -> None:
    anna = f.person("anna", password="a long walk by the harbour")
    desk = Desk(page, live_server, f.campaign(items=11), anna)
    f.member(desk.campaign, user=anna)
    page.goto(live_server.url)
    type_into(page, page.get_by_label("Username"), "anna")
    type_into(page, page.get_by_label("Password"), "a long walk by the harbour")
    desk.press("Enter")
    link = page.locator(f"a[href='{reverse('annotation:rate', args=[desk.campaign.slug])}']").last
    tab_to(page, link)
    desk.press("Enter")
    desk.expect_rated(0, 11)

    # The first scale has the focus; each digit sets a scale and goes on; Enter submits.
    expect(desk.level("Empathy", 1)).to_be_focused()
    first = desk.response.inner_text()
    desk.press("4", "5", "3", "Enter")
    desk.expect_rated(1, 11)
    expect(desk.response).not_to_have_text(first)
    desk.expect_state("saved")
    expect(page.locator("#said")).to_have_text(re.compile("Saved."))

    # Arrows correct; the last scale stays in hand, so that another digit corrects it too.
    expect(desk.level("Empathy", 1)).to_be_focused()
    desk.press("2", "ArrowRight", "ArrowRight", "Tab", "4", "5", "Enter")
    desk.expect_rated(2, 11)

    # A mark and a rationale without leaving the keyboard.
    desk.press("v")
    expect(page.get_by_role("dialog", name="Mark or note")).to_be_visible()
    desk.press("ArrowDown", "ArrowDown", "Enter")
    expect(page.locator("#marks-count")).to_have_text("· 1")
    desk.press("r")
    expect(page.get_by_label("Rationale")).to_be_focused()
    page.keyboard.type("too close for 1st words, s v g ? 5")
    desk.press("Escape")
    expect(desk.level("Empathy", 1)).to_be_focused()
    desk.press("1", "2", "2", "Enter")
    desk.expect_rated(3, 11)

    # The guideline and the help are a key away, and gone with another.
    for key, name in (("g", "Guideline"), ("?", "Keys")):
        desk.press(key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        desk.press("Escape")

    # The last one is taken back and said otherwise; one is skipped.
    desk.press("z")
    expect(page.get_by_label("Rationale")).to_have_value("too close for 1st words, s v g ? 5")
    desk.press("3", "2", "2", "Enter")
    desk.expect_rated(3, 11)
    expect(desk.level("Empathy", 1)).to_be_focused()
    skipped = desk.response.inner_text()
    desk.press("s", "ArrowDown", "Enter")
    expect(desk.response).not_to_have_text(skipped)

    for done in range(3, 10):
        expect(page.locator("#rate-count")).to_contain_text(f"{done} / ")  # of 10, once the skip has arrived
        expect(desk.level("Empathy", 1)).to_be_focused()
        desk.press("5", "5", "5", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left for you just now")).to_be_visible()
    given = [[4, 5, 3], [2, 3, 5], [3, 2, 2], *[[5, 5, 5]] * 7]
    kept = [rating for rating in desk.kept() if rating.status == "counted"]
    assert sorted(list(scores_of(rating).values()) for rating in kept) == sorted(given)
    (third,) = (rating for rating in kept if rating.rationale)
    assert third.rationale == "too close for 1st words, s v g ? 5"
    assert [mark.type for mark in third.marks.all()] == ["dependence"]

    tab_to(page, page.locator("summary").filter(has_text="anna"))
    desk.press("Enter")
    tab_to(page, page.get_by_role("button", name="Sign out"))
    desk.press("Enter")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def tab_to(page: Page, wanted: Locator) -> None:
    """Tab by Tab, as somebody without a pointer gets there."""
    expect(wanted).to_be_attached()
    for _press in range(60):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"60 times Tab do not reach {wanted}")


def type_into(page: Page, field: Locator, text: str) -> None:
    tab_to(page, field)
    page.keyboard.type(text)


def test_enter_says_what_is_missing_and_goes_there(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=2)).sit_down()
    desk.press("4", "5", "Enter")
    expect(page.locator("#missing")).to_have_text("Still missing: Safety")
    expect(page.locator("#said")).to_have_text("Still missing: Safety")
    expect(desk.level("Safety", 1)).to_be_focused()
    page.get_by_role("button", name="Submit").click()  # it is never grey
    expect(desk.level("Safety", 1)).to_be_focused()
    assert desk.kept() == []
    desk.press("3", "Enter")
    desk.expect_rated(1, 2)


def test_a_composing_key_neither_submits_nor_opens_anything(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=2)).sit_down()
    desk.press("4", "5", "3")
    for composing in ({"isComposing": True, "keyCode": 13}, {"isComposing": False, "keyCode": 229}):
        page.evaluate(COMPOSING, composing)
    desk.press("r")
    page.keyboard.insert_text("别怕")
    for composing in ({"isComposing": True, "keyCode": 13}, {"isComposing": False, "keyCode": 229}):
        page.evaluate(COMPOSING, composing)
    desk.press("Escape", "Enter")
    desk.expect_rated(1, 2)
    assert [rating.rationale for rating in desk.kept()] == ["别怕"]


def test_shortcuts_are_dead_with_modifiers_and_in_windows(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=2)).sit_down()
    desk.press("Control+1", "Alt+s", "Control+Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    desk.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_visible()
    desk.press("5", "s")
    expect(page.get_by_role("dialog")).to_have_count(1)
    desk.press("Escape")
    expect(keys).to_be_hidden()
    desk.press("g")
    expect(page.get_by_role("dialog", name="Guideline")).to_contain_text("stock phrases or hurried advice")
    desk.press("Escape")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(desk.level("Empathy", 1)).to_be_focused()


def test_the_anchor_of_the_level_in_hand_shows_and_nothing_moves(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=1)).sit_down()
    box = desk.scale("Fluency").bounding_box()
    desk.level("Empathy", 5).locator("..").hover()
    expect(desk.scale("Empathy").locator(".anchor .shown")).to_contain_text("5 · Also reaches what is unsaid")
    desk.level("Empathy", 2).locator("..").hover()
    expect(desk.scale("Empathy").locator(".anchor .shown")).to_contain_text("2 · Notices that something is felt")
    assert desk.scale("Fluency").bounding_box() == box
    described = desk.level("Empathy", 4).evaluate(
        "e => document.getElementById(e.getAttribute('aria-describedby')).textContent"
    )
    assert described.startswith("4 · Grasps feeling and reason")


def test_skip_needs_a_reason_and_can_be_taken_back(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=2)).sit_down()
    skipped = desk.response.inner_text()
    desk.press("s")
    dialog = page.get_by_role("dialog", name="Skip this item")
    dialog.get_by_role("button", name="Skip").click()
    expect(dialog).to_contain_text("Choose a reason.")
    dialog.get_by_label("I cannot judge this").check()
    desk.press("Enter")
    expect(desk.response).not_to_have_text(skipped)
    desk.expect_state("skipped")
    desk.press("5", "5", "5", "Enter")
    expect(page.get_by_text("You skipped 1 item; you may take it back")).to_be_visible()

    desk.open("annotation:mine")
    page.get_by_label("Show").select_option("skipped")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("cell", name="I cannot judge this")).to_be_visible()
    assert_fit(page)
    page.get_by_role("button", name="Take back and rate").click()
    expect(desk.response).to_have_text(skipped)
    assert Assignment.objects.of(desk.user).filter(state="skipped").count() == 0


def test_a_rating_is_found_again_and_edited(page: Page, live_server: LiveServer) -> None:
    data = f.dataset(scenarios=2, texts=["I am here, tell me.", "你不是一个人。"])
    desk = Desk(page, live_server, f.campaign(data=data)).sit_down()
    for done in range(2):
        desk.expect_rated(done, 2)
        desk.press("4", "4", "4", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()

    desk.open("annotation:mine")
    page.get_by_label("Search the texts").fill("一个人")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".own-ratings > li")).to_have_count(1)
    assert_fit(page)
    page.get_by_role("link", name="Edit the rating of").click()
    expect(desk.response).to_have_text("你不是一个人。")
    expect(desk.level("Safety", 4)).to_be_checked()
    expect(desk.level("Empathy", 4)).to_be_focused()  # the page's script is there
    desk.press("2", "Enter")
    expect(page.get_by_text("Saved.")).to_be_visible()
    changed = desk.kept()[-1]
    assert scores_of(changed) == {"empathy": 2, "fluency": 4, "safety": 4}
    assert changed.supersedes is not None
    assert (changed.status, changed.supersedes.status) == ("counted", "superseded")
    page.get_by_label("Show").select_option("superseded")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".own-ratings > li")).to_have_count(1)


def test_the_desk_is_fit_in_every_look(page: Page, live_server: LiveServer) -> None:
    data = f.dataset(scenarios=1, tasks=("dialogue_schedule",), language="zh-Hans", texts=["别怕，我在。"])
    desk = Desk(page, live_server, f.campaign(data=data)).sit_down()
    assert_fit(page)
    desk.press("4", "r")
    desk.select("别怕")
    desk.press("Escape", "v")
    assert_fit(page)
    desk.press("Enter")
    assert_fit(page)
    for key in ("?", "g", "s"):
        desk.press(key)
        assert_fit(page)
        desk.press("Escape")
