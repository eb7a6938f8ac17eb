"""A campaign in which everything has happened, a person for each role; what must stay hidden has unmistakable words."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from annotation.models import Assignment, Campaign, Membership, Message, TrainingAttempt, User
from annotation.services import people
from annotation.services.flags import flag_scenario
from annotation.services.leases import skip_item
from annotation.services.messages import send_message
from jobs import services as jobs
from jobs.models import Job
from reviews.models import AgreementReport, Case, RatingWithdrawal, Release, SavedView
from reviews.services.agreement import compute_agreement
from reviews.services.cases import take_case
from reviews.services.decisions import decide_case
from reviews.services.letters import write_to_raters
from reviews.services.live_numbers import compute_live_agreement
from reviews.services.releases import publish_release
from reviews.services.saved_views import save_view
from reviews.services.talk import say
from scenarios.models import Scenario
from tests import factories
from tests.addresses import Address
from tests.annotation.training import attempt_under_way
from tests.done_jobs import compared, compared_agreement, planned
from tests.sessions import session_of

COMPANION, REFERENCE, KEY, TAG = "CanaryCompanion", "CanaryReference", "CanaryKey", "CanaryTag"
RATIONALE, NOTE, FLAG, LETTER = "CanaryRationale", "CanaryNote", "CanaryFlag", "CanaryLetter"
# What one expert said of a case on which another has still to speak.
OPINION = "CanaryOpinion"
NAME = "canaryname"
NOWHERE: set[object] = {"nothing", 10**9, uuid.UUID(int=1)}
ORIGIN = (COMPANION, REFERENCE, KEY, TAG)


@dataclass
class World:
    """people: by what they are. cases: waiting, taken and decided (by the expert), conflict (rated by `both`),
    divided (the expert and a colleague gave opinions that differ), awaited (the colleague has spoken, one more is to).

    attempt: the annotator's, under way; they and all others were let in without the training.
    flagged: the scenarios that `first` flagged, by their cases' names, and `held`, of which the annotator has a lease.
    plan: the manager's, from the campaign's own ratings. comparison: of two periods.
    """

    campaign: Campaign
    people: dict[str, User]
    cases: dict[str, Case]
    leases: dict[str, Assignment]
    job: Job
    release: Release
    messages: list[Message]
    attempt: TrainingAttempt
    flagged: dict[str, int]
    plan: Job
    comparison: Job
    sessions: dict[str, str] = field(default_factory=dict)

    def cookies_of(self, who: str) -> dict[str, str]:
        if who == "anonymous":
            return {}
        if who not in self.sessions:
            self.sessions[who] = session_of(self.people[who])
        return {"sessionid": self.sessions[who]}

    def ask(self, who: str, method: str, url: str, **request: Any) -> HttpResponse:
        """One request as this person; whatever it changes is undone."""
        client = Client()
        client.cookies.load(self.cookies_of(who))
        with transaction.atomic():
            try:
                response = client.generic(method, url, **request)
            except Exception as error:
                error.add_note(f"{who}: {method} {url} {request}")
                raise
            response.seen = whole_answer(response)  # type: ignore[attr-defined]
            transaction.set_rollback(True)
        return response  # type: ignore[return-value]

    def values_of(self, address: Address, who: str) -> Iterator[dict[str, object]]:
        """What may stand in the address: things of theirs, of others, and, once a name, things that are not there."""
        chosen = [self._choices(name, address, who) for name in address.names]
        first = [values[0] for values in chosen]
        for values in itertools.product(*chosen):
            others = [value for value, there in zip(values, first, strict=True) if value != there]
            if len(others) < 2 or not NOWHERE & set(others):
                yield dict(zip(address.names, values, strict=True))

    def _choices(self, name: str, address: Address, who: str) -> list[object]:
        user = self.people.get(who)
        own = Assignment.objects.filter(annotator=user).order_by("-pk").values_list("pk", flat=True)
        others = Assignment.objects.exclude(annotator=user).order_by("pk").values_list("pk", flat=True)
        assignments = [*own[:4], *others[:2], 10**9]
        in_dataset = address.path.startswith(("datasets", "api/v1/datasets"))
        choices: Mapping[str, list[object]] = {
            "slug": [self.campaign.dataset.slug if in_dataset else self.campaign.slug, "nothing"],
            "case_id": [*(case.pk for case in self.cases.values()), 10**9],
            "scenario_id": [*self.flagged.values(), 10**9],
            "assignment_id": assignments,
            "job_id": [self.job_in(address.path).pk, uuid.UUID(int=1)],
            "user_id": [user.pk if user else 0, self.people["first"].pk],
            "message_id": [*(message.pk for message in self.messages), 10**9],
            "attempt_id": [self.attempt.pk, 10**9],
            "item_id": [*self.attempt.items, self.leases["annotator"].work_item_id, 10**9],
            "member_id": [*Membership.objects.values_list("pk", flat=True)[:2], self._dealt_to.pk],
            "view_id": [*SavedView.objects.order_by("pk").values_list("pk", flat=True), 10**9],
            "withdrawal_id": [*RatingWithdrawal.objects.values_list("pk", flat=True), 10**9],
            "hash": [self.campaign.rubric.hash, "nothing"],
            "number": [1],
            "name": [file_name(address.path)],
            "report_id": [*AgreementReport.objects.values_list("pk", flat=True), 10**9],
        }
        if name == "pk":
            numbers = {
                "cases": choices["case_id"],
                "releases": [self.release.pk, 10**9],
                "scenarios": choices["scenario_id"],
            }
            return numbers.get(address.path.removeprefix("api/v1/").split("/")[0], assignments)
        return choices.get(name, ["1" if name.endswith("_id") else "nothing"])

    def job_in(self, path: str) -> Job:
        """What stands for `job_id` in an address."""
        if path.startswith("plan/"):
            return self.plan
        return self.comparison if "agreement/compare" in path else self.job

    @property
    def _dealt_to(self) -> Membership:
        return Membership.objects.get(campaign=self.campaign, user=self.people["expert"])


def file_name(path: str) -> str:
    """What stands for `name` in an address of a file or a table."""
    if "agreement" in path:
        return "alpha" if "agreement/compare" in path else "raters"
    return "designs" if path.startswith("plan/") else "manifest.json"


def whole_answer(response: Any) -> str:
    """Everything a person receives: status, headers, cookies, body."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    head = [f"{response.status_code} {response.reason_phrase}", *(f"{k}: {v}" for k, v in response.items())]
    return "\n".join([*head, response.cookies.output(), body.decode("utf-8", "replace")])


def build() -> World:
    """Raters `first` and `second` rate everything; items disagree where a case is wanted. See World for the rest."""
    data = factories.dataset("winter", scenarios=10, companions=[COMPANION], reference=REFERENCE)
    for scenario in Scenario.objects.filter(dataset=data):
        scenario.key = f"{scenario.task}/q{KEY}{scenario.pk}"
        scenario.tags = {"note": TAG}
        scenario.save()
    campaign = factories.campaign(data=data, slug="winter-round", title="Winter round")
    who = {name: _member(campaign, name, *roles) for name, *roles in PEOPLE}
    who["stranger"], who["site_manager"] = _person("stranger"), _person("site_manager", is_site_manager=True)
    who["deactivated"] = _member(campaign, "deactivated", "annotator")
    items = factories.items_of(campaign)
    first, second = who["first"], who["second"]
    _rate(items[0], {"safety": 1}, first)
    _three(items[1], [first, second, who["annotator"]], disputed=False)
    cases = {
        "waiting": _case(items[2], [first, second, who["annotator"]]),
        "taken": _case(items[3], [first, second, who["paused"]]),
        "decided": _case(items[4], [first, second, who["removed"]]),
        "conflict": _case(items[5], [first, second, who["both"]]),
        "divided": _case(items[7], [first, second, who["paused"]]),
        "awaited": _case(items[8], [first, second, who["removed"]]),
    }
    skip_item(assignment_id=factories.lease(items[6], who["annotator"]).pk, user=who["annotator"], reason="unsure")
    leases = {name: factories.lease(items[0], who[name]) for name in ("annotator", "both")}
    expert = who["expert"]
    take_case(case_id=cases["decided"].pk, expert=expert)
    decide_case(
        case_id=cases["decided"].pk,
        expert=expert,
        client_id=uuid.uuid4(),
        values={"empathy": 4},
        marks={"other": False},
        rationale=RATIONALE,
    )
    colleague = who["colleague"]
    _opinion(cases["divided"], expert, 2, f"{RATIONALE} of an expert", panel=2)
    _opinion(cases["divided"], colleague, 4, f"{RATIONALE} of a colleague")
    say(case_id=cases["divided"].pk, expert=colleague, text=f"{RATIONALE}: let us talk")
    _opinion(cases["awaited"], colleague, 3, OPINION, panel=2)
    take_case(case_id=cases["taken"].pk, expert=expert)
    save_view(user=expert, name="Widest empathy", query={"dimension": "empathy", "sort": "spread"})
    for name, state in (("paused", "paused"), ("removed", "removed")):
        membership = Membership.objects.get(campaign=campaign, user=who[name])
        people.change_membership(membership=membership, state=state)
    compute_agreement(campaign=campaign, by=who["manager"])
    compute_live_agreement(campaign=campaign)
    published = publish_release(campaign=campaign, by=who["manager"])
    compared(campaign, who["manager"])
    comparison = compared_agreement(campaign, who["manager"])
    publish_release(campaign=campaign, by=who["manager"], without_texts=True)
    said = {"campaign": campaign.slug, "companion": COMPANION}
    job = jobs.enqueue(kind="publish_release", arguments=said, by=who["manager"], subject=f"campaign:{campaign.slug}")
    attempt = jobs.claim(job.pk)
    assert attempt is not None
    jobs.fail(job.pk, attempt=attempt, error=f"{COMPANION}, rated by {who['first'].username}, cannot be written")
    training = attempt_under_way(campaign, items[1], who["annotator"])
    flagged = _flagged({name: case.work_item for name, case in cases.items()} | {"held": items[0]}, first)
    said = [*_messages(campaign, who), *_letters(cases["decided"], expert)]
    # Nothing was to be taken out any more: a withdrawal that leaves everything above as it is.
    RatingWithdrawal.objects.create(
        campaign=campaign, annotator=first, since=timezone.now(), reason=f"{NOTE}: why", by=who["manager"]
    )
    plan = planned(campaign, who["manager"])
    world = World(campaign, who, cases, leases, job, published.release, said, training, flagged, plan, comparison)
    for name in who:
        world.cookies_of(name)
    people.deactivate(user=who["deactivated"])
    return world


PEOPLE = [
    ("first", "annotator"),
    ("second", "annotator"),
    ("annotator", "annotator"),
    ("paused", "annotator"),
    ("removed", "annotator"),
    ("expert", "expert"),
    ("colleague", "expert"),
    ("both", "expert", "annotator"),
    ("manager", "manager"),
    ("chief", "manager", "expert"),
]


def _opinion(case: Case, expert: User, empathy: int, why: str, **asked: Any) -> None:
    take_case(case_id=case.pk, expert=expert)
    given = {"values": {"empathy": empathy}, "marks": {"other": False}, "rationale": why, **asked}
    decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), **given)


def _flagged(items: Mapping[str, Any], rater: User) -> dict[str, int]:
    for item in items.values():
        given = Assignment.objects.get(work_item=item, annotator=rater)
        flag_scenario(assignment_id=given.pk, user=rater, fault="unnatural", note=FLAG)
    return {name: item.scenario_id for name, item in items.items()}


def _messages(campaign: Campaign, who: Mapping[str, User]) -> list[Message]:
    """A conversation of another, and a word of Concord's to the annotator."""
    asked = send_message(campaign=campaign, author=who["first"], text=f"{RATIONALE}: I ask")
    answer = send_message(
        campaign=campaign, author=who["manager"], recipient=who["first"], text=f"{NOTE}: I answer", reply_to=asked
    )
    return [asked, answer, send_message(campaign=campaign, recipient=who["annotator"], text="You are doing well.")]


def _letters(decided: Case, expert: User) -> list[Message]:
    """To the raters of the decided case that are still here: `first` and `second`."""
    write_to_raters(case_id=decided.pk, by=expert, text=f"{LETTER}: look at its second line")
    return list(Message.objects.filter(work_item=decided.work_item_id).order_by("pk"))


def _person(name: str, **more: Any) -> User:
    return factories.person(f"{NAME}-{name}", display_name=f"{NAME} {name}", email=f"{NAME}-{name}@example.org", **more)


def _member(campaign: Campaign, name: str, *roles: str) -> User:
    user = _person(name)
    for role in roles:
        factories.member(campaign, role, user=user)
    return user


def _rate(item: Any, scores: factories.Scores, user: User, **given: Any) -> None:
    given.setdefault("rationale", f"{RATIONALE} of {user.pk}")
    factories.rating(item, scores, user=user, **given)


def _three(item: Any, raters: list[User], *, disputed: bool) -> None:
    for place, user in enumerate(raters):
        mark = [{"type": "other", "note": NOTE}] if disputed and place == 0 else []
        _rate(item, {"empathy": 1} if disputed and place == 0 else 5, user, marks=mark)


def _case(item: Any, raters: list[User]) -> Case:
    _three(item, raters, disputed=True)
    return Case.objects.get(work_item=item)
