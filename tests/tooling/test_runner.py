"""./run test says what ran, and loudly what did not."""

from collections import Counter
from pathlib import Path

import pytest

from tests import runner

pytestmark = pytest.mark.pure


def outcome(name: str = "SQLite", code: int = 0, **counts: int) -> runner.Outcome:
    skipped = Counter({"no Chromium": counts.pop("skipped", 0)})
    return runner.Outcome(name=name, code=code, seconds=1.0, skipped=+skipped, **counts)


def test_a_choice_of_marks_is_joined_to_the_second_passs_own() -> None:
    assert runner.only("not browser", ["tests/jobs", "-q"]) == ["tests/jobs", "-q", "-m", "(not browser)"]
    assert runner.only("not browser", ["-m", "slow or pure"])[-1] == "(not browser) and (slow or pure)"
    assert runner.only("not browser", ["-mslow", "--maxfail=1"]) == ["--maxfail=1", "-m", "(not browser) and (slow)"]


def test_both_passes_are_added_up_in_the_closing_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.tell([outcome(passed=3, skipped=2), outcome("PostgreSQL", passed=2)], []) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "5 passed, 0 failed, 2 skipped"


def test_what_was_skipped_is_told_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    runner.tell([outcome(passed=3, skipped=2), outcome("PostgreSQL", passed=2)], [])
    assert "SKIPPED 2 tests: no Chromium" in capsys.readouterr().out


def test_a_pass_that_could_not_be_run_is_told_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.tell([outcome(passed=3)], ["no Redis server", "no PostgreSQL server: apt-get install it"]) == 0
    assert "PostgreSQL  NOT RUN: no PostgreSQL server: apt-get install it" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([outcome(passed=3), outcome("PostgreSQL", code=1, passed=2, failed=1)], 1),
        ([outcome(code=1, failed=1), outcome("PostgreSQL", passed=2)], 1),
        ([outcome(passed=3), outcome("PostgreSQL", code=runner.NOTHING_RAN)], 0),
        ([outcome(code=runner.NOTHING_RAN), outcome("PostgreSQL", code=runner.NOTHING_RAN)], 1),
        ([outcome(passed=3), outcome("PostgreSQL", code=3)], 1),
    ],
)
def test_the_run_is_good_when_something_ran_and_nothing_failed(outcomes: list[runner.Outcome], code: int) -> None:
    assert runner.tell(outcomes, []) == code


def test_servers_nobody_wants_are_not_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    monkeypatch.setenv("TEST_REDIS_URL", "redis://127.0.0.1:1/0")
    with runner.servers(wanted=False) as env:
        assert "--no-services" in env["WHY_NO_POSTGRES"]
        assert env["TEST_REDIS_URL"] == "redis://127.0.0.1:1/0"


def test_a_server_that_is_not_here_is_a_reason_and_no_failure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing() -> None:
        raise runner.Missing("no PostgreSQL server: apt-get install -y postgresql")

    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    monkeypatch.setenv("TEST_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setattr(runner, "Postgres", missing)
    with runner.servers(wanted=True) as env:
        assert env["WHY_NO_POSTGRES"] == "no PostgreSQL server: apt-get install -y postgresql"


def test_without_root_the_packages_are_named_and_nothing_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "PROGRAMS", {"chromium": lambda: False, "redis-server": lambda: True})
    monkeypatch.setattr(runner.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(runner.subprocess, "run", lambda *_, **__: pytest.fail("something was run"))
    runner.install_programs()
    assert "apt-get install -y chromium" in capsys.readouterr().out
