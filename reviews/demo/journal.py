"""Events of the demo and how one is performed: always by the service that a person would have called."""

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from annotation.models import Assignment, Campaign, User
from annotation.services.leases import lease_next, skip_item
from annotation.services.ratings import submit_rating
from reviews.demo.clock import Clock
from reviews.models import Case
from reviews.models.case import Cases
from reviews.services.cases import take_case, take_next
from reviews.services.decisions import decide_case

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "demo"
JOURNAL = FOLDER / "journal.jsonl"
DAYS = 21
# The demo's client ids: the same journal gives the same ones.
NAMESPACE = uuid.UUID("6d0f4bb6-6a53-5f3b-9a1e-3b8f5c2f7a10")

Event = dict[str, Any]
# Reads what a person has before them and says what they do about it; None: they find nothing there.
Choose = Callable[[Any], Event]


class JournalMismatch(Exception):
    """The journal was made for another order of items: make it anew with build_demo."""


class Stage:
    """The campaign in play and its people."""

    def __init__(self, campaign: Campaign, clock: Clock) -> None:
        self.campaign, self.clock = campaign, clock
        self.people = {user.username: user for user in User.objects.all()}
        self.played = 0

    def _client_id(self) -> uuid.UUID:
        self.played += 1
        return uuid.uuid5(NAMESPACE, str(self.played))

    def next_assignment(self, who: str) -> Assignment | None:
        return lease_next(campaign=self.campaign, user=self.people[who])

    def next_case(self, who: str) -> Case | None:
        return take_next(campaign=self.campaign, expert=self.people[who])

    def case_to_settle(self, who: str) -> Case | None:
        """One on which they and another expert differ, taken; None where there is none."""
        return self._first(Case.objects.to_settle_by(self.people[who]), who)

    def audit(self, who: str) -> Case | None:
        """One that was drawn from the agreed items, taken from the list; None where none waits."""
        return self._first(Case.objects.waiting().filter(is_audit_only=True), who)

    def _first(self, cases: Cases, who: str) -> Case | None:
        found = cases.in_campaign(self.campaign).order_by("pk").first()
        return None if found is None else take_case(case_id=found.pk, expert=self.people[who])

    def answer(self, assignment: Assignment, event: Event) -> None:
        """Rates or skips what `next_assignment` gave, `seconds` later."""
        user = self.people[event["who"]]
        if event["do"] == "skip":
            skip_item(assignment_id=assignment.pk, user=user, reason=event["reason"], note=event.get("note", ""))
            return
        self.clock.set(event["at"] + event["seconds"] / 60)
        text = assignment.work_item.response.text
        marks = [
            {"type": kind, "start": start, "end": end, "quote": text[start:end] if end else ""}
            for kind, start, end in event.get("marks", [])
        ]
        submit_rating(
            assignment_id=assignment.pk,
            user=user,
            client_id=self._client_id(),
            scores=event["scores"],
            marks=marks,
            rationale=event.get("rationale", ""),
            seconds=event["seconds"],
            needs_expert=event.get("needs_expert", False),
        )

    def decide(self, case: Case, event: Event) -> None:
        """What `next_case` or `case_to_settle` gave, `minutes` later."""
        self.clock.set(event["at"] + event["minutes"])
        decide_case(
            case_id=case.pk,
            expert=self.people[event["who"]],
            client_id=self._client_id(),
            values=event["values"],
            marks=event["marks"],
            rationale=event["rationale"],
            quick_reason=event["quick_reason"],
        )

    def perform(self, event: Event) -> None:
        """One event of a journal; the item it names must be the one that the service gives."""
        self.clock.set(event["at"])
        finds = {"decide": self.next_case, "settle": self.case_to_settle, "audit": self.audit}
        if find := finds.get(event["do"]):
            case = find(event["who"])
            self._same(event, case and case.work_item)
            self.decide(case, event)  # type: ignore[arg-type]
        else:
            assignment = self.next_assignment(event["who"])
            self._same(event, assignment and assignment.work_item)
            self.answer(assignment, event)  # type: ignore[arg-type]

    def _same(self, event: Event, item: Any) -> None:
        found = item.response.item_id if item else None
        if found != event["item"]:
            raise JournalMismatch(f"{event['who']} was given {found}, the journal says {event['item']}: run build_demo")


def read_journal(path: Path = JOURNAL) -> Iterator[Event]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
