"""No cell of a CSV file runs when a spreadsheet opens it; JSONL and Parquet hold the text as it is."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs.spreadsheets import guarded
from reviews.release.columns import Column, Kind, Table
from reviews.release.formats import TableFiles
from reviews.services.releases import publish_release
from tests import factories

FORMULA = Path(__file__).resolve().parent.parent / "data" / "complaints" / "formula.jsonl"
TEXTS = [json.loads(line)["text"] for line in FORMULA.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "＋1", "－1", "＠x", "﹦1", "﹢1", "﹣1", "﹫x"),
        *("\t=1", "\r=1", "\n=1", "\thello", "\nhello", "\rhello"),
        *("  =1", "\u3000＝1", "\u00a0=1", "\ufeff=1", "\u200b=1", "  \t =1", "\u2028=1", "=", "-"),
    ],
)
def test_what_could_run_is_guarded(text):
    assert guarded(text) == "'" + text


@pytest.mark.parametrize(
    "text", ["", "hello", "1+1=2", "a\n=1", "'=1", '"=1+1"', "你好＝", "(-1)", "   ", "a@b.c", "*", "1"]
)
def test_what_cannot_is_left_as_it_is(text):
    assert guarded(text) == text


def test_numbers_stay_numbers_minus_one_too(tmp_path):
    columns = (Column("value", Kind.INTEGER, ""), Column("share", Kind.NUMBER, ""), Column("text", Kind.TEXT, ""))
    files = TableFiles(tmp_path, Table("t", "", columns, ("jsonl", "csv", "parquet")), levels=[])
    files.write([{"value": -1, "share": -0.5, "text": "-1"}, {"value": None, "share": None, "text": None}])
    files.close()
    assert (tmp_path / "t.csv").read_text("utf-8-sig").splitlines() == ["value,share,text", "-1,-0.5,'-1", ",,"]
    assert json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0]) == {"value": -1, "share": -0.5, "text": "-1"}
    assert pq.read_table(tmp_path / "t.parquet").to_pylist()[0] == {"value": -1, "share": -0.5, "text": "-1"}


@pytest.mark.django_db
def test_the_responses_of_other_tools_complaints_come_through_exactly():
    campaign = factories.campaign(data=factories.dataset(scenarios=len(TEXTS), texts=TEXTS), overlap=1)
    for item in factories.items_of(campaign):
        factories.rating(item, rationale=item.response.text)
    folder = publish_release(campaign=campaign).release.path
    exact = [json.loads(line)["text"] for line in (folder / "items.jsonl").read_text("utf-8").split("\n") if line]
    assert sorted(exact) == sorted(TEXTS)
    assert [row["text"] for row in pq.read_table(folder / "items.parquet").to_pylist()] == exact
    for name, column in (("items", "text"), ("ratings", "rationale")):
        content = (folder / f"{name}.csv").read_bytes().decode("utf-8-sig")
        cells = [row[column] for row in csv.DictReader(io.StringIO(content, newline=""))]
        for cell in cells:
            plain = cell.lstrip(" \u3000")
            assert not plain.startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n"))
            assert cell in TEXTS or cell[1:] in TEXTS
    safe = {'"=1+1"', "正常的一句话"}
    assert safe <= set(cells)


@pytest.mark.django_db
def test_the_bytes_begin_with_the_mark_that_spreadsheets_look_for():
    """Without it Excel reads UTF-8 as something else and garbles Chinese."""
    campaign = factories.campaign(data=factories.dataset(texts=["别怕，我在。"], scenarios=1), overlap=1)
    factories.rating(factories.items_of(campaign)[0], rationale="很温柔")
    folder = publish_release(campaign=campaign).release.path
    tables = sorted(folder.glob("*.csv"))
    assert {"items.csv", "ratings.csv", "gold.csv"} <= {table.name for table in tables}
    for table in tables:
        assert table.read_bytes().startswith(b"\xef\xbb\xbf"), table.name
    assert "别怕，我在。".encode() in (folder / "items.csv").read_bytes()
    assert "很温柔".encode() in (folder / "ratings.csv").read_bytes()
