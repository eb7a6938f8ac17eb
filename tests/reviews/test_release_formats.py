"""The forms of a release: Parquet, a sheet for Excel, the data card and Croissant hold what JSON Lines does."""

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from tests.reviews.published import publish, rows

pytestmark = pytest.mark.django_db


def test_parquet_holds_exactly_what_jsonl_does(study):
    release = publish(study)
    for name in ("items", "gold", "ratings"):
        table = pq.read_table(release.path / f"{name}.parquet").to_pylist()
        for row in table:
            if "submitted_at" in row:
                row["submitted_at"] = row["submitted_at"].isoformat(timespec="microseconds").replace("+00:00", "Z")
        assert table == rows(release, f"{name}.jsonl")


def test_csv_opens_in_a_spreadsheet_and_holds_the_same_rows(study):
    release = publish(study)
    content = (release.path / "ratings.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in content
    table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    exact = rows(release, "ratings.jsonl")
    assert len(table) == len(exact)
    assert [int(row["value"]) for row in table] == [row["value"] for row in exact]
    (danger,) = {row["rationale"] for row in table if "danger" in row["rationale"]}
    assert danger == "'=danger()\n他说𠮷野家见"


def test_the_card_and_croissant_name_campaign_files_and_columns(study):
    release = publish(study)
    card = (release.path / "README.md").read_text("utf-8")
    assert "# Ünïcode 研究, release 1" in card
    for words in ("## Motivation", "## Composition", "## Agreement", "## Licence", "apostrophe"):
        assert words in card
    croissant = json.loads((release.path / "croissant.json").read_text("utf-8"))
    assert croissant["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    named = {file["@id"]: file["sha256"] for file in croissant["distribution"]}
    assert named == {n: a["sha256"] for n, a in release.manifest["files"].items() if n != "croissant.json"}
    columns = pq.read_schema(release.path / "ratings.parquet").names
    (ratings,) = (found for found in croissant["recordSet"] if found["name"] == "ratings")
    assert [field["source"]["extract"]["column"] for field in ratings["field"]] == columns
