"""Virtual environments and their locks: one environment a lock, so that a test run never takes a running demo's away.

Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "requirements"
VAR = ROOT / "var"
HOMES = {"demo": ROOT / ".venv", "test": ROOT / ".venv-test", "dev": ROOT / ".venv-dev"}
UNWANTED = {  # what would change the versions that a lock names, or where they are put
    *("PIP_CONSTRAINT", "PIP_FIND_LINKS", "PIP_REQUIREMENT", "PIP_TARGET", "PIP_USER", "PYTHONPATH", "VIRTUAL_ENV"),
    *("UV_CONSTRAINT", "UV_FIND_LINKS", "UV_OVERRIDE", "UV_EXCLUDE_NEWER", "UV_PRERELEASE", "UV_RESOLUTION"),
}
INPUTS_LINE = "# Made by ./run lock from inputs sha256:"


class CannotInstall(RuntimeError):
    """The environment could not be made; the message says what to do about it."""


def inputs_hash(lock: str) -> str:
    """Hash of what was asked for: the lines of NAME.in and of the files it includes, without comments."""
    digest = hashlib.sha256()
    todo = [f"{lock}.in"]
    while todo:
        for line in (HERE / todo.pop()).read_text(encoding="utf-8").splitlines():
            wanted = line.split("#")[0].strip()
            digest.update(wanted.encode() + b"\n" if wanted else b"")
            if included := re.fullmatch(r"-r\s+(\S+)", wanted):
                todo.append(included[1])
    return digest.hexdigest()


def faults_of_lock(lock: str) -> list[str]:
    """What is wrong with NAME.txt as it stands, one sentence each."""
    file = HERE / f"{lock}.txt"
    if not file.is_file():
        return [f"requirements/{lock}.txt is missing: ./run lock"]
    text = file.read_text(encoding="utf-8")
    faults = []
    if f"{INPUTS_LINE}{inputs_hash(lock)}" not in text:
        faults.append(f"requirements/{lock}.txt was not made from requirements/{lock}.in as it is now: ./run lock")
    if "://" in text or re.search(r"^\s*--?(find-links|index-url|extra-index|f\b|i\b)", text, re.MULTILINE):
        faults.append(f"requirements/{lock}.txt names a place to download from: it must fit every index")
    entries = re.findall(r"^\S+==(?:(?!\n\S).)*", text, re.MULTILINE | re.DOTALL)
    if loose := [entry.split("==")[0] for entry in entries if "--hash=sha256:" not in entry]:
        faults.append(f"requirements/{lock}.txt has no hash for {', '.join(loose)}")
    return faults


def compile_locks(argv: list[str]) -> None:
    """Resolve every NAME.in for all platforms and Pythons at once; `--upgrade` and the like go to uv."""
    uv = shutil.which("uv") or HOMES["dev"] / "bin" / "uv"
    if not Path(uv).is_file():
        raise CannotInstall("uv resolves the locks and is not here: ./run setup dev, or pip install uv")
    narrower: list[str] = []  # the wider lock keeps the versions of the narrower one: tests run what the demo runs
    for lock in HOMES:
        out = HERE / f"{lock}.txt"
        command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes"]
        command += ["--no-emit-index-url", "--no-header", *argv, *narrower, f"{lock}.in", "--output-file", out.name]
        subprocess.run(command, check=True, cwd=HERE, env=_environment())
        body = out.read_text(encoding="utf-8")
        out.write_text(f"{INPUTS_LINE}{inputs_hash(lock)}\n{body}", encoding="utf-8")
        narrower = ["--constraint", out.name]
        print(f"requirements/{lock}.txt: {len(re.findall('==', body))} packages")


def install(lock: str) -> Path:
    """Install the lock where it is not installed yet. Returns the environment's python."""
    home = HOMES[lock]
    python = home / "bin" / "python"
    file = HERE / f"{lock}.txt"
    wanted = hashlib.sha256(file.read_bytes() + sys.version.encode()).hexdigest()
    stamp = home / ".installed"
    with _alone(lock):
        if python.exists() and stamp.exists() and stamp.read_text() == wanted:
            return python
        start = time.monotonic()
        print(f"Installing {file.relative_to(ROOT)} into {home.name} ...", flush=True)
        stamp.unlink(missing_ok=True)
        means = "uv" if _install_with_uv(home, file) else "pip"
        if means == "pip":
            _install_with_pip(home, file)
        stamp.write_text(wanted)
    print(f"Installed in {time.monotonic() - start:.0f} s with {means}.", flush=True)
    return python


def _install_with_uv(home: Path, file: Path) -> bool:
    uv = shutil.which("uv")
    if not uv:
        return False
    create = [uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, home]
    sync = [uv, "pip", "sync", "--quiet", "--require-hashes", "--python", home / "bin" / "python", file]
    if all(subprocess.run(command, env=_environment()).returncode == 0 for command in (create, sync)):
        return True
    print("uv could not install the lock; trying pip.", file=sys.stderr)  # pip may know an index that uv does not
    return False


def _install_with_pip(home: Path, file: Path) -> None:
    if importlib.util.find_spec("ensurepip") is None:
        raise CannotInstall(
            "This Python cannot make a virtual environment: it has no ensurepip.\n"
            "On Debian or Ubuntu: apt-get install -y python3-venv      Elsewhere: pip install uv"
        )
    try:
        venv.create(home, with_pip=True, clear=True, symlinks=True)
        command = [home / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        # the lock is complete, so nothing is left to resolve; byte code is written when a module is first imported
        command += ["--require-hashes", "--no-deps", "--no-compile", "-r", file]
        subprocess.run(command, check=True, env=_environment())
    except subprocess.CalledProcessError as error:
        raise CannotInstall(
            f"{file.relative_to(ROOT)} could not be installed: pip's own words are above. "
            "A package index must be in reach; behind a proxy set HTTPS_PROXY, with a mirror PIP_INDEX_URL."
        ) from error


def _environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in UNWANTED} | {"UV_PYTHON_DOWNLOADS": "never"}


@contextlib.contextmanager
def _alone(lock: str) -> Iterator[None]:
    """Two commands started together install once."""
    VAR.mkdir(exist_ok=True)
    with (VAR / f"install-{lock}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
