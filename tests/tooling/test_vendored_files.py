"""What a browser loads is what its makers published, with their licence."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from requirements import vendor

pytestmark = pytest.mark.pure


def package(**files: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name.replace('__', '/').replace('_', '.')}")
            entry.size = len(text.encode())
            tar.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(vendor, "OUT", tmp_path / "vendor")
    monkeypatch.setattr(vendor, "PINS", tmp_path / "vendor.json")
    monkeypatch.setattr(vendor, "_pack", lambda spec: package(dist__x_js="let x = 1", LICENSE="MIT"))
    vendor.PINS.write_text(json.dumps({"x": {"version": "1.0.0", "files": {"dist/x.js": "x/x.js"}}}))
    vendor.fetch()
    return vendor.OUT


def test_files_and_licence_are_fetched_and_the_integrity_is_pinned(fetched: Path) -> None:
    assert (fetched / "x" / "x.js").read_text() == "let x = 1"
    assert (fetched / "x" / "LICENSE").read_text() == "MIT"
    assert json.loads(vendor.PINS.read_text())["x"]["integrity"].startswith("sha512-")
    assert vendor.faults() == []


def test_another_package_under_the_same_version_is_refused(fetched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendor, "_pack", lambda spec: package(dist__x_js="let x = 2", LICENSE="MIT"))
    with pytest.raises(vendor.Refused, match="its integrity differs"):
        vendor.fetch()
    assert vendor.faults() == []


def test_an_edited_file_is_noticed(fetched: Path) -> None:
    (fetched / "x" / "x.js").write_text("let x = 2")
    assert vendor.faults() == ["static/vendor/x/x.js differs from what was fetched: ./run vendor"]


def test_a_lost_file_is_noticed(fetched: Path) -> None:
    (fetched / "x" / "LICENSE").unlink()
    assert vendor.faults() == ["static/vendor/x/LICENSE differs from what was fetched: ./run vendor"]


def test_a_file_put_there_by_hand_is_noticed(fetched: Path) -> None:
    (fetched / "y.js").write_text("let y")
    assert vendor.faults() == ["static/vendor/y.js was put there by hand"]


def test_a_new_pin_that_was_not_fetched_is_noticed(fetched: Path) -> None:
    pins = json.loads(vendor.PINS.read_text())
    pins["x"]["version"] = "1.1.0"
    vendor.PINS.write_text(json.dumps(pins))
    assert "does not hold the versions" in vendor.faults()[0]


def test_a_package_without_licence_is_refused() -> None:
    with pytest.raises(vendor.Refused, match="ships no licence"):
        vendor.files_of(package(x_js="let x"), {"x.js": "x/x.js"}, "x")


def test_a_file_the_package_has_not_is_named() -> None:
    with pytest.raises(vendor.Refused, match=r"has no y\.js"):
        vendor.files_of(package(x_js="let x", LICENSE="MIT"), {"y.js": "x/y.js"}, "x")


@pytest.mark.parametrize("pointer", ["//# sourceMappingURL=x.js.map", "/*# sourceMappingURL=x.css.map */"])
def test_a_pointer_to_a_source_map_is_taken_out(pointer: str) -> None:
    found = vendor.files_of(package(x_js=f"let x\n{pointer}\n", LICENSE="MIT"), {"x.js": "x/x.js"}, "x")
    assert found["x/x.js"] == b"let x\n"


def test_this_checkouts_vendored_files_have_no_fault() -> None:
    assert vendor.faults() == []
