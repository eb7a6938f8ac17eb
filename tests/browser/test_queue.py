"""An expert narrows the list over two campaigns, keeps the view and takes a case from its row."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import User
from reviews.models import Case
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def expert() -> User:
    """Of two campaigns: empathy is disputed in both, and fluency on one item of the Chinese one."""
    user = f.person("expert")
    for slug, language, title in (
        ("first", "en", "First round"),
        ("second", "zh-Hans", "陪伴回复 · 第二轮，关于疲惫与告别"),
    ):
        data = f.dataset(slug, scenarios=3, language=language, tasks=("dialogue_emotion", "itinerary_basic"))
        campaign = f.campaign(data=data, slug=slug, title=title, overlap=2)
        for place, item in enumerate(campaign.items.order_by("response")):
            f.rated_item([{"empathy": 2} | ({"fluency": 1} if (slug, place) == ("second", 1) else {}), 5], item=item)
        f.member(campaign, "expert", user=user)
    return user


def test_filter_keep_the_view_and_take_from_the_row(page: Page, live_server: LiveServer, expert: User) -> None:
    come_in(page, live_server, expert)
    page.goto(live_server.url)
    page.get_by_role("link", name="All my cases").click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(6)
    assert_fit(page)

    # A filter asks at once; the counts and the address follow.
    page.get_by_text("Further filters").click()
    page.get_by_role("form", name="Filter").get_by_label("Language").select_option("zh-Hans")
    expect(rows).to_have_count(3)
    expect(page.locator("label.chip", has_text="to decide")).to_contain_text("3")
    expect(page.locator(".htmx-settling")).to_have_count(0)  # until then the new form does not listen
    page.get_by_label("Dimension").select_option("fluency")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("spread 4")
    expect(page).to_have_url(re.compile("dimension=fluency"))
    assert_fit(page)

    # Kept under a name, it is one click away from everywhere.
    page.get_by_text("Save this view").click()
    page.get_by_label("Name").fill("流畅度有分歧")
    page.get_by_role("button", name="Save", exact=True).click()
    view = page.get_by_role("link", name="流畅度有分歧")
    expect(view).to_have_attribute("aria-current", "page")
    expect(rows).to_have_count(1)
    page.goto(live_server.url + reverse("reviews:cases", args=["first"]))
    expect(rows).to_have_count(3)
    page.get_by_role("link", name="流畅度有分歧").click()
    expect(rows).to_have_count(1)
    assert_fit(page)

    # Words of the response: Enter asks, and what is not there says what to do.
    page.goto(live_server.url + reverse("reviews:all_cases"))
    page.get_by_label("Search").fill("volcano")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="No case here")).to_be_visible()
    page.get_by_role("link", name="All that is to decide").click()
    page.get_by_role("link", name="流畅度有分歧").click()

    wanted = Case.objects.get(dimensions__contains="fluency")
    page.get_by_role("button", name=f"Take case {wanted.pk}").click()
    expect(page.get_by_text("yours until")).to_be_visible()
    wanted.refresh_from_db()
    assert wanted.taken_by == expert

    page.goto(live_server.url + reverse("reviews:all_cases"))
    page.get_by_role("button", name="Delete the view 流畅度有分歧").click()
    expect(page.get_by_role("link", name="流畅度有分歧")).to_have_count(0)
    expect(page.get_by_role("button", name="Go on with my case")).to_be_visible()


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, color_scheme="dark")
def test_the_list_fits_a_phone(page: Page, live_server: LiveServer, expert: User) -> None:
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:all_cases") + "?dimension=fluency&q=you")
    expect(page.locator("tbody tr")).to_have_count(1)
    assert_fit(page)
    page.get_by_role("button", name=re.compile("Take case")).click()
    expect(page.get_by_text("yours until")).to_be_visible()


def test_a_manager_deals_a_share_and_the_expert_meets_it(page: Page, live_server: LiveServer, expert: User) -> None:
    campaign = expert.memberships.get(campaign__slug="first").campaign
    come_in(page, live_server, f.member(campaign, "manager"))
    page.goto(live_server.url + reverse("reviews:experts", args=["first"]))
    page.get_by_text(f"Share of {expert}").click()
    page.get_by_label("itinerary").check()
    assert_fit(page)
    page.get_by_role("button", name="Deal this share").click()
    expect(page.get_by_role("row", name=re.compile(str(expert)))).to_contain_text("itinerary")

    page.context.clear_cookies()
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=["first"]))
    expect(page.get_by_text("1 case waits in your share")).to_be_visible()
    Case.objects.filter(campaign=campaign, component="itinerary").update(state="decided")
    page.reload()
    expect(page.get_by_text("Nothing is left in your share. 2 cases wait outside it.")).to_be_visible()
    assert_fit(page)
    page.get_by_role("button", name="Take the next outside my share").click()
    expect(page.get_by_text("yours until")).to_be_visible()
