#!/usr/bin/env python3
"""Front-end files from the npm registry into static/vendor, with licence and integrity. No bundler, no node_modules.

The pins live in vendor.json: a package's version, its integrity and which of its files go where. An empty integrity is
filled in when the package is first fetched, then compared for ever. Standard library only; fetching needs npm.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "requirements" / "vendor.json"
OUT = ROOT / "static" / "vendor"
MANIFEST = "MANIFEST.json"
LICENCE = re.compile(r"(LICEN[CS]E|NOTICE|OFL)(\.\w+)?", re.IGNORECASE)
# the map is not shipped: a pointer to it would be a 404, and a fault to Django's manifest of static files
SOURCE_MAP = re.compile(rb"\n?(//# sourceMappingURL=\S+|/\*# sourceMappingURL=.*?\*/)\s*$")


class Refused(RuntimeError):
    """A package is not what its pin says."""


def integrity(data: bytes, algorithm: str) -> str:
    return f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, data).digest()).decode()}"


def fetch() -> None:
    """Bring every pinned package's named files, and its licence, into static/vendor."""
    pins: dict[str, dict[str, Any]] = json.loads(PINS.read_text(encoding="utf-8"))
    manifest = {}
    for name, pin in pins.items():
        package = _pack(f"{name}@{pin['version']}")
        found = integrity(package, "sha512")
        if pin.get("integrity", found) not in ("", found):
            raise Refused(f"{name}@{pin['version']}: its integrity differs from the pin in {PINS.name}")
        pin["integrity"] = found
        for target, data in files_of(package, pin["files"], name).items():
            (OUT / target).parent.mkdir(parents=True, exist_ok=True)
            (OUT / target).write_bytes(data)
            about = {"package": name, "version": pin["version"], "sha384": integrity(data, "sha384")}
            manifest[target] = about
    PINS.write_text(json.dumps(pins, indent=2) + "\n", encoding="utf-8")
    (OUT / MANIFEST).write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def files_of(package: bytes, wanted: dict[str, str], name: str) -> dict[str, bytes]:
    """The wanted files of an npm package, by where they go, and its licence beside the first of them."""
    with tarfile.open(fileobj=io.BytesIO(package), mode="r:gz") as tar:
        members = {m.name.partition("/")[2]: m for m in tar.getmembers() if m.isfile()}
        folder = next(iter(wanted.values())).split("/")[0]
        licences = {m: f"{folder}/{m}" for m in members if LICENCE.fullmatch(m)}
        if not licences:
            raise Refused(f"{name}: the package ships no licence")
        found = {}
        for source, target in {**wanted, **licences}.items():
            if source not in members:
                raise Refused(f"{name}: the package has no {source}")
            content = tar.extractfile(members[source])
            assert content is not None
            data = content.read()
            found[target] = SOURCE_MAP.sub(b"\n", data) if target.endswith((".js", ".css")) else data
    return found


def faults() -> list[str]:
    """What in static/vendor is not as it was fetched. Needs no network."""
    file = OUT / MANIFEST
    if not file.is_file():
        return ["static/vendor has no manifest: ./run vendor"]
    manifest = json.loads(file.read_text(encoding="utf-8"))
    pins = json.loads(PINS.read_text(encoding="utf-8"))
    found = [
        f"static/vendor/{target} differs from what was fetched: ./run vendor"
        for target, about in manifest.items()
        if not (OUT / target).is_file() or integrity((OUT / target).read_bytes(), "sha384") != about["sha384"]
    ]
    present = {str(f.relative_to(OUT)) for f in OUT.rglob("*") if f.is_file()} - {MANIFEST}
    found += [f"static/vendor/{stray} was put there by hand" for stray in sorted(present - set(manifest))]
    fetched = {(about["package"], about["version"]) for about in manifest.values()}
    if fetched != {(name, pin["version"]) for name, pin in pins.items()}:
        found.append("static/vendor does not hold the versions of requirements/vendor.json: ./run vendor")
    return found


def sizes() -> list[str]:
    """One line a file that a browser loads: its size as it is and compressed."""
    lines = []
    for file in (f for f in sorted(OUT.rglob("*")) if f.suffix in {".js", ".css", ".woff2"}):
        data = file.read_bytes()
        plain, compressed = len(data) / 1024, len(gzip.compress(data)) / 1024
        lines.append(f"{file.relative_to(OUT)!s:40} {plain:7.1f} KB {compressed:7.1f} KB gz")
    return lines


def _pack(spec: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder, spec]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return (Path(folder) / Path(done.stdout.strip().splitlines()[-1]).name).read_bytes()
