"""The single keys of a person: the usual ones, others, none; what the pages say of them."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from annotation.errors import KeysInvalid
from annotation.models import User
from annotation.services.people import choose_keys
from annotation.shortcuts import USUAL, keys_of
from tests import factories as f

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return f.person("anna")


@pytest.fixture
def client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def form(**changed: str) -> dict[str, str]:
    """The form of keys as it is sent: what is no action is sent as it is."""
    chosen = USUAL | changed
    return {f"key.{name}" if name in USUAL else name: value for name, value in chosen.items()}


def told(page: str) -> dict[str, Any]:
    """What the page tells its scripts."""
    found = re.search(r'data-keys="([^"]*)"', page)
    assert found
    answer: dict[str, Any] = json.loads(found[1].replace("&quot;", '"'))
    return answer


def test_who_chose_nothing_has_the_usual_keys(user: User) -> None:
    assert keys_of(user).of == USUAL
    assert len(set(USUAL.values())) == len(USUAL)


def test_only_what_differs_is_kept(user: User) -> None:
    choose_keys(user=user, keys={"mark": "M", "rationale": "r"})
    assert user.keys == {"mark": "m"}
    assert keys_of(user).of == USUAL | {"mark": "m"}


def test_two_actions_may_change_their_keys_with_each_other(user: User) -> None:
    choose_keys(user=user, keys={"mark": "r", "rationale": "v"})
    assert keys_of(user).of_action("mark") == "r"


def test_a_full_width_sign_is_the_key_that_types_it(user: User) -> None:
    choose_keys(user=user, keys={"skip": "；"})
    assert keys_of(user).of_action("skip") == ";"


@pytest.mark.parametrize("key", ["", " ", "ab", "7", "٣", "²", "\x07", None, 3])
def test_a_key_is_one_letter_or_sign(user: User, key: Any) -> None:
    with pytest.raises(KeysInvalid) as refused:
        choose_keys(user=user, keys={"mark": key})
    assert list(refused.value.fields) == ["mark"]
    assert user.keys == {}


def test_one_key_does_not_do_two_things(user: User) -> None:
    with pytest.raises(KeysInvalid) as refused:
        choose_keys(user=user, keys={"mark": "S"})
    assert refused.value.fields["mark"] == ["The same key as: Skip the item."]


def test_an_action_that_is_none_is_refused(user: User) -> None:
    with pytest.raises(KeysInvalid):
        choose_keys(user=user, keys={"dance": "d"})
    with pytest.raises(KeysInvalid):
        choose_keys(user=user, keys=["v"])  # type: ignore[arg-type]


def test_switched_off_no_key_does_anything_and_the_chosen_ones_are_remembered(user: User) -> None:
    choose_keys(user=user, keys={"mark": "m", "off": True})
    assert keys_of(user).of_action("mark") == ""
    choose_keys(user=user, keys={"mark": "m"})
    assert keys_of(user).of_action("mark") == "m"


def test_the_account_page_keeps_them_and_pages_tell_scripts(client: Client, user: User) -> None:
    answer = client.post("/account/keys/", form(on="on", undo="u"), follow=True)
    assert "Your keys are kept" in answer.content.decode()
    assert told(answer.content.decode()) == {"on": True, "of": USUAL | {"undo": "u"}}
    client.post("/account/keys/", form())
    assert told(client.get("/account/").content.decode())["on"] is False
    client.post("/account/keys/", form(undo="u", usual="1"))
    user.refresh_from_db()
    assert user.keys == {}


def test_a_clash_is_said_at_its_fields_and_what_was_typed_stands(client: Client, user: User) -> None:
    answer = client.post("/account/keys/", form(on="on", undo="s"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "The same key as: Skip the item." in page
    assert re.search(r'id="key-undo"\s+name="key\.undo"\s+value="s"', page)
    assert told(page)["of"] == USUAL


def test_the_desk_shows_the_keys_of_the_person_and_none_where_they_are_off() -> None:
    campaign = f.campaign()
    user = f.member(campaign)
    client = Client()
    client.force_login(user)
    choose_keys(user=user, keys={"mark": "m", "skip": "."})
    page = client.get(f"/campaigns/{campaign.slug}/rate/").content.decode()
    assert "<kbd>m</kbd>" in page
    assert "<kbd>.</kbd>" in page
    assert "<kbd>v</kbd>" not in page
    choose_keys(user=user, keys={"off": True})
    page = client.get(f"/campaigns/{campaign.slug}/rate/").content.decode()
    single = [key for key in re.findall(r"<kbd[^>]*>([^<]+)</kbd>", page) if len(key) == 1]
    assert set(single) <= {"←", "→"}
    assert "1–5" not in page
    assert "you have switched single keys off" in page
