"""Handing a release out: its files copied into a folder of one's own."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from reviews.errors import FolderNotEmpty
from reviews.release.build import MANIFEST, described, is_intact
from reviews.release.documents import text_of


def copy_release(files: Path, manifest: Mapping[str, Any], *, out: Path) -> None:
    """Copies the files byte for byte. An earlier export that lies there untouched is replaced; nothing else is.

    Raises FolderNotEmpty where out holds anything that no export wrote, OSError where it cannot be written.
    """
    names = [*manifest["files"], MANIFEST]
    if out.exists():
        if not out.is_dir():
            raise FolderNotEmpty(_("%(path)s is a file, not a folder.") % {"path": out})
        if is_intact(out, manifest) and {path.name for path in out.iterdir()} == set(names):
            return
        for path in _own(out):
            path.unlink()
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(files / name, out / name)


def _own(out: Path) -> list[Path]:
    """All files in the folder, if an export wrote every one of them and nobody changed one since."""
    found = sorted(out.iterdir())
    if not found:
        return []
    manifest = _manifest_in(out)
    known = manifest["files"] if manifest else {}
    for path in found:
        if manifest and path.name == MANIFEST:
            continue
        about = known.get(path.name)
        if about is None or not path.is_file() or described(path)["sha256"] != about["sha256"]:
            told = {"out": out, "name": path.name}
            raise FolderNotEmpty(
                _("%(out)s holds %(name)s, which no export wrote as it is. Name another folder.") % told
            )
    return found


def _manifest_in(out: Path) -> dict[str, Any] | None:
    """The manifest of an export, if it is one and unchanged."""
    try:
        text = (out / MANIFEST).read_text(encoding="utf-8")
        manifest = json.loads(text)
        same = isinstance(manifest.get("files"), dict) and text_of(manifest) == text
    except (OSError, ValueError, AttributeError):
        return None
    return manifest if same else None
