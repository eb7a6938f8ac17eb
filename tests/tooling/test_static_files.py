"""The pages' own scripts name each other by hashed names, so that a browser may keep every one of them for ever."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage

from config.storage import HashedModulesStorage

pytestmark = pytest.mark.pure
STATIC = Path(__file__).resolve().parents[2] / "static"
# wider than Django's own patterns: what these find and those miss would stay unhashed
IMPORTED = re.compile(r"""(?:^\s*(?:import|export)\b[^"';]*|\bimport\s*\(\s*)["'](\.[^"']+)["']""", re.MULTILINE)
HASHED = re.compile(r"\.[0-9a-f]{12}\.js$")


def imports_of(text: str) -> list[str]:
    return IMPORTED.findall(text)


def collect(source: Path, target: Path) -> HashedModulesStorage:
    """What collectstatic makes of our own files."""
    shutil.copytree(source, target)
    kept, found = HashedModulesStorage(location=target), StaticFilesStorage(location=source)
    names = [str(path.relative_to(source)) for path in source.rglob("*") if path.is_file()]
    for _name, _hashed, processed in kept.post_process({name: (found, name) for name in names}):
        if isinstance(processed, Exception):
            raise processed
    return kept


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> HashedModulesStorage:
    return collect(STATIC, tmp_path_factory.mktemp("static") / "kept")


def scripts(kept: HashedModulesStorage) -> Iterator[tuple[str, Path]]:
    for name, hashed in kept.hashed_files.items():
        if name.startswith("js/"):
            yield name, Path(kept.path(hashed))


def test_every_import_names_a_hashed_file_that_is_there(kept: HashedModulesStorage) -> None:
    wrong = []
    for name, file in scripts(kept):
        named = imports_of(file.read_text(encoding="utf-8"))
        wrong += [f"{name}: {path}" for path in named if not HASHED.search(path) or not (file.parent / path).is_file()]
    assert not wrong


def test_no_import_is_lost_on_the_way(kept: HashedModulesStorage) -> None:
    for name, file in scripts(kept):
        before = imports_of((STATIC / name).read_text(encoding="utf-8"))
        after = [HASHED.sub(".js", named) for named in imports_of(file.read_text(encoding="utf-8"))]
        assert after == before, name


def test_a_module_has_one_name_whoever_imports_it(kept: HashedModulesStorage) -> None:
    """Two names would be two modules, each with a state of its own."""
    names = {str(file.resolve()) for _name, file in scripts(kept)}
    for name, file in scripts(kept):
        for named in imports_of(file.read_text(encoding="utf-8")):
            assert str((file.parent / named).resolve()) in names, f"{name} imports an older {named}"


def test_vendored_files_are_left_as_they_were_published(kept: HashedModulesStorage) -> None:
    vendored = [name for name in kept.hashed_files if name.startswith("vendor/") and name.endswith(".js")]
    assert vendored
    for name in vendored:
        assert Path(kept.path(kept.hashed_files[name])).read_bytes() == (STATIC / name).read_bytes()


def test_every_way_to_write_an_import_is_understood(tmp_path: Path) -> None:
    written = """// import nothing from "./of/a/comment", it says
import {
  one, // a comment (of its own), or two
  two,
} from "../parts/b.js";
import * as all from '../parts/b.js';
import "../parts/b.js";
export { one } from "../parts/b.js";
export const path = "./no/import.js";
import { two } from
  "../parts/b.js"
const later = () => import("../parts/b.js");
"""
    for name, text in {"js/pages/a.js": written, "js/parts/b.js": "export const one = 1, two = 2;\n"}.items():
        (tmp_path / "source" / name).parent.mkdir(parents=True)
        (tmp_path / "source" / name).write_text(text)
    kept = collect(tmp_path / "source", tmp_path / "target")
    text = Path(kept.path(kept.hashed_files["js/pages/a.js"])).read_text()
    assert text.count(f"../{kept.hashed_files['js/parts/b.js'].removeprefix('js/')}") == 6
    assert '"./of/a/comment", it says' in text
    assert 'path = "./no/import.js"' in text
    assert "/b.js" not in text
