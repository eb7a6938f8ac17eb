"""A one-time link signs one person in, once, within its days."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from annotation.errors import ConcordError, InvitationInvalid
from annotation.models import Invitation
from annotation.services.people import accept_invitation, deactivate, invite, invited_person
from tests import factories

pytestmark = pytest.mark.django_db
PASSWORD = "seven green kettles"


@pytest.fixture
def user():
    return factories.person("mei")


def test_it_sets_the_password(user):
    assert accept_invitation(secret=invite(user=user), password=PASSWORD).check_password(PASSWORD)


def test_it_works_once(user):
    secret = invite(user=user)
    accept_invitation(secret=secret, password=PASSWORD)
    with pytest.raises(InvitationInvalid):
        accept_invitation(secret=secret, password="another good one")
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_looking_does_not_use_it_up(user):
    secret = invite(user=user)
    assert [invited_person(secret), invited_person(secret)] == [user, user]
    assert accept_invitation(secret=secret, password=PASSWORD)


@pytest.mark.parametrize("password", ["short", "12345678901", "password", "mei"])
def test_a_weak_password_leaves_it_open(user, password):
    secret = invite(user=user)
    with pytest.raises(ConcordError) as error:
        accept_invitation(secret=secret, password=password)
    assert "password" in error.value.fields
    assert accept_invitation(secret=secret, password=PASSWORD)


def test_a_fresh_one_ends_the_earlier(user):
    first, second = invite(user=user), invite(user=user)
    with pytest.raises(InvitationInvalid):
        invited_person(first)
    assert invited_person(second) == user


def test_it_ends_after_its_days(user, settings):
    secret = invite(user=user)
    with (
        time_machine.travel(timezone.now() + timedelta(days=settings.INVITATION_DAYS, seconds=1)),
        pytest.raises(InvitationInvalid),
    ):
        accept_invitation(secret=secret, password=PASSWORD)


def test_it_ends_with_who_it_is_for(user):
    secret = invite(user=user)
    deactivate(user=user)
    with pytest.raises(InvitationInvalid):
        invited_person(secret)


def test_only_a_hash_is_stored(user):
    secret = invite(user=user)
    assert secret not in str(list(Invitation.objects.values()))


@pytest.mark.parametrize("secret", ["", "x", "\x00", "é", "0" * 10_000])
def test_what_was_never_given_opens_nothing(user, secret):
    with pytest.raises(InvitationInvalid):
        invited_person(secret)
