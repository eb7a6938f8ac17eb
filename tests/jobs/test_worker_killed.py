"""A real worker is killed in the middle of a job; another one takes the job and finishes it, once."""

import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scenarios.samples import scenario, write_lines
from tests.throwaway import WebServer, Worker

pytestmark = pytest.mark.servers
LINES = 12_000
ENQUEUE = """
from jobs.services import enqueue
arguments = {{"upload": "{upload}", "as_folder": False, "dataset": "big"}}
print(enqueue(kind="import_scenarios", arguments=arguments, by=None).pk)
"""


class Rows:
    """A look into the server's database from outside."""

    def __init__(self, web: WebServer) -> None:
        self.file = web.folder / "db.sqlite3"

    def ask(self, statement: str) -> tuple[object, ...]:
        with sqlite3.connect(self.file, timeout=20) as link:
            found: tuple[object, ...] | None = link.execute(statement).fetchone()
            return found or ()

    def until(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end, f"{what} did not come about: {self.ask('SELECT * FROM jobs_job')}"
            time.sleep(0.02)


def test_kill_9_of_a_worker_loses_no_job() -> None:
    with WebServer(workers=1, threads=2) as web, Worker(web, concurrency=1) as worker:
        job = Rows(web)
        upload = "0" * 32
        folder = Path(web.environment["MEDIA_ROOT"]) / "uploads" / upload
        folder.mkdir(parents=True)
        write_lines(folder / "s.jsonl", [scenario(number) for number in range(LINES)])
        web.manage("shell", "-v0", "-c", ENQUEUE.format(upload=upload))
        job.until(lambda: job.ask("SELECT count(*) FROM scenarios_scenario") > (0,), "the first batch")
        worker.kill()
        assert job.ask("SELECT state, attempt FROM jobs_job") == ("running", 1)
        assert job.ask("SELECT count(*) FROM scenarios_import WHERE state = 'done'") == (0,)

        with sqlite3.connect(job.file, timeout=20) as link:  # a minute later
            link.execute("UPDATE jobs_job SET lease_until = datetime('now', '-1 minute')")
        worker.start()
        web.manage("shell", "-v0", "-c", "from jobs.services import sweep; sweep()")
        job.until(lambda: job.ask("SELECT state FROM jobs_job") == ("done",), "the end")
        attempt, result = job.ask("SELECT attempt, result FROM jobs_job")
        assert attempt == 2
        assert json.loads(str(result))["created"] == LINES
        assert job.ask("SELECT count(*), count(DISTINCT key) FROM scenarios_scenario") == (LINES, LINES)
        assert job.ask("SELECT count(*) FROM scenarios_import WHERE state = 'done'") == (1,)
