"""What an annotator meets around the desk: sign-in, home, account; and a moment's answer in another language."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.services.people import invite
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_the_link_to_the_first_item(page: Page, live_server: LiveServer) -> None:
    user = f.person("anna")
    desk = Desk(page, live_server, f.campaign(items=2), f.member(f.campaign(), user=user))
    f.member(desk.campaign, user=user)
    page.goto(f"{live_server.url}/welcome/{invite(user=user)}/")
    assert_fit(page)
    page.get_by_label("Password").fill("a long walk by the harbour")
    desk.press("Enter")
    expect(page.get_by_role("heading", name="Good to see you, anna")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Begin to rate").last.click()
    expect(desk.level("Empathy", 1)).to_be_focused()


def test_sign_in_and_out(page: Page, live_server: LiveServer) -> None:
    f.person("anna", password="a long walk by the harbour")
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Username").fill("anna")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Password").fill("a long walk by the harbour")
    desk_keys = page.keyboard
    desk_keys.press("Enter")
    expect(page.get_by_role("heading", name="You are in no campaign yet")).to_be_visible()
    assert_fit(page)
    page.locator("summary").filter(has_text="anna").click()
    assert_fit(page)
    desk_keys.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    page.locator("summary").filter(has_text="anna").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_token_is_made_on_the_account_page(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign())
    desk.sign_in()
    page.goto(f"{live_server.url}/account/")
    page.get_by_label("What the token is for").fill("nightly script")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("Copy it now")).to_be_visible()
    assert_fit(page)
    page.get_by_role("button", name="Revoke nightly script").click()
    expect(page.get_by_text("You have no token.")).to_be_visible()


def test_the_language_is_chosen_without_leaving_the_item(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign()).sit_down()
    desk.press("4")
    page.locator("details.menu > summary").click()
    page.get_by_role("button", name="简体中文").click()
    expect(page.get_by_role("group", name="共情")).to_be_visible()
    expect(page.get_by_role("group", name="共情").get_by_role("radio", name="4")).to_be_checked()
    assert_fit(page)


@pytest.mark.parametrize("address", ["/nothing-here/", "/accounts/signup/", "/accounts/password/reset/"])
def test_pages_seldom_met_are_fit_too(page: Page, live_server: LiveServer, address: str) -> None:
    page.goto(live_server.url + address)
    assert_fit(page)


def test_the_pages_of_a_signed_in_account_are_fit(page: Page, live_server: LiveServer) -> None:
    desk = Desk(page, live_server, f.campaign())
    desk.sign_in()
    for address in ("/accounts/password/change/", "/accounts/email/", "/accounts/logout/"):
        page.goto(live_server.url + address)
        assert_fit(page)
    desk.open("annotation:guideline")
    assert_fit(page)
