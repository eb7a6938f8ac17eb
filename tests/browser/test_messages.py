"""A manager writes to an annotator; the annotator reads it at home and replies; the manager sees it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Membership, Message
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_word_goes_there_and_back(page: Page, live_server: LiveServer, browser: Browser) -> None:
    campaign = f.campaign(items=2, overlap=2, title="Evening talks")
    anna = f.member(campaign, user=f.person("anna", display_name="Anna"))
    mira = f.member(campaign, Membership.Role.MANAGER, user=f.person("mira", display_name="Mira"))
    f.rating(f.items_of(campaign)[0], user=anna, seconds=1)
    annas = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    come_in(annas, live_server, anna)
    come_in(page, live_server, mira)

    page.goto(live_server.url + reverse("annotation:people", args=[campaign.slug]))
    page.get_by_role("link", name="Write to Anna").click()
    page.get_by_label("Write to Anna").fill("The fourth one: please look again at its ending.")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent to Anna.")).to_be_visible()
    expect(page.get_by_text("not read yet")).to_be_visible()
    assert_fit(page)

    # At home the message stands first; it is read when it is unfolded, not when it is counted.
    annas.goto(live_server.url)
    expect(annas.get_by_role("link", name="Home 1 unread")).to_be_visible()
    assert Message.objects.get().read_at is None
    with annas.expect_response(lambda answer: "/read/" in answer.url):
        annas.get_by_text("for the managers of Evening talks").click()
    assert Message.objects.get().read_at
    expect(annas.get_by_role("button", name="Mark as read")).to_be_hidden()
    assert_fit(annas)
    annas.get_by_label("Reply to the managers").fill("I did; it is a 3 now.")
    annas.get_by_role("button", name="Send the reply").click()
    expect(annas.get_by_text("Sent to the managers of Evening talks.")).to_be_visible()

    # The manager finds it unread, and by opening it has read it.
    page.goto(live_server.url)
    page.get_by_role("link", name="1 unread message", exact=True).click()
    expect(page.get_by_role("link", name="Messages 1 unread")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("1 unread", exact=True)).to_be_visible()
    assert_fit(page)
    with page.expect_response(lambda answer: "/read/" in answer.url):
        page.get_by_role("link", name="Anna").first.click()
    expect(page.get_by_text("I did; it is a 3 now.")).to_be_visible()
    assert not Message.objects.filter(read_at=None).exists()
    page.goto(live_server.url + reverse("annotation:campaign_hours", args=[campaign.slug]))
    expect(page.get_by_role("rowheader", name="Anna")).to_be_visible()
    assert_fit(page)
    annas.context.close()
