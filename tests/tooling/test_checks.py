"""The small checks of ./run lint notice what they are there for."""

from pathlib import Path

import polib
import pytest

from requirements import checks

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    "licence", ["MIT", "BSD-3-Clause AND 0BSD AND CC0-1.0", "Proprietary OR Apache-2.0", "(MIT AND PSF-2.0)"]
)
def test_a_licence_that_gpl_3_may_take_in(licence: str) -> None:
    assert checks.may_be_part(licence)


@pytest.mark.parametrize("licence", ["GPL-2.0-only", "MIT AND Proprietary", "SSPL-1.0", "BUSL-1.1", ""])
def test_a_licence_that_gpl_3_may_not_take_in(licence: str) -> None:
    assert not checks.may_be_part(licence)


def test_all_that_concord_runs_on_may_be_given_away_under_its_licence() -> None:
    assert checks.licences() == []


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    folder = tmp_path / "config" / "locale" / "zh_Hans" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = polib.POFile()
    source.append(polib.POEntry(msgid="Save", msgstr="保存"))
    source.append(polib.POEntry(msgid="%d item", msgid_plural="%d items", msgstr_plural={0: "%d 条"}))
    source.append(polib.POEntry(msgid="Not yet", msgstr=""))
    source.save(str(folder / "django.po"))
    source.save_as_mofile(str(folder / "django.mo"))
    return folder / "django.po"


def test_a_compiled_catalogue_that_says_what_its_source_says(catalogue: Path) -> None:
    assert checks.languages() == []


def test_a_translation_changed_after_compiling_is_noticed(catalogue: Path) -> None:
    catalogue.write_text(catalogue.read_text(encoding="utf-8").replace("保存", "存储"), encoding="utf-8")
    assert "says something else than its .mo" in checks.languages()[0]


def test_a_catalogue_never_compiled_is_noticed(catalogue: Path) -> None:
    catalogue.with_suffix(".mo").unlink()
    assert "was never compiled" in checks.languages()[0]


def test_a_file_too_long_to_read_in_one_go_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"annotation/views.py": 300, "annotation/urls.py": 299, "jobs/migrations/0001.py": 900, "README.md": 900}
    for name, lines in names.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("\n" * lines)
    checks.subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    assert checks.lengths() == ["annotation/views.py has 300 lines: divide it"]
