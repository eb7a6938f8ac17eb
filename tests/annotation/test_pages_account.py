"""Coming in, one's own page, the language, and what a page says when there is nothing to show."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import ApiToken, Campaign, Membership, User
from annotation.services.people import invite
from tests import factories as f

pytestmark = pytest.mark.django_db
PASSWORD = "a long walk by the harbour"
ACCOUNT = "/account/"


@pytest.fixture
def user() -> User:
    return f.person("anna", password=PASSWORD)


@pytest.fixture
def client(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_link_says_who_is_invited_and_lets_them_in() -> None:
    person = f.person("ben")
    url = reverse("annotation:welcome", args=[invite(user=person)])
    visitor = Client()
    shown = visitor.get(url)
    assert "Welcome, ben" in text_of(shown)
    answer = visitor.post(url, {"password": PASSWORD})
    assert answer.headers["Location"] == reverse("annotation:home")
    assert "Your password is set." in text_of(visitor.get(reverse("annotation:home")))
    person.refresh_from_db()
    assert person.check_password(PASSWORD)


def test_the_link_is_not_told_to_other_pages() -> None:
    url = reverse("annotation:welcome", args=[invite(user=f.person("ben"))])
    answer = Client().get(url)
    assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert "no-store" in answer.headers["Cache-Control"]
    assert url.split("/")[2] not in answer.content.decode().replace(f'value="{url}"', "")


def test_a_browser_that_sends_its_origin_may_set_the_password() -> None:
    visitor = Client(enforce_csrf_checks=True)
    url = reverse("annotation:welcome", args=[invite(user=f.person("ben"))])
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', visitor.get(url).content.decode())
    assert token
    sent = {"password": PASSWORD, "csrfmiddlewaretoken": token[1]}
    assert visitor.post(url, sent, headers={"Origin": "http://testserver"}).status_code == 302


def test_a_weak_password_is_said_at_the_field() -> None:
    url = reverse("annotation:welcome", args=[invite(user=f.person("ben"))])
    answer = Client().post(url, {"password": "1234"})
    assert answer.status_code == 422
    assert "This password is too short" in text_of(answer)
    assert 'aria-invalid="true"' in text_of(answer)


def test_a_used_link_says_what_to_do() -> None:
    url = reverse("annotation:welcome", args=[invite(user=f.person("ben"))])
    Client().post(url, {"password": PASSWORD})
    answer = Client().get(url)
    assert answer.status_code == 410
    assert "Ask the person who sent it for a new one." in text_of(answer)


def test_someone_signed_in_is_warned_before_they_are_signed_out(client: Client) -> None:
    url = reverse("annotation:welcome", args=[invite(user=f.person("ben"))])
    assert "You are signed in as anna now" in text_of(client.get(url))


def test_a_token_is_shown_once(client: Client, user: User) -> None:
    page = text_of(client.post("/account/tokens/", {"name": "my script"}))
    secret = re.search(r'<code class="secret">([\w-]+)</code>', page)
    assert secret
    assert ApiToken.objects.of_secret(secret[1]) == user.api_tokens.get()
    later = text_of(client.get(ACCOUNT))
    assert "my script" in later
    assert secret[1] not in later


def test_a_tokens_name_may_hold_anything_that_a_form_can_send(client: Client, user: User) -> None:
    assert client.post("/account/tokens/", {"name": "<b>\x00\u2028😀" + "x" * 200}).status_code == 200
    assert user.api_tokens.get().name.startswith("<b>\u2028😀")


def test_a_token_is_revoked_by_its_owner_alone(client: Client, user: User) -> None:
    client.post("/account/tokens/", {"name": "my script"})
    url = reverse("annotation:drop_token", args=[user.api_tokens.get().pk])
    other = Client()
    other.force_login(f.person("eve"))
    other.post(url)
    assert user.api_tokens.count() == 1
    client.post(url)
    assert user.api_tokens.count() == 0


def test_the_language_stays_with_the_person(client: Client, user: User) -> None:
    answer = client.post("/account/language/", {"language": "zh-hans", "next": ACCOUNT})
    assert answer.headers["Location"] == ACCOUNT
    user.refresh_from_db()
    assert user.language == "zh-hans"
    elsewhere = Client()
    elsewhere.force_login(user)
    assert '<html lang="zh-hans">' in text_of(elsewhere.get(ACCOUNT))


def test_a_visitor_chooses_a_language_too() -> None:
    visitor = Client()
    visitor.post("/account/language/", {"language": "zh-hans", "next": "/accounts/login/"})
    assert '<html lang="zh-hans">' in text_of(visitor.get("/accounts/login/"))


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", ""])
def test_choosing_a_language_leads_nowhere_else(client: Client, back: str) -> None:
    answer = client.post("/account/language/", {"language": "xx", "next": back})
    assert answer.headers["Location"] == "/"


def test_nobody_signs_up_by_themselves() -> None:
    assert "Accounts come by invitation" in text_of(Client().get("/accounts/signup/"))


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/password/change/",
        "/accounts/logout/",
        "/accounts/email/",
        "/accounts/reauthenticate/",
        "/accounts/password/reset/done/",
        "/accounts/inactive/",
        "/accounts/confirm-email/",
        "/accounts/password/reset/key/1-nope/",
    ],
)
def test_every_page_of_the_account_has_our_layout(client: Client, address: str) -> None:
    page = text_of(client.get(address, follow=True))
    assert 'class="skip-link"' in page
    assert "<script>" not in page
    assert " style=" not in page


def test_home_of_someone_in_no_campaign_says_what_happens(client: Client) -> None:
    assert "You are in no campaign yet" in text_of(client.get("/"))


def test_home_of_a_site_manager_says_what_to_do_first() -> None:
    boss = Client()
    boss.force_login(f.site_manager())
    page = text_of(boss.get("/"))
    assert "First import scenarios and responses" in page
    assert f'href="{reverse("scenarios:import")}"' in page


def test_home_shows_each_role_what_is_theirs(client: Client, user: User) -> None:
    rates, decides = f.campaign(items=3, slug="rates"), f.campaign(slug="decides")
    manages = f.campaign(slug="manages", by=user)
    f.member(rates, user=user)
    f.member(decides, Membership.Role.EXPERT, user=user)
    f.rating(f.items_of(rates)[0], 5, user=user)
    f.rating(f.items_of(manages)[0], 5)
    page = text_of(client.get("/"))
    assert "2 items are left for you." in page
    assert "0 items wait for an expert." in page
    assert "1 of 3 ratings are in." in page


@pytest.mark.parametrize("state", ["draft", "paused", "closed"])
def test_home_offers_no_rating_where_none_is_open(client: Client, user: User, state: str) -> None:
    made = f.campaign(slug="one")
    f.member(made, user=user)
    Campaign.objects.update(state=state)
    page = text_of(client.get("/"))
    assert reverse("annotation:rate", args=["one"]) not in page
    assert reverse("annotation:mine", args=["one"]) in page


def test_an_address_that_is_nothing_says_so_kindly(client: Client) -> None:
    answer = client.get("/campaigns/nothing/rate/")
    assert answer.status_code == 404
    assert "There is nothing here" in text_of(answer)


def test_a_page_too_old_to_send_says_what_to_do(user: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(user)
    answer = strict.post("/account/tokens/", {"name": "x"})
    assert answer.status_code == 403
    assert "This page is too old" in text_of(answer)
