"""docs/promises.md names tests that are there, and a test for every promise."""

import ast
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.pure
ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "promises.md"
ROW = re.compile(r"^\| (?P<told>.+) \| (?P<where>.+) \| (?P<concord>.+) \| (?P<tests>.+) \|$")
REPORT = re.compile(r"[\w.-]+/[\w.-]+(#\d+| [\d.]+ notes)")
# Of these every line that was told has to have its test; the other sections are held to what they name.
SECTIONS = {"Work lost or doubled": 7, "Who gets what": 7, "The keyboard and the text": 3, "Time": 2}


def rows() -> list[tuple[str, re.Match[str]]]:
    """(section, row) of every promise."""
    found, section = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif (row := ROW.match(line)) and row["told"] != "told":
            found.append((section, row))
    return found


def names_in(file: Path) -> set[str]:
    """The names of a file's tests, those of classes as Class::name; read, not run."""
    found = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found |= {f"{node.name}::{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return {name for name in found if name.rpartition("::")[2].startswith("test_")}


def test_every_promise_names_tests_that_are_there() -> None:
    wrong = []
    for _section, row in rows():
        named = re.findall(r"`([^`]+)`", row["tests"])
        assert named, row["told"]
        for test in named:
            path, _, name = test.partition("::")
            file = ROOT / "tests" / path
            if not file.is_file() or name not in names_in(file):
                wrong.append(test)
    assert not wrong


def test_every_promise_says_where_it_was_told() -> None:
    for _section, row in rows():
        for where in row["where"].split(", "):
            assert REPORT.fullmatch(where), where


def test_no_promise_about_the_desk_has_been_dropped() -> None:
    sections = [section for section, _row in rows()]
    assert {name: sections.count(name) for name in SECTIONS} == SECTIONS
