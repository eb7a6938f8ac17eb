"""A defective scenario gets a new version beside the old one, or is withdrawn; files imported again undo neither."""

import json
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.services.campaigns import Selection, selected_responses
from scenarios.counts import scenarios_by_task
from scenarios.models import Dataset, Import, Scenario
from scenarios.services import (
    ImportBusy,
    ImportRefused,
    RevisionInvalid,
    ScenarioGone,
    import_responses,
    import_scenarios,
    revise_scenario,
    withdraw_scenario,
)
from scenarios.services.revising import PARTS
from tests import factories
from tests.scenarios.samples import response, scenario, write_lines

pytestmark = pytest.mark.django_db

TURNS = [{"role": "user", "text": "The tide is out."}]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "a.jsonl", [scenario(1), scenario(2)])


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "r.jsonl", [response(1), response(2)])


@pytest.fixture
def first(file: Path, answers: Path) -> Scenario:
    import_scenarios(file, dataset="harbour")
    import_responses(answers, dataset="harbour")
    return Scenario.objects.current().get(key="dialogue_schedule/q001")


def selected() -> list[str]:
    found = selected_responses(Dataset.objects.get(slug="harbour"), Selection())
    return sorted(response.scenario.key for response in found.select_related("scenario"))


def test_the_new_version_says_what_changed_and_the_old_one_stays(first):
    by = factories.person()
    new = revise_scenario(scenario=first, changes={"turns": TURNS, "reference": "Come in."}, by=by)
    first.refresh_from_db()
    assert (new.key, new.version, first.version) == (first.key, 2, 1)
    assert (new.turns, new.reference) == (TURNS, "Come in.")
    assert first.turns != TURNS
    for kept in ("persona", "memories", "schedule", "tags", "task", "component", "language"):
        assert getattr(new, kept) == getattr(first, kept)
    assert list(Scenario.objects.current().filter(key=first.key)) == [new]
    assert first.superseded


def test_it_says_where_it_came_from(first):
    by = factories.person()
    new = revise_scenario(scenario=first, changes={"persona": "Another."}, by=by)
    arrival = new.arrival
    assert (arrival.state, arrival.format, arrival.created_by) == ("done", "revision", by)
    assert arrival.source == f"revision of scenario {first.pk}"
    assert arrival.counts["new_versions"] == arrival.counts["lines"] == 1
    assert arrival.sha256 == new.content_hash != first.content_hash


def test_entries_are_read_as_those_of_a_file(first):
    changes = {"turns": [{"role": "assistant", "text": "Hm."}], "memories": ["She sails."], "schedule": ["07:30 tea"]}
    new = revise_scenario(scenario=first, changes=changes, by=None)
    assert new.turns == [{"role": "companion", "text": "Hm."}]
    assert new.memories == [{"text": "She sails."}]
    assert new.schedule == [{"time": "07:30", "activity": "tea"}]


def test_its_hash_is_that_of_the_same_content_in_a_file(first, tmp_path):
    new = revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
    again = import_scenarios(write_lines(tmp_path / "b.jsonl", [scenario(1, persona="Another.")]), dataset="harbour")
    assert (again.unchanged, again.nothing_changed) == (1, True)
    assert Scenario.objects.current().get(key=first.key) == new


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({}, "changes"),
        ({"persona": None}, "persona"),
        ([], "changes"),
        ("persona", "changes"),
        ({"task": "dialogue_base"}, "task"),
        ({"tags": {}}, "tags"),
        ({"persona": 3}, "persona"),
        ({"persona": "a\x00b"}, "persona"),
        ({"reference": "\ud83d"}, "reference"),
        ({"turns": "hello"}, "turns"),
        ({"turns": [{"role": "narrator", "text": "x"}]}, "turns"),
        ({"turns": [{"role": "user"}]}, "turns"),
        ({"turns": [{"role": "user", "text": "a\x00"}]}, "turns"),
        ({"memories": [{"text": "x", "importance": float("inf")}]}, "memories"),
        ({"schedule": [{"time": 7, "activity": "tea"}]}, "schedule"),
    ],
)
def test_what_can_be_no_scenario_is_refused_by_its_part(first, changes, part):
    if changes == {"persona": None}:  # null is as good as absent, in a file too: an empty persona
        assert revise_scenario(scenario=first, changes=changes, by=None).persona == ""
        return
    with pytest.raises(RevisionInvalid) as refused:
        revise_scenario(scenario=first, changes=changes, by=None)
    assert list(refused.value.faults) == [part]
    assert Scenario.objects.filter(key=first.key).count() == 1
    assert Import.objects.count() == 2


def test_a_version_that_says_the_same_is_none(first):
    same = {part: getattr(first, part) for part in PARTS}
    with pytest.raises(RevisionInvalid, match="Nothing is changed"):
        revise_scenario(scenario=first, changes=same, by=None)


def test_what_was_revised_or_withdrawn_is_not_revised(first):
    revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
    with pytest.raises(ScenarioGone, match="newer"):
        revise_scenario(scenario=first, changes={"persona": "A third."}, by=None)
    other = Scenario.objects.current().get(key="dialogue_schedule/q002")
    withdraw_scenario(scenario=other)
    with pytest.raises(ScenarioGone, match="withdrawn"):
        revise_scenario(scenario=other, changes={"persona": "Another."}, by=None)


def test_a_revision_can_be_revised(first):
    second = revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
    third = revise_scenario(scenario=second, changes={"persona": first.persona}, by=None)
    assert third.version == 3
    assert third.content_hash == first.content_hash
    assert list(Scenario.objects.current().filter(key=first.key)) == [third]


def test_while_a_file_is_coming_in_nothing_is_revised(first):
    now = timezone.now()
    about = {"dataset": first.dataset, "kind": "responses", "sha256": "0" * 64, "format": "concord"}
    Import.objects.create(source="b.jsonl", heartbeat_at=now, **about)
    with pytest.raises(ImportBusy):
        revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
    first.refresh_from_db()
    assert not first.superseded


class TestImportedAgain:
    @pytest.mark.parametrize("new_version", [False, True])
    def test_the_first_file_is_unchanged_after_a_revision(self, first, file, new_version):
        new = revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
        report = import_scenarios(file, dataset="harbour", new_version=new_version)
        assert (report.unchanged, report.nothing_changed) == (2, True)
        assert Scenario.objects.current().get(key=first.key) == new

    @pytest.mark.parametrize("new_version", [False, True])
    def test_the_first_file_is_unchanged_after_a_withdrawal(self, first, file, new_version):
        withdraw_scenario(scenario=first)
        report = import_scenarios(file, dataset="harbour", new_version=new_version)
        assert (report.unchanged, report.nothing_changed) == (2, True)
        first.refresh_from_db()
        assert first.withdrawn

    def test_another_content_under_the_key_needs_a_new_version_as_ever(self, first, tmp_path):
        withdraw_scenario(scenario=first)
        other = write_lines(tmp_path / "b.jsonl", [scenario(1, persona="Quite another.")])
        with pytest.raises(ImportRefused):
            import_scenarios(other, dataset="harbour")
        import_scenarios(other, dataset="harbour", new_version=True)
        first.refresh_from_db()
        assert first.superseded
        assert first.withdrawn
        assert Scenario.objects.current().get(key=first.key).version == 2

    def test_a_file_of_answers_to_all_of_them_is_not_refused_for_one_that_was_withdrawn(self, first, answers, tmp_path):
        withdraw_scenario(scenario=first)
        assert import_responses(answers, dataset="harbour").unchanged == 2
        others = [response(1, companion="Tern"), response(2, companion="Tern")]
        assert import_responses(write_lines(tmp_path / "s.jsonl", others), dataset="harbour").created == 2
        assert selected() == ["dialogue_schedule/q002"] * 2


class TestWhatACampaignDrawsFrom:
    def test_no_answer_to_a_withdrawn_scenario(self, first):
        assert selected() == ["dialogue_schedule/q001", "dialogue_schedule/q002"]
        withdraw_scenario(scenario=first)
        assert selected() == ["dialogue_schedule/q002"]
        assert first not in Scenario.objects.current()
        assert first in Scenario.objects.newest_versions()

    def test_no_answer_to_what_was_revised_since_but_answers_to_the_new_version(self, first, answers):
        new = revise_scenario(scenario=first, changes={"persona": "Another."}, by=None)
        assert selected() == ["dialogue_schedule/q002"]
        import_responses(answers, dataset="harbour", new_version=True)
        assert selected() == ["dialogue_schedule/q001", "dialogue_schedule/q002"]
        assert new.responses.count() == first.responses.count() == 1

    def test_withdrawing_twice_is_the_same_and_no_count_has_it(self, first):
        for _twice in range(2):
            assert withdraw_scenario(scenario=first).withdrawn
        _languages, rows = scenarios_by_task(first.dataset)
        assert [total for _task, _counts, total in rows] == [1]


def test_the_texts_are_kept_to_the_code_point(first):
    odd = "a\r\nb\u2028  c \u200b🌊"
    new = revise_scenario(scenario=first, changes={"persona": odd, "turns": [{"role": "user", "text": odd}]}, by=None)
    new.refresh_from_db()
    assert (new.persona, new.turns[0]["text"]) == (odd, odd)
    assert json.dumps(new.turns)
