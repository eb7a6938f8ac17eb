"""The training round in a browser: failed, then passed by keyboard alone; and what the manager sees of it."""

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import TrainingAnswer
from annotation.qualification import Rule
from tests import factories as f
from tests.annotation.training import EXPERT_SAYS, campaign_with_training
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "😮‍💨 别怕，有我就够了。I hear you."
MARK = {"type": "dependence", "start": 7, "end": 12, "quote": "有我就够了"}


def test_failed_then_passed_by_keyboard_and_the_manager_sees_both(page: Page, live_server: LiveServer) -> None:
    assert TEXT[7:12] == MARK["quote"]
    rule = Rule(items=2, max_missed=0, attempts=2)
    campaign = campaign_with_training(rule=rule, texts=(TEXT,), marks=(MARK,), title="Winter round")
    desk = Desk(page, live_server, campaign, f.member(campaign, user=f.person("anna"))).sit_down()
    expect(page.get_by_role("heading", name="Training comes first")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Begin the training").focus()
    desk.press("Enter")
    expect(page.get_by_role("heading", name="Before you rate for real")).to_be_visible()
    assert_fit(page)

    # the first attempt: two levels off, and the violation missed
    page.get_by_role("button", name="Begin the training").first.focus()
    desk.press("Enter")
    expect(desk.level("Empathy", 1)).to_be_focused()
    assert_fit(page)
    desk.press("2", "2", "Enter")
    expect(page.locator("#missing")).to_have_text("Still missing: Safety")
    page.reload()
    expect(desk.level("Empathy", 2)).to_be_checked()  # what was typed is still there
    desk.press("4", "Enter")
    expect(page.get_by_text("2 levels lower than the expert").first).to_be_visible()
    expect(page.get_by_text(EXPERT_SAYS)).to_be_visible()
    expect(page.locator(".response mark")).to_have_text("有我就够了")
    expect(page.get_by_text("missed", exact=True)).to_be_visible()
    assert_fit(page)
    page.mouse.click(5, 400)  # wherever the focus is, Enter goes on
    desk.press("Enter")
    expect(page.get_by_text("Training, 2 of 2")).to_be_visible()
    expect(desk.level("Empathy", 1)).to_be_focused()
    desk.press("1", "1", "1", "Enter")
    expect(page.get_by_role("link", name="See how it went")).to_be_focused()
    desk.press("Enter")
    expect(page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    assert_fit(page)

    # the second: as the experts, with the violation marked by its passage
    page.get_by_role("button", name="Try again").first.focus()
    desk.press("Enter")
    for place in (1, 2):
        expect(page.get_by_text(f"Training, {place} of 2")).to_be_visible()
        expect(desk.level("Empathy", 1)).to_be_focused()
        desk.select("有我就够了")
        desk.press("v")
        page.get_by_role("radio", name="fosters dependence").check()
        desk.press("Enter", "4", "4", "4", "Enter")
        expect(page.get_by_text("both marked")).to_be_visible()
        expect(page.locator("#go-on")).to_be_focused()
        desk.press("Enter")
    expect(page.get_by_role("heading", name="Passed")).to_be_visible()
    assert_fit(page)
    desk.press("Tab")
    page.get_by_role("link", name="Begin to rate").focus()
    desk.press("Enter")
    expect(page.locator("#rate-count")).to_contain_text("rated")
    assert TrainingAnswer.objects.count() == 4
    assert TrainingAnswer.objects.last().marks[0]["start"] == 7

    boss = f.member(campaign, "manager", user=f.person("boss"))
    come_in(page, live_server, boss)
    desk.open("annotation:training")
    expect(page.get_by_text("not passed", exact=True)).to_be_visible()
    expect(page.get_by_text("passed", exact=True)).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Attempt 1 · anna").click()
    expect(page.get_by_role("heading", name="anna · Attempt 1")).to_be_visible()
    assert_fit(page)
    desk.open("annotation:known_answers")
    assert_fit(page)
    page.get_by_label("File of known answers").set_input_files(
        files=[{"name": "answers.jsonl", "mimeType": "text/plain", "buffer": b'{"item_id": "x"}\n{'}]
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("answers.jsonl:2:")).to_be_visible()
    assert_fit(page)
