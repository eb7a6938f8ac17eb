"""All files of a release, into an empty folder. The same records, facts and names give the same bytes."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reviews.records import ItemRecord, RulingRecord
from reviews.release.card import card_of
from reviews.release.columns import tables_of
from reviews.release.counts import Tally
from reviews.release.documents import Facts, croissant_of, manifest_of, plain_json, text_of
from reviews.release.formats import TableFiles
from reviews.release.rows import Naming, Rows

MANIFEST = "manifest.json"


def build(
    folder: Path,
    *,
    facts: Facts,
    naming: Naming,
    records: Iterable[ItemRecord],
    rulings: Sequence[RulingRecord],
    agreement: Mapping[str, Any],
    passed: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Writes the files and returns the manifest, which is the last of them. passed: called after each item."""
    tables = tables_of(without_texts=facts.without_texts)
    files = {name: TableFiles(folder, table, levels=facts.levels) for name, table in tables.items()}
    rows, tally = Rows(naming=naming, scales=facts.scales, closed=facts.closed), Tally()
    for record in records:
        history = record.history()
        found = rows.of(record, history)
        tally.add(record, history, found["gold"])
        for name, written in found.items():
            files[name].write(written)
        passed()
    tally.add_rulings(rulings)
    files["rulings"].write([rows.ruling(ruling) for ruling in rulings])
    about: dict[str, dict[str, Any]] = {}
    for writer in files.values():
        writer.close()
        about |= {name: described(folder / name) | {"rows": writer.rows} for name in writer.names}
    _write(folder / "agreement.json", plain_json(agreement))
    _write(folder / "README.md", card_of(facts, tally=tally, agreement=agreement, tables=tables))
    about |= {name: described(folder / name) for name in ("agreement.json", "README.md")}
    _write(folder / "croissant.json", croissant_of(facts, tables=tables, files=about))
    about["croissant.json"] = described(folder / "croissant.json")
    manifest = manifest_of(facts, counts=tally.as_json(rows.dimensions), files=about)
    _write(folder / MANIFEST, text_of(manifest))
    return manifest


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def described(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"sha256": digest, "bytes": path.stat().st_size}


def is_intact(folder: Path, manifest: Mapping[str, Any]) -> bool:
    """Whether the files are those that the manifest names, to the byte."""
    path = folder / MANIFEST
    if not path.is_file() or path.read_bytes() != text_of(manifest).encode():
        return False
    for name, about in manifest["files"].items():
        file = folder / name
        if not file.is_file() or described(file)["sha256"] != about["sha256"]:
            return False
    return True
