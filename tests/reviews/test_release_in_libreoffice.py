"""The CSV files of a release opened by LibreOffice without a window, and read back from what it saved.

Every text is there as it was, guarded where it could run; numbers are numbers; no cell is a formula.
"""

import os
import re
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import pytest

from jobs.spreadsheets import guarded
from reviews.models import ScenarioRuling
from reviews.release.columns import TABLES, Kind
from scenarios.models import Import
from tests import factories
from tests.reviews.published import publish, rows

SOFFICE = os.environ.get("SOFFICE") or shutil.which("soffice") or shutil.which("libreoffice")
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not SOFFICE, reason="no LibreOffice: apt-get install -y libreoffice-calc-nogui"),
]
TEXTS = [
    "别怕，我在。你今天辛苦了，𠮷野家见。",
    "I am with you 🫂👩🏽‍🚀 — truly.",
    '=HYPERLINK("http://example.org","click")',
    "+1+1",
    "-1",
    "@SUM(1,2)",
    "\t=1+1",
    "  =1+1",
    "＝1＋1",
    "=cmd|' /C calc'!A0",
    'She said "stay", and I stayed; really.\nThen a second line,\n\n=2+2 on the fourth.',
    "a;b\tc,d|e",
    "'=1 with an apostrophe of its own",
    "{=1+1}",
    " blanks before and after ",
]
# What its dialog proposes for a file that begins with a BOM (comma, double quote, UTF-8, from the first line), with the
# choices that make a spreadsheet the keenest to see more than text: numbers of any kind, and formulas.
AS_CSV = "CSV:44,34,76,1,,1033,false,true,false,false,false,-1,true"
_NS = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


@pytest.fixture
def release():
    """Every text as a response and as a rationale; items agreed, decided and undecidable; a ruling."""
    campaign = factories.campaign(data=factories.dataset(scenarios=len(TEXTS), texts=TEXTS), overlap=2, title="=1+1")
    Import.objects.update(sha256="ab" * 32)  # the factories' is all zeros, which a spreadsheet takes for a number
    for place, item in enumerate(factories.items_of(campaign)):
        factories.rating(item, 4, rationale=item.response.text)
        factories.rating(item, {"empathy": 5 if place % 2 else 4, "fluency": 4, "safety": 4})
    scenario = factories.items_of(campaign)[0].scenario
    expert = factories.member(campaign, "expert")
    ScenarioRuling.objects.create(campaign=campaign, scenario=scenario, verdict="keep", reason=TEXTS[2], by=expert)
    return publish(campaign)


@pytest.fixture
def opened(tmp_path):
    """The table of a CSV file as LibreOffice understands it: a list of {column: text or float}."""

    def opened(path):
        home = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
        command = [SOFFICE, home, "--headless", "--norestore", f"--infilter={AS_CSV}", "--convert-to", "xlsx"]
        command += ["--outdir", tmp_path, path]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
        made = tmp_path / f"{path.stem}.xlsx"
        assert made.is_file(), done.stdout + done.stderr
        return table_of(made)

    return opened


def table_of(path):
    """Of an .xlsx file's only sheet, by its own XML: nothing computes or guesses on the way."""
    with zipfile.ZipFile(path) as book:
        sheets = [name for name in book.namelist() if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", name)]
        assert len(sheets) == 1
        sheet = ElementTree.fromstring(book.read(sheets[0]))
        strings = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
    formulas = [formula.text for formula in sheet.findall(".//m:f", _NS)]
    assert not formulas, f"formulas: {formulas}"
    texts = [
        "".join(part.text or "" for part in entry.findall(".//m:t", _NS)) for entry in strings.findall("m:si", _NS)
    ]
    table = [
        {re.match("[A-Z]+", cell.attrib["r"])[0]: value_of(cell, texts) for cell in row.findall("m:c", _NS)}
        for row in sheet.findall(".//m:row", _NS)
    ]
    head, *body = table
    return [{name: row.get(column) for column, name in head.items()} for row in body]


def value_of(cell, texts):
    value = cell.find("m:v", _NS)
    if value is None:
        return None
    if cell.get("t") == "s":
        return texts[int(value.text)]
    if cell.get("t") == "b":
        return value.text == "1"
    assert cell.get("t", "n") == "n", ElementTree.tostring(cell)  # no error, no result of a formula
    return float(value.text)


@pytest.mark.parametrize("table", [table for table in TABLES if "csv" in table.formats], ids=lambda table: table.name)
def test_a_spreadsheet_shows_what_json_lines_holds_and_runs_nothing(release, opened, table):
    exact = rows(release, f"{table.name}.jsonl")
    shown = opened(release.path / f"{table.name}.csv")
    assert len(shown) == len(exact) > 0
    kinds = {column.name: column.kind for column in table.columns}
    assert list(shown[0]) == list(kinds)
    for seen, meant in zip(shown, exact, strict=True):
        for name, kind in kinds.items():
            if meant[name] in (None, ""):
                assert seen[name] is None, (name, seen[name])
            elif kind == Kind.TEXT:
                assert seen[name] == guarded(meant[name])
            elif kind in (Kind.INTEGER, Kind.NUMBER):
                assert seen[name] == meant[name]
                assert isinstance(seen[name], float)
            elif kind == Kind.BOOLEAN:
                assert seen[name] is meant[name]


def test_every_text_arrives_and_those_that_could_run_have_their_apostrophe(release, opened):
    shown = {row["text"] for row in opened(release.path / "items.csv")}
    assert shown == {guarded(text) for text in TEXTS}
    assert {"'-1", '\'=HYPERLINK("http://example.org","click")', TEXTS[0], TEXTS[1]} <= shown


def test_what_is_not_guarded_would_run(opened, tmp_path):
    """Else the tests above would hold for any file."""
    danger = tmp_path / "danger.csv"
    danger.write_text("\ufefftext,more\r\n=1+1,x\r\n", encoding="utf-8")
    with pytest.raises(AssertionError, match=r"formulas: \['1\+1'\]"):
        opened(danger)
