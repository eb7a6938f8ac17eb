"""The locks install the same on every machine, and are what was asked for."""

from pathlib import Path

import pytest

from requirements import environment

pytestmark = pytest.mark.pure
ENTRY = "django==5.2.19 \\\n    --hash=sha256:abc\n    # via -r base.in\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(environment, "HERE", tmp_path)
    (tmp_path / "base.in").write_text("django\n")
    (tmp_path / "demo.in").write_text("# what the demo needs\n-r base.in\n")
    return tmp_path


def write_lock(folder: Path, body: str) -> None:
    (folder / "demo.txt").write_text(f"{environment.INPUTS_LINE}{environment.inputs_hash('demo')}\n{body}")


def test_a_fresh_lock_has_no_fault(folder: Path) -> None:
    write_lock(folder, ENTRY)
    assert environment.faults_of_lock("demo") == []


def test_a_missing_lock_is_said(folder: Path) -> None:
    assert "is missing" in environment.faults_of_lock("demo")[0]


def test_a_package_added_to_an_included_file_makes_the_lock_old(folder: Path) -> None:
    write_lock(folder, ENTRY)
    (folder / "base.in").write_text("django\npandas\n")
    assert "was not made from requirements/demo.in as it is now" in environment.faults_of_lock("demo")[0]


def test_a_comment_does_not_make_the_lock_old(folder: Path) -> None:
    write_lock(folder, ENTRY)
    (folder / "base.in").write_text("# the frame\n\ndjango  # long-term release\n")
    assert environment.faults_of_lock("demo") == []


@pytest.mark.parametrize("line", ["--index-url https://index.example/simple", "--find-links wheels", "-f wheels"])
def test_a_place_to_download_from_is_refused(folder: Path, line: str) -> None:
    write_lock(folder, f"{line}\n{ENTRY}")
    assert "names a place to download from" in environment.faults_of_lock("demo")[0]


def test_a_package_without_hash_is_named(folder: Path) -> None:
    write_lock(folder, f"amqp==5.4.2\n    # via kombu\n{ENTRY}")
    assert environment.faults_of_lock("demo") == ["requirements/demo.txt has no hash for amqp"]


def test_this_checkouts_locks_have_no_fault() -> None:
    assert [fault for lock in environment.HOMES for fault in environment.faults_of_lock(lock)] == []


def test_wider_locks_keep_the_narrower_ones_versions() -> None:
    def pins(lock: str) -> set[str]:
        text = (environment.HERE / f"{lock}.txt").read_text(encoding="utf-8")
        return {line.removesuffix("\\").strip() for line in text.splitlines() if "==" in line and line[0] != " "}

    assert pins("demo") <= pins("test") <= pins("dev")


def test_installing_leaves_the_machines_own_pip_settings_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_CONSTRAINT", "/etc/constraints.txt")
    monkeypatch.setenv("PIP_INDEX_URL", "mirror")
    seen = environment._environment()
    assert "PIP_CONSTRAINT" not in seen
    assert seen["PIP_INDEX_URL"] == "mirror"
