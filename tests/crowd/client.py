"""One annotator as a program: asks for one item or for some ahead, rates, edits, skips, hands back, sends things twice
at once. Standard library only.

Takes its orders as JSON in its argument, says "ready", begins when told "go", and reports as JSON. It works for
`seconds`, and on a slow machine longer, until it has gone `at_least` so many rounds. A request that
found no server is sent again, as a browser's outbox would, until it is answered; so nothing is given up for lost.
"""

import http.client
import json
import random
import sys
import threading
import time
import uuid
import zlib
from collections import Counter
from urllib.parse import urlsplit

DIMENSIONS = ("empathy", "fluency", "safety")
# How often it does what with an item; the rest is rated plainly. `ahead` is how often it takes some at once, `leave`
# how often it then leaves the rest of them to a later `next`.
HABITS = {"twice": 0.1, "skip": 0.05, "release": 0.05, "renew": 0.1, "edit": 0.1, "both": 0.1} | {
    "ahead": 0.3,
    "leave": 0.2,
}
PATIENCE = 30.0  # seconds for which it knocks at a server that is not there


class Client:
    def __init__(self, orders):
        self.orders = orders
        self.draw = random.Random(orders["seed"])
        self.habits = HABITS | orders.get("habits", {})
        self.forgiving = orders.get("forgiving", False)  # a server may be killed under it
        self.address = urlsplit(orders["url"])
        self.links = {}
        self.texts = {}  # of the assignments it has been given
        self.lock = threading.Lock()
        self.told = {"unexpected": [], "saved": [], "nothing": [], "twins": [], "milliseconds": [], "rounds": 0}
        self.statuses = Counter()

    def post(self, path, body, line=0):
        """Status and answer; on a connection of its own for each `line`."""
        headers = {"Authorization": f"Bearer {self.orders['token']}", "Content-Type": "application/json"}
        end = time.monotonic() + PATIENCE
        while True:
            used = line in self.links
            link = self.links.setdefault(line, http.client.HTTPConnection(self.address.netloc, timeout=60))
            try:
                start = time.monotonic()
                link.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
                answer = link.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.links.pop(line).close()
                if (
                    used
                ):  # the server lets go of a connection that nobody speaks on; a browser would try a fresh one too
                    continue
                if not self.forgiving or time.monotonic() > end:
                    self.unexpected(f"POST {path}: {error!r}")
                    return 0, None
                time.sleep(0.05)
                continue
            with self.lock:
                self.told["milliseconds"].append(1000 * (time.monotonic() - start))
                self.statuses[str(answer.status)] += 1
            if answer.status >= 500:
                self.unexpected(f"POST {path} -> {answer.status} {content[:300]!r}")
            return answer.status, json.loads(content) if content else None

    def at_once(self, path, body):
        """The same request on two connections at the same time; both answers."""
        answers = [None, None]

        def send(at):
            answers[at] = self.post(path, body, line=at)

        other = threading.Thread(target=send, args=(1,))
        other.start()
        send(0)
        other.join()
        return answers

    def unexpected(self, what):
        with self.lock:
            self.told["unexpected"].append(what)

    def habit(self, name):
        return self.draw.random() < self.habits[name]

    def ask(self, campaign):
        """The numbers of assignments in the order to rate them; none where nothing is left."""
        verb = "ahead" if self.habit("ahead") else "next"
        path, start = f"campaigns/{campaign}/{verb}/", time.time()
        if self.habit("both"):
            answers = self.at_once(path, {})
            first = {
                self.given(body)[0]["assignment"] for status, body in answers if status == 200 and self.given(body)
            }
            if len(first) > 1:
                self.told["twins"].append(sorted(first))
        else:
            answers = [self.post(path, {})]
        for status, body in answers:
            if status not in (200, 204, 0):
                self.unexpected(f"{verb} -> {status} {body}")
        some = [self.given(body) for status, body in answers if status == 200 and self.given(body)]
        if some:
            self.texts |= {one["assignment"]: one["item"]["text"] for one in some[0]}
            return [one["assignment"] for one in some[0]]
        if all(status in (200, 204) for status, _ in answers):
            self.told["nothing"].append([self.orders["token"], campaign, start, time.time()])
        return []

    @staticmethod
    def given(body):
        return body.get("assignments", [body])

    def judgement(self, assignment):
        """Raters of one text are mostly near each other: many items settle, some go to an expert."""
        level = 3 + zlib.crc32(self.texts[assignment].encode()) % 3
        return {key: max(1, min(5, level + self.draw.choice((-1, 0, 0, 0, 0, 1)))) for key in DIMENSIONS}

    def rate(self, assignment, supersedes=None):
        path = f"assignments/{assignment}/rating/"
        body = {"client_id": str(uuid.uuid4()), "scores": self.judgement(assignment)}
        body |= {"seconds": 1, "supersedes": supersedes, "rationale": body["client_id"]}
        answers = self.at_once(path, body) if self.habit("twice") else [self.post(path, body)]
        good = [(status, answer) for status, answer in answers if status in (200, 201)]
        if len(good) < len(answers) and not (self.forgiving and good):
            self.unexpected(f"rating -> {[answer for answer in answers if answer not in good]}")
        if not good:
            return None
        if len({json.dumps(answer) for _, answer in good}) > 1:
            self.unexpected(f"one client_id, two answers: {good}")
        if not self.forgiving and sorted(status for status, _ in good)[1:] not in ([], [201]):
            self.unexpected(f"one client_id, created {good}")
        answer = good[0][1]
        self.told["saved"].append({**answer, "client_id": body["client_id"], "scores": body["scores"]})
        return answer["rating"]

    def round(self):
        """One item of one campaign, or some ahead, from asking to the end of the last."""
        held = self.ask(self.draw.choice(self.orders["campaigns"]))
        if not held:
            time.sleep(0.1)
        for at, assignment in enumerate(held):
            if at and self.habit("leave"):
                return
            self.finish(assignment)

    def finish(self, assignment):
        if self.habit("renew"):
            status, answer = self.post(f"assignments/{assignment}/renew/", {})
            if status not in (200, 409, 0):  # 409: it was swept, and late work is taken all the same
                self.unexpected(f"renew -> {status} {answer}")
        for verb in ("skip", "release"):
            if self.habit(verb):
                status, answer = self.post(f"assignments/{assignment}/{verb}/", {"reason": "unsure"})
                if status not in (200, 409, 0):
                    self.unexpected(f"{verb} -> {status} {answer}")
                return
        rating = self.rate(assignment)
        if rating is not None and self.habit("edit"):
            self.rate(assignment, supersedes=rating)

    def work(self):
        start = time.monotonic()
        end, at_least = start + self.orders["seconds"], self.orders.get("at_least", 0)
        while time.monotonic() < end or (self.told["rounds"] < at_least and time.monotonic() < end + PATIENCE):
            self.round()
            self.told["rounds"] += 1
        return {**self.told, "statuses": self.statuses, "seconds": time.monotonic() - start}


if __name__ == "__main__":
    client = Client(json.loads(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(client.work()))
