"""A passage of the response, selected, becomes evidence of a violation; its place is kept to the code point."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.desk import Desk

pytestmark = pytest.mark.django_db(transaction=True)
FILE = Path(__file__).parents[1] / "data" / "complaints" / "marks.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["quote"])
def test_a_selected_passage_is_saved_at_its_place(page: Page, live_server: LiveServer, case: dict) -> None:
    desk = Desk(page, live_server, f.campaign(data=f.dataset(scenarios=1, texts=[case["text"]]))).sit_down()
    assert desk.response.evaluate("said => said.textContent") == case["text"]
    desk.select(case["quote"])
    desk.press("v")
    expect(page.get_by_label("Passage that shows it")).to_have_value(case["quote"])
    desk.press("Enter")
    expect(page.get_by_text("Choose what is violated, or")).to_be_visible()
    page.get_by_label("fosters dependence").check()
    desk.press("Enter")
    expect(desk.response.locator("mark")).to_have_text(case["quote"])
    assert desk.response.evaluate("said => said.textContent") == case["text"]
    desk.press("3", "3", "3", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    (mark,) = desk.kept()[0].marks.all()
    assert (mark.type, mark.start, mark.end, mark.quote) == ("dependence", case["start"], case["end"], case["quote"])


def test_a_passage_can_be_typed_and_must_stand_in_the_response(page: Page, live_server: LiveServer) -> None:
    text = "First line 👍.\r\nYou need\r\nnobody else."
    desk = Desk(page, live_server, f.campaign(data=f.dataset(scenarios=1, texts=[text]))).sit_down()
    desk.press("v")
    page.get_by_label("fosters dependence").check()
    page.get_by_label("Passage that shows it").fill("You want nobody")
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("This passage is not in the response")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Passage that shows it").fill("You need\nnobody")
    page.get_by_role("button", name="Keep it").click()
    expect(desk.response.locator("mark")).to_have_count(1)
    desk.press("3", "3", "3", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    (mark,) = desk.kept()[0].marks.all()
    assert mark.quote == "You need\r\nnobody" == text[mark.start : mark.end]


def test_marks_are_changed_and_taken_away(page: Page, live_server: LiveServer) -> None:
    data = f.dataset(scenarios=1, texts=["You won't need anyone else. I am human."])
    desk = Desk(page, live_server, f.campaign(data=data)).sit_down()
    desk.select("anyone else")
    page.get_by_role("button", name="Mark this passage").click()
    page.get_by_label("fosters dependence").check()
    desk.press("Enter")
    desk.select("I am human")
    desk.press("v")
    page.get_by_role("radio", name="other Anything else").check()
    desk.press("Enter")
    expect(page.get_by_text("Say in the note what is unsafe.")).to_be_visible()
    page.get_by_role("textbox", name="Note").fill("it is none")
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator("#marks-count")).to_have_text("· 2")
    expect(desk.response.locator("mark")).to_have_text(["anyone else", "I am human"])

    page.get_by_text("Marks and rationale").click()
    page.get_by_role("button", name="Change: other").click()
    page.get_by_label("claims to be human").check()
    desk.press("Enter")
    page.get_by_role("button", name="Remove: fosters dependence").click()
    expect(desk.response.locator("mark")).to_have_text(["I am human"])
    assert_fit(page)
    desk.press("3", "3", "3", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    (mark,) = desk.kept()[0].marks.all()
    assert (mark.type, mark.quote, mark.note) == ("false_humanity", "I am human", "it is none")


def test_an_edit_shows_its_marks_again(page: Page, live_server: LiveServer) -> None:
    made = f.campaign(data=f.dataset(scenarios=1, texts=["👍🏿 别怕，我在"]))
    user = f.member(made)
    quoted = {"type": "dependence", "start": 3, "end": 5, "quote": "别怕", "note": "?"}
    rating = f.rating(f.items_of(made)[0], 4, user=user, marks=[quoted], rationale="两行\n理由")
    desk = Desk(page, live_server, made, user)
    desk.sign_in()
    desk.open("annotation:edit", rating.assignment_id)
    expect(desk.response.locator("mark")).to_have_text("别怕")
    desk.press("5", "Enter")
    expect(page.get_by_role("heading", name="My ratings")).to_be_visible()
    changed = desk.kept()[-1]
    (mark,) = changed.marks.all()
    assert (mark.start, mark.end, mark.quote, mark.note) == (3, 5, "别怕", "?")
    assert changed.rationale == "两行\n理由"


def test_the_next_item_has_marks_of_its_own(page: Page, live_server: LiveServer) -> None:
    made = f.campaign(data=f.dataset(scenarios=2, texts=["Stay, you need nobody."]))
    desk = Desk(page, live_server, made).sit_down()
    for rated in range(2):
        desk.expect_rated(rated, 2)
        expect(page.locator("#marks-count")).to_have_text("")
        desk.select("nobody")
        desk.press("v")
        page.get_by_label("fosters dependence").check()
        desk.press("Enter")
        expect(page.locator("#marks-count")).to_have_text("· 1")
        desk.press("3", "3", "3", "Enter")
    expect(page.get_by_role("heading", name="Nothing is left")).to_be_visible()
    assert [[mark.quote for mark in rating.marks.all()] for rating in desk.kept()] == [["nobody"], ["nobody"]]
