"""A person's own page: the interface's language, their keys, and tokens for programs that act as them."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.errors import KeysInvalid
from annotation.services.people import choose_keys, make_token, revoke_token
from annotation.shortcuts import BENCH, DESK, OFF, USUAL, keys_of
from jobs.request import SignedInRequest

KEY = "key."  # before the names of the actions, in the form of keys


def _page(request: SignedInRequest, *, status: int = 200, **more: Any) -> HttpResponse:
    tokens = request.user.api_tokens.order_by("-created_at", "-id")
    context = {"tokens": tokens, "keys": _keys_form(keys_of(request.user).as_json()), **more}
    return render(request, "annotation/account.html", context, status=status)


def _keys_form(shown: dict[str, Any], error: KeysInvalid | None = None) -> dict[str, Any]:
    """What the section of keys holds: `shown` is {"on", "of": {action: key}}."""
    faults = error.fields if error else {}
    groups = [(_("At the desk"), DESK), (_("On a case"), BENCH)]
    fields = [
        (title, [(name, label, shown["of"].get(name, ""), faults.get(name, [])) for name, label in actions.items()])
        for title, actions in groups
    ]
    return {"on": shown["on"], "groups": fields, "error": error}


@login_required
@require_GET
@never_cache
def account(request: SignedInRequest) -> HttpResponse:
    return _page(request)


@login_required
@require_POST
@never_cache
def new_token(request: SignedInRequest) -> HttpResponse:
    """The one answer that shows the token: it is kept nowhere, so this is no redirect."""
    name = request.POST.get("name", "").replace("\x00", "").strip()[:100]
    return _page(request, secret=make_token(user=request.user, name=name), secret_name=name)


@login_required
@require_POST
def drop_token(request: SignedInRequest, token_id: int) -> HttpResponse:
    revoke_token(user=request.user, token_id=token_id)
    messages.success(request, _("The token is revoked: programs that use it are shut out."))
    return redirect("annotation:account")


@login_required
@require_POST
@never_cache
def keys(request: SignedInRequest) -> HttpResponse:
    """The person's single keys as the form has them; all of the usual ones again where `usual` is sent."""
    chosen: dict[str, Any] = {name: request.POST[KEY + name] for name in USUAL if KEY + name in request.POST}
    if "on" not in request.POST:
        chosen[OFF] = True
    try:
        choose_keys(user=request.user, keys={} if "usual" in request.POST else chosen)
    except KeysInvalid as error:
        shown = {"on": "on" in request.POST, "of": USUAL | chosen}
        return _page(request, status=422, keys=_keys_form(shown, error))
    messages.success(request, _("Your keys are kept, and hold wherever you sign in."))
    return redirect(reverse("annotation:account") + "#keys")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """The interface's language: kept with the person, and in a cookie for the pages before signing in."""
    chosen = request.POST.get("language", "")
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "annotation:home"
    answer = redirect(back)
    if chosen not in dict(settings.LANGUAGES):
        return answer
    if request.user.is_authenticated:
        request.user.language = chosen
        request.user.save(update_fields=["language"])
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=60 * 60 * 24 * 365,
        secure=request.is_secure(),
        samesite="Lax",
    )
    with override(chosen):
        messages.success(request, _("Concord speaks English with you now."))
    return answer
