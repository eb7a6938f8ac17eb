"""The page, the files and the API that put two releases of a campaign side by side."""

import csv
import io
import json
import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from annotation.services.people import make_token
from reviews import comparison_page
from reviews.api import reports
from reviews.models import Case
from tests import factories
from tests.annotation.pages import signed_in
from tests.reviews.published import publish

pytestmark = pytest.mark.django_db
HERE = "/campaigns/study/releases/compare"


@pytest.fixture
def three(study, decide):
    """Three releases: up to the second an expert decided (3 labels more), up to the third a rating came (3 more)."""
    made = [publish(study)]
    case = Case.objects.get(state="waiting")
    decide(case, factories.member(study, "expert"), {"safety": 2, "empathy": "ambiguous"}, rationale="Unsafe.")
    made.append(publish(study))
    factories.rating(factories.items_of(study)[3], 3)
    made.append(publish(study))
    return made


@pytest.fixture
def manager(study) -> Client:
    return signed_in(factories.member(study, "manager"))


def text(answer) -> str:
    """What the page holds beside the bar, whose forms have a secret of their own each time."""
    return " ".join(answer.content.decode().partition("<main")[2].split())


def test_without_numbers_it_compares_the_last_two(three, manager):
    said = text(manager.get(f"{HERE}/"))
    assert "3 of 12 labels are not in release 3 as they were in release 2." in said
    assert "more ratings came in" in said
    assert "an expert decided" not in said


def test_it_says_what_changed_and_why_for_the_two_that_were_named(three, manager):
    said = text(manager.get(f"{HERE}/?from=1&to=2"))
    assert "3 of 9 labels are not in release 2 as they were in release 1." in said
    assert "an expert decided" in said
    item = Case.objects.order_by("pk").last().work_item.response.item_id
    assert said.count(f"<code>{item}</code>") == 3
    assert re.search(r"no label</span> </td> <td> <span class=\"soft\">not decidable", said)


def test_the_earlier_one_stands_first_however_they_are_named(three, manager):
    assert text(manager.get(f"{HERE}/?from=3&to=1")) == text(manager.get(f"{HERE}/?from=1&to=3"))


def test_only_changes_of_one_kind_are_shown_where_that_is_asked(three, manager):
    assert text(manager.get(f"{HERE}/?from=1&to=3&kind=added")).count('<th scope="row"><code>') == 6
    assert "<code>" not in text(manager.get(f"{HERE}/?from=1&to=3&kind=removed"))
    assert text(manager.get(f"{HERE}/?from=1&to=3&kind=nothing")).count('<th scope="row"><code>') == 6


def test_a_long_list_goes_over_pages_and_says_how_many_there_are(three, manager, monkeypatch):
    monkeypatch.setattr(comparison_page, "PER_PAGE", 4)
    first, last = (text(manager.get(f"{HERE}/?from=1&to=3&page={n}")) for n in (1, 2))
    assert "1 to 4 of 6 changes" in first
    assert "5 to 6 of 6 changes" in last
    assert "from=1&amp;to=3&amp;page=2" in first
    shown = [
        set(re.findall(r"<th scope=\"row\"><code>(\S+)</code></th> <td>(\w+)</td>", page)) for page in (first, last)
    ]
    assert (len(shown[0]), len(shown[1]), shown[0] & shown[1]) == (4, 2, set())
    assert text(manager.get(f"{HERE}/?from=1&to=3&page=99")) == last


@pytest.mark.parametrize("query", ["from=1&to=1", "from=1&to=9", "from=x&to=2", "from=9", "to=-1"])
def test_what_cannot_be_compared_is_refused_in_words(three, manager, query):
    answer = manager.get(f"{HERE}/?{query}")
    assert answer.status_code == 400
    assert "These two cannot be compared" in text(answer)
    assert manager.get(f"{HERE}.csv?{query}").status_code == 404


def test_with_one_release_it_says_that_there_is_nothing_to_compare(study, manager):
    publish(study)
    answer = manager.get(f"{HERE}/")
    assert answer.status_code == 200
    assert "There are not two releases to compare yet." in text(answer)
    assert "Compare two releases" not in text(manager.get("/campaigns/study/releases/"))


def test_the_page_of_releases_leads_to_it(three, manager):
    assert f'href="{HERE}/"' in text(manager.get("/campaigns/study/releases/"))


def test_a_release_whose_files_are_gone_is_said_to_be_damaged(three, manager):
    (three[1].path / "ratings.jsonl").unlink()
    answer = manager.get(f"{HERE}/?from=1&to=2")
    assert answer.status_code == 409
    assert "The files of release 2 are not all there." in text(answer)


def test_the_files_hold_every_change_with_its_reasons(three, manager):
    answer = manager.get(f"{HERE}.jsonl?from=1&to=3")
    assert answer["Content-Disposition"] == 'attachment; filename="study-1-to-3.jsonl"'
    exact = [json.loads(line) for line in b"".join(answer.streaming_content).decode().splitlines()]
    assert len(exact) == 6
    assert {(row["change"], *row["why"]) for row in exact} == {("added", "decided"), ("added", "more_ratings")}
    assert {row["value_before"] for row in exact} == {None}
    content = b"".join(manager.get(f"{HERE}.csv?from=1&to=3").streaming_content)
    assert content.startswith(b"\xef\xbb\xbf")
    table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert [(row["item_id"], row["dimension"], row["why"]) for row in table] == [
        (row["item_id"], row["dimension"], "; ".join(row["why"])) for row in exact
    ]
    assert {row["short_after"] for row in table} == {"false"}


def test_the_api_tells_the_same_and_goes_on_where_it_stopped(three, study, monkeypatch):
    monkeypatch.setattr(reports, "CHANGES", 4)
    api = APIClient()
    token = make_token(user=factories.member(study, "manager"), name="test")
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    address = f"/api/v1{HERE}/?from=1&to=3"
    first = api.get(address).json()
    assert (first["from"], first["to"], len(first["changes"]), first["next"]) == (1, 3, 4, "4")
    assert first["counts"]["labels"] == {"added": 6, "removed": 0, "changed": 0, "unchanged": 6}
    assert first["counts"]["why"] == {"decided": 3, "more_ratings": 3}
    last = api.get(f"{address}&cursor=4").json()
    assert (len(last["changes"]), last["next"], last["counts"]) == (2, None, first["counts"])
    refused = api.get(f"/api/v1{HERE}/?from=1&to=7")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["to"])
