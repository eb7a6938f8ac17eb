"""Signed in without the sign-in page; also from the scripts that a server's own Django runs."""

from django.test import Client

from annotation.models import User


def session_of(user: User) -> str:
    """The key of a new session of theirs: what their browser sends as `sessionid`."""
    client = Client()
    client.force_login(user)
    return client.cookies["sessionid"].value
