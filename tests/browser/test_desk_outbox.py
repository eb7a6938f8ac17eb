"""A submit waits for no network: the next item is there at once, and what was sent behind it arrives once."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Campaign, Membership
from annotation.services.people import change_membership
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.desk import Desk, scores_of

pytestmark = pytest.mark.django_db(transaction=True)
SUBMIT = re.compile(r"/rate/\d+/$")


@pytest.fixture
def desk(page: Page, live_server: LiveServer) -> Desk:
    made = f.campaign(items=5, overlap=2)
    Campaign.objects.update(ahead=3)
    desk = Desk(page, live_server, made)
    with page.expect_response("**/ahead/"):
        desk.sit_down()
    return desk


def rate(desk: Desk, *levels: int) -> None:
    """The item in hand, once it is another one than before."""
    expect(desk.page.get_by_role("radio", checked=True)).to_have_count(0)
    desk.press(*map(str, levels), "Enter")


def statuses(desk: Desk) -> list[tuple[str, int]]:
    return [(rating.status, scores_of(rating)["empathy"]) for rating in desk.kept()]


def test_the_next_item_waits_for_no_answer(page: Page, desk: Desk) -> None:
    held: list[Route] = []
    page.route(SUBMIT, lambda route: held.append(route))  # nothing comes back
    first = desk.response.inner_text()
    desk.press("4", "4", "4", "Enter")
    expect(desk.response).not_to_have_text(first, timeout=500)
    desk.expect_rated(1, 5)
    desk.expect_state("sending…")
    rate(desk, 3, 3, 3)
    desk.expect_rated(2, 5)
    held[0].continue_()
    page.unroute(SUBMIT)
    desk.expect_state("saved")
    assert [scores_of(rating)["empathy"] for rating in desk.kept()] == [4, 3]
    expect(desk.level("Empathy", 1)).to_be_focused()


def test_work_goes_on_in_a_tunnel_and_survives_a_closed_tab(page: Page, desk: Desk) -> None:
    context = page.context
    context.set_offline(True)
    rate(desk, 5, 5, 5)
    rate(desk, 4, 4, 4)
    desk.expect_waiting(2)
    desk.expect_rated(2, 5)
    # The last one is taken back from where it waits, without a network; the item in hand comes again after it.
    third = desk.response.inner_text()
    desk.press("1", "z")
    expect(desk.level("Fluency", 4)).to_be_checked()
    desk.expect_waiting(1)
    desk.expect_rated(1, 5)
    desk.press("1", "2", "3", "Enter")
    expect(desk.response).to_have_text(third)
    expect(desk.level("Empathy", 1)).to_be_checked()
    desk.press("5", "5", "Enter")
    rate(desk, 3, 3, 3)
    # All that was leased is rated: the last one lies here, and may be taken back.
    expect(desk.trouble).to_contain_text("no other item was fetched. Your rating is kept here")
    desk.expect_waiting(4)
    assert_fit(page)
    desk.trouble.get_by_role("button", name="Take it back").click()
    desk.expect_waiting(3)
    desk.press("2", "Enter")
    desk.expect_waiting(4)
    page.close()

    again = context.new_page()
    context.set_offline(False)
    there = Desk(again, desk.server, desk.campaign, desk.user)
    again.goto(desk.server.url)  # home sends it too
    there.expect_waiting(0)
    assert [list(scores_of(rating).values()) for rating in there.kept()] == [[5, 5, 5], [1, 2, 3], [1, 5, 5], [2, 3, 3]]
    there.open("annotation:rate")
    there.expect_rated(4, 5)


def test_a_rating_that_may_have_arrived_is_edited_when_it_is_taken_back(page: Page, desk: Desk) -> None:
    def swallow_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(SUBMIT, swallow_answer, times=1)
    rate(desk, 4, 4, 4)
    desk.expect_state("not sent")
    desk.press("z")
    expect(desk.level("Safety", 4)).to_be_checked()
    desk.press("1", "Enter")
    desk.expect_state("saved")
    assert statuses(desk) == [("superseded", 4), ("counted", 1)]


def test_undo_edits_the_last_rating_and_gives_the_item_in_hand_back(page: Page, desk: Desk) -> None:
    desk.press("z")
    expect(page.locator("#messages")).to_contain_text("no rating of yours here that can still be changed")
    rate(desk, 4, 4, 4)
    desk.expect_rated(1, 5)
    desk.expect_state("saved")
    second = desk.response.inner_text()
    desk.press("2", "z")
    expect(page.get_by_text("You are changing a rating that you submitted")).to_be_visible()
    expect(page.locator("#rate-count")).to_have_text("editing")
    assert_fit(page)
    desk.press("z")
    expect(page.locator("#said")).to_contain_text("Older ones stand under")
    desk.press("5", "Enter")
    expect(desk.response).to_have_text(second)
    expect(desk.level("Empathy", 2)).to_be_checked()
    assert statuses(desk) == [("superseded", 4), ("counted", 5)]
    desk.press("z")
    page.get_by_role("link", name="Leave it as it is").click()
    expect(desk.response).to_have_text(second)
    desk.press("3", "3", "3", "Enter")
    desk.expect_rated(2, 5)


def test_a_lost_session_asks_for_the_password_in_place(page: Page, desk: Desk) -> None:
    desk.user.set_password("a-long-password-1")
    desk.user.save()
    desk.sign_in()  # the password before ended with its session
    rate(desk, 4, 4, 4)
    desk.expect_state("saved")
    Session.objects.all().delete()
    page.context.clear_cookies(name="csrftoken")
    rate(desk, 3, 3, 3)
    dialog = page.get_by_role("dialog", name="You are signed out")
    expect(dialog.get_by_label("Password")).to_be_focused()
    expect(dialog.get_by_label("Username")).to_have_value(desk.user.username)
    assert_fit(page)
    page.keyboard.type("wrong")
    desk.press("Enter")
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    page.keyboard.type("a-long-password-1")
    desk.press("Enter")
    expect(dialog).to_be_hidden()
    desk.expect_state("saved")
    assert [scores_of(rating)["empathy"] for rating in desk.kept()] == [4, 3]
    rate(desk, 5, 5, 5)
    desk.expect_rated(3, 5)
    desk.expect_state("saved")  # else it leaves with the other's session, and waits in the outbox like the next one
    # Someone else at the same browser: what was typed here is not sent as theirs.
    Desk(page, desk.server, desk.campaign).sign_in()
    rate(desk, 2, 2, 2)
    expect(desk.trouble).to_contain_text("Someone else has signed in in this browser")
    page.reload()
    expect(page.locator("#waiting")).to_be_hidden()
    assert Assignment.objects.filter(state="submitted").count() == 3
    desk.sign_in()
    desk.open("annotation:rate")
    desk.expect_rated(4, 5)
    assert len(desk.kept()) == 4


def test_what_the_server_does_not_take_is_kept_to_be_looked_at(page: Page, desk: Desk) -> None:
    page.context.set_offline(True)
    desk.press("r")
    page.keyboard.insert_text("没有听见")
    desk.press("Escape")
    desk.press("4", "4", "4", "Enter")
    desk.expect_waiting(1)
    change_membership(membership=Membership.objects.get(user=desk.user), state=Membership.State.PAUSED)
    page.context.set_offline(False)  # and it is sent by itself
    page.get_by_role("button", name="1 not taken: look").click()
    dialog = page.get_by_role("dialog", name="Not taken")
    expect(dialog).to_contain_text("It takes no rating of yours now")
    expect(dialog.get_by_role("textbox")).to_have_value(re.compile("empathy: 4.*没有听见", re.DOTALL))
    assert_fit(page)
    dialog.get_by_role("button", name="Throw away").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="not taken")).to_be_hidden()


def test_two_tabs_do_not_fight(page: Page, desk: Desk) -> None:
    other = Desk(page.context.new_page(), desk.server, desk.campaign, desk.user)
    other.open("annotation:rate")
    expect(other.response).to_have_text(desk.response.inner_text())
    desk.press("2", "r")
    page.keyboard.insert_text("of the first tab")
    line = other.page.locator("#other-draft")
    expect(line).to_contain_text("There is another draft of this item")
    other.level("Safety", 5).check()
    line.get_by_role("button", name="Look at it").click()
    expect(other.level("Empathy", 2)).to_be_checked()
    expect(other.level("Safety", 5)).not_to_be_checked()
    line.get_by_role("button", name="Look at it").click()
    expect(other.level("Safety", 5)).to_be_checked()
    desk.press("Escape", "3", "3", "Enter")
    expect(other.trouble).to_contain_text("You submitted this item in another tab.")
    other.trouble.get_by_role("button", name="Take the next item").click()
    expect(other.response).to_have_text(desk.response.inner_text())
    (rating,) = desk.kept()
    assert (scores_of(rating)["empathy"], rating.rationale) == (2, "of the first tab")


def test_work_begun_on_one_machine_goes_on_at_another(page: Page, desk: Desk) -> None:
    with page.expect_response("**/draft/") as sent:
        desk.press("2", "r")
        page.keyboard.insert_text("在火车上")
    assert sent.value.ok
    with page.context.browser.new_context() as elsewhere:  # type: ignore[union-attr]
        there = Desk(elsewhere.new_page(), desk.server, desk.campaign, desk.user).sit_down()
        expect(there.level("Empathy", 2)).to_be_checked()
        expect(there.page.get_by_label("Rationale")).to_have_value("在火车上")
        with there.page.expect_response("**/draft/") as sent:
            there.press("4")
        assert sent.value.ok
        # Here the older one stands still; neither is thrown away.
        page.goto(desk.server.url + reverse("annotation:rate", args=[desk.campaign.slug]))
        expect(desk.level("Fluency", 4)).to_be_checked()
        expect(page.locator("#other-draft")).to_contain_text("There is another draft of this item")
        page.get_by_role("button", name="Look at it").click()
        expect(desk.level("Fluency", 4)).not_to_be_checked()
        page.get_by_role("button", name="Keep what stands here").click()
        expect(page.locator("#other-draft")).to_be_hidden()
        assert_fit(page)
