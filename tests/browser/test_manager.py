"""A manager makes a campaign, opens it, brings people in; who is invited comes in by the link."""

import json
import re

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_from_a_dataset_to_the_first_person(page: Page, live_server: LiveServer, browser: Browser) -> None:
    f.dataset("evenings", scenarios=4, companions=("model-a", "model-b"), conditions=("sap", "no_sap"))
    come_in(page, live_server, f.site_manager("boss"))

    # The list says what to do first.
    page.goto(live_server.url + reverse("annotation:campaigns"))
    assert_fit(page)
    page.get_by_role("link", name="Make a campaign").click()

    # The count follows what is chosen, the short name follows the title.
    expect(page.locator("#count")).to_contain_text("This selects 16 responses of 4 scenarios: 48 ratings.")
    page.get_by_label("Title").fill("Evening talks")
    expect(page.get_by_label("Short name")).to_have_value("evening-talks")
    page.get_by_label("model-b").check()
    expect(page.locator("#count")).to_contain_text("This selects 8 responses of 4 scenarios: 24 ratings.")
    page.get_by_label("Raters an item").fill("2")
    expect(page.locator("#count")).to_contain_text("16 ratings.")
    assert_fit(page)

    # What cannot be is said where it stands.
    page.get_by_label("Sample size").fill("100")
    page.get_by_role("button", name="Make the campaign").click()
    expect(page.get_by_text("A sample of 100 cannot be drawn")).to_be_visible()
    assert_fit(page)
    page.get_by_label("Sample size").fill("")
    page.get_by_role("button", name="Make the campaign").click()

    # A draft; opening it asks once more.
    expect(page.get_by_text("A draft of 8 items, 16 ratings to give.")).to_be_visible()
    assert_fit(page)
    page.get_by_role("link", name="Open the campaign").click()
    expect(page.get_by_role("dialog")).to_contain_text("Annotators here: 0.")
    assert_fit(page)
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_text("The campaign is open")).to_be_visible()

    # A person, and the link that is theirs.
    page.get_by_role("link", name="People", exact=True).click()
    assert_fit(page)
    page.get_by_label("Sign-in name").fill("anna")
    page.get_by_role("button", name="Add the person").click()
    link = page.locator("#link").inner_text()
    assert_fit(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == link

    anna = browser.new_context().new_page()
    anna.goto(link)
    anna.get_by_label("Password").fill("a-long-and-strange-one")
    anna.get_by_role("button", name="Set the password").click()
    expect(anna.get_by_text("Evening talks")).to_be_visible()
    anna.context.close()

    assert Campaign.objects.get().slug == "evening-talks"


def test_the_page_keeps_itself_up_to_date_and_does_not_jump(page: Page, live_server: LiveServer) -> None:
    boss = f.site_manager("boss")
    campaign = f.campaign(items=3, overlap=2, by=boss)
    items = f.items_of(campaign)
    f.rated_item([{"safety": 1}, 5], item=items[0])
    come_in(page, live_server, boss)
    page.clock.install()
    page.goto(live_server.url + reverse("annotation:campaign", args=[campaign.slug]))
    expect(page.get_by_text("2 of 6 ratings are in")).to_be_visible()
    page.locator("#urgent summary").click()
    expect(page.locator("#urgent .said")).to_be_visible()
    assert_fit(page)
    page.evaluate("window.scrollTo(0, 300)")
    f.rating(items[1])
    with page.expect_response(re.compile(campaign.slug)):
        page.clock.fast_forward(21_000)
    expect(page.get_by_text("3 of 6 ratings are in")).to_be_visible()
    expect(page.locator("#urgent .said")).to_be_visible()
    assert page.evaluate("window.scrollY") == 300


def test_closing_asks_once_more_also_without_a_script(browser: Browser, live_server: LiveServer) -> None:
    boss = f.site_manager("boss")
    campaign = f.campaign(by=boss)
    page = browser.new_context(java_script_enabled=False).new_page()
    come_in(page, live_server, boss)
    page.goto(live_server.url + reverse("annotation:campaign", args=[campaign.slug]))
    page.get_by_role("link", name="Close", exact=True).click()
    page.get_by_role("button", name="Close it").click()
    expect(page.get_by_text("The campaign is closed.").first).to_be_visible()
    page.context.close()


def test_agreement_is_computed_while_one_waits(page: Page, live_server: LiveServer) -> None:
    boss = f.site_manager("boss")
    campaign = f.campaign(items=3, overlap=2, by=boss)
    raters = [f.member(campaign, user=f.person(name)) for name in ("anna", "bo")]
    for item, scores in zip(f.items_of(campaign), ([1, 2], [3, 3], [5, 4]), strict=True):
        f.rated_item([{"empathy": score} for score in scores], item=item, raters=raters)
    come_in(page, live_server, boss)
    page.goto(live_server.url + reverse("reviews:agreement", args=[campaign.slug]))
    assert_fit(page)
    page.get_by_role("button", name="Compute agreement").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    assert_fit(page)

    run(Job.objects.get().pk)
    expect(page.get_by_role("heading", name="Empathy")).to_be_visible()
    expect(page.get_by_text("All raters of an item agree exactly on 33 %, within one level on 100 %.")).to_be_visible()
    raters = page.locator("#raters")
    raters.scroll_into_view_if_needed()
    expect(raters.get_by_role("cell", name="anna").first).to_be_visible()
    assert_fit(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as JSON").click()
    assert json.loads(download.value.path().read_text())["dimensions"]["empathy"]["pairable_units"] == 3


def test_a_release_is_made_and_fetched(page: Page, live_server: LiveServer) -> None:
    boss = f.site_manager("boss")
    campaign = f.campaign(items=2, overlap=2, by=boss)
    f.rated_item([4, 5], item=f.items_of(campaign)[0])
    come_in(page, live_server, boss)
    page.goto(live_server.url + reverse("reviews:releases", args=[campaign.slug]))
    expect(page.get_by_text("1 item with up to 3 gold labels.")).to_be_visible()
    assert_fit(page)
    page.get_by_role("button", name="Make a release").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()

    run(Job.objects.get().pk)
    expect(page.get_by_role("heading", name="Release 1")).to_be_visible()
    assert_fit(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="gold.jsonl").click()
    labels = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    assert {label["dimension"]: label["value"] for label in labels} == {"empathy": 4.5, "fluency": 4.5, "safety": 4.5}
