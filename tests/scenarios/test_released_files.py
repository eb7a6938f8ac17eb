"""The benchmark's own files, where a sample of them lies beside the checkout; no line of it is in the project."""

import json
from pathlib import Path

import pytest

from scenarios.models import Response, Scenario
from scenarios.services import import_responses, import_scenarios

ROOT = Path(__file__).resolve().parents[2]
RELEASED = ROOT.parent / "shared" / "data" / "h2htalk"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not RELEASED.is_dir(), reason=f"NOT TESTED on released H2HTalk files: {RELEASED} is not there"),
]


def released() -> dict[str, str]:
    """Each text by its key, read the plainest way."""
    return {
        f"{path.stem}/q{number:03d}": json.loads(line)["response"]
        for path in RELEASED.glob("*.jsonl")
        for number, line in enumerate(path.read_bytes().decode().split("\n"), start=1)
        if line.strip()
    }


def test_every_text_is_the_released_one() -> None:
    report = import_scenarios(RELEASED, dataset="released")
    assert report.created == len(released())
    assert report.refused == 0
    assert dict(Scenario.objects.current().values_list("key", "reference")) == released()
    assert {scenario.language for scenario in Scenario.objects.all()} == {"zh-Hans"}


def test_the_same_files_are_answers_too_and_twice_changes_nothing() -> None:
    import_scenarios(RELEASED, dataset="released")
    report = import_responses(RELEASED, dataset="released", companion="the reference")
    assert report.created == len(released())
    assert dict(Response.objects.current().values_list("scenario__key", "text")) == released()
    assert import_scenarios(RELEASED, dataset="released").nothing_changed
    assert import_responses(RELEASED, dataset="released", companion="the reference").nothing_changed
