"""The report of some raters on the page and in its files: asked for by ticking names, never taken for that of all."""

import csv
import io
import re
import zipfile

import pytest
from django.urls import reverse

from annotation.services.campaigns import close_campaign
from annotation.services.ratings import withdraw_rating
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handler, as the worker does)
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.services.agreement import Options, compute_agreement
from tests import factories
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
NAMES = ("ana", "bo", "chen")
PAGE, COMPUTE = "/campaigns/study/agreement/", "/campaigns/study/agreement/compute/"


@pytest.fixture
def campaign():
    """Four items rated by the same three."""
    made = factories.campaign(slug="study", items=4, rule={"range": 9})
    raters = [factories.member(made, user=factories.person(name)) for name in NAMES]
    for place, item in enumerate(factories.items_of(made)):
        for at, rater in enumerate(raters):
            factories.rating(item, 1 + (place + at // 2) % 5, user=rater)
    return made


@pytest.fixture
def codes(campaign):
    """{name: code}"""
    known = rater_codes(campaign)
    return {one.user.username: known[one.user_id] for one in campaign.memberships.all() if one.user_id in known}


@pytest.fixture
def manager(campaign):
    return signed_in(factories.member(campaign, "manager"))


@pytest.fixture
def of_all(campaign):
    return compute_agreement(campaign=campaign, options=Options(bootstrap=0))[0]


@pytest.fixture
def of_two(campaign, of_all, codes):
    asked = Options(bootstrap=0, raters=(codes["ana"], codes["bo"]))
    return compute_agreement(campaign=campaign, options=asked)[0]


def text(client, **query):
    answer = client.get(PAGE, query)
    assert answer.status_code == 200
    return answer.content.decode()


def fold(page):
    return re.search(r"<details[^>]*>\s*<summary>Only some raters.*?</details>", page, re.S)[0]


def test_managers_tick_names_in_a_closed_fold(manager, codes):
    form = fold(text(manager))
    assert "open" not in form.partition(">")[0]
    for name, code in codes.items():
        assert re.search(rf'<input type="checkbox" name="raters" value="{code}" +> {name}<', form)


def test_what_is_ticked_is_asked_for_and_leads_to_its_report(manager, codes, of_all):
    manager.post(COMPUTE, {"raters": [codes["bo"], codes["ana"]]})
    job = Job.objects.get()
    assert job.arguments == {"campaign": "study", "raters": sorted([codes["ana"], codes["bo"]])}
    run(job.pk)
    made = AgreementReport.objects.latest("pk")
    page = text(manager)
    assert "What was asked for last gave another report than this." in page
    assert f'href="{PAGE}?report={made.pk}"' in page
    assert "Of 2 of 3 raters" not in page
    page = text(manager, report=made.pk)
    assert "Of 2 of 3 raters: ana, bo" in page
    assert "See the report of all raters" in page
    assert "gave another report" not in page


def test_nobody_ticked_is_everybody(manager, codes):
    manager.post(COMPUTE)
    assert Job.objects.get().arguments == {"campaign": "study"}


def test_a_rater_who_is_not_there_is_refused_by_name(manager):
    page = manager.post(COMPUTE, {"raters": ["rater-nobody"]}, follow=True).content.decode()
    assert "No rating that agreement reads is by “rater-nobody”." in page
    assert not Job.objects.exists()


def test_whose_ratings_are_withdrawn_is_no_choice(campaign, manager, codes):
    for item in factories.items_of(campaign):
        withdraw_rating(rating_id=item.ratings.get(annotator__username="chen").pk)
    assert codes["chen"] not in fold(text(manager))
    assert codes["ana"] in fold(text(manager))


def test_before_there_is_one_of_all_the_page_leads_to_that_of_some(campaign, manager, codes):
    made, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0, raters=(codes["ana"], codes["bo"])))
    page = text(manager)
    assert "No report yet" in page
    assert f'href="{PAGE}?report={made.pk}"' in page
    assert "2 of 3 raters" in page
    assert manager.get(reverse("reviews:agreement_json", args=["study"])).status_code == 404


def test_the_page_shows_that_of_all_and_lists_the_other(manager, of_all, of_two):
    page = text(manager)
    assert "12 ratings by 3 people" in page
    listed = page.partition("Other reports")[2]
    assert f"?report={of_two.pk}" in listed
    assert "2 of 3 raters" in listed
    assert f"?report={of_all.pk}" not in listed


def test_that_of_some_is_no_old_one_though_that_of_all_is_younger(campaign, manager, of_two):
    factories.edit(factories.items_of(campaign)[0].ratings.get(annotator__username="chen"), 5)
    compute_agreement(campaign=campaign, options=Options(bootstrap=0))
    page = text(manager, report=of_two.pk)
    assert "as it was then" not in page
    assert "after this report was computed" not in page


def test_an_older_one_of_the_same_raters_leads_to_the_younger(campaign, manager, codes, of_two):
    factories.edit(factories.items_of(campaign)[0].ratings.get(annotator__username="ana"), 5)
    assert "1 rating came in after this report was computed." in text(manager, report=of_two.pk)
    younger, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0, raters=tuple(of_two.raters)))
    page = text(manager, report=of_two.pk)
    assert "as it was then" in page
    assert f'<a href="{PAGE}?report={younger.pk}">See the latest</a>' in page


def test_its_raters_are_ticked_when_it_is_computed_again(manager, codes, of_two):
    form = fold(text(manager, report=of_two.pk))
    ticked = set(re.findall(r'value="([^"]+)" checked', form))
    assert ticked == {codes["ana"], codes["bo"]}
    assert "open" in form.partition(">")[0]


def test_the_paragraph_on_methods_names_codes_in_both_languages(manager, codes, of_two):
    page = text(manager, report=of_two.pk)
    paragraph = re.search(r'<p id="methods-en">(.*?)</p>', page, re.S)[1]
    pair = sorted([codes["ana"], codes["bo"]])
    assert f"They are 2 of the 3 annotators who rated: {pair[0]} and {pair[1]}." in paragraph
    assert "ana" not in paragraph.replace("manager", "")
    assert pair[0] in re.search(r'<p id="methods-zh-hans">(.*?)</p>', page, re.S)[1]


def test_what_rules_would_send_stands_in_the_report_of_all(manager, of_two):
    page = text(manager, report=of_two.pk)
    assert "What each rule would send is decided by all raters" in page
    assert "What each rule would send to experts" not in page
    assert "What each rule would send to experts" in text(manager)


def test_the_file_for_the_browser_says_it(manager, of_two):
    file = manager.get("/campaigns/study/agreement.html", {"report": of_two.pk}).content.decode()
    assert "Of 2 of 3 raters: ana, bo" in file
    assert "See the report of all raters" not in file


def test_every_table_says_it_in_each_row(manager, of_all, of_two):
    archive = manager.get(f"{PAGE}{of_two.pk}/all.zip").content
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        tables = {name: files.read(name).decode("utf-8-sig") for name in files.namelist()}
    assert {"pairs.csv", "agreement.csv", "pair-confusion.csv"} <= set(tables)
    for told in tables.values():
        rows = list(csv.DictReader(io.StringIO(told)))
        assert {row["of_raters"] for row in rows} == {"Of 2 of 3 raters: ana, bo"}
    assert "of_raters" not in manager.get(f"{PAGE}{of_all.pk}/pairs.csv").content.decode()


def test_experts_read_codes_and_have_nothing_to_tick(campaign, codes, of_two):
    expert = signed_in(factories.member(campaign, "expert"))
    close_campaign(campaign=campaign)
    page = text(expert, report=of_two.pk)
    pair = ", ".join(sorted([codes["ana"], codes["bo"]]))
    assert f"Of 2 of 3 raters: {pair}" in page
    assert "Only some raters" not in page
    assert not any(f">{name}<" in page for name in NAMES)
    assert expert.post(COMPUTE, {"raters": [codes["ana"]]}).status_code == 403
