"""What the server called saved is there, once: whoever dies in between, and however often it was sent.

The browser's part of this law (lost connections, expired sessions, closed tabs) stands in tests/browser.
"""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.crowd import Crowd, Report, stage
from tests.throwaway import WebServer

pytestmark = [pytest.mark.servers, pytest.mark.timeout(300)]

PEOPLE, SECONDS = 16, 6.0


def workers(server: WebServer) -> list[int]:
    """The processes that gunicorn's master has started."""
    assert server.process
    return [
        int(pid) for pid in Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    ]


def kill_a_worker(server: WebServer) -> None:
    os.kill(workers(server)[0], signal.SIGKILL)


def kill_it_whole(server: WebServer) -> None:
    server.kill()
    time.sleep(0.5)  # nobody is there for a while
    server.start()


@pytest.fixture(scope="module")
def survived(concord: WebServer) -> tuple[Report, dict]:
    """A crowd at work while a worker is killed, then the whole server; what it reports, what the database says."""
    campaigns = {"killed": {"items": 400, "overlap": 3}}
    cast = stage(concord, "prepare", people=PEOPLE, campaigns=campaigns)
    crowd = Crowd(
        concord.url, cast["tokens"], list(campaigns), seconds=SECONDS, at_least=4, forgiving=True, habits={"twice": 0.4}
    )
    try:
        for at, deed in ((1.0, kill_a_worker), (2.0, kill_a_worker), (3.0, kill_it_whole)):
            time.sleep(max(0.0, crowd.began + at - time.monotonic()))
            deed(concord)
        report = crowd.report()
    finally:
        crowd.stop()
    print(f"\n{PEOPLE} clients, killed thrice: {report}")
    return report, stage(concord, "check", campaigns=list(campaigns), nothing=[], twins=[])


def test_the_crowd_saw_no_error_but_the_server_going_away(survived):
    report, _found = survived
    assert report.unexpected == []
    assert len(report.saved) > PEOPLE


def test_every_rating_that_was_called_saved_is_there_once(survived):
    report, found = survived
    saved = {one.rating: (one.client_id, one.status) for one in report.saved}
    assert len(saved) == len(report.saved)
    assert {pk: (client_id, answered) for pk, client_id, answered, _ in found["ratings"]} == saved


def test_nothing_is_half_done(survived):
    _report, found = survived
    assert found["breaches"] == []
