"""The first question of every page: may this person know of the campaign, and do this in it?"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from annotation.models import Campaign, User

View = Callable[..., HttpResponse]


def campaign_for(user: User, slug: str, may: Callable[[Any, Campaign], bool]) -> Campaign:
    """The campaign of this address, where `may` (a predicate of a policy) lets the person in.

    Raises Http404 for those who may not know that it exists, PermissionDenied for members without the role.
    """
    found = Campaign.objects.visible_to(user).select_related("dataset", "rubric")
    campaign: Campaign = get_object_or_404(found, slug=slug)
    if not may(user, campaign):
        raise PermissionDenied
    return campaign


def polled(view: View) -> View:
    """For pages that ask again by themselves: to someone signed out they get 401, not a sign-in page to swap in."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if request.headers.get("HX-Request") and not request.user.is_authenticated:
            return HttpResponse(status=401)
        return view(request, *args, **named)

    return answer
