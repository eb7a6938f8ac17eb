"""Care at the desk: the note first, a heavy item announced and skipped freely, a contact in reach, a break offered."""

from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Campaign
from annotation.services.care import flag_heavy, set_desk
from tests import factories as f
from tests.browser.axe import PHONE, WIDE, assert_fit
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)
CONTACT = "Ana Ruiz, 555-0101"
SAT = "seconds => sessionStorage.setItem('concord:sitting', JSON.stringify({ seconds, at: Date.now() }))"


def sat_for(page: Page, minutes: int) -> None:
    """The desk once more, after a sitting of so long. Set from another page: on leaving, the desk writes its own."""
    there = page.url
    page.goto(urljoin(there, "/account/"))
    page.evaluate(SAT, minutes * 60)
    page.goto(there)


def cared_for(**options: object) -> Campaign:
    made = f.campaign(overlap=1, **options)  # type: ignore[arg-type]
    return set_desk(campaign=made, content_note="", support_contact=CONTACT, break_minutes=45, ahead=1)


def test_the_note_comes_first_and_the_contact_is_one_click_away(page: Page, live_server: LiveServer) -> None:
    made = f.campaign()
    set_desk(campaign=made, content_note="You may read of loss.", support_contact=CONTACT, break_minutes=45, ahead=1)
    desk = Desk(page, live_server, made).sit_down()
    expect(page.get_by_text("You may read of loss.")).to_be_visible()
    expect(desk.response).to_have_count(0)
    assert not Assignment.objects.exists()
    assert_fit(page)
    page.get_by_role("button", name="I have read this").click()
    expect(desk.response).to_be_visible()
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.get_by_role("link", name="Support").locator("visible=true").click()
        expect(page.get_by_role("dialog", name="Support").get_by_text(CONTACT)).to_be_visible()
        page.keyboard.press("Escape")
    page.goto(f"{live_server.url}/campaigns/{made.slug}/support/")
    expect(page.get_by_text(CONTACT)).to_be_visible()
    assert_fit(page)


def test_a_heavy_item_waits_until_it_is_asked_for(page: Page, live_server: LiveServer) -> None:
    made = cared_for(items=3)
    for item in f.items_of(made):
        flag_heavy(item=item, heavy=True)
    desk = Desk(page, live_server, made).sit_down()
    expect(page.get_by_text("The next text is hard to read.")).to_be_visible()
    expect(page.locator("#veil > summary")).to_be_focused()
    expect(desk.response).to_be_hidden()
    assert_fit(page)
    desk.press("3", "v", "r", "Tab", "Tab")
    page.locator("#main").focus()
    desk.press("5")
    expect(page.get_by_role("dialog")).to_have_count(0)
    desk.press("Enter")
    expect(desk.response).to_be_visible()
    expect(page.get_by_text("The next text is hard to read.")).to_be_hidden()
    expect(desk.level("Empathy", 1)).to_be_focused()
    expect(page.locator("#rating input:checked")).to_have_count(0)
    desk.press("3", "3", "3", "Enter")
    desk.expect_rated(1, 3)
    expect(page.locator("#veil > summary")).to_be_focused()
    desk.press("s")
    expect(page.get_by_text("The next text is hard to read.")).to_be_visible()
    expect(page.locator("#saving")).to_have_text("skipped")
    page.get_by_role("link", name="Skip it").click()
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    skips = Assignment.objects.of(desk.user).filter(state="skipped")
    assert [skip.skip_reason for skip in skips] == ["heavy", "heavy"]


def test_a_break_is_offered_between_two_items(page: Page, live_server: LiveServer) -> None:
    made = cared_for(items=4)
    desk = Desk(page, live_server, made).sit_down()
    sat_for(page, 46)
    expect(desk.level("Empathy", 1)).to_be_focused()
    expect(page.get_by_role("dialog")).to_have_count(0)
    desk.press("3", "3", "3", "Enter")
    offer = page.get_by_role("dialog", name="Time for a break?")
    expect(offer).to_be_visible()
    assert_fit(page)
    desk.press("Escape")
    desk.press("3", "3", "3", "Enter")
    desk.expect_rated(2, 4)
    expect(offer).to_be_hidden()
    sat_for(page, 46)
    expect(desk.level("Empathy", 1)).to_be_focused()
    desk.press("3", "3", "3", "Enter")
    offer.get_by_role("link", name="Take a break").click()
    expect(page.get_by_role("heading", name="A break")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Go on rating").click()
    desk.expect_rated(3, 4)


def test_managers_set_the_desk(page: Page, live_server: LiveServer) -> None:
    made = cared_for(items=2)
    for item in f.items_of(made):
        flag_heavy(item=item, heavy=True)
    desk = Desk(page, live_server, made, f.member(made, "manager"))
    desk.sign_in()
    desk.open("annotation:desk_settings")
    expect(page.get_by_label("Support contact")).to_have_value(CONTACT)
    page.get_by_label("Items leased ahead").fill("5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("The desk is set.")).to_be_visible()
    page.get_by_role("button", name="No longer").first.click()
    expect(page.get_by_text("1 item is announced")).to_be_visible()
    assert_fit(page)
