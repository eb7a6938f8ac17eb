"""An import that dies leaves nothing that anyone sees, and the sweep clears its rows away."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from scenarios.models import Companion, Dataset, Import, Response, Scenario
from scenarios.services import ImportLost, import_responses, import_scenarios, sweep_imports
from tests.scenarios.samples import response, rows, scenario, write_lines

ROOT = Path(__file__).parents[2]


class Killed(BaseException):
    """Stands for a power cut: nothing may run after it."""


@pytest.fixture
def power_cut(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A `progress` at whose second batch of writing the import dies, with no chance to clear up."""
    monkeypatch.setattr("scenarios.services.importing.give_up", lambda arrival: None)

    def progress(done: int, total: int, note: str = "") -> None:
        seen.append(note)
        if seen.count("Writing") == 2:
            raise Killed

    seen: list[str] = []
    return progress


def much(path: Path, make: Callable[[int], object], lines: int = 1600) -> Path:
    return write_lines(path, [make(number) for number in range(1, lines + 1)])


@pytest.mark.django_db
def test_its_rows_are_not_seen_and_the_sweep_clears_all_of_it(tmp_path: Path, power_cut: Callable[..., None]) -> None:
    before = rows()
    with pytest.raises(Killed):
        import_scenarios(much(tmp_path / "s.jsonl", scenario), dataset="cut", progress=power_cut)
    assert Scenario.objects.count() == 1000
    assert not Scenario.objects.current().exists()
    assert not Dataset.objects.established().exists()
    assert sweep_imports() == []  # it may be alive
    assert len(sweep_imports(now=timezone.now() + timedelta(minutes=3))) == 1
    assert rows() == before


@pytest.mark.django_db
def test_a_dataset_that_was_there_stays_and_its_history_tells(
    tmp_path: Path, harbour: str, power_cut: Callable[..., None]
) -> None:
    path = write_lines(tmp_path / "r.jsonl", [response(1, companion=f"c{number}") for number in range(1600)])
    with pytest.raises(Killed):
        import_responses(path, dataset=harbour, progress=power_cut)
    assert Companion.objects.count() == 1600
    sweep_imports(now=timezone.now() + timedelta(minutes=3))
    assert not Response.objects.exists()
    assert not Companion.objects.exists()
    assert Import.objects.get(kind="responses").state == Import.State.FAILED
    assert Scenario.objects.current().count() == 3


@pytest.mark.django_db
def test_the_next_import_clears_a_dead_one_away_itself(tmp_path: Path, power_cut: Callable[..., None]) -> None:
    path = much(tmp_path / "s.jsonl", scenario)
    with pytest.raises(Killed):
        import_scenarios(path, dataset="cut", progress=power_cut)
    Import.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=3))
    assert import_scenarios(path, dataset="cut").created == 1600
    assert Scenario.objects.current().count() == Scenario.objects.count() == 1600


@pytest.mark.django_db
def test_one_that_was_only_slow_finds_that_it_was_given_up(tmp_path: Path) -> None:
    before = rows()

    def sleep_through_the_sweep(done: int, total: int, note: str = "") -> None:
        if note == "Writing":
            sweep_imports(now=timezone.now() + timedelta(minutes=3))

    with pytest.raises(ImportLost):
        import_scenarios(much(tmp_path / "s.jsonl", scenario), dataset="cut", progress=sleep_through_the_sweep)
    assert rows() == before


@pytest.mark.servers
def test_kill_9_of_a_real_import(tmp_path: Path) -> None:
    file = tmp_path / "db.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{file}", "DJANGO_SETTINGS_MODULE": "config.settings"}

    def manage(*arguments: str) -> list[str]:
        return [sys.executable, str(ROOT / "manage.py"), *arguments]

    def ask(statement: str) -> int:
        with sqlite3.connect(file, timeout=20) as link:
            answer = link.execute(statement).fetchone()
        return int(answer[0]) if answer else 0

    subprocess.run(manage("migrate", "--verbosity=0"), env=environment, cwd=ROOT, check=True)
    command = manage("import_scenarios", str(much(tmp_path / "s.jsonl", scenario, 12_000)), "--dataset=cut")
    process = subprocess.Popen(command, env=environment, cwd=ROOT)
    end = time.monotonic() + 60
    while not ask("SELECT count(*) FROM scenarios_scenario") and time.monotonic() < end:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 0 < ask("SELECT count(*) FROM scenarios_scenario") < 12_000
    assert ask("SELECT count(*) FROM scenarios_import WHERE state = 'done'") == 0
    with sqlite3.connect(file) as link:
        link.execute("UPDATE scenarios_import SET heartbeat_at = datetime('now', '-3 minutes')")
    sweep = "from scenarios.services import sweep_imports; sweep_imports()"
    subprocess.run(manage("shell", "-v0", "-c", sweep), env=environment, cwd=ROOT, check=True)
    for table in ("scenario", "import", "dataset"):
        assert ask(f"SELECT count(*) FROM scenarios_{table}") == 0
    again = subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "12000 created" in again.stdout
