"""Signing in by name: in whatever case it is typed, and shut out by no account that looks like it."""

import pytest
from django.test import Client

from annotation.models import User
from annotation.services.people import add_person, deactivate
from tests import factories

pytestmark = pytest.mark.django_db
PASSWORD = "seven green kettles"


@pytest.fixture
def mei() -> User:
    return factories.person("mei", password=PASSWORD)


def signs_in(name: str, password: str = PASSWORD) -> str | None:
    """Who is in after the form was sent."""
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": password})
    found = client.session.get("_auth_user_id")
    return User.objects.get(pk=found).username if found else None


@pytest.mark.parametrize("typed", ["mei", "Mei", "MEI"])
def test_the_case_of_a_name_is_not_minded(mei: User, typed: str) -> None:
    assert signs_in(typed) == "mei"
    assert signs_in(typed, "wrong") is None


def test_a_rater_of_a_file_shuts_out_nobody_of_the_same_letters(mei: User) -> None:
    User.objects.create(username="MEI", is_active=False)
    assert signs_in("mei") == "mei"
    assert signs_in("MEI") == "mei"


def test_of_two_people_the_one_that_is_typed_is_meant(mei: User) -> None:
    factories.person("temp", password=PASSWORD)
    User.objects.filter(username="temp").update(username="Mei")
    assert [signs_in("mei"), signs_in("Mei"), signs_in("MEI")] == ["mei", "Mei", None]


def test_a_name_in_another_case_brings_in_the_person_who_is_here(mei: User) -> None:
    assert add_person(username="Mei") == mei


def test_the_name_of_who_left_is_free_in_any_case(mei: User) -> None:
    deactivate(user=mei)
    assert add_person(username="Mei") != mei
    assert signs_in("mei") is None


def test_a_lost_password_is_asked_for_in_the_one_way_that_this_site_has(settings) -> None:
    asking, by_mail = "Lost your password? Ask the person who invited you", "Forgot your password?"
    for mailed in (False, True):
        settings.MAIL_IS_SENT = mailed
        page = Client().get("/accounts/login/").text
        assert (asking in page, by_mail in page) == (not mailed, mailed)
        promised = "a link to set a new password is sent there" in Client().get("/accounts/password/reset/").text
        assert promised == mailed
