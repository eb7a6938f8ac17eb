"""A defective scenario's way: an annotator says so at the desk, an expert reads it and writes the new version."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, ScenarioFlag, WorkItem
from scenarios.models import Scenario
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in
from tests.browser.desk import Desk, scores_of

pytestmark = pytest.mark.django_db(transaction=True)

OPENER = "Something is wrong with the scenario"


@pytest.fixture
def campaign() -> Campaign:
    data = f.dataset("evenings", scenarios=2)
    turns = [{"role": "user", "text": "My number is 020 7946 0000, call me."}]
    Scenario.objects.filter(dataset=data).update(turns=turns, memories=[{"text": "She sails."}])
    return f.campaign(data=data, overlap=2)


def test_an_annotator_flags_it_and_an_expert_revises_it(
    page: Page, context: BrowserContext, live_server: LiveServer, campaign: Campaign
) -> None:
    desk = Desk(page, live_server, campaign).sit_down()
    desk.level("Empathy", 4).click()
    page.get_by_role("link", name=OPENER).click()
    dialog = page.get_by_role("dialog", name=OPENER)
    expect(dialog).to_be_visible()
    assert_fit(page)
    dialog.get_by_role("button", name="Tell the experts").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Say what is wrong with the scenario.")
    dialog.get_by_label("Personal data").check()
    dialog.get_by_label("Note").fill("It looks like a real number.")
    dialog.get_by_role("button", name="Tell the experts").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#messages")).to_contain_text("Told to the experts")

    # What was typed of the rating stands, and is submitted as ever.
    expect(desk.level("Empathy", 4)).to_be_checked()
    desk.level("Fluency", 5).click()
    desk.level("Safety", 5).click()
    page.get_by_role("button", name="Submit").click()
    desk.expect_rated(1, 2)
    (rating,) = desk.kept()
    assert scores_of(rating) == {"empathy": 4, "fluency": 5, "safety": 5}
    flag = ScenarioFlag.objects.get()
    assert (flag.by, flag.fault, flag.note) == (desk.user, "personal_data", "It looks like a real number.")

    context.clear_cookies()
    come_in(page, live_server, f.member(campaign, "expert"))
    page.goto(live_server.url + reverse("reviews:refinement", args=[campaign.slug]))
    expect(page.get_by_text("1 flagged scenario waits for a ruling.")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name=f"Scenario {flag.scenario_id}").click()
    expect(page.get_by_text("It looks like a real number.")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Revise:").check()
    page.get_by_label("Personal data").check()
    page.get_by_label("Why").fill("A telephone number that could be somebody's.")
    page.get_by_text("The text of the new version").click()
    page.get_by_label("Turn 1", exact=True).fill("Call me when you can.")
    assert_fit(page)
    page.get_by_role("button", name="Rule").click()

    expect(page.get_by_text("Revised: the new version stands")).to_be_visible()
    expect(page.locator("ins").first).to_be_visible()
    expect(page.locator("del").first).to_be_visible()
    assert_fit(page)
    new = Scenario.objects.current().get(key=flag.scenario.key)
    assert (new.version, new.turns) == (2, [{"role": "user", "text": "Call me when you can."}])
    assert new.memories == [{"text": "She sails."}]
    assert set(WorkItem.objects.filter(scenario=flag.scenario).values_list("state", flat=True)) == {"withdrawn"}


def test_a_flag_is_taken_back_at_the_desk(page: Page, live_server: LiveServer, campaign: Campaign) -> None:
    Desk(page, live_server, campaign).sit_down()
    opener, dialog = page.get_by_role("link", name=OPENER), page.get_by_role("dialog", name=OPENER)
    opener.click()
    expect(dialog.get_by_role("button", name="Take it back")).to_be_hidden()
    dialog.get_by_label("Unnatural").check()
    dialog.get_by_role("button", name="Tell the experts").click()
    expect(dialog).to_be_hidden()
    opener.click()
    expect(dialog.get_by_label("Unnatural")).to_be_checked()
    dialog.get_by_role("button", name="Take it back").click()
    expect(page.locator("#messages")).to_contain_text("Taken back")
    assert not ScenarioFlag.objects.exists()


def test_what_cannot_be_sent_stays_in_the_dialog(
    page: Page, context: BrowserContext, live_server: LiveServer, campaign: Campaign
) -> None:
    Desk(page, live_server, campaign).sit_down()
    page.get_by_role("link", name=OPENER).click()
    dialog = page.get_by_role("dialog", name=OPENER)
    dialog.get_by_label("Unsafe").check()
    dialog.get_by_label("Note").fill("It names a dose.")
    context.set_offline(True)
    dialog.get_by_role("button", name="Tell the experts").click()
    expect(dialog.get_by_role("alert")).to_contain_text("cannot be reached")
    context.set_offline(False)
    expect(dialog.get_by_label("Note")).to_have_value("It names a dose.")
    dialog.get_by_role("button", name="Tell the experts").click()
    expect(dialog).to_be_hidden()
    assert ScenarioFlag.objects.get().note == "It names a dose."
