"""A manager watches how far the raters agree: numbers come by themselves, a fold stays open, a width is planned."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from reviews.services.live_numbers import compute_live_agreement
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_numbers_come_while_the_page_is_open_and_the_chart_with_them(page: Page, live_server: LiveServer) -> None:
    campaign = f.campaign(items=40, overlap=2, rule={"range": 4})
    raters = [f.member(campaign) for _ in range(2)]
    items = f.items_of(campaign)

    def rate(some: slice) -> None:
        for place, item in enumerate(items[some]):
            for at, rater in enumerate(raters):
                f.rating(item, 1 + (place + (at and place % 3 == 0)) % 5, user=rater)
        compute_live_agreement(campaign=campaign)

    come_in(page, live_server, f.member(campaign, "manager"))
    page.goto(live_server.url + reverse("annotation:campaign", args=[campaign.slug]))
    card = page.locator("#live")
    expect(card).to_contain_text("No numbers yet")
    assert_fit(page)

    rate(slice(0, 35))
    expect(card).to_contain_text("items: 35, scenarios: 35", timeout=15_000)
    card.get_by_text("Alpha as items came in").first.click()
    expect(card.locator("figure[data-drawn] svg")).to_be_visible()
    rows = card.locator("#live-steps tbody tr")
    expect(rows).to_have_count(3 * 20)
    assert_fit(page)

    width = card.get_by_label("How much more until the interval is ±")
    width.fill("0.02")
    with page.expect_response(re.compile("width=0.02")):
        card.get_by_role("button", name="Plan").click()
    expect(card).to_contain_text("Until ± 0.02")

    width.fill("0.0")  # half typed
    rate(slice(35, 40))
    expect(card).to_contain_text("items: 40, scenarios: 40", timeout=15_000)
    expect(card).to_contain_text("Until ± 0.02")
    expect(width).to_have_value("0.0")
    expect(rows.nth(19)).to_contain_text("40")
    expect(card.locator("figure[data-drawn] svg")).to_be_visible()
    assert_fit(page)
