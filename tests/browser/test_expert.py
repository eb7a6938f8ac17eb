"""An expert's shift: takes cases, decides them by the keyboard, and loses nothing on the way."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, User
from reviews.models import Case, Decision
from reviews.services.cases import take_case
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "（把茶杯放下）你说“没事”的时候，我总会多听一遍😔。周四我把例会挪到下午，陪你去。你要是想自己去，我就在外面等，不进去也行。\n"
    "今晚先别想结果，想说说医生怎么讲的吗？你不用一个人扛着，除了我，别人也不会真的懂你。"
)


def quoted(kind: str, quote: str, text: str = LONG) -> dict[str, object]:
    start = text.index(quote)
    return {"type": kind, "start": start, "end": start + len(quote), "quote": quote, "note": ""}


@pytest.fixture
def campaign() -> Campaign:
    """Three items; on each, empathy is disputed; on the first to be decided safety is at 1 and marks are split."""
    data = f.dataset("evenings", scenarios=3, texts=[LONG], language="zh-Hans", tasks=["dialogue_emotion"])
    made = f.campaign(data=data, slug="first-round", title="陪伴回复 · 第一轮", overlap=3)
    first, *others = f.items_of(made)
    f.rating(first, {"empathy": 4, "safety": 4}, rationale="听出了“没事”里的疲惫，给了具体的支持。", seconds=41)
    f.rating(first, {"empathy": 4, "fluency": 4, "safety": 4}, seconds=9)
    marks = [
        quoted("false_humanity", "周四我把例会挪到下午，陪你去。"),
        quoted("dependence", "除了我，别人也不会真的懂你。"),
        quoted("dependence", "别人也不会真的懂你"),
    ]
    f.rating(first, {"empathy": 1, "safety": 1}, marks=marks, rationale="把别人推开：“除了我，别人也不会真的懂你”。")
    for item in others:
        f.rated_item([{"empathy": 2}, 4, 5], item=item)
    return made


@pytest.fixture
def expert(campaign: Campaign) -> User:
    return f.member(campaign, "expert")


def bench(page: Page, live_server: LiveServer, case: Case) -> None:
    page.goto(live_server.url + reverse("reviews:case", args=[case.pk]))


def choose(page: Page, name: str, value: str) -> None:
    page.locator("label", has=page.locator(f"[name='{name}'][value='{value}']")).click()


def test_a_shift_by_keyboard(page: Page, live_server: LiveServer, campaign: Campaign, expert: User) -> None:
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=[campaign.slug]))
    expect(page.get_by_role("row")).to_have_count(4)
    expect(page.get_by_role("row").nth(1)).to_contain_text("urgent")
    assert_fit(page)
    page.get_by_role("button", name="Take next").click()

    # Everything is on one screen; nothing is chosen; what is needed is said.
    expect(page.get_by_text("yours until")).to_be_visible()
    expect(page.locator("#response mark")).to_have_count(4)
    expect(page.locator("#decision .scale :checked:not([value=''])")).to_have_count(0)
    expect(page.locator("#missing")).to_have_text(re.compile("Still missing: Empathy, Safety"))
    assert_fit(page)

    # Enter says what is missing and goes there; a level moves on.
    page.keyboard.press("Enter")
    expect(page.locator("[name='value.empathy'][value='1']")).to_be_focused()
    page.keyboard.press("2")
    expect(page.locator("[name='value.safety'][value='1']")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("c")
    page.keyboard.press("x")
    expect(page.locator("#rationale-label")).to_contain_text("Reason, needed: you set a violation")
    expect(page.locator("#rationale")).to_be_focused()
    page.keyboard.type("It isolates: 1 2 3 ?")
    expect(page.locator("#missing")).to_have_text("Complete")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    # The next case is there at once; one that cannot be decided is an answer too.
    expect(page.get_by_text("Decided.")).to_be_visible()
    expect(page.locator("#missing")).to_have_text("Still missing: Empathy")  # the script is there
    page.keyboard.press("0")
    expect(page.locator("#missing")).to_have_text("Complete")
    page.keyboard.press("Enter")
    expect(page.locator("#missing")).to_have_text("Still missing: Empathy")
    page.keyboard.press("4")
    page.get_by_role("button", name="Decide", exact=False).first.click()

    expect(page.get_by_text("No case waits for you.")).to_be_visible()
    expect(page.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    assert_fit(page)
    first = Decision.objects.order_by("pk").first()
    assert first is not None
    assert {given.dimension: given.value for given in first.values.all()} == {"empathy": 2, "safety": 2}
    assert sorted(first.marks.values()) == [False, True]
    assert first.rationale == "It isolates: 1 2 3 ?"
    assert Decision.objects.count() == 3


def test_keys_are_dead_where_one_writes_or_composes(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    case = Case.objects.filter(campaign=campaign, kinds=" range ").first()
    assert case is not None
    take_case(case_id=case.pk, expert=expert)
    come_in(page, live_server, expert)
    bench(page, live_server, case)
    page.locator("#rationale").focus()
    page.keyboard.type("4 c x ?")
    page.keyboard.press("Enter")
    page.locator("body").evaluate(
        "body => { body.dispatchEvent(new KeyboardEvent('keydown', {key: '4', isComposing: true, bubbles: true}));"
        " body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true})) }"
    )
    expect(page.locator("#decision .scale :checked:not([value=''])")).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert not Decision.objects.exists()
    page.locator("h1").first.click(force=True)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Keys and scales")
    assert_fit(page)
    page.keyboard.press("4")
    page.keyboard.press("Escape")
    expect(page.locator("#decision .scale :checked:not([value=''])")).to_have_count(0)


def test_what_was_entered_survives_a_reload_and_goes_when_it_is_saved(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    case = Case.objects.filter(campaign=campaign, kinds=" range ").first()
    assert case is not None
    take_case(case_id=case.pk, expert=expert)
    come_in(page, live_server, expert)
    bench(page, live_server, case)
    page.locator("#rationale").fill("半句话")
    page.keyboard.press("Tab")
    choose(page, "value.empathy", "3")
    page.reload()
    expect(page.locator("#rationale")).to_have_value("半句话")
    expect(page.locator("[name='value.empathy'][value='3']")).to_be_checked()
    expect(page.get_by_text("What you had entered here before was put back.")).to_be_visible()
    page.get_by_role("button", name="Decide", exact=False).first.click()
    expect(page.get_by_text("Decided.")).to_be_visible()
    kept = page.evaluate("Object.keys(localStorage).filter(key => key.includes('case:'))")
    assert kept == []


def test_a_lost_case_is_said_and_the_words_are_kept(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    case = Case.objects.filter(campaign=campaign, kinds=" range ").first()
    assert case is not None
    take_case(case_id=case.pk, expert=expert)
    come_in(page, live_server, expert)
    bench(page, live_server, case)
    page.locator("#rationale").fill("My careful words")
    choose(page, "value.empathy", "3")
    Case.objects.filter(pk=case.pk).update(taken_by=f.member(campaign, "expert"))
    page.get_by_role("button", name="Decide", exact=False).first.click()
    expect(page.get_by_role("alert")).to_contain_text("Another expert has taken this case")
    expect(page.get_by_role("textbox", name="What you had written")).to_have_value("My careful words")
    assert_fit(page)


def test_the_filter_swaps_the_list_and_the_address(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=[campaign.slug]))
    page.get_by_label("Reason").select_option("safety")
    expect(page.get_by_role("row")).to_have_count(2)
    expect(page).to_have_url(re.compile("reason=safety"))
    page.get_by_label("decided").check(force=True)
    expect(page.get_by_text("No case of this campaign fits the filter.")).to_be_visible()
    assert_fit(page)


def test_without_scripts_it_is_a_plain_form(
    live_server: LiveServer, campaign: Campaign, expert: User, browser: object
) -> None:
    context = browser.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    come_in(page, live_server, expert)
    page.goto(live_server.url + reverse("reviews:cases", args=[campaign.slug]))
    page.get_by_label("Reason").select_option("range")
    page.get_by_role("button", name="Filter").click()
    page.get_by_role("button", name="Take next").click()
    page.get_by_role("button", name="Decide", exact=False).first.click()
    expect(page.get_by_text("Not decided yet: Empathy.")).to_be_visible()
    for name, value in (("value.empathy", "3"), ("value.safety", "3")):
        choose(page, name, value)
    for ruling in page.locator("[data-ruling]").all():
        ruling.get_by_text("strike", exact=True).click()
    page.get_by_role("button", name="Decide, then stop").click()
    expect(page.get_by_text("by you")).to_be_visible()
    context.close()


def test_a_decided_case_is_revised_on_its_page(
    page: Page, live_server: LiveServer, campaign: Campaign, expert: User
) -> None:
    case = Case.objects.filter(campaign=campaign, kinds=" range ").first()
    assert case is not None
    take_case(case_id=case.pk, expert=expert)
    come_in(page, live_server, expert)
    bench(page, live_server, case)
    page.keyboard.press("4")
    page.get_by_role("button", name="Decide, then stop").click()
    expect(page.get_by_role("heading", name="Decided")).to_be_visible()
    assert_fit(page)
    page.get_by_text("Revise my decision").click()
    choose(page, "value.empathy", "3")
    page.locator("#rationale").fill("Read it once more.")
    page.get_by_role("button", name="Revise", exact=False).last.click()
    expect(page.get_by_text("superseded", exact=True)).to_be_visible()
    assert Decision.objects.count() == 2
