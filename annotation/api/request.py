from rest_framework.request import Request

from annotation.models import User


class SignedIn(Request):
    """What these views are given, for their signatures: the API answers nobody who is not signed in."""

    user: User
