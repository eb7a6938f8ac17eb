"""Parts of pages that ask for themselves again."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse

from jobs.request import HtmxRequest

View = Callable[..., HttpResponse]


def polled(view: View) -> View:
    """For pages that ask again by themselves: to someone signed out they get 401, not a sign-in page to swap in."""

    @wraps(view)
    def answer(request: HtmxRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.htmx and not request.user.is_authenticated:
            return HttpResponse(status=401)
        return view(request, *args, **named)

    return answer
