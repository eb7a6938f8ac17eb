"""The confusion of two raters on the report's page: chosen in a plain form, every pair in the CSV."""

import csv
import io
import re

import pytest

from annotation.services.campaigns import close_campaign
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.report.reading import report_for
from reviews.report.sections import sections_of, tables_of
from reviews.services.agreement import Options, compute_agreement
from tests import factories
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
SCORES = {"ana": (1, 2, 3), "bo": (1, 2, 4), "chen": (5, 5, 5)}
PAGE = "/campaigns/study/agreement/"


@pytest.fixture
def campaign():
    """Three items rated by the same three."""
    made = factories.campaign(slug="study", items=3, rule={"range": 9})
    raters = {name: factories.member(made, user=factories.person(name)) for name in SCORES}
    for at, item in enumerate(factories.items_of(made)):
        for name, scores in SCORES.items():
            factories.rating(item, scores[at], user=raters[name])
    return made


@pytest.fixture
def report(campaign) -> AgreementReport:
    return compute_agreement(campaign=campaign, options=Options(bootstrap=0))[0]


def pair_of(campaign, a: str, b: str) -> str:
    """As the form sends it: the codes in their order."""
    named = {user.username: code for user, code in zip(*people(campaign), strict=True)}
    return " ".join(sorted((named[a], named[b])))


def people(campaign):
    codes = rater_codes(campaign)
    users = [membership.user for membership in campaign.memberships.select_related("user")]
    known = [user for user in users if user.pk in codes]
    return known, [codes[user.pk] for user in known]


def part_of(report, campaign, pair=""):
    sections = sections_of(report_for(report.result, campaign, with_names=True, pair=pair))
    return next(part for section in sections for part in section.parts if part.table.name == "pair-confusion")


def test_the_chosen_pair_is_shown_and_no_other(campaign, report):
    part = part_of(report, campaign, pair_of(campaign, "ana", "bo"))
    rows = [row for row in part.table.rows if row[0] == "Empathy"]
    counts = {(row[1], level): n for row in rows for level, n in zip("12345", row[2:], strict=True) if n}
    first = part.table.columns[1].title
    assert first in ("ana gave", "bo gave")
    assert counts == {("1", "1"): 1, ("2", "2"): 1, ("3", "4") if first == "ana gave" else ("4", "3"): 1}
    assert len(part.choice.options) == 3


def test_a_pair_that_is_not_there_gives_the_first(campaign, report):
    part = part_of(report, campaign, "nobody else")
    assert part.choice.chosen == part.choice.options[0][0]


def test_the_form_asks_for_a_pair_of_this_report_without_a_script(campaign, report):
    manager, pair = signed_in(factories.member(campaign, "manager")), pair_of(campaign, "bo", "chen")
    page = manager.get(PAGE, {"report": report.pk, "pair": pair}).content.decode()
    form = re.search(r'<form[^>]*id="choose-pair".*?</form>', page, re.S)[0]
    assert 'method="get"' in form
    assert f'name="report" value="{report.pk}"' in form
    assert re.search(rf'<option value="{pair}" selected>(bo – chen|chen – bo)<', form)
    assert "Which level bo gives where chen" in page or "Which level chen gives where bo" in page
    file = re.search(r'href="([^"]*agreement.html[^"]*)"', page)[1].replace("&amp;", "&")
    alone = manager.get(file).content.decode()
    assert "choose-pair" not in alone
    assert "gives where" in alone
    assert ("bo gave" in alone) or ("chen gave" in alone)


def test_the_csv_holds_every_pair(campaign, report):
    manager = signed_in(factories.member(campaign, "manager"))
    told = manager.get(f"{PAGE}{report.pk}/pair-confusion.csv").content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(told)))
    assert list(rows[0]) == ["dimension", "a", "b", "level", "1", "2", "3", "4", "5"]
    assert {frozenset((row["a"], row["b"])) for row in rows} == {
        frozenset(pair) for pair in (("ana", "bo"), ("ana", "chen"), ("bo", "chen"))
    }
    assert sum(int(row[level]) for row in rows if row["dimension"] == "Empathy" for level in "12345") == 9


def test_experts_choose_among_codes(campaign, report):
    expert = signed_in(factories.member(campaign, "expert"))
    close_campaign(campaign=campaign)
    page = expert.get(PAGE).content.decode()
    form = re.search(r'<form[^>]*id="choose-pair".*?</form>', page, re.S)[0]
    assert "rater-" in form
    assert not any(f">{name}" in page or f"{name} –" in page for name in SCORES)


def test_a_report_from_before_there_were_such_tables_opens(campaign, report):
    for entry in report.result["dimensions"].values():
        del entry["pair_confusions"]
    report.save()
    assert "pair-confusion" not in tables_of(report_for(report.result, campaign, with_names=True))
    assert signed_in(factories.member(campaign, "manager")).get(PAGE).status_code == 200


def test_it_says_that_there_are_too_many_raters_for_every_pair(campaign, report):
    for entry in report.result["dimensions"].values():
        entry["pair_confusions"] |= {"raters": 30, "of": 44}
    (section,) = (
        one for one in sections_of(report_for(report.result, campaign, with_names=True)) if one.key == "pairs"
    )
    assert "Which levels two raters give is kept of the 30 raters with most ratings." in section.words
