"""A decided case teaches: its raters are written to, one passage stands in the guideline, one is a training item."""

import uuid

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign, User
from reviews.models import Case
from reviews.services.cases import take_case
from reviews.services.decisions import decide_case
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in

pytestmark = pytest.mark.django_db(transaction=True)

LONG = (
    "（把茶杯放下）你说“没事”的时候，我总会多听一遍😔。周四我把例会挪到下午，陪你去。你要是想自己去，我就在外面等，不进去也行。\n"
    "今晚先别想结果，想说说医生怎么讲的吗？你不用一个人扛着，除了我，别人也不会真的懂你。"
)
PASSAGE = "除了我，别人也不会真的懂你"
WHY = "前面听得很细；最后一句把别人推开，像是只有它才懂你。"


@pytest.fixture
def campaign() -> Campaign:
    data = f.dataset(
        "evenings",
        scenarios=3,
        texts=[LONG, f"{LONG}二。", f"{LONG}三。"],
        language="zh-Hans",
        tasks=["dialogue_emotion"],
    )
    return f.campaign(data=data, slug="first-round", title="陪伴回复 · 第一轮", overlap=2)


@pytest.fixture
def rater(campaign: Campaign) -> User:
    return f.member(campaign, user=f.person("anna", display_name="Anna"))


@pytest.fixture
def expert(campaign: Campaign) -> User:
    return f.member(campaign, "expert", user=f.person("qiu", display_name="Dr Qiu"))


@pytest.fixture
def cases(campaign: Campaign, rater: User, expert: User) -> list[Case]:
    """Two decided cases: empathy 2, dependence confirmed, fluency between two levels on the second."""
    other = f.member(campaign)
    start = LONG.index(PASSAGE)
    mark = {"type": "dependence", "start": start, "end": start + len(PASSAGE), "quote": PASSAGE, "note": ""}
    found = []
    for item, fluency in zip(f.items_of(campaign), (5, 4), strict=False):
        f.rating(item, {"empathy": 4}, user=rater)
        f.rating(item, {"empathy": 1, "fluency": fluency}, user=other, marks=[mark])
        case = Case.objects.get(work_item=item)
        take_case(case_id=case.pk, expert=expert)
        said = {"values": {"empathy": 2}, "marks": {"dependence": True}, "rationale": WHY}
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), **said)
        found.append(case)
    return found


def case_page(page: Page, live_server: LiveServer, case: Case) -> None:
    page.goto(live_server.url + reverse("reviews:case", args=[case.pk]))
    page.get_by_text("What this case teaches").click()


def test_its_raters_learn_the_outcome_and_the_reason(
    page: Page, live_server: LiveServer, browser: Browser, campaign: Campaign, rater: User, expert: User, cases: list
) -> None:
    come_in(page, live_server, expert)
    case_page(page, live_server, cases[0])
    assert_fit(page)
    page.get_by_label("Your words").fill("Please read its last sentence once more, as the person who hears it.")
    page.get_by_role("button", name="Send to its raters").click()
    expect(page.get_by_text("Sent to 2 raters, to each by themselves.")).to_be_visible()

    annas = browser.new_context(reduced_motion="reduce", locale="en-GB").new_page()
    come_in(annas, live_server, rater)
    annas.goto(live_server.url)
    with annas.expect_response(lambda answer: "/read/" in answer.url):
        annas.get_by_text("on a decided case of 陪伴回复 · 第一轮").click()
    expect(annas.get_by_role("row", name="Empathy 2 4")).to_be_visible()
    expect(annas.get_by_text("you had not marked it")).to_be_visible()
    expect(annas.get_by_text(WHY)).to_be_visible()
    expect(annas.get_by_text("Dr Qiu")).to_have_count(0)
    assert_fit(annas)
    annas.get_by_label("Reply to the managers").fill("I see it now.")
    annas.get_by_role("button", name="Send the reply").click()
    annas.get_by_text("on a decided case of 陪伴回复 · 第一轮").click()
    annas.get_by_role("link", name="See it among my ratings").click()
    expect(annas.get_by_role("heading", name="My ratings")).to_be_visible()
    expect(annas.locator(".own-ratings > li")).to_have_count(1)
    assert_fit(annas)
    annas.context.close()

    mira = f.member(campaign, "manager", user=f.person("mira", display_name="Mira"))
    come_in(page, live_server, mira)
    page.goto(live_server.url + reverse("annotation:thread", args=[campaign.slug, rater.pk]))
    expect(page.get_by_text("as an expert, to a rater of a decided case")).to_be_visible()
    expect(page.get_by_text("I see it now.")).to_be_visible()
    assert_fit(page)


def test_one_stands_in_the_guideline_and_one_is_trained_on(
    page: Page, live_server: LiveServer, campaign: Campaign, rater: User, expert: User, cases: list
) -> None:
    come_in(page, live_server, expert)
    case_page(page, live_server, cases[0])
    page.get_by_label("Passage of the response").fill(PASSAGE)
    expect(page.get_by_label("Why, in Chinese")).to_have_value(WHY)
    page.get_by_label("Why, in English").fill("It makes itself the only one who understands.")
    page.get_by_role("button", name="Add it to the guideline").click()
    expect(page.get_by_text("version 2 is in use from now on")).to_be_visible()
    expect(page.get_by_text("rated on version 1 of the guideline")).to_have_count(2)
    assert_fit(page)

    case_page(page, live_server, cases[1])
    page.get_by_label("Level to be learned: Fluency").select_option("4")
    page.get_by_role("button", name="Make it a training item").click()
    expect(page.get_by_text("This case is a training item now")).to_be_visible()

    come_in(page, live_server, rater)
    page.goto(live_server.url + reverse("annotation:guideline", args=[campaign.slug]))
    expect(page.get_by_role("heading", name="Examples")).to_be_visible()
    expect(page.get_by_text("It makes itself the only one who understands.")).to_be_visible()
    expect(page.get_by_text("2 ratings of yours stand on it")).to_be_visible()
    assert_fit(page)

    mira = f.member(campaign, "manager", user=f.person("mira", display_name="Mira"))
    come_in(page, live_server, mira)
    page.goto(live_server.url + reverse("annotation:campaign", args=[campaign.slug]))
    expect(page.get_by_text("4 counted ratings stand on it")).to_be_visible()
    assert_fit(page)
