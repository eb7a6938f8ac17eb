"""What experts ruled about scenarios is in a release: kept, revised, withdrawn, and why."""

import csv
import io

import pytest

from reviews.models import ScenarioRuling
from scenarios.models import Scenario
from tests import factories
from tests.reviews.published import publish, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def ruled(study):
    """Three of the study's scenarios: one kept after it was withdrawn, one revised, one withdrawn."""
    expert = factories.member(study, "expert")
    scenarios = sorted((item.scenario for item in factories.items_of(study)), key=lambda scenario: scenario.key)
    kept, revised, withdrawn, _unruled = scenarios
    new = Scenario.objects.get(pk=revised.pk)
    new.pk, new.version = None, 2
    new.save()
    for scenario, given in (
        (kept, {"verdict": "withdraw", "fault": "unsafe", "reason": "It asks for harm."}),
        (kept, {"verdict": "keep", "reason": "=on(\n再想想"}),
        (revised, {"verdict": "revise", "fault": "unnatural", "reason": "Nobody speaks so.", "revised_to": new}),
        (withdrawn, {"verdict": "withdraw", "fault": "personal_data", "reason": "A real name."}),
    ):
        ScenarioRuling.objects.create(campaign=study, scenario=scenario, by=expert, **given)
    return study


def test_every_ruling_is_in_it_and_says_whether_it_stands(ruled):
    release = publish(ruled)
    found = [(r["verdict"], r["fault"], r["revised_version"], r["superseded"]) for r in rows(release, "rulings.jsonl")]
    assert found == [
        ("withdraw", "unsafe", None, True),
        ("keep", "", None, False),
        ("revise", "unnatural", 2, False),
        ("withdraw", "personal_data", None, False),
    ]
    first = rows(release, "rulings.jsonl")[0]
    assert (first["version"], first["task"]) == (1, "dialogue_emotion")
    assert {row["expert"] for row in rows(release, "rulings.jsonl")} <= {"E01", "E02"}


def test_its_csv_runs_nothing(ruled):
    content = (publish(ruled).path / "rulings.csv").read_bytes().decode("utf-8-sig")
    assert [row["reason"] for row in csv.DictReader(io.StringIO(content, newline=""))][1] == "'=on(\n再想想"


def test_the_standing_ones_are_counted_by_task_in_manifest_and_card(ruled):
    release = publish(ruled)
    assert release.manifest["counts"]["scenario_rulings"] == {
        "dialogue_emotion": {
            "verdicts": {"keep": 1, "revise": 1, "withdraw": 1},
            "faults": {"personal_data": 1, "unnatural": 1},
        }
    }
    card = (release.path / "README.md").read_text("utf-8")
    assert "| dialogue_emotion | 1 | 1 | 1 | personal_data 1, unnatural 1 |" in card


def test_a_ruling_more_is_other_data(study):
    before = publish(study)
    scenario = factories.items_of(study)[0].scenario
    by = factories.member(study, "expert")
    ScenarioRuling.objects.create(campaign=study, scenario=scenario, verdict="keep", reason="Fine.", by=by)
    after = publish(study)
    assert (after.number, after.data_version != before.data_version) == (2, True)
    assert rows(before, "rulings.jsonl") == []


def test_the_causes_that_experts_named_are_counted(study):
    assert publish(study).manifest["counts"]["quick_reasons"] == {"not said": 1}
