"""A manager reads the agreement report: charts are drawn, downloads come, the file opens without a network."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Campaign
from reviews.services.agreement import compute_agreement
from tests import factories as f
from tests.browser.axe import assert_fit
from tests.browser.coming_in import come_in
from tests.done_jobs import compared_agreement, planned

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "一位名字很长的标注员·阿卜杜拉"


@pytest.fixture
def campaign() -> Campaign:
    """40 scenarios of two tasks, two companions, three raters, one of them with a long Chinese name."""
    data = f.dataset(scenarios=40, companions=["model-a", "model-b"], tasks=("dialogue_emotion", "itinerary_basic"))
    made = f.campaign(data=data, slug="study", overlap=3, rule={"range": 4})
    raters = [f.member(made, user=f.person(name)) for name in ("ana", "bo", "chen")]
    raters[2].display_name = NAME
    raters[2].save()
    for place, item in enumerate(f.items_of(made)):
        for at, rater in enumerate(raters):
            f.rating(item, 1 + (place + (at == 1 and place % 3 == 0)) % 5, user=rater, seconds=20)
    compute_agreement(campaign=made)
    return made


def test_report_downloads_and_the_file_without_a_network(
    page: Page, live_server: LiveServer, campaign: Campaign, browser: Browser, tmp_path: Path
) -> None:
    come_in(page, live_server, f.member(campaign, "manager"))
    page.goto(live_server.url + reverse("reviews:agreement", args=["study"]))
    drawn = page.locator("figure[data-drawn] svg")
    charts = page.locator("figure[data-chart]")
    expect(drawn).to_have_count(charts.count())
    assert charts.count() >= 6
    expect(page.locator("figure[data-name=pairs]")).to_contain_text(NAME)
    assert_fit(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert_fit(page)
    page.emulate_media(color_scheme="dark")
    expect(drawn).to_have_count(charts.count())
    assert_fit(page)

    forest = page.locator("figure[data-name=alpha-by-task]")
    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            forest.get_by_text(kind, exact=True).click()
        saved[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[kind])
    assert [path.name for path in saved.values()] == [
        "alpha-by-task.svg",
        "alpha-by-task.png",
        "study-alpha-by-task.csv",
    ]
    assert saved["SVG"].read_text(encoding="utf-8").startswith("<svg")
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG")
    assert "Emotional" in saved["CSV"].read_text(encoding="utf-8-sig") or saved["CSV"].stat().st_size > 200

    with page.expect_download() as download:
        page.get_by_role("link", name="Download as one file for the browser").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    alone = browser.new_context(offline=True)
    try:
        beside = alone.new_page()
        beside.goto(file.as_uri())
        expect(beside.locator("figure[data-drawn] svg")).to_have_count(charts.count())
        expect(beside.get_by_role("heading", name="The agreement table")).to_be_visible()
        for tile, other in zip(
            page.locator(".figure-line").all_inner_texts(),
            beside.locator(".figure-line").all_inner_texts(),
            strict=True,
        ):
            assert tile == other
    finally:
        alone.close()


def test_a_comparison_and_a_plan_are_drawn(page: Page, live_server: LiveServer, campaign: Campaign) -> None:
    manager = f.member(campaign, "manager")
    compared_agreement(campaign, manager)
    plan = planned(campaign, manager)
    come_in(page, live_server, manager)
    for address, heading in (
        (reverse("reviews:compare_agreement", args=["study"]), "Do two groups of ratings agree alike?"),
        (reverse("reviews:plan_result", args=[plan.pk]), "What the designs come to"),
    ):
        page.goto(live_server.url + address)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        expect(page.locator("figure[data-drawn] svg")).to_have_count(page.locator("figure[data-chart]").count())
        assert page.locator("figure[data-chart]").count()
        assert_fit(page)
