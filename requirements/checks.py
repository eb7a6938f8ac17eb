"""The small checks of `./run lint`: locks, vendored files, licences, compiled languages, file lengths.

Each check returns what is wrong, one sentence a fault. Runs in the environment of the dev lock.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import polib

from requirements import environment, vendor

ROOT = environment.ROOT
LONGEST = 300
COUNTED = {".py", ".js", ".css", ".html"}
NOT_COUNTED = re.compile(r"(^|/)(migrations|vendor)/")
# licences whose work may be part of one under GPL-3.0-or-later
COMPATIBLE = {
    *("MIT", "MIT License", "MIT-0", "ISC", "ISC License (ISCL)", "0BSD", "Zlib", "Unlicense", "HPND"),
    *("BSD", "New BSD", "BSD License", "BSD-2-Clause", "BSD-3-Clause", "BSD 2-Clause", "BSD 3-Clause"),
    *("Apache 2.0", "Apache-2.0", "Apache Software License", "PSF-2.0", "Python Software Foundation License"),
    *("MPL-2.0", "Mozilla Public License 2.0 (MPL 2.0)", "CC0-1.0", "CC-BY-4.0"),
    *("LGPL-2.1-or-later", "LGPL-3.0-only", "LGPL-3.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later"),
}


def locks() -> list[str]:
    return [fault for lock in environment.HOMES for fault in environment.faults_of_lock(lock)]


def licences() -> list[str]:
    """Everything that Concord runs on may be given away under its own licence, GPL-3.0-or-later."""
    lock = (ROOT / "requirements" / "demo.txt").read_text(encoding="utf-8")
    faults = []
    for name in sorted(set(re.findall(r"^([\w.-]+)==", lock, re.MULTILINE))):
        try:
            said = licences_of(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another platform or Python
        if not any(may_be_part(licence) for licence in said):
            faults.append(f"{name} has a licence that GPL-3.0 may not take in: {', '.join(said) or 'none said'}")
    return faults


def licences_of(package: str) -> list[str]:
    """What a package says of its licence, in each of the three places where it may."""
    about = importlib.metadata.metadata(package)
    said = [about.get("License-Expression") or "", (about.get("License") or "").strip().split("\n")[0]]
    said += [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or [] if c.startswith("License :: ")]
    return [licence for licence in dict.fromkeys(said) if licence]


def may_be_part(licence: str) -> bool:
    """Whether a licence expression (A AND B, A OR B) can be met within GPL-3.0-or-later."""
    choices = re.split(r"\s+OR\s+", licence.strip("()"))
    return any(all(part.strip("() ") in COMPATIBLE for part in re.split(r"\s+AND\s+", c)) for c in choices)


def languages() -> list[str]:
    """A bare clone has no gettext, so compiled catalogues are committed: each must be what its source compiles to."""
    faults = []
    for source in sorted((ROOT / "config" / "locale").glob("*/LC_MESSAGES/*.po")):
        compiled, name = source.with_suffix(".mo"), source.relative_to(ROOT)
        if not compiled.is_file():
            faults.append(f"{name} was never compiled: msgfmt -o {compiled.relative_to(ROOT)} {name}")
        elif _messages(polib.pofile(str(source))) != _messages(polib.mofile(str(compiled))):
            faults.append(f"{name} says something else than its .mo: msgfmt -o {compiled.relative_to(ROOT)} {name}")
    return faults


def _messages(catalogue: polib.POFile | polib.MOFile) -> dict[tuple[str | None, str], tuple[str, dict[int, str]]]:
    said = catalogue.translated_entries()
    return {(entry.msgctxt, entry.msgid): (entry.msgstr, dict(entry.msgstr_plural)) for entry in said}


def lengths() -> list[str]:
    """A file is read in one go."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    counted = [n for n in names if (Path(n).suffix in COUNTED or n == "run") and not NOT_COUNTED.search(n)]
    lines = {n: (ROOT / n).read_bytes().count(b"\n") for n in counted if (ROOT / n).is_file()}
    return [f"{name} has {count} lines: divide it" for name, count in lines.items() if count >= LONGEST]


CHECKS = {
    "locks": locks,
    "vendored files": vendor.faults,
    "licences": licences,
    "languages": languages,
    "lengths": lengths,
}


def main() -> int:
    faults = [f"{name}: {fault}" for name, check in CHECKS.items() for fault in check()]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
