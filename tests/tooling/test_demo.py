"""./run demo comes up, comes up again on the same data, and leaves nothing behind, however it ends."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.throwaway import answers, dies_with_parent, free_port
from tests.throwaway.concord import ROOT

pytestmark = [pytest.mark.servers, pytest.mark.pure, pytest.mark.timeout(300)]
# the demo itself, on this environment instead of one installed for it, with its files elsewhere; it hears Ctrl-C as in
# a terminal, also where the tests run in the background of a shell, which has its children ignore it
PROGRAM = """
import importlib.machinery, importlib.util, pathlib, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
loader = importlib.machinery.SourceFileLoader("run", "run")
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("run", loader))
loader.exec_module(run)
run.environment.install = lambda lock: pathlib.Path(sys.executable)
run.environment.VAR = pathlib.Path(sys.argv[1])
sys.exit(run.guarded("demo"))
"""


def descendants(pid: int) -> set[int]:
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended while we looked
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def left_of(pids: set[int], *, within: float = 20) -> set[int]:
    """Those that still run after a while."""
    end = time.monotonic() + within
    alive = pids
    while alive and time.monotonic() < end:
        time.sleep(0.1)
        alive = {p for p in pids if Path(f"/proc/{p}").exists() and " Z " not in Path(f"/proc/{p}/stat").read_text()}
    return alive


class Demo:
    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.words = folder / "words"
        paths = {"MEDIA_ROOT": "media", "STATIC_ROOT": "static", "BROKER_FOLDER": "broker"}
        self.env = {name: value for name, value in os.environ.items() if name != "CELERY_BROKER_URL"}
        self.env |= {name: str(folder / path) for name, path in paths.items()}
        self.env |= {"PORT": str(self.port), "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}"}

    def start(self) -> None:
        with self.words.open("wb") as words:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, str(self.folder)], cwd=ROOT, env=self.env, stdout=words,
                stderr=subprocess.STDOUT, preexec_fn=dies_with_parent(),
            )  # fmt: skip
        while "Ctrl-C stops everything" not in self.said():
            assert self.process.poll() is None, self.said()
            time.sleep(0.1)
        self.family = descendants(self.process.pid)

    def said(self) -> str:
        return self.words.read_text(encoding="utf-8", errors="replace")

    def address(self) -> str:
        found = re.search(r"http://\S+", self.said())
        assert found, self.said()
        return found[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture
def demo(folder: Path) -> Iterator[Demo]:
    demo = Demo(folder)
    demo.start()
    yield demo
    if demo.process.poll() is None:
        demo.process.terminate()
        demo.process.wait(30)


LOGIN = re.compile(r"^  (annotator|expert|manager) +\S+ +\S+$", re.MULTILINE)


def test_it_answers_with_a_login_each_and_after_ctrl_c_comes_up_on_the_same_data(demo: Demo) -> None:
    assert demo.address() == f"http://127.0.0.1:{demo.port}/"
    with urllib.request.urlopen(demo.address()) as page:
        assert page.status == 200
    assert sorted(LOGIN.findall(demo.said())) == ["annotator", "expert", "manager"], demo.said()
    logins = [found[0] for found in LOGIN.finditer(demo.said())]

    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(30) == 0
    assert not left_of(demo.family)
    assert not answers(demo.address())

    demo.start()
    assert [found[0] for found in LOGIN.finditer(demo.said())] == logins


def test_a_worker_that_dies_stops_everything_and_is_named(demo: Demo) -> None:
    workers = [p for p in demo.family if b"celery" in Path(f"/proc/{p}/cmdline").read_bytes()]
    os.kill(min(workers), signal.SIGKILL)
    assert demo.process.wait(30) == 1
    assert "The worker stopped with -9" in demo.said()
    assert not left_of(demo.family)


def test_nothing_outlives_it_when_it_is_killed(demo: Demo) -> None:
    demo.process.kill()
    demo.process.wait()
    assert not left_of(demo.family)
