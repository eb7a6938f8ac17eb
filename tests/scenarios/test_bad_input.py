"""Each kind of bad file, by command and by job: one line that says where and why, and nothing has changed."""

import gzip
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import User
from jobs.models import Job
from jobs.runner import run
from jobs.services import enqueue
from scenarios import tasks  # noqa: F401  (registers the handlers, as a worker does)
from scenarios.models import Import
from tests.scenarios.samples import h2htalk_folder, response, rows, scenario, write_lines

pytestmark = pytest.mark.django_db
Make = Callable[[Path], Path]


def lines(*records: Any) -> Make:
    return lambda folder: write_lines(folder / "bad.jsonl", list(records))


def raw(content: bytes) -> Make:
    def make(folder: Path) -> Path:
        (folder / "bad.jsonl").write_bytes(content)
        return folder / "bad.jsonl"

    return make


def zipped(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "bad.jsonl", "w") as archive:
        archive.writestr("a.jsonl", "{}")
    return folder / "bad.jsonl"


def stray(folder: Path) -> Path:
    write_lines(h2htalk_folder(folder / "data") / "dialogue_bsae.jsonl", [{"response": "x"}])
    return folder / "data"


def bad_in_folder(folder: Path) -> Path:
    write_lines(h2htalk_folder(folder / "data") / "itinerary_basic.jsonl", [{"response": "x"}, {"respnse": "x"}])
    return folder / "data"


def empty_in_folder(folder: Path) -> Path:
    (h2htalk_folder(folder / "data") / "itinerary_basic.jsonl").touch()
    return folder / "data"


def without_tasks(folder: Path) -> Path:
    (folder / "data").mkdir()
    write_lines(folder / "data" / "scenarios.jsonl", [scenario(5)])
    return folder / "data"


LONG = b'{"key": "a", "task": "dialogue_base", "persona": "' + b"x" * (10 * 1024 * 1024) + b'"}'
SCENARIOS: dict[str, tuple[Make, str]] = {
    "truncated line": (lines(scenario(5), json.dumps(scenario(6)).encode()[:-30]), "bad.jsonl:2: the line is cut"),
    "wrong encoding": (lines(scenario(5), '{"key": "中文"}'.encode("gb18030")), "bad.jsonl:2: not UTF-8 at byte 10"),
    "escaped NUL": (lines(scenario(5), scenario(6, reference="a\0b")), "bad.jsonl:2: a text holds an escaped NUL"),
    "lone surrogate": (lines(scenario(5), b'{"key": "\\ud83d"}'), "bad.jsonl:2: a text holds half of a surrogate"),
    "missing key": (lines(scenario(5), {"task": "dialogue_base"}), "bad.jsonl:2: “key” is missing"),
    "missing task": (lines(scenario(5), {"key": "a"}), "bad.jsonl:2: “task” is missing"),
    "unknown task": (lines(scenario(5), scenario(6, task="chat")), "bad.jsonl:2: unknown task “chat”"),
    "10 MB line": (lines(scenario(5), LONG), "bad.jsonl:2: the line is longer than 1 MiB"),
    "zip": (zipped, "bad.jsonl:1: this is a ZIP archive"),
    "gzip": (raw(gzip.compress(b"{}")), "bad.jsonl:1: this is a gzip file"),
    "UTF-16": (raw('{"key": "a"}'.encode("utf-16")), "bad.jsonl:1: this is UTF-16"),
    "empty file": (raw(b""), "bad.jsonl:1: the file is empty"),
    "blank lines only": (raw(b"\n \r\n\n"), "bad.jsonl:1: the file is empty"),
    "duplicate key": (lines(scenario(5), scenario(6), scenario(5)), "bad.jsonl:3: “dialogue_schedule/q005” is there"),
    "key twice in an object": (lines(b'{"key": "a", "key": "b"}'), "bad.jsonl:1: “key” stands twice"),
    "other content": (lines(scenario(5), scenario(1, persona="x")), "bad.jsonl:2: “dialogue_schedule/q001” is in"),
    "not finite": (lines(scenario(5), b'{"key": "a", "tags": {"x": NaN}}'), "bad.jsonl:2: NaN"),
    "no object": (lines(scenario(5), [1]), "bad.jsonl:2: expected a JSON object"),
    "no format": (lines({"text": "x"}), "bad.jsonl:1: no known format"),
    "stray file": (stray, "dialogue_bsae.jsonl:1: named after none of the eleven tasks"),
    "bad line in a folder": (bad_in_folder, "itinerary_basic.jsonl:2: none of “response”"),
    "empty file in a folder": (empty_in_folder, "itinerary_basic.jsonl:1: the file is empty"),
    "folder without task files": (without_tasks, "data: no TASK.jsonl file is in this folder"),
    "no such path": (lambda folder: folder / "gone.jsonl", "gone.jsonl: there is no such file"),
}  # fmt: skip
RESPONSES: dict[str, tuple[Make, str]] = {
    "truncated line": (lines(response(1), b'{"key": "dialogue_sch'), "bad.jsonl:2: the line is cut short"),
    "escaped NUL": (lines(response(1), response(2, text="a\0")), "bad.jsonl:2: a text holds an escaped NUL"),
    "missing text": (lines(response(1), {"key": "dialogue_schedule/q002"}), "bad.jsonl:2: “text” is missing"),
    "no text": (lines(response(1), response(2, text=None)), "bad.jsonl:2: “text” must be a text"),
    "unknown condition": (lines(response(1), response(2, condition="SAP")), "bad.jsonl:2: unknown condition “SAP”"),
    "unknown scenario": (lines(response(1), response(9)), "bad.jsonl:2: the dataset has no scenario"),
    "duplicate": (lines(response(1), response(1)), "bad.jsonl:2: “dialogue_schedule/q001/Heron 8B/sap” is there"),
    "empty file": (raw(b""), "bad.jsonl:1: the file is empty"),
    "folder without task files": (without_tasks, "data: no TASK.jsonl file is in this folder"),
}


def both(argument: str) -> Any:
    cases = [("import_scenarios", *case) for case in SCENARIOS.values()]
    cases += [("import_responses", *case) for case in RESPONSES.values()]
    names = [f"scenarios: {name}" for name in SCENARIOS] + [f"responses: {name}" for name in RESPONSES]
    return pytest.mark.parametrize(argument, cases, ids=names)


@both("kind, make, said")
def test_the_command_names_the_line_and_changes_nothing(
    tmp_path: Path, harbour: str, kind: str, make: Make, said: str
) -> None:
    (tmp_path / "in").mkdir()
    path = make(tmp_path / "in")
    before = rows()
    with pytest.raises(CommandError) as refusal:
        call_command(kind, str(path), dataset=harbour)
    first = str(refusal.value).splitlines()[0]
    assert first.startswith(said)
    assert first.endswith("Nothing was imported.")
    assert refusal.value.returncode == 1
    assert rows() == before


@both("kind, make, said")
def test_a_job_fails_with_the_same_words_and_changes_nothing_else(
    tmp_path: Path, harbour: str, site_manager: User, settings: Any, kind: str, make: Make, said: str
) -> None:
    folder = Path(settings.MEDIA_ROOT) / "uploads" / ("0" * 32)
    folder.mkdir(parents=True)
    path = make(folder)
    as_folder = path.is_dir()
    if as_folder:  # what a browser sends of a folder lies flat
        for file in path.iterdir():
            file.rename(folder / file.name)
        path.rmdir()
        said = said.removeprefix("data: ")
    job = enqueue(
        kind=kind,
        arguments={"upload": "0" * 32, "as_folder": as_folder, "dataset": harbour},
        by=site_manager,
    )
    before = rows()
    assert run(job.pk)
    done = Job.objects.get(pk=job.pk)
    assert done.state == Job.State.FAILED
    assert done.result["faults"][0]["reason"] in done.error
    if path.name != "gone.jsonl":
        assert said in done.error
    assert rows() == before


def test_an_unknown_dataset_is_named(tmp_path: Path, harbour: str) -> None:
    before = rows()
    path = write_lines(tmp_path / "r.jsonl", [response(1)])
    with pytest.raises(CommandError, match="there is no dataset “harbor”: import its scenarios first"):
        call_command("import_responses", str(path), dataset="harbor")
    assert rows() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dataset": "no good"}, "“no good” cannot be a dataset's short name"),
        ({"dataset": "import"}, "“import” is an address of Concord's own"),
        ({"dataset": "a", "task": "chat"}, "unknown task “chat”"),
        ({"dataset": "a", "language": "中文"}, "“中文” is not a language tag"),
    ],
)
def test_a_bad_option_is_named(tmp_path: Path, options: dict[str, str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("import_scenarios", str(write_lines(tmp_path / "s.jsonl", [scenario(1)])), **options)
    assert not any(count for name, count in rows().items() if name.startswith("scenarios."))


def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_lines(tmp_path / "s.jsonl", [scenario(1)])

    def refuse(self: Path, *_args: Any, **_more: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CommandError, match=r"s.jsonl: cannot be read: Permission denied"):
        call_command("import_scenarios", str(path), dataset="a")


def test_many_faults_are_counted_on_the_first_line_and_twenty_are_listed(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", [scenario(1), *[b"{"] * 30])
    with pytest.raises(CommandError) as refusal:
        call_command("import_scenarios", str(path), dataset="a")
    said = str(refusal.value).splitlines()
    assert (
        said[0] == "s.jsonl:2: the line is cut short: its JSON does not end (and 29 more faults). Nothing was imported."
    )
    assert len(said) == 22
    assert said[-1].strip() == "and 10 more"


def test_json_says_of_a_refusal_what_was_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_lines(tmp_path / "s.jsonl", [scenario(1), b"{"])
    with pytest.raises(CommandError):
        call_command("import_scenarios", str(path), "--dataset=a", "--json")
    said = json.loads(capsys.readouterr().out)
    assert said["total"] == 1
    assert said["faults"][0]["line"] == 2


def test_skipping_bad_lines_takes_the_rest_and_reports_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_lines(tmp_path / "s.jsonl", [scenario(1), scenario(2, reference="\0"), b"{", scenario(3)])
    call_command("import_scenarios", str(path), "--dataset=a", "--skip-invalid")
    said = capsys.readouterr().out
    assert "2 created" in said
    assert "left out: s.jsonl:2: a text holds an escaped NUL" in said
    assert "left out: s.jsonl:3: the line is cut short" in said


@pytest.mark.parametrize("make", [raw(b""), zipped, raw(b"{\n{\n")])
def test_skipping_does_not_help_where_nothing_is_left(tmp_path: Path, make: Make) -> None:
    before = rows()
    with pytest.raises(CommandError, match=r"bad.jsonl:1"):
        call_command("import_scenarios", str(make(tmp_path)), "--dataset=a", "--format=concord", "--skip-invalid")
    assert rows() == before


def test_a_file_whose_name_is_no_text_is_taken_under_one_that_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\n.jsonl"))
    write_lines(path, [scenario(1)])
    call_command("import_scenarios", str(path), "--dataset=a", "--json")
    assert json.loads(capsys.readouterr().out)["file"] == "��.jsonl"
    assert Import.objects.get().source == "��.jsonl"
    with pytest.raises(CommandError, match=r"^��.jsonl:2: "):
        call_command("import_scenarios", str(write_lines(path, [scenario(1), b"{"])), "--dataset=a")
