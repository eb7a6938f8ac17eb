"""The law of independence, tried from outside: every address, every verb, every byte that leaves the server.

Nobody who rates or judges learns a model's name, the condition, the key, the reference or who else rated; nobody who
rates learns what another rated before their own rating is in.
"""

import json
import logging
import re
import uuid
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from annotation.models import Assignment, Rating
from annotation.services.campaigns import close_campaign
from annotation.services.flags import flag_scenario, take_back_flag
from reviews.models import Case
from reviews.services.refinement import read_reference
from scenarios.models import Scenario
from tests import factories, world
from tests.addresses import Address, addresses
from tests.world import World

# `once`: what leaves the server is put together from the same rows on either database.
pytestmark = [pytest.mark.django_db, pytest.mark.once, pytest.mark.timeout(300)]

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
CONDITION = re.compile(r"\b(no_)?sap\b|Secure Attachment Persona", re.IGNORECASE)
# What describes the interface itself names the conditions that a file may have, and no item's.
NAMES_CONDITIONS = {"api/schema/", "api/docs/"}
# Asked once by each verb: slow, and the same for everyone; or answers with a secret of one's own.
ONCE = {"api/schema/", "api/docs/", "account/tokens/", "api/v1/tokens/"}
# The cases whose items `both` was never given.
UNMET = ("waiting", "taken", "decided", "divided", "awaited")
SCORES = {"empathy": 4, "fluency": 4, "safety": 4}
# Bodies that are taken, and bodies that are refused field by field.
GOOD = {
    "scores": SCORES,
    "values": SCORES,
    "marks": [],
    "rationale": "mine",
    "seconds": 9,
    "reason": "unsure",
    "note": "",
    "campaign": "winter-round",
    "verdict": "keep",
    "fault": "unsafe",
    "name": "token",
    "text": "hello",
    "why": {"en": "because"},
}
WRONG_MARK = {"type": "other", "start": 0, "end": 3, "quote": "xyz", "note": ""}
BAD = GOOD | {"scores": {"empathy": 9}, "values": {"empathy": 9}, "marks": [WRONG_MARK], "reason": "x", "supersedes": 1}


@pytest.fixture
def there(settings) -> Iterator[World]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    logging.disable(logging.CRITICAL)
    yield world.build()
    logging.disable(logging.NOTSET)


def hidden_names(there: World, who: str) -> list[str]:
    """Everybody's names but one's own."""
    users = [user for name, user in there.people.items() if name != who]
    return [name for user in users for name in (user.username, user.display_name)]


def looks() -> Iterator[tuple[str, dict]]:
    yield "GET", {}
    yield "GET", {"headers": {"HX-Request": "true"}}
    yield "GET", {"headers": {"Accept": "application/json"}}


def deeds() -> Iterator[tuple[str, dict]]:
    script, form = {"Accept": "application/json"}, "application/x-www-form-urlencoded"
    for body in (GOOD, BAD):
        body = body | {"client_id": str(uuid.uuid4())}
        yield "POST", {"data": json.dumps(body), "content_type": "application/json"}
        yield "POST", {"data": as_form(body), "content_type": form}
        yield "POST", {"data": as_form(body), "content_type": form, "headers": script}
    yield "POST", {"data": "{", "content_type": "application/json"}


def others() -> Iterator[tuple[str, dict]]:
    yield from ((method, {}) for method in METHODS if method not in ("GET", "POST"))


def as_form(body: dict) -> str:
    fields = {key: value for key, value in body.items() if isinstance(value, str | int)}
    fields |= {f"score.{key}": value for key, value in body["scores"].items()}
    fields |= {f"value.{key}": value for key, value in body["values"].items()}
    return urlencode(fields | {"marks": json.dumps(body["marks"]), "mark.other": "false"})


def answers(there: World, who: str, only: str = "") -> Iterator[tuple[Address, str, str]]:
    """(address, what was asked, everything that came back) of every request this person can make."""
    for address in addresses():
        if only not in address.path:
            continue
        for first, values in enumerate(there.values_of(address, who)):
            for method, request in [*looks(), *(others() if first == 0 else []), *deeds()]:
                if address.path in ONCE and request:
                    continue
                response = there.ask(who, method, address.at(values), **request)
                yield address, f"{method} {address.at(values)} {request}", response.seen
                if method == "POST" and response.status_code == 405:
                    break


def words_in(seen: str, words: list[str]) -> list[str]:
    return [word for word in words if word.lower() in seen.lower()]


@pytest.mark.parametrize("who", ["annotator", "both"])
def test_an_annotator_learns_neither_origin_nor_names_nor_what_others_wrote(there, who):
    hidden = [*world.ORIGIN, *hidden_names(there, who)]
    written = [world.RATIONALE, world.NOTE, world.FLAG, world.LETTER]
    # Opening a scenario that they were given nothing of bars them from it: there an expert reads what raters say of it.
    opens = [f"/refinement/{there.flagged[name]}/" for name in UNMET if who == "both"]
    conflict = f"/cases/{there.cases['conflict'].pk}/"
    own = f"{world.RATIONALE} of {there.people[who].pk}"
    for address, asked, seen in answers(there, who):
        taken = who == "both" and takes_a_case(address) and conflict not in asked
        taken = taken or any(path in asked for path in opens)
        leaks = words_in(seen.replace(own, ""), hidden + ([] if taken else written))
        assert not leaks, f"{who} reads {leaks} at {asked}"
        if address.path not in NAMES_CONDITIONS:
            assert not CONDITION.search(seen), f"{who} reads a condition at {asked}"


@pytest.mark.parametrize(("who", "only"), [("expert", ""), ("chief", "cases/"), ("chief", "refinement/")])
def test_an_expert_learns_neither_origin_nor_names_and_ratings_of_their_own_cases_alone(there, who, only):
    """A manager who judges too (`chief`) is as blind on a case as an expert."""
    hidden = [*world.ORIGIN, *hidden_names(there, who)]
    open_to_all = ["waiting", "conflict", "awaited"] + ([] if who == "expert" else ["taken", "divided"])
    unread = {f"/cases/{there.cases[name].pk}/" for name in open_to_all}
    for address, asked, seen in answers(there, who, only):
        leaks = words_in(seen, hidden)
        if f"/refinement/{there.flagged['decided']}/" in asked:  # nothing of it is left to judge
            leaks = [word for word in leaks if word != world.REFERENCE]
        leaks += words_in(seen, [world.RATIONALE, world.NOTE]) if is_of_unread(asked, unread) else []
        leaks += words_in(seen, [world.OPINION])
        assert not leaks, f"{who} reads {leaks} at {asked}"
        if address.path not in NAMES_CONDITIONS:
            assert not CONDITION.search(seen), f"{who} reads a condition at {asked}"


def is_of_unread(asked: str, unread: set[str]) -> bool:
    """Of a case that they did not take; taking it by the API answers with what it holds."""
    return any(path in asked for path in unread) and "/take/" not in asked


def takes_a_case(address: Address) -> bool:
    """By the API it answers with what the case holds; whoever took it can never rate the item (ItemBar)."""
    return address.path.startswith("api/v1/cases/") and address.path.endswith(("/take/", "/next/"))


def test_a_rater_who_is_written_to_learns_the_outcome_and_no_name_and_no_other_rating(there):
    """On every page where the letter stands: the verdict and the reason, and of the others nothing."""
    names = [f"{world.NAME}-{who}" for who in ("second", "removed", "expert")]
    others = [f"{world.RATIONALE} of {there.people[who].pk}" for who in ("second", "removed")]
    read_at = set()
    for address in addresses():
        for values in there.values_of(address, "first"):
            for method, request in looks():
                seen = there.ask("first", method, address.at(values), **request).seen
                leaks = words_in(seen, [*world.ORIGIN, *names, *(name.replace("-", " ") for name in names), *others])
                assert not leaks, f"first reads {leaks} at {address.at(values)}"
                if world.LETTER in seen:
                    read_at.add(address.path)
                    assert world.RATIONALE in seen  # the expert's reason
    assert read_at == {"", "campaigns/{slug}/messages/"}


def test_an_expert_finds_no_letter_again_and_so_not_who_got_it(there):
    for _address, asked, seen in answers(there, "expert", "messages"):
        assert world.LETTER not in seen, f"the expert reads a letter at {asked}"


def test_a_stranger_learns_nothing_at_all(there):
    hidden = [*world.ORIGIN, world.RATIONALE, world.LETTER, *hidden_names(there, "stranger"), there.campaign.title]
    for _address, asked, seen in answers(there, "stranger"):
        leaks = words_in(seen, hidden)
        assert not leaks, f"a stranger reads {leaks} at {asked}"


ALWAYS_OTHER = re.compile(
    r"csrf\S*[\"']?\s*(value=|:|=)\s*\S+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?|\d\d?:\d\d"
    r"|\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT|Max-Age=\d+|Content-Length: \d+|boundary=\S+"
    r'|data-draft=\\?"[0-9a-f]{24}'
)


def without_chance(seen: str) -> str:
    """The answer without tokens and times, which differ at each asking, and with its leases counted from 1.

    What an asking does is undone after it, but PostgreSQL counts on.
    """
    seen = ALWAYS_OTHER.sub("·", seen)
    leases = list(dict.fromkeys(re.findall(r'"assignment": ?(\d+)', seen)))
    for place, lease in enumerate(leases, 1):
        seen = re.sub(rf"\b{lease}\b", f"lease {place}", seen)
    return seen


def rerated(there: World, scores: factories.Scores, marks: tuple = ()) -> None:
    """What others say of an item that the annotator still holds, and of one that they never rate."""
    annotator = there.people["annotator"]
    held = there.leases["annotator"].work_item_id
    standing = Rating.objects.standing().exclude(work_item__ratings__annotator=annotator)
    for place, rating in enumerate(standing.filter(work_item__locked=False).order_by("pk")):
        given = scores if place % 2 == 0 or rating.work_item_id == held else 5
        factories.edit(rating, given, marks=marks, rationale=f"{world.RATIONALE} again")


def test_what_others_rate_changes_no_byte_for_who_has_not_rated_yet(there):
    """No count, no order, no state and no wording tells low from high, disputed from agreed, urgent from calm."""
    rerated(there, 5)
    before = {asked: without_chance(seen) for _address, asked, seen in steady(there)}
    calm = Case.objects.standing().filter(state="waiting").count()
    rerated(there, {"safety": 1, "empathy": 1}, marks=("self_harm",))
    assert Case.objects.standing().filter(state="waiting").count() > calm  # something did change
    for _address, asked, seen in steady(there):
        assert without_chance(seen) == before[asked], f"what others rated shows at {asked}"


def test_what_others_flag_changes_no_byte_for_an_annotator(there):
    before = {asked: without_chance(seen) for _address, asked, seen in steady(there)}
    second = there.people["second"]
    for given in Assignment.objects.filter(annotator=second):
        flag_scenario(assignment_id=given.pk, user=second, fault="unsafe", note=world.FLAG)
    take_back_flag(assignment_id=_given(there, "held").pk, user=there.people["first"])  # of what the annotator holds
    for _address, asked, seen in steady(there):
        assert without_chance(seen) == before[asked], f"what others flagged shows at {asked}"


def _given(there: World, flagged: str) -> Assignment:
    """What `first` flagged that scenario from."""
    return Assignment.objects.get(work_item__scenario=there.flagged[flagged], annotator=there.people["first"])


def steady(there: World) -> Iterator[tuple[Address, str, str]]:
    """Every GET of the annotator, and `next`, whose count is of items left."""
    for address in addresses():
        for values in there.values_of(address, "annotator"):
            for method in ("GET", "POST") if address.path.endswith(("/next/", "/ahead/")) else ("GET",):
                url = address.at(values)
                yield address, f"{method} {url}", there.ask("annotator", method, url).seen


class TestTheTestItself:
    """The words that must not be seen are there to be seen, by those who may."""

    def test_a_manager_reads_them(self, there):
        url = f"/api/v1/campaigns/{there.campaign.slug}/ratings/"
        seen = there.ask("manager", "GET", url).seen
        for word in (world.COMPANION, world.KEY, f"{world.NAME}-first", "no_sap", world.RATIONALE):
            assert word in seen

    def test_a_manager_reads_an_opinion_before_the_next_is_in(self, there):
        assert world.OPINION in there.ask("manager", "GET", f"/cases/{there.cases['awaited'].pk}/").seen

    def test_an_expert_reads_what_the_raters_of_a_held_case_wrote(self, there):
        seen = there.ask("expert", "GET", f"/cases/{there.cases['taken'].pk}/").seen
        assert world.RATIONALE in seen

    @pytest.mark.parametrize("who", ["expert", "manager", "both"])
    def test_experts_and_managers_read_what_raters_say_of_a_scenario(self, there, who):
        url = f"/campaigns/{there.campaign.slug}/refinement/{there.flagged['waiting']}/"
        assert world.FLAG in there.ask(who, "GET", url).seen

    def test_an_expert_reads_the_reference_where_nothing_is_left_to_judge(self, there):
        url = f"/campaigns/{there.campaign.slug}/refinement/{there.flagged['decided']}/"
        assert world.REFERENCE not in there.ask("expert", "GET", url).seen
        scenario = Scenario.objects.get(pk=there.flagged["decided"])
        read_reference(campaign=there.campaign, scenario=scenario, expert=there.people["expert"])
        assert world.REFERENCE in there.ask("expert", "GET", url).seen
        for who in ("manager", "both"):
            assert world.REFERENCE not in there.ask(who, "GET", url).seen

    def test_an_expert_reads_where_it_comes_from_once_the_campaign_is_closed(self, there):
        close_campaign(campaign=there.campaign)
        seen = there.ask("expert", "GET", f"/cases/{there.cases['decided'].pk}/").seen
        assert world.COMPANION in seen
        assert f"{world.NAME}-first" not in seen

    def test_most_addresses_answer_someone(self, there):
        answered = {
            address.path
            for who in ("annotator", "expert", "chief")
            for address in addresses()
            for values in there.values_of(address, who)
            if there.ask(who, "GET", address.at(values)).status_code == 200
        }
        assert len(answered) > 15, sorted(answered)
