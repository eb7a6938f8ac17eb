"""Single keys are the person's own: others than the usual ones, or none, and never while an input method composes."""

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.services.people import choose_keys
from reviews.models import Case
from reviews.services.cases import take_case
from tests import factories as f
from tests.browser.axe import PHONE, assert_fit
from tests.browser.coming_in import come_in
from tests.browser.desk import Desk, scores_of

pytestmark = pytest.mark.django_db(transaction=True)
COMPOSED = """key => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key, isComposing: true, keyCode: 229, bubbles: true, cancelable: true }))"""


def test_keys_are_chosen_on_the_account_page_and_hold_at_the_desk(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign())
    desk.sign_in()
    page.goto(f"{live_server.url}/account/")
    page.get_by_label("Mark a passage").fill("s")
    page.get_by_role("button", name="Keep these keys").click()
    expect(page.get_by_text("The same key as: Skip the item.")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Mark a passage").fill("m")
    page.get_by_role("button", name="Keep these keys").click()
    expect(page.get_by_text("Your keys are kept")).to_be_visible()
    desk.open("annotation:rate")
    expect(page.get_by_text("Add a mark")).to_have_count(1)
    desk.press("v")
    page.evaluate(COMPOSED, "m")
    page.evaluate(COMPOSED, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".scale.missing")).to_have_count(0)
    desk.press("Shift+M")
    expect(page.get_by_role("dialog", name="Mark or note")).to_be_visible()
    desk.press("Escape", "?")
    help_ = page.get_by_role("dialog", name="Keys")
    expect(help_.locator("kbd", has_text="m")).to_be_visible()
    expect(help_.locator("kbd", has_text="v")).to_have_count(0)


def test_with_single_keys_off_everything_is_done_by_tab_arrows_and_enter(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign(items=2))
    choose_keys(user=desk.user, keys={"off": True})
    desk.sit_down()
    expect(desk.level("Empathy", 1)).to_be_focused()
    desk.press("3", "s", "v", "?", "g")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#rating input:checked")).to_have_count(0)
    expect(page.locator("#rating kbd", has_text="1–5")).to_have_count(0)
    assert_fit(page)
    for _scale in f.DIMENSIONS:
        desk.press("ArrowRight", "Tab")
    desk.press("Enter")  # on the fold that comes after the scales: it opens
    expect(page.get_by_role("button", name="Add a mark")).to_be_visible()
    desk.level("Safety", 2).focus()
    desk.press("Enter")
    desk.expect_rated(1, 2)
    desk.expect_state("saved")
    assert scores_of(desk.kept()[0]) == dict.fromkeys(f.DIMENSIONS, 2)


def test_an_experts_keys_are_their_own_too(page: Page, live_server: LiveServer) -> None:
    item = f.rated_item([{"empathy": 1}, 5, 5])
    expert = f.member(item.campaign, "expert")
    choose_keys(user=expert, keys={"rationale": "w"})
    case = take_case(case_id=Case.objects.get().pk, expert=expert)
    come_in(page, live_server, expert)
    page.goto(f"{live_server.url}/cases/{case.pk}/")
    reason = page.locator("#rationale")
    page.keyboard.press("r")
    expect(reason).not_to_be_focused()
    page.keyboard.press("w")
    expect(reason).to_be_focused()
    choose_keys(user=expert, keys={"off": True})
    page.reload()
    page.keyboard.press("3")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#decision input[value='3']:checked")).to_have_count(0)


def test_the_list_of_keys_names_them_on_a_phone_too(browser: Browser, live_server: LiveServer) -> None:
    """Where there is a screen to touch the hints on buttons go, but a keyboard may be beside it."""
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as phone:  # type: ignore[arg-type]
        desk = Desk(phone.new_page(), live_server, f.campaign()).sit_down()
        expect(desk.page.locator("#rating kbd").first).to_be_hidden()
        desk.press("?")
        for name in ("1", "v", "Enter", "Esc"):
            key = desk.page.get_by_role("dialog", name="Keys").locator("dt kbd").get_by_text(name, exact=True)
            expect(key).to_be_visible()
