"""Throwaway servers come up, and never outlive who started them."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.throwaway import Missing, Postgres, Redis, Server, WebServer, Worker, answers, free_port
from tests.throwaway.concord import ROOT

pytestmark = [pytest.mark.servers, pytest.mark.pure]


def gone(pid: int, *, within: float = 10) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.fixture(params=[Postgres, Redis])
def kind(request: pytest.FixtureRequest) -> type[Server]:
    try:
        request.param().stop()
    except Missing as error:
        pytest.skip(str(error))
    chosen: type[Server] = request.param
    return chosen


def test_a_server_stops_with_its_process_and_its_files(kind: type[Server]) -> None:
    with kind() as server:
        assert server.process
        pid, folder = server.process.pid, server.folder
        assert folder.is_dir()
    assert gone(pid)
    assert not folder.exists()


def test_a_server_dies_when_its_parent_is_killed(kind: type[Server]) -> None:
    program = (
        f"import time; from tests.throwaway import {kind.__name__}; server = {kind.__name__}().start();"
        "print(server.process.pid, flush=True); time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    assert Path(f"/proc/{pid}").exists()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    assert gone(pid)


def test_a_server_killed_by_a_test_comes_up_again_on_its_files(tmp_path: Path) -> None:
    try:
        server = Redis(durable=True, folder=tmp_path)
    except Missing as error:
        pytest.skip(str(error))
    with server:
        server.kill()
        server.start()
        assert server.process
        assert server.process.poll() is None


def test_a_server_that_stops_at_once_says_why(tmp_path: Path) -> None:
    class Broken(Server):
        name = "broken"

        def _command(self) -> list[str]:
            return [sys.executable, "-c", "raise SystemExit('no such module: teapot')"]

        def _ready(self) -> bool:
            return False

    with pytest.raises(RuntimeError, match="broken stopped with 1:\nno such module: teapot"):
        Broken(folder=tmp_path).start()


def test_a_free_port_is_free() -> None:
    assert 1024 <= free_port() < 65536


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_concord_serves_on_a_database_of_its_own(database: str, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgres_url") if database == "postgresql" else None
    with WebServer(postgres_url=url) as web:
        assert web.environment["DATABASE_URL"].startswith("postgres" if url else "sqlite")
        assert answers(f"{web.url}/alive/")
        web.kill()
        assert not answers(f"{web.url}/alive/")
        web.start()
        assert answers(f"{web.url}/alive/")
    assert not answers(f"{web.url}/alive/")
    if url:
        import psycopg

        with psycopg.connect(url) as link:
            left = link.execute("SELECT 1 FROM pg_database WHERE datname = %s", [web.database]).fetchall()
        assert left == []


def test_a_worker_takes_what_the_web_server_rings_for() -> None:
    with WebServer() as web, Worker(web) as worker:
        web.manage("shell", "-c", "from celery import current_app; current_app.send_task('no.such.task')")
        end = time.monotonic() + 20
        while "no.such.task" not in worker.log() and time.monotonic() < end:
            time.sleep(0.1)
        assert "no.such.task" in worker.log()
