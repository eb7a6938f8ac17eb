"""The one-time link by which an invited person comes in."""

from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.password_validation import password_validators_help_texts
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from annotation.errors import ConcordError, InvitationInvalid
from annotation.services.people import accept_invitation, invited_person

SIGN_IN = "annotation.sign_in.ByName"


@sensitive_post_parameters("password")
@never_cache
@require_http_methods(["GET", "POST"])
def welcome(request: HttpRequest, secret: str) -> HttpResponse:
    """Looking changes nothing (mail programs look at links too); sending a password uses the link up."""
    answer = _answer(request, secret)
    # The address is a secret: other pages learn no more of it than the site. ("no-referrer" would also blank Origin,
    # which the check against forged requests reads.)
    answer["Referrer-Policy"] = "strict-origin"
    return answer


def _answer(request: HttpRequest, secret: str) -> HttpResponse:
    try:
        person = invited_person(secret)
        if request.method != "POST":
            return _page(request, person=person)
        person = accept_invitation(secret=secret, password=request.POST.get("password", ""))
    except InvitationInvalid as error:
        return _page(request, status=error.status, refused=str(error))
    except ConcordError as error:
        return _page(request, status=422, person=invited_person(secret), errors=error.fields.get("password", [error]))
    login(request, person, backend=SIGN_IN)
    messages.success(request, _("Welcome, %(person)s. Your password is set.") % {"person": person})
    return redirect("annotation:home")


def _page(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    context = {"rules": password_validators_help_texts(), **more}
    return render(request, "annotation/welcome.html", context, status=status)
