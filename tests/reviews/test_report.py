"""The report's sections, tables and files: made of what is stored, with the names that the reader may see."""

import copy
import csv
import io
import zipfile

import pytest
from django.urls import reverse
from django.utils import translation

from annotation.models import User
from annotation.services.campaigns import close_campaign
from reviews.figures import Figure
from reviews.models import AgreementReport
from reviews.rater_codes import rater_codes
from reviews.report.files import as_csv, as_zip
from reviews.report.reading import report_for
from reviews.report.sections import sections_of, tables_of
from reviews.report.tables import Table, figure, text
from reviews.services.agreement import compute_agreement
from scenarios.models import Scenario
from tests import factories
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
SCORES = [(1, 5), (4, 4), (2, 3), (5, 5), (3, 3), (4, 5)]


@pytest.fixture
def campaign():
    """Six items, of two companions to three scenarios, rated by the same two; one mark."""
    data = factories.dataset(
        scenarios=3, companions=["model-a", "model-b"], tasks=["dialogue_emotion", "itinerary_basic"]
    )
    made = factories.campaign(slug="study", overlap=2, data=data)
    raters = [factories.member(made, user=factories.person(name)) for name in ("ana", "bo")]
    for item, pair in zip(factories.items_of(made), SCORES, strict=True):
        for rater, score in zip(raters, pair, strict=True):
            marks = ["dependence"] if score == 1 else []
            factories.rating(item, score, user=rater, marks=marks)
    return made


@pytest.fixture
def report(campaign):
    return compute_agreement(campaign=campaign)[0]


@pytest.fixture
def tables(campaign, report):
    return tables_of(report_for(report.result, campaign, with_names=True))


def pk_of(name):
    return User.objects.get(username=name).pk


def column(table, key):
    at = [one.key for one in table.columns].index(key)
    return [row[at] for row in table.rows]


class TestWhatIsStored:
    def test_slices_are_by_what_there_are_several_of(self, report):
        slices = report.result["dimensions"]["empathy"]["slices"]
        assert {one["by"] for one in slices} == {"component", "task", "companion"}
        assert [(one["key"], one["units"]) for one in slices if one["by"] == "companion"] == [
            ("model-a", 3),
            ("model-b", 3),
        ]

    def test_how_far_ratings_lie_apart(self, report):
        assert report.result["dimensions"]["empathy"]["ranges"] == {"0": 3, "1": 2, "4": 1}
        assert report.result["dimensions"]["empathy"]["by_ratings"] == {"2": 6}

    def test_marks_with_votes(self, report):
        marks = report.result["marks"]["types"]
        assert (marks["dependence"]["marked"], marks["dependence"]["votes"]) == (1, {"0": 5, "1": 1})
        assert marks["dependence"]["positive_agreement"]["value"] == 0
        assert marks["other"]["marked"] == 0

    def test_how_each_worked(self, report, campaign):
        codes = set(rater_codes(campaign).values())
        assert {one["rater"] for one in report.result["raters"]} == codes
        assert [(one["items"], one["all_equal"], one["checks"]) for one in report.result["raters"]] == [(6, 1.0, 0)] * 2

    def test_what_each_rule_would_send(self, report):
        rules = report.result["rules"]
        assert rules["rows"][0] == {"rule": rules["rule"], "sent": 2, "extra": 0, "of": 6}

    def test_a_tag_of_the_scenarios_makes_slices_too(self, campaign):
        for place, scenario in enumerate(Scenario.objects.order_by("pk")):
            scenario.tags = {"依恋 风格": "anxious" if place else "secure", "heavy": True, "note": {"deep": 1}}
            scenario.save()
        result = compute_agreement(campaign=campaign)[0].result
        slices = result["dimensions"]["empathy"]["slices"]
        tagged = [(one["by"], one["key"], one["units"]) for one in slices if one["by"].startswith("tag:")]
        assert tagged == [("tag:依恋 风格", "anxious", 4), ("tag:依恋 风格", "secure", 2)]
        tables = tables_of(report_for(result, campaign, with_names=True))
        name = next(name for name in tables if name.startswith("alpha-by-tag"))
        assert reverse("reviews:agreement_table", args=["study", 1, name])

    def test_it_says_how_far_it_is(self, campaign):
        told = []
        compute_agreement(campaign=campaign, step=lambda done, of: told.append((done, of)))
        done, of = zip(*told, strict=True)
        assert len(set(of)) == 1
        assert list(done) == list(range(1, of[0] + 1))

    def test_an_edit_of_a_mark_alone_makes_another_report(self, campaign, report):
        rating = factories.items_of(campaign)[1].ratings.first()
        factories.edit(rating, 4, marks=["dependence"])
        again, new = compute_agreement(campaign=campaign)
        assert new
        assert again.result["marks"]["types"]["dependence"]["marked"] == 2


class TestTables:
    def test_every_section_has_words_or_numbers(self, campaign, report):
        sections = sections_of(report_for(report.result, campaign, with_names=True))
        assert [section.key for section in sections] == [
            "design",
            "table",
            "slices",
            "levels",
            "pairs",
            "trouble",
            "raters",
            "apart",
            "marks",
        ]
        assert all(section.words or section.parts for section in sections)

    def test_a_chart_has_a_table_of_the_same_name(self, campaign, report):
        for section in sections_of(report_for(report.result, campaign, with_names=True)):
            for part in section.parts:
                assert part.chart is None or part.chart.name == part.table.name

    def test_managers_read_names_others_codes(self, campaign, report):
        named = tables_of(report_for(report.result, campaign, with_names=True))["raters"]
        coded = tables_of(report_for(report.result, campaign, with_names=False))["raters"]
        assert set(map(str, column(named, "rater"))) == {"ana", "bo"}
        assert set(map(str, column(coded, "rater"))) == set(rater_codes(campaign).values())

    def test_names_lead_to_the_raters_page_for_managers_on_the_page_alone(self, campaign, report):
        manager, expert = (signed_in(factories.member(campaign, role)) for role in ("manager", "expert"))
        own = [f'<a href="/campaigns/study/raters/{pk_of(name)}/">{name}</a>' for name in ("ana", "bo")]
        page = manager.get("/campaigns/study/agreement/").content.decode()
        for table in ("td", "th"):  # of every dimension, and of how they worked
            assert all(f"{link}</{table}>" in page for link in own)
        assert "/campaigns/study/raters/" not in manager.get("/campaigns/study/agreement.html").content.decode()
        csv_of = manager.get(f"/campaigns/study/agreement/{report.pk}/raters.csv").content.decode()
        assert ",ana," in csv_of
        assert "/raters/" not in csv_of
        close_campaign(campaign=campaign)
        assert "/campaigns/study/raters/" not in expert.get("/campaigns/study/agreement/").content.decode()

    def test_slices_are_named_in_the_readers_language(self, campaign, report):
        with translation.override("zh-hans"):
            tables = tables_of(report_for(report.result, campaign, with_names=True))
        assert not any(name.isascii() for name in column(tables["alpha-by-task"], "key"))

    def test_the_rules_are_said_in_words(self, tables):
        assert column(tables["rules"], "rule")[0] == "The campaign’s rule"
        assert not any(words.startswith("{") for words in column(tables["rules"], "rule"))

    def test_confusion_counts_every_pair_from_both_sides(self, tables):
        rows = [row[2:] for row in tables["confusion"].rows if row[0] == "Empathy"]
        assert sum(map(sum, rows)) == 2 * len(SCORES)
        assert rows[0] == [0, 0, 0, 0, 1]


class TestFiles:
    def test_a_figure_is_in_full_with_its_interval_and_reason(self):
        columns = [text("rater", "Rater"), figure("severity", "Severity")]
        table = Table(
            "raters",
            "Raters",
            columns,
            [
                ["=HYPERLINK(1)", Figure(".12", ".1", ".2", "", 0.1234567, (-0.1, 0.2))],
                ["bo", Figure("", why="one rater")],
                ["cy", None],
            ],
        )
        rows = list(csv.reader(io.StringIO(as_csv(table).decode("utf-8-sig"))))
        assert rows == [
            ["rater", "severity", "severity_low", "severity_high", "severity_reason"],
            ["'=HYPERLINK(1)", "0.1234567", "-0.1", "0.2", ""],
            ["bo", "", "", "", "one rater"],
            ["cy", "", "", "", ""],
        ]

    def test_all_tables_are_in_the_archive_and_the_same_bytes_each_time(self, tables):
        made = as_zip(tables.values())
        assert made == as_zip(tables.values())
        assert set(zipfile.ZipFile(io.BytesIO(made)).namelist()) == {f"{name}.csv" for name in tables}

    @pytest.mark.parametrize("name", ["agreement", "pairs", "levels", "alpha-by-companion"])
    def test_each_can_be_had_by_itself(self, campaign, report, name):
        manager = signed_in(factories.member(campaign, "manager"))
        answer = manager.get(f"/campaigns/study/agreement/{report.pk}/{name}.csv")
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.content.startswith(b"\xef\xbb\xbf")

    def test_what_is_not_there_is_not_found(self, campaign, report):
        manager, other = signed_in(factories.member(campaign, "manager")), factories.campaign(slug="other")
        factories.member(other, "manager", user=factories.person("boss"))
        assert manager.get(f"/campaigns/study/agreement/{report.pk}/nothing.csv").status_code == 404
        assert manager.get("/campaigns/study/agreement/?report=99").status_code == 404
        assert manager.get("/campaigns/study/agreement/?report=x").status_code == 404
        boss = signed_in(User.objects.get(username="boss"))
        assert boss.get(f"/campaigns/other/agreement/{report.pk}/pairs.csv").status_code == 404
        assert boss.get(f"/campaigns/other/agreement/?report={report.pk}").status_code == 404

    def test_the_file_for_the_browser_fetches_nothing_and_names_what_the_page_names(self, campaign, report):
        manager = signed_in(factories.member(campaign, "manager"))
        page = manager.get("/campaigns/study/agreement.html").content.decode()
        assert "default-src 'none'" in page
        for outside in ("<script src", "<link", "@import"):
            assert outside not in page
        assert "ana" in page

    def test_an_expert_of_a_closed_campaign_gets_it_with_codes(self, campaign, report):
        expert = signed_in(factories.member(campaign, "expert"))
        assert expert.get("/campaigns/study/agreement.html").status_code == 403
        close_campaign(campaign=campaign)
        for address in ("agreement.html", f"agreement/{report.pk}/raters.csv", f"agreement/{report.pk}/pairs.csv"):
            told = expert.get(f"/campaigns/study/{address}").content.decode("utf-8-sig")
            assert "rater-" in told
            assert "ana," not in told
            assert ">ana<" not in told


class TestEarlierReports:
    def test_an_old_one_says_what_it_said_then(self, campaign, report):
        before = copy.deepcopy(report.result)
        item = factories.items_of(campaign)[0]
        factories.edit(item.ratings.first(), 5)
        later, _new = compute_agreement(campaign=campaign)
        manager = signed_in(factories.member(campaign, "manager"))
        page = manager.get(f"/campaigns/study/agreement/?report={report.pk}").content.decode()
        assert "as it was then" in page
        assert AgreementReport.objects.get(pk=report.pk).result == before
        assert later.result != report.result
        assert "as it was then" not in manager.get("/campaigns/study/agreement/").content.decode()


class TestMethods:
    def test_the_paragraph_is_in_both_languages_with_the_numbers_and_their_sources(self, campaign, report):
        manager = signed_in(factories.member(campaign, "manager"))
        page = manager.get("/campaigns/study/agreement/").content.decode()
        assert "6 responses to 3 scenarios were rated on Empathy, Fluency and Safety by 2 annotators" in page
        assert f"seed {report.seed}" in page
        assert "Krippendorff, K. (2018)" in page
