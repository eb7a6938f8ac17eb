"""Who may what: every address and verb of the site, by role, in one table (permissions.txt); what is not in it fails.

    ok     let in and done
    login  sent to sign in, or 401
    403    may know of it, may not do it
    404    to them it is not there
    4xx    let in, and refused for what was sent or for how things stand (a case that they do not hold is 409)

`site` is a site manager without a role in the campaign; `paused` and `removed` were annotators of it; `gone` is
deactivated and still holds a session. What stands in an address is one's own where one has such a thing, else
another's. The table is of one's own campaign; `test_a_role_ends_at_its_campaign` tries the same on another's.
"""

import json
import logging
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client

from annotation.models import Assignment, Membership, Message
from annotation.services import people
from reviews.models import AgreementReport, RatingWithdrawal, SavedView
from tests import factories, world
from tests.addresses import Address, addresses
from tests.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]

COLUMNS = {
    "anon": "anonymous",
    "stranger": "stranger",
    "annotator": "annotator",
    "expert": "expert",
    "manager": "manager",
    "site": "site_manager",
    "paused": "paused",
    "removed": "removed",
    "gone": "deactivated",
}
TABLE = Path(__file__).with_name("permissions.txt")
FORM = "application/x-www-form-urlencoded"
LEVELS = {"empathy": 4, "fluency": 4, "safety": 4}
# Which case an address is tried on.
CASES = {"take": "waiting", "reopen": "decided", "talk": "divided", "another": "divided"} | dict.fromkeys(
    ("letter", "training-item", "example"), "decided"
)


@pytest.fixture
def there() -> Iterator[World]:
    logging.disable(logging.CRITICAL)
    made = world.build()
    made.people["probe"] = probe = factories.person("probe", is_site_manager=True)
    # No service gives somebody all roles at once; this one is only asked which verbs there are.
    for role in Membership.Role.values:
        Membership.objects.create(campaign=made.campaign, user=probe, role=role)
    yield made
    logging.disable(logging.NOTSET)


def outcome(response: HttpResponse) -> str:
    code = response.status_code
    if code == 401 or (code == 302 and "/accounts/login/" in response["Location"]):
        return "login"
    return "ok" if code < 400 else str(code)


def verbs_of(there: World, address: Address) -> list[str]:
    """The verbs that an address knows, asked of it by someone who may everything."""
    answer = there.ask("probe", "BREW", address.at(values_for(there, address, "probe")))
    if address.path.startswith("accounts/"):
        return ["GET"]  # the sign-in library's own pages: their forms are its tests' matter
    if answer.status_code != 405:
        return ["GET", "POST"]
    return [verb for verb in answer["Allow"].split(", ") if verb not in ("HEAD", "OPTIONS")]


def values_for(there: World, address: Address, who: str) -> dict[str, object]:
    user = there.people.get(who)
    lease = there.leases.get(who) or Assignment.objects.filter(annotator=user).last() or there.leases["annotator"]
    if address.path.endswith(("mine/{assignment_id}/", "take-back/")):
        ended = Assignment.objects.filter(
            annotator=user, state="skipped" if "take-back" in address.path else "submitted"
        )
        lease = ended.first() or lease
    case = there.cases[next((name for verb, name in CASES.items() if f"/{verb}/" in address.path), "taken")]
    in_dataset = address.path.startswith(("datasets", "api/v1/datasets"))
    kind = address.path.removeprefix("api/v1/").split("/")[0]
    trains = "/practice/" in address.path or "/training/" in address.path
    return {
        "slug": there.campaign.dataset.slug if in_dataset else there.campaign.slug,
        "case_id": case.pk,
        "assignment_id": lease.pk,
        "scenario_id": there.flagged["waiting"],
        "pk": {"cases": case.pk, "releases": there.release.pk, "scenarios": there.flagged["waiting"]}.get(
            kind, lease.pk
        ),
        "job_id": there.job_in(address.path).pk,
        "user_id": there.people["first"].pk,
        "message_id": (Message.objects.filter(recipient=user).first() or there.messages[0]).pk,
        "member_id": Membership.objects.get(user=there.people["expert" if "/experts/" in address.path else "first"]).pk,
        "view_id": (SavedView.objects.filter(user=user).first() or SavedView.objects.earliest("pk")).pk,
        "attempt_id": there.attempt.pk,
        "withdrawal_id": RatingWithdrawal.objects.earliest("pk").pk,
        "item_id": there.attempt.items[0] if trains else there.leases["annotator"].work_item_id,
        "report_id": AgreementReport.objects.earliest("pk").pk,
        "token_id": 1,
        "hash": there.campaign.rubric.hash,
        "number": 1,
        "name": world.file_name(address.path),
        "secret": "nothing",
        "key": "nothing",
        "uidb36": "1",
        "rest": "nothing/",
    }


def ask(there: World, who: str, verb: str, address: Address) -> HttpResponse:
    """A request that is taken where the person may make it."""
    url = address.at(values_for(there, address, who))
    if verb in ("GET", "DELETE"):
        return there.ask(who, verb, url)
    fields = {
        "client_id": str(uuid.uuid4()),
        "reason": "unsure",
        "note": "",
        "rationale": "why",
        "seconds": 9,
        "name": "x",
        "text": "hello",
        "saved_at": "2026-01-01T00:00:00Z",
        "verdict": "keep",
        "fault": "unsafe",
    }
    if address.path.startswith("api/"):
        violations = {"other": False} if "/cases/" in address.path else []
        body = fields | {"scores": LEVELS, "values": LEVELS, "marks": violations, "campaign": there.campaign.slug}
        body["rule"] = {"range": 2}
        return there.ask(who, verb, url, data=json.dumps(body), content_type="application/json")
    form = fields | {f"score.{key}": level for key, level in LEVELS.items()} | {"state": "paused", "language": "en"}
    form |= {f"value.{key}": level for key, level in LEVELS.items()} | {"mark.other": "false", "marks": "[]"}
    return there.ask(who, verb, url, data=urlencode(form), content_type=FORM)


def expected() -> dict[tuple[str, str], list[str]]:
    """{(verb, path): outcomes in the order of COLUMNS}"""
    lines = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert lines[0] == list(COLUMNS)
    return {(verb, path.removeprefix("/")): cells for verb, path, *cells in lines[1:]}


def test_every_address_and_verb_is_in_the_table(there):
    known = {(verb, address.path) for address in addresses() for verb in verbs_of(there, address)}
    assert known - expected().keys() == set(), "add these to the table"
    assert expected().keys() - known == set(), "these are no more"


@pytest.mark.parametrize("column", COLUMNS)
def test_each_role_may_what_the_table_says(there, column):
    who, place = COLUMNS[column], list(COLUMNS).index(column)
    wrong = []
    for (verb, path), cells in expected().items():
        got = outcome(ask(there, who, verb, Address(path)))
        if got != cells[place]:
            wrong.append(f"{verb} /{path}: {got}, not {cells[place]}")
    assert not wrong, f"{column}:\n" + "\n".join(wrong)


@pytest.mark.parametrize("role", Membership.Role.values)
def test_a_role_ends_at_its_campaign(there, role):
    """Who holds a role elsewhere is a stranger to everything of this campaign."""
    stranger = list(COLUMNS).index("stranger")
    there.people["elsewhere"] = factories.member(factories.campaign(slug="elsewhere"), role)
    wrong = []
    for (verb, path), cells in expected().items():
        address = Address(path)
        if not address.names or "rest" in address.names:
            continue
        got = outcome(ask(there, "elsewhere", verb, address))
        if got != cells[stranger]:
            wrong.append(f"{verb} /{path}: {got}, not {cells[stranger]}")
    assert not wrong, f"{role} of another campaign:\n" + "\n".join(wrong)


def test_a_token_ends_with_its_person():
    user = factories.person()
    headers = {"Authorization": f"Bearer {people.make_token(user=user, name='script')}"}
    assert Client().get("/api/v1/campaigns/", headers=headers).status_code == 200
    people.deactivate(user=user)
    assert Client().get("/api/v1/campaigns/", headers=headers).status_code == 401
