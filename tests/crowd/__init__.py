"""A crowd of annotators, each a process of its own, on a real server: for the tests of concurrency and the bench.

client.py   one annotator: standard library only, its report on stdout
stage.py    the campaign they work on and what its database says afterwards: runs with the server's settings
here        starts both and reads what they report
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.throwaway import WebServer
from tests.throwaway.concord import ROOT


@dataclass
class Saved:
    """A rating that the server called saved."""

    rating: int
    client_id: str
    status: str
    scores: dict[str, int]


@dataclass
class Report:
    """What the clients tell together.

    nothing: (token, campaign, asked at, answered at) of each 204. twins: two assignments given to one person at once.
    """

    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)
    saved: list[Saved] = field(default_factory=list)
    nothing: list[tuple[str, str, float, float]] = field(default_factory=list)
    twins: list[list[int]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    rounds: int = 0

    @property
    def requests(self) -> int:
        return self.statuses.total()

    def slowest(self, share: float) -> float:
        """The time in milliseconds that this share of the requests took at most."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0

    def __str__(self) -> str:
        answers = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        times = " / ".join(f"{self.slowest(share):.0f}" for share in (0.5, 0.95, 0.99, 1))
        return (
            f"{self.requests} requests in {self.seconds:.1f} s ({self.requests / self.seconds:.0f}/s), "
            f"{len(self.saved)} ratings saved ({len(self.saved) / self.seconds:.0f}/s); answers {answers}; "
            f"ms at 50/95/99/100 %: {times}"
        )


def stage(web: WebServer, verb: str, **options: Any) -> Any:
    """Run a verb of stage.py on the server's database; what it prints."""
    command = [sys.executable, "-m", "tests.crowd.stage", verb]
    # Through stdin: what a long run saved is longer than a command line may be.
    pipes = {"input": json.dumps(options), "capture_output": True, "text": True}
    done = subprocess.run(command, cwd=ROOT, env=web.environment, **pipes)
    if done.returncode:
        raise RuntimeError(f"stage {verb} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)


class Crowd:
    """Clients that work until their time is over, one a token, on the campaigns named."""

    def __init__(
        self, url: str, tokens: list[str], campaigns: list[str], *, seconds: float, seed: int = 1, **client: Any
    ) -> None:
        self.seconds = seconds
        draw = random.Random(seed)
        self.clients = []
        for token in tokens:
            given = {"url": url, "token": token, "campaigns": campaigns, "seconds": seconds, **client}
            given["seed"] = draw.randrange(2**31)
            command = [sys.executable, "-I", str(ROOT / "tests" / "crowd" / "client.py"), json.dumps(given)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            self.clients.append(subprocess.Popen(command, text=True, **pipes))
        for one in self.clients:  # all are there before any of them begins
            assert one.stdout
            one.stdout.readline()
        self.began = time.monotonic()
        for one in self.clients:
            assert one.stdin
            one.stdin.write("go\n")
            one.stdin.flush()

    def report(self) -> Report:
        """Waits for all of them."""
        whole = Report()
        for one in self.clients:
            told, error = one.communicate(timeout=self.seconds + 60)
            if one.returncode:
                whole.unexpected.append(f"a client ended with {one.returncode}: {error[-2000:]}")
                continue
            found = json.loads(told)
            whole.seconds = max(whole.seconds, found["seconds"])
            whole.statuses.update(found["statuses"])
            whole.unexpected += found["unexpected"]
            whole.saved += [Saved(**saved) for saved in found["saved"]]
            whole.nothing += [tuple(entry) for entry in found["nothing"]]
            whole.twins += found["twins"]
            whole.milliseconds += found["milliseconds"]
            whole.rounds += found["rounds"]
        return whole

    def stop(self) -> None:
        for one in self.clients:
            if one.poll() is None:
                one.kill()
                one.communicate()
