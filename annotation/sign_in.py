"""How people come in: by invitation, then with name and password."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class InvitedOnly(DefaultAccountAdapter):
    """No one signs up by themselves; accounts come with a one-time link (services/people.py)."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
