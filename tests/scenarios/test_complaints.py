"""Files that other tools stumbled over (tests/data/complaints, with its SOURCE.md)."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from scenarios.models import Response, Scenario
from scenarios.services import import_responses, import_scenarios
from tests.scenarios.samples import rows, write_lines

COMPLAINTS = Path(__file__).parents[1] / "data" / "complaints"
pytestmark = pytest.mark.django_db


def test_an_escaped_nul_leaves_no_empty_dataset_behind_that_blocks_the_retry(tmp_path: Path) -> None:
    before = rows()
    with pytest.raises(CommandError, match=r"^nul.jsonl:2: a text holds an escaped NUL"):
        call_command("import_scenarios", str(COMPLAINTS / "nul.jsonl"), dataset="again")
    assert rows() == before
    mended = tmp_path / "nul.jsonl"
    mended.write_bytes((COMPLAINTS / "nul.jsonl").read_bytes().replace(rb"\u0000", b""))
    assert import_scenarios(mended, dataset="again").created == 3


def test_skip_invalid_leaves_out_that_line_alone() -> None:
    report = import_scenarios(COMPLAINTS / "nul.jsonl", dataset="again", skip_invalid=True)
    assert (report.created, report.refused_lines) == (2, {"nul.jsonl": "2"})
    assert list(Scenario.objects.current().values_list("key", flat=True)) == [
        "dialogue_base/q001",
        "dialogue_base/q003",
    ]


def test_a_text_that_looks_like_a_formula_is_stored_as_it_is(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (COMPLAINTS / "formula.jsonl").read_bytes().splitlines()]
    scenarios = [{"key": line["key"], "task": "dialogue_base"} for line in lines]
    import_scenarios(write_lines(tmp_path / "s.jsonl", scenarios), dataset="cells")
    import_responses(COMPLAINTS / "formula.jsonl", dataset="cells")
    stored = dict(Response.objects.current().values_list("scenario__key", "text"))
    assert stored == {line["key"]: line["text"] for line in lines}


def test_nothing_is_lost_at_the_edges_of_a_batch(tmp_path: Path) -> None:
    """20,000 rows in, 19,999 there."""
    for lines in (499, 500, 501, 1000):
        scenarios = [{"key": f"k{number}", "task": "dialogue_base"} for number in range(lines)]
        report = import_scenarios(write_lines(tmp_path / "s.jsonl", scenarios), dataset=f"n{lines}")
        assert report.created == Scenario.objects.current().filter(dataset__slug=f"n{lines}").count() == lines
