"""Requests a second for `next` and `rating`, 32 client processes on a real server, on SQLite and on PostgreSQL.

    ./run bench leases [SECONDS [ITEMS]]        20 by default, and as many items as cannot run out

Each client asks for an item and rates it, without a pause: what a person does in a minute, it does in a blink. One in
ten is a hidden check.
"""

from __future__ import annotations

import os
import sys

from tests.crowd import Crowd, stage
from tests.throwaway import WebServer

CLIENTS = 32
PLAINLY = dict.fromkeys(("twice", "skip", "release", "renew", "edit", "both", "ahead"), 0.0)


def measure(postgres_url: str | None, seconds: float, items: int) -> None:
    campaign = {"items": items, "overlap": 3, "checks": 100}
    with WebServer(postgres_url=postgres_url) as server:
        cast = stage(server, "prepare", people=CLIENTS, campaigns={"bench": campaign})
        crowd = Crowd(server.url, cast["tokens"], ["bench"], seconds=seconds, habits=PLAINLY)
        try:
            report = crowd.report()
        finally:
            crowd.stop()
        found = stage(server, "check", campaigns=["bench"], nothing=[], twins=[])
    print(f"{'PostgreSQL' if postgres_url else 'SQLite':10} {report}", flush=True)
    if report.unexpected or found["breaches"] or len(found["ratings"]) != len(report.saved):
        sys.exit(f"That was not right: {report.unexpected[:3]} {found['breaches'][:3]}")


if __name__ == "__main__":
    wanted = float(sys.argv[1]) if sys.argv[1:] else 20.0
    print(f"{CLIENTS} clients, {os.cpu_count()} cores (shared with the clients), gunicorn with 2 workers of 4 threads")
    items = int(sys.argv[2]) if sys.argv[2:] else int(wanted * 60) + 1000
    measure(None, wanted, items)
    if url := os.environ.get("TEST_POSTGRES_URL"):
        measure(url, wanted, items)
    else:
        print(f"PostgreSQL not measured: {os.environ.get('WHY_NO_POSTGRES', 'no server; use ./run bench leases')}")
