import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from scenarios.models import Dataset, Import, Scenario
from scenarios.services import ImportBusy, ImportRefused, import_scenarios
from tests.scenarios.samples import SCENARIO, h2htalk_folder, rows, scenario, write_lines

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("end", "bom"), [("\n", False), ("\r\n", True)])
def test_every_text_arrives_byte_for_byte(tmp_path: Path, end: str, bom: bool) -> None:
    report = import_scenarios(write_lines(tmp_path / "a.jsonl", [SCENARIO], end=end, bom=bom), dataset="harbour")
    assert (report.lines, report.created, report.format) == (1, 1, "concord")
    stored = Scenario.objects.current().get(dataset__slug="harbour")
    for name in ("key", "task", "language", "persona", "turns", "reference", "tags"):
        assert getattr(stored, name) == SCENARIO[name]
    assert stored.component == "dialogue"


def test_a_dataset_is_made_with_its_title(tmp_path: Path) -> None:
    import_scenarios(write_lines(tmp_path / "a.jsonl", [SCENARIO]), dataset="harbour", title="灯塔")
    assert Dataset.objects.established().get().title == "灯塔"


def test_a_folder_is_read_in_the_order_of_the_tasks_and_blank_lines_count_as_lines(tmp_path: Path) -> None:
    report = import_scenarios(h2htalk_folder(tmp_path / "data"), dataset="released", language="zh-Hans")
    assert (report.lines, report.created, report.blank, report.format) == (5, 4, 1, "h2htalk")
    assert report.left_alone == ["README.md"]
    assert report.ignored == {"messages (others)": 1}
    found = {row.key: row for row in Scenario.objects.current()}
    assert list(found) == [
        "dialogue_base/q001",
        "dialogue_base/q003",
        "itinerary_middle/q001",
        "itinerary_middle/q002",
    ]
    assert found["itinerary_middle/q001"].reference == "在。"
    assert found["itinerary_middle/q002"].component == "itinerary"
    bare = found["dialogue_base/q001"]
    assert [bare.persona, bare.turns, bare.memories, bare.schedule] == ["", [], [], []]


def test_one_file_of_a_folder_is_known_by_its_name(tmp_path: Path) -> None:
    report = import_scenarios(h2htalk_folder(tmp_path / "data") / "dialogue_base.jsonl", dataset="released")
    assert (report.format, report.created) == ("h2htalk", 2)


def test_chat_needs_a_task_and_takes_it(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "talk.jsonl", [{"messages": [{"role": "user", "content": "Hi"}]}])
    with pytest.raises(ImportRefused, match=r"talk.jsonl:1: which task"):
        import_scenarios(path, dataset="talk")
    import_scenarios(path, dataset="talk", task="dialogue_emotion", language="en")
    stored = Scenario.objects.get()
    assert (stored.key, stored.task, stored.language) == ("dialogue_emotion/l000001", "dialogue_emotion", "en")


def test_the_same_file_again_changes_nothing_and_says_so(
    tmp_path: Path, harbour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows()
    call_command("import_scenarios", str(tmp_path / "harbour.jsonl"), dataset=harbour)
    assert "Nothing has changed" in capsys.readouterr().out
    assert rows() == before


def test_a_longer_file_adds_what_is_new(tmp_path: Path, harbour: str) -> None:
    report = import_scenarios(
        write_lines(tmp_path / "more.jsonl", [scenario(3), b"", scenario(4), b"  "]), dataset=harbour
    )
    assert (report.lines, report.created, report.unchanged, report.blank) == (4, 1, 1, 2)
    assert Scenario.objects.current().count() == 4


def test_the_form_of_a_line_does_not_make_it_another_record(tmp_path: Path, harbour: str) -> None:
    line = json.dumps(dict(reversed(scenario(1).items())), ensure_ascii=True, indent=None).encode()
    assert import_scenarios(write_lines(tmp_path / "b.jsonl", [line]), dataset=harbour).unchanged == 1


def test_other_content_under_a_key_is_refused_with_its_line(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "b.jsonl", [scenario(1), scenario(2, persona="someone else")])
    before = rows()
    with pytest.raises(ImportRefused, match=r"b.jsonl:2: “dialogue_schedule/q002” is in the dataset with other"):
        import_scenarios(path, dataset=harbour)
    assert rows() == before


def test_a_new_version_replaces_the_old_one_and_keeps_it(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "b.jsonl", [scenario(1), scenario(2, persona="someone else")])
    report = import_scenarios(path, dataset=harbour, new_version=True)
    assert (report.unchanged, report.new_versions, report.created) == (1, 1, 0)
    old, new = Scenario.objects.filter(key="dialogue_schedule/q002").order_by("version")
    assert (old.superseded, new.superseded, new.version, new.persona) == (True, False, 2, "someone else")
    assert Scenario.objects.current().count() == 3
    again = import_scenarios(path, dataset=harbour, new_version=True)
    assert again.nothing_changed


def test_what_came_first_is_still_known_after_a_new_version(tmp_path: Path, harbour: str) -> None:
    """A redaction is a new version: importing the original once more must not undo it."""
    import_scenarios(write_lines(tmp_path / "b.jsonl", [scenario(2, persona="—")]), dataset=harbour, new_version=True)
    report = import_scenarios(tmp_path / "harbour.jsonl", dataset=harbour, new_version=True)
    assert report.nothing_changed
    assert Scenario.objects.current().get(key="dialogue_schedule/q002").persona == "—"


def test_the_counts_add_up_whatever_is_in_the_file(tmp_path: Path, harbour: str) -> None:
    lines = [scenario(1), scenario(2, persona="other"), b"", b"{", scenario(9), scenario(9), b"\xff", scenario(10)]
    report = import_scenarios(write_lines(tmp_path / "b.jsonl", lines), dataset=harbour, skip_invalid=True)
    assert (report.unchanged, report.refused, report.blank, report.created) == (1, 4, 1, 2)
    assert report.lines == len(lines)
    assert report.lines == (report.created + report.unchanged + report.new_versions + report.refused + report.blank)
    assert [(fault.line) for fault in report.faults] == [2, 4, 6, 7]
    assert report.refused_lines == {"b.jsonl": "2, 4, 6-7"}
    assert Import.objects.get(pk=report.import_id).counts["lines"] == 8


def test_a_dry_run_reports_and_writes_nothing(tmp_path: Path) -> None:
    before = rows()
    report = import_scenarios(write_lines(tmp_path / "a.jsonl", [SCENARIO]), dataset="harbour", dry_run=True)
    assert (report.created, report.import_id) == (1, None)
    assert rows() == before


def test_two_imports_into_one_dataset_do_not_run_at_once(tmp_path: Path, harbour: str) -> None:
    def interfere(done: int, total: int, note: str = "") -> None:
        if note == "Writing":
            with pytest.raises(ImportBusy):
                import_scenarios(tmp_path / "harbour.jsonl", dataset=harbour)
            seen.append(done)

    seen: list[int] = []
    import_scenarios(write_lines(tmp_path / "b.jsonl", [scenario(5)]), dataset=harbour, progress=interfere)
    assert seen


def test_an_import_that_finished_between_the_passes_is_taken_into_account(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "b.jsonl", [scenario(5)])

    def interfere(done: int, total: int, note: str = "") -> None:
        if note == "Checking the file" and not others:
            others.append(True)
            import_scenarios(path, dataset=harbour)

    others: list[bool] = []
    assert import_scenarios(path, dataset=harbour, progress=interfere).unchanged == 1
    assert Scenario.objects.current().filter(key="dialogue_schedule/q005").count() == 1


def test_nobody_sees_a_row_before_the_last(tmp_path: Path, harbour: str) -> None:
    def look(done: int, total: int, note: str = "") -> None:
        if note == "Writing":
            seen.append((Scenario.objects.current().count(), Scenario.objects.count()))
            assert not Dataset.objects.established().filter(slug="other").exists()

    seen: list[tuple[int, int]] = []
    path = write_lines(tmp_path / "b.jsonl", [scenario(n) for n in range(1, 1201)])
    import_scenarios(path, dataset="other", progress=look)
    assert seen == [(3, 503), (3, 1003), (3, 1203)]
    assert Scenario.objects.current().count() == 1203


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "b.jsonl", [scenario(n) for n in range(1, 5)])
    before = rows()

    def change(done: int, total: int, note: str = "") -> None:
        if note == "Checking the file":
            write_lines(path, [scenario(n, persona="x") for n in range(1, 5)])

    with pytest.raises(ImportRefused, match="changed while it was being read"):
        import_scenarios(path, dataset="other", progress=change)
    assert rows() == before


def test_progress_goes_from_nothing_to_all(tmp_path: Path) -> None:
    said: list[tuple[int, int, str]] = []
    path = write_lines(tmp_path / "b.jsonl", [scenario(n) for n in range(1, 1202)])
    import_scenarios(path, dataset="other", progress=lambda done, total, note="": said.append((done, total, note)))
    size = path.stat().st_size
    assert said[-1] == (2 * size, 2 * size, "Writing")
    assert [done for done, _total, _note in said] == sorted(done for done, _total, _note in said)
    assert [note for _done, _total, note in said] == ["Checking the file"] * 3 + ["Writing"] * 3


def test_the_command_reports_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_scenarios", str(write_lines(tmp_path / "a.jsonl", [SCENARIO])), "--dataset=a", "--json")
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert report["created"] == 1
    assert report["dataset"] == "a"
