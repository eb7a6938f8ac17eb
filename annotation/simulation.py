"""Virtual annotators, who work through the real HTTP API as people's programs would. Standard library only.

What one of them says of a text is a draw: the text's own quality (of its words and the seed, so that all see the same
text), moved by how severe the annotator is, blurred by how unsure.
"""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 3  # how often it asks a server that does not answer
SKIPPED = 0.02  # share of the items
PAUSE = 0.5  # seconds before asking again where nothing is left just now

Answer = tuple[int, Any]


class NoServer(Exception):
    """Nothing answers at the address, or something that is no Concord."""


class Refused(Exception):
    """The server answered, and what it said means that no work can be done."""


@dataclass(frozen=True)
class Character:
    """How one annotator judges: levels taken off by severity, and the spread of their doubt."""

    severity: float
    doubt: float

    @classmethod
    def drawn(cls, draw: random.Random) -> "Character":
        return cls(severity=draw.gauss(0, 0.5), doubt=draw.uniform(0.2, 0.9))


@dataclass
class Work:
    """What was done, by one annotator or by all."""

    ratings: int = 0
    surplus: int = 0
    skipped: int = 0
    marks: int = 0
    requests: int = 0
    seconds: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)  # answers that were not to be expected, by status
    nothing_left: bool = False

    def add(self, other: "Work") -> None:
        for name in ("ratings", "surplus", "skipped", "marks", "requests"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused += other.refused


class Annotator:
    """One virtual annotator of a campaign, on a connection of their own."""

    def __init__(self, *, url: str, campaign: str, name: str, token: str, seed: int) -> None:
        self.campaign, self.name, self.seed = campaign, name, seed
        self.draw = random.Random(f"{seed}:{name}")
        self.character = Character.drawn(self.draw)
        self.work = Work()
        self.rubric: dict[str, Any] = {}
        address = urlsplit(url)
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        self.link = kind(address.netloc, timeout=60)
        self.prefix = f"{address.path.rstrip('/')}/api/v1"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        """Status and answer. Asks again where the connection broke: a submit's client_id keeps it from being two."""
        for attempt in range(1, PATIENCE + 1):
            try:
                self.link.request(method, f"{self.prefix}/{path}", json.dumps(body or {}), self.headers)
                answer = self.link.getresponse()
                content = answer.read()
                self.work.requests += 1
                return answer.status, json.loads(content) if content else None
            except json.JSONDecodeError as error:
                raise NoServer from error
            except (OSError, http.client.HTTPException) as error:
                self.link.close()
                if attempt == PATIENCE:
                    raise NoServer from error
                time.sleep(0.2 * attempt)
        raise AssertionError("unreachable")

    def take_one(self) -> bool:
        """Takes one item to its end; False where nothing is left just now. Raises Refused, NoServer."""
        status, given = self.ask("POST", f"campaigns/{self.campaign}/next/")
        if status == 204:
            return False
        if status != 200:
            raise Refused(_detail(given))
        path = f"assignments/{given['assignment']}"
        if self.draw.random() < SKIPPED:
            status, answer = self.ask("POST", f"{path}/skip/", {"reason": "unsure"})
            self.work.skipped += status == 200
        else:
            body = self.judge(given["item"]["text"], self.rubric_of(given["rubric"]))
            status, answer = self.ask("POST", f"{path}/rating/", {"client_id": str(uuid.uuid4()), **body})
            if status in (200, 201):
                self.work.ratings += 1
                self.work.surplus += answer["status"] == "surplus"
                self.work.marks += len(body["marks"])
        if status >= 400:
            self.work.refused[f"{status} {_detail(answer)}"] += 1
        return True

    def rubric_of(self, key: str) -> dict[str, Any]:
        if not self.rubric:
            self.rubric = self.ask("GET", f"rubrics/{key}/")[1]["content"]
        return self.rubric

    def judge(self, text: str, rubric: Mapping[str, Any]) -> dict[str, Any]:
        """Scores, and a mark of the first words where the last dimension, safety, is low."""
        scores = {}
        for dimension in rubric["dimensions"]:
            quality = random.Random(f"{self.seed}:{dimension['key']}:{text}").gauss(0.7, 0.22)
            span = dimension["highest"] - dimension["lowest"]
            seen = quality * span - self.character.severity + self.draw.gauss(0, self.character.doubt)
            scores[dimension["key"]] = dimension["lowest"] + max(0, min(span, round(seen)))
        lowest = {dimension["key"]: dimension["lowest"] for dimension in rubric["dimensions"]}
        marks = []
        if scores.get("safety", 9) <= lowest.get("safety", 0) + 1 and text:
            kinds = [kind["key"] for kind in rubric["violations"] if not kind["note_required"]]
            quote = text[:20]
            marks = [{"type": self.draw.choice(kinds), "start": 0, "end": len(quote), "quote": quote, "note": ""}]
        return {"scores": scores, "marks": marks, "seconds": 0}


def _detail(answer: Any) -> str:
    return str(answer.get("detail", "")) if isinstance(answer, dict) else ""


def simulate(*, url: str, campaign: str, tokens: Mapping[str, str], seconds: float | None, seed: int) -> Work:
    """Everyone at once, each token a person, until nothing is left for anybody or the time is over.

    Raises NoServer, Refused: the first thing that kept one of them from working.
    """
    people = [Annotator(url=url, campaign=campaign, name=n, token=t, seed=seed) for n, t in sorted(tokens.items())]
    start = time.monotonic()
    end = start + seconds if seconds is not None else float("inf")
    idle: set[str] = set()
    errors: list[Exception] = []

    def run(annotator: Annotator) -> None:
        try:
            while time.monotonic() < end and not errors and len(idle) < len(people):
                if annotator.take_one():
                    idle.discard(annotator.name)
                else:  # someone may still hand an item back
                    idle.add(annotator.name)
                    time.sleep(PAUSE)
        except (NoServer, Refused) as error:
            errors.append(error)
        finally:
            annotator.link.close()

    threads = [threading.Thread(target=run, args=(annotator,)) for annotator in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    whole = Work(seconds=time.monotonic() - start, nothing_left=len(idle) == len(people))
    for annotator in people:
        whole.add(annotator.work)
    return whole
