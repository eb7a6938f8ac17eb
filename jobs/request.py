"""What views are given, for their signatures."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from annotation.models import User


class HtmxRequest(HttpRequest):
    """`htmx` is true where a part of a page is asked for, to be swapped in."""

    htmx: HtmxDetails


class SignedInRequest(HtmxRequest):
    """Behind `login_required`."""

    user: "User"
