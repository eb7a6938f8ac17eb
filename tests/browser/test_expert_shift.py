"""A shift on the bench by keyboard: twenty cases, one escalated, one not decidable, one whose scenario is revised."""

import re
from collections import Counter

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, User, WorkItem
from reviews.models import Case, Decision, ScenarioRuling
from scenarios.models import Scenario
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)

CASES = 20
TEXT = "（把茶杯放下）你说“没事”的时候，我总会多听一遍😔。今晚先别想结果，想说说医生怎么讲的吗？"


@pytest.fixture
def campaign() -> Campaign:
    """Twenty items, empathy disputed on each."""
    data = f.dataset("evenings", scenarios=CASES, texts=[TEXT], language="zh-Hans")
    made = f.campaign(data=data, slug="first-round", title="陪伴回复 · 第一轮", overlap=2)
    for item in f.items_of(made):
        f.rated_item([{"empathy": 2}, 5], item=item)
    return made


@pytest.fixture
def expert(campaign: Campaign) -> User:
    f.member(campaign, "expert")  # somebody else, who may be asked
    return f.member(campaign, "expert")


def tab_to(page: Page, wanted: Locator) -> None:
    """As a hand on the keyboard gets there."""
    for _ in range(80):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"not reached by Tab: {wanted}")


def on_case(page: Page, case: Case) -> None:
    expect(page).to_have_url(re.compile(f"/cases/{case.pk}/$"))
    expect(page.locator("#missing")).to_have_text("Still missing: Empathy")  # the script is there


def test_twenty_cases_by_keyboard(page: Page, live_server: LiveServer, campaign: Campaign, expert: User) -> None:
    cases = list(Case.objects.filter(campaign=campaign).order_by("priority", "pk"))
    assert len(cases) == CASES
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=[campaign.slug]))
    tab_to(page, page.get_by_role("button", name="Take next"))
    page.keyboard.press("Enter")
    for place, case in enumerate(cases):
        on_case(page, case)
        if place == 4:
            page.keyboard.press("n")
        elif place == 9:
            ask_another(page)
        elif place == 14:
            revise_the_scenario(page)
        else:
            page.keyboard.press("4")
            page.keyboard.press("Enter")
    expect(page.get_by_text("No case waits for you.")).to_be_visible()
    assert_fit(page)

    states = Counter(Case.objects.values_list("state", flat=True))
    assert states == {"decided": CASES - 2, "second_opinion": 1, "fallen": 1}
    assert Counter(Decision.objects.values_list("kind", flat=True)) == {"ruling": CASES - 2, "opinion": 1}
    assert [case.pk for case in Case.objects.filter(decisions__values__ambiguous=True)] == [cases[4].pk]
    assert Case.objects.get(state="second_opinion") == cases[9]
    ruling = ScenarioRuling.objects.get()
    assert (ruling.verdict, ruling.scenario) == ("revise", cases[14].work_item.scenario)
    assert Scenario.objects.get(key=ruling.scenario.key, superseded=False).persona == "A friend who listens."
    assert WorkItem.objects.get(pk=cases[14].work_item_id).state == "withdrawn"


def test_the_last_decision_is_one_key_away(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    first, second, *_others = Case.objects.filter(campaign=campaign).order_by("priority", "pk")
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=[campaign.slug]))
    page.get_by_role("button", name="Take next").click()
    on_case(page, first)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    on_case(page, second)
    page.keyboard.press("z")
    expect(page).to_have_url(re.compile(f"/cases/{first.pk}/"))
    expect(page.get_by_role("heading", name="Revise your decision")).to_be_visible()
    page.locator("label", has=page.locator("[name='value.empathy'][value='3']")).click()
    page.locator("#rationale").fill("A slip of the hand.")
    page.get_by_role("button", name="Revise", exact=False).last.click()
    expect(page.get_by_text("Revised.")).to_be_visible()
    assert Decision.objects.standing().get(case=first).values.get().value == 3
    assert_fit(page)


def ask_another(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Keep my opinion and ask")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The case now waits for another expert")).to_be_visible()


def revise_the_scenario(page: Page) -> None:
    """And back to the list for the next case: this one has gone with its scenario."""
    tab_to(page, page.get_by_role("link", name="Something is wrong with the scenario"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your ruling")).to_be_visible()
    tab_to(page, page.locator("[name=verdict][value=keep]"))
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=verdict][value=revise]")).to_be_checked()
    tab_to(page, page.locator("[name=fault][value=unnatural]"))
    page.keyboard.press("Space")
    tab_to(page, page.locator("#ruling-reason"))
    page.keyboard.type("Nobody speaks like that.")
    tab_to(page, page.locator("#editor summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.locator("#persona"))
    page.keyboard.press("Control+a")
    page.keyboard.type("A friend who listens.")
    assert_fit(page)
    tab_to(page, page.get_by_role("button", name="Rule", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What was changed")).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Cases", exact=True))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Take next"))
    page.keyboard.press("Enter")
