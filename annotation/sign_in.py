"""How people come in: by invitation, then with name and password."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.forms import LoginForm
from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from annotation.models import User


class InvitedOnly(DefaultAccountAdapter):
    """No one signs up by themselves; accounts come with a one-time link (services/people.py)."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


class SignInForm(LoginForm):
    """The library's own; where no mail is sent it offers no way that ends in a letter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.MAIL_IS_SENT:
            self.fields["password"].help_text = ""


class ByName(AuthenticationBackend):
    """By name, its case not minded; yet no account that differs by case alone (rater ids of files do) shuts it out."""

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        found = self._check_password(User.objects.called(username), password)
        return found if isinstance(found, User) else None


def person_key(user: User) -> str:
    """Names a person to their own browser, so that what one typed there is never sent as another; tells nothing."""
    return salted_hmac("annotation.person", str(user.pk)).hexdigest()[:24]
