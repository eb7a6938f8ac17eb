from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from annotation.models import User


class SignedInRequest(HttpRequest):
    """What a view behind `login_required` is given, for its signature."""

    user: "User"
