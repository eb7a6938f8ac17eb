"""What `./run test`, `bench` and `shots` do: get the programs, start the servers, run, tell what was left out.

Standard library only. The servers are up before anything reads Django's settings.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from requirements import environment
from tests.throwaway import Missing, Postgres, Redis

ROOT = environment.ROOT
NOT_AGAIN = "not browser and not once and not pure and not servers"  # what a second database would not change
NOTHING_RAN, INTERRUPTED = 5, 2  # pytest's exit codes
# what the tests use beside Python, and Debian's package of it
PROGRAMS = {
    "chromium": lambda: any(
        map(shutil.which, ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"))
    ),
    "postgresql": lambda: shutil.which("initdb") or any(Path("/usr/lib/postgresql").glob("*/bin/initdb")),
    "redis-server": lambda: shutil.which("redis-server") or shutil.which("valkey-server"),
    "libreoffice-calc-nogui": lambda: shutil.which("soffice") or shutil.which("libreoffice"),
    "fonts-noto-cjk": lambda: any(Path("/usr/share/fonts").rglob("NotoSansCJK*")),
}


@dataclass
class Outcome:
    """One pass of pytest, as its report tells it."""

    name: str
    code: int
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)

    @property
    def good(self) -> bool:
        return self.code in (0, NOTHING_RAN)


def test(argv: list[str]) -> int:
    """All tests on SQLite, then those that a database can change on PostgreSQL. Returns 0 when all that ran passed."""
    own = {"--no-services", "--no-install"}
    asked, arguments = own & set(argv), [a for a in argv if a not in own]
    python = environment.install("test")
    if "--no-install" not in asked:
        install_programs()
    with servers(wanted="--no-services" not in asked) as env:
        outcomes = [one_pass("SQLite", python, arguments, env | {"EXPECT_DB": "sqlite"})]
        if "TEST_POSTGRES_URL" in env and outcomes[0].code != INTERRUPTED:
            also = {"DATABASE_URL": env["TEST_POSTGRES_URL"], "DB_POOL": "0", "EXPECT_DB": "postgresql"}
            outcomes.append(one_pass("PostgreSQL", python, only(NOT_AGAIN, arguments), env | also))
    return tell(outcomes, [reason for name, reason in env.items() if name.startswith("WHY_NO_")])


def bench(argv: list[str]) -> int:
    """Run the named measurements, or list them."""
    scripts = {file.stem: file for file in sorted((ROOT / "tests" / "bench").glob("[!_]*.py"))}
    names = list(scripts) if argv == ["--all"] else argv[:1]
    if not names:
        for name, file in scripts.items():
            about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
            print(f"  ./run bench {name:20} {about.splitlines()[0] if about else ''}")
        return 0
    if unknown := [name for name in names if name not in scripts]:
        print(f"There is no measurement {unknown[0]}; ./run bench lists them.", file=sys.stderr)
        return 2
    return max(script(scripts[name], argv[1:]) for name in names)


def script(file: Path, arguments: list[str]) -> int:
    """Run a script in the tests' environment, with the throwaway servers up."""
    if not file.is_file():
        print(f"{file.relative_to(ROOT)} is not there.", file=sys.stderr)
        return 2
    python = environment.install("test")
    install_programs()
    with servers(wanted=True) as env:
        # -P: a neighbour of the script, such as queue.py, must not stand in the place of the library's module
        return subprocess.run(
            [python, "-P", file, *arguments], cwd=ROOT, env=env | {"PYTHONPATH": str(ROOT)}
        ).returncode


def install_programs() -> None:
    """On Debian as root get what is missing, elsewhere say what to type. Tests without it are skipped, loudly."""
    missing = [package for package, found in PROGRAMS.items() if not found()]
    if not missing:
        return
    line = f"apt-get install -y {' '.join(missing)}"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"Not on this machine: {', '.join(missing)}. On Debian or Ubuntu: {line}", flush=True)
        return
    print(f"{line} ...", flush=True)
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}}
    subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)
    for package in missing:  # one at a time: what cannot be had does not keep the others away
        got = subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], check=False, **quiet
        )
        if got.returncode:
            print(f"apt-get could not install {package}.", file=sys.stderr, flush=True)


@contextlib.contextmanager
def servers(*, wanted: bool) -> Iterator[dict[str, str]]:
    """The environment for a run: TEST_POSTGRES_URL and TEST_REDIS_URL of servers that end with it, or WHY_NO_ each."""
    env = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}}
    env |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with contextlib.ExitStack() as stack:
        for name, kind in {"POSTGRES": Postgres, "REDIS": Redis}.items():
            if env.get(f"TEST_{name}_URL"):
                continue
            if not wanted:
                env[f"WHY_NO_{name}"] = f"no {kind.__name__}: --no-services was asked for"
                continue
            try:
                env[f"TEST_{name}_URL"] = stack.enter_context(kind()).url
            except (Missing, RuntimeError, OSError) as error:
                env[f"WHY_NO_{name}"] = str(error)
        yield env


def one_pass(name: str, python: Path, arguments: list[str], env: dict[str, str]) -> Outcome:
    report = environment.VAR / f"tests-{name.lower()}.xml"
    report.unlink(missing_ok=True)
    command = [str(python), "-m", "pytest", "--junitxml", str(report)]
    if not any(re.match(r"(-n|--numprocesses|--pdb)", argument) for argument in arguments):
        command += ["-n", str(min(4, os.cpu_count() or 1))]
    print(f"\n=== The tests on {name} ===", flush=True)
    start = time.monotonic()
    code = subprocess.run([*command, *arguments], cwd=ROOT, env=env).returncode
    outcome = Outcome(name=name, code=code, seconds=time.monotonic() - start)
    if report.is_file():
        for case in ET.parse(report).iter("testcase"):
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                outcome.failed += 1
            elif skip is not None:
                outcome.skipped[skip.get("message", "no reason given")] += 1
            else:
                outcome.passed += 1
    return outcome


def only(expression: str, arguments: list[str]) -> list[str]:
    """The arguments with `expression` joined to their own -m."""
    rest, chosen = [], [f"({expression})"]
    words = iter(arguments)
    for word in words:
        if word == "-m":
            chosen.append(f"({next(words, '')})")
        elif word.startswith("-m") and not word.startswith("--"):
            chosen.append(f"({word[2:].lstrip('=')})")
        else:
            rest.append(word)
    return [*rest, "-m", " and ".join(chosen)]


def tell(outcomes: list[Outcome], reasons: list[str]) -> int:
    """Print what ran and, loudly, what did not and why. Returns the exit code."""
    print("\n=== All in all ===")
    skipped: Counter[str] = Counter()
    for o in outcomes:
        skipped += o.skipped
        words = "nothing to run" if o.code == NOTHING_RAN else f"{o.passed} passed, {o.failed} failed"
        ended = "" if o.code in (0, 1, NOTHING_RAN) else f", pytest ended with {o.code}"
        print(f"{o.name:11} {words}, {o.skipped.total()} skipped{ended}   {o.seconds:.0f} s")
    if len(outcomes) == 1 and outcomes[0].code != INTERRUPTED:
        print("PostgreSQL  NOT RUN: " + next((r for r in reasons if "ostgre" in r), "no server"))
    for reason, count in skipped.most_common():
        print(f"SKIPPED {count} test{'s' if count > 1 else ''}: {reason}")
    passed, failed = sum(o.passed for o in outcomes), sum(o.failed for o in outcomes)
    if not passed and not failed:
        print("No test ran.")
    print(f"{passed} passed, {failed} failed, {skipped.total()} skipped", flush=True)
    return 0 if all(o.good for o in outcomes) and passed + failed else 1
