"""What was typed survives a reload, a lost connection and a lost session; what was sent twice is saved once."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Assignment, Campaign
from annotation.services.campaigns import pause_campaign
from annotation.services.leases import expire_overdue
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.desk import Desk, scores_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def desk(page: Page, live_server: LiveServer) -> Desk:
    data = f.dataset(scenarios=2, texts=["I am here 👍🏿, tell me.", "你不是一个人。"])
    return Desk(page, live_server, f.campaign(data=data, overlap=2)).sit_down()


def fill(desk: Desk) -> None:
    """Everything a person can give, and not yet sent."""
    desk.press("2", "3", "r")
    desk.page.keyboard.insert_text("太急了，没有听")
    desk.press("Escape", "v", "ArrowDown", "Enter", "4")
    desk.page.get_by_label("An expert should look at this").check()


def assert_filled(desk: Desk) -> None:
    for name, level in {"Empathy": 2, "Fluency": 3, "Safety": 4}.items():
        expect(desk.level(name, level)).to_be_checked()
    expect(desk.page.get_by_label("Rationale")).to_have_value("太急了，没有听")
    expect(desk.page.locator("#marks-count")).to_have_text("· 1")
    expect(desk.page.locator("[name=needs_expert]")).to_be_checked()


def test_a_reload_gives_back_what_was_typed(page: Page, desk: Desk) -> None:
    fill(desk)
    desk.expect_state("kept here")
    page.reload()
    assert_filled(desk)
    desk.expect_state("kept here")
    desk.press("Enter")
    desk.expect_rated(1, 2)
    (rating,) = desk.kept()
    assert scores_of(rating) == {"empathy": 2, "fluency": 3, "safety": 4}
    assert (rating.rationale, rating.needs_expert, rating.marks.count()) == ("太急了，没有听", True, 1)
    # The next item starts empty, also after a reload.
    page.reload()
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)


def test_an_item_leased_anew_gives_back_what_was_typed(page: Page, desk: Desk) -> None:
    fill(desk)
    first = desk.response.inner_text()
    Assignment.objects.of(desk.user).update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    desk.open("annotation:rate")
    if desk.response.inner_text() != first:  # the other item came first
        desk.press("5", "5", "5", "Enter")
        expect(desk.response).to_have_text(first)
    assert_filled(desk)
    desk.press("Enter")
    expect(page.locator("#said")).to_contain_text("Saved.")
    expect(page.get_by_text(first)).to_have_count(0)
    assert [rating.status for rating in desk.kept()][-1:] == ["counted"]


def test_an_answer_that_never_came_back_saves_once(page: Page, desk: Desk) -> None:
    def swallow_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(re.compile(r"/rate/\d+/$"), swallow_answer, times=1)
    desk.press("4", "4", "4", "Enter")
    desk.expect_waiting(1)
    page.get_by_role("button", name="Send now").click()
    desk.expect_rated(1, 2)
    assert len(desk.kept()) == 1


def test_many_quick_submits_are_one(page: Page, desk: Desk) -> None:
    desk.press("4", "4", "4")
    page.evaluate("for (let i = 0; i < 5; i += 1) document.getElementById('rating').requestSubmit()")
    desk.expect_rated(1, 2)
    assert len(desk.kept()) == 1


def test_late_work_is_kept_and_told_kindly(page: Page, desk: Desk) -> None:
    desk.press("4", "4", "4")
    Assignment.objects.of(desk.user).update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    item = Assignment.objects.of(desk.user).earliest("leased_at", "pk").work_item
    f.rating(item, 5)
    f.rating(item, 5)
    desk.press("Enter")
    expect(page.locator("#messages")).to_contain_text("your rating is kept beside the others as surplus")
    assert [rating.status for rating in desk.kept()] == ["surplus"]


def test_what_is_under_way_may_be_finished_when_the_campaign_pauses(page: Page, desk: Desk) -> None:
    fill(desk)
    pause_campaign(campaign=Campaign.objects.get())
    page.reload()
    assert_filled(desk)
    desk.press("Enter")
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)  # the one that was leased ahead
    desk.press("4", "4", "4", "Enter")
    expect(page.get_by_role("heading", name="The campaign is paused")).to_be_visible()
    assert_fit(page)
    assert len(desk.kept()) == 2


def test_active_time_counts_while_the_page_is_worked_on(page: Page, live_server: LiveServer) -> None:
    page.clock.install()
    desk = Desk(page, live_server, f.campaign()).sit_down()
    Assignment.objects.of(desk.user).update(leased_at=timezone.now() - timedelta(minutes=10))
    page.clock.run_for(30_000)
    expect(page.locator("#clock")).to_have_text("0:30")
    page.clock.run_for(300_000)  # away for five minutes: the first of them still counted
    expect(page.locator("#clock")).to_have_text(re.compile("0:59|1:00"))
    desk.press("4", "4", "4", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    assert 58 <= desk.kept()[0].seconds <= 61


def test_work_renews_the_lease_and_a_lost_one_is_said(page: Page, live_server: LiveServer) -> None:
    page.clock.install()
    desk = Desk(page, live_server, f.campaign()).sit_down()
    assignment = Assignment.objects.of(desk.user).get()
    Assignment.objects.update(expires_at=timezone.now() + timedelta(minutes=2))
    with page.expect_response("**/renew/"):
        page.clock.run_for(58_000)
        desk.press("4")
        page.clock.run_for(5_000)
    assignment.refresh_from_db()
    assert assignment.expires_at > timezone.now() + timedelta(minutes=20)
    Assignment.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    expire_overdue()
    with page.expect_response("**/renew/"):
        desk.press("4")
        page.clock.run_for(59_000)
        desk.press("4")
        page.clock.run_for(3_000)
    expect(desk.trouble).to_contain_text("You can still submit, and what you send is kept")
