from pathlib import Path

import pytest
from django.core.management import call_command

from scenarios.models import Companion, Response
from scenarios.services import ImportRefused, import_responses, import_scenarios
from tests.scenarios.samples import h2htalk_folder, response, rows, scenario, write_lines

pytestmark = pytest.mark.django_db
ODD = [
    "",
    " \n",
    "=1+1",
    "+86",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "＝SUM(A1)",
    "-1",
    "👩🏽‍🚀é",
    "a\r\nb\u2028c",
    " x ",
    "<b>x</b>",
]


def test_every_text_arrives_byte_for_byte(tmp_path: Path) -> None:
    import_scenarios(write_lines(tmp_path / "s.jsonl", [scenario(n) for n in range(len(ODD))]), dataset="odd")
    path = write_lines(
        tmp_path / "r.jsonl", [response(n, text=text) for n, text in enumerate(ODD)], end="\r\n", bom=True
    )
    report = import_responses(path, dataset="odd")
    assert (report.lines, report.created) == (len(ODD), len(ODD))
    assert [row.text for row in Response.objects.current().order_by("scenario__key")] == ODD


def test_the_lines_may_name_the_companion_and_the_condition(tmp_path: Path, harbour: str) -> None:
    lines = [response(1), response(1, condition="no_sap"), response(1, companion="org/wren 70%")]
    import_responses(write_lines(tmp_path / "r.jsonl", lines), dataset=harbour)
    assert {row.item_id for row in Response.objects.current().with_names()} == {
        "dialogue_schedule/q001/Heron 8B/sap",
        "dialogue_schedule/q001/Heron 8B/no_sap",
        "dialogue_schedule/q001/org%2Fwren 70%25/sap",
    }


def test_the_import_may_name_them_and_the_condition_is_without_sap_where_nobody_says(
    tmp_path: Path, harbour: str
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [{"key": "dialogue_schedule/q001", "text": "x"}])
    import_responses(path, dataset=harbour, companion="Wren")
    assert Response.objects.current().get().item_id == "dialogue_schedule/q001/Wren/no_sap"


def test_a_line_that_says_otherwise_than_the_import_is_a_fault(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1), response(2, companion="Wren")])
    with pytest.raises(ImportRefused, match=r"r.jsonl:2: the line says companion “Wren”, the import “Heron 8B”"):
        import_responses(path, dataset=harbour, companion="Heron 8B")
    with pytest.raises(ImportRefused, match=r"r.jsonl:1: the line says condition “sap”, the import “no_sap”"):
        import_responses(path, dataset=harbour, condition="no_sap")
    assert not Companion.objects.exists()


def test_somebody_must_say_who_answered(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [{"key": "dialogue_schedule/q001", "text": "x"}])
    with pytest.raises(ImportRefused, match=r"r.jsonl:1: which companion"):
        import_responses(path, dataset=harbour)


def test_a_folder_of_answers_meets_the_released_scenarios(tmp_path: Path) -> None:
    folder = h2htalk_folder(tmp_path / "data")
    import_scenarios(folder, dataset="released")
    report = import_responses(folder, dataset="released", companion="Wren", condition="sap")
    assert (report.created, report.blank) == (4, 1)
    assert Response.objects.current().filter(scenario__dataset__slug="released").count() == 4


def test_an_answer_to_an_unknown_scenario_is_refused(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1), response(77)])
    before = rows()
    with pytest.raises(ImportRefused, match=r"r.jsonl:2: the dataset has no scenario “dialogue_schedule/q077”"):
        import_responses(path, dataset=harbour)
    assert rows() == before


def test_the_same_file_again_changes_nothing_and_says_so(
    tmp_path: Path, harbour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1), response(2)])
    import_responses(path, dataset=harbour)
    before = rows()
    call_command("import_responses", str(path), dataset=harbour)
    assert "Nothing has changed" in capsys.readouterr().out
    assert rows() == before


def test_another_text_needs_a_new_version(tmp_path: Path, harbour: str) -> None:
    import_responses(write_lines(tmp_path / "r.jsonl", [response(1), response(2)]), dataset=harbour)
    changed = write_lines(tmp_path / "c.jsonl", [response(1), response(2, text="another")])
    with pytest.raises(ImportRefused, match=r"c.jsonl:2: “dialogue_schedule/q002/Heron 8B/sap” is in the dataset"):
        import_responses(changed, dataset=harbour)
    report = import_responses(changed, dataset=harbour, new_version=True)
    assert (report.unchanged, report.new_versions) == (1, 1)
    old, new = Response.objects.filter(scenario__key="dialogue_schedule/q002").order_by("version")
    assert (old.superseded, new.superseded, new.text, new.version) == (True, False, "another", 2)


def test_an_answer_stays_with_the_version_of_the_scenario_that_it_answered(tmp_path: Path, harbour: str) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1)])
    import_responses(path, dataset=harbour)
    import_scenarios(write_lines(tmp_path / "s.jsonl", [scenario(1, persona="—")]), dataset=harbour, new_version=True)
    assert import_responses(path, dataset=harbour).nothing_changed
    assert Response.objects.current().get().scenario.version == 1
    assert import_responses(path, dataset=harbour, new_version=True).new_versions == 1
    assert Response.objects.current().get().scenario.version == 2
    assert import_responses(path, dataset=harbour, new_version=True).nothing_changed


def test_one_companion_in_two_datasets_is_one(tmp_path: Path, harbour: str) -> None:
    import_scenarios(tmp_path / "harbour.jsonl", dataset="twin")
    path = write_lines(tmp_path / "r.jsonl", [response(1)])
    import_responses(path, dataset=harbour)
    import_responses(path, dataset="twin")
    assert Companion.objects.count() == 1
    assert Response.objects.current().count() == 2


def test_what_a_file_holds_beside_the_answer_is_ignored_and_said(
    tmp_path: Path, harbour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1, system="You are attached."), response(2, system="…")])
    call_command("import_responses", str(path), dataset=harbour)
    assert "ignored: system, 2 times" in capsys.readouterr().out
