"""The list of cases: over all campaigns of a person, or over one; the next case, and the views one keeps."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.access import campaign_for
from annotation.errors import ConcordError
from annotation.models import Campaign
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.asked import STATES, Asked
from reviews.models import Case, SavedView
from reviews.queue import Listed, counts_of, listed_cases
from reviews.scope import Scope, scope_of
from reviews.services import cases as services
from reviews.services.saved_views import delete_view, save_view
from reviews.tally import present, tally_of, waiting_for
from reviews.wording import KINDS, kind_words, sort_words, state_words
from scenarios.benchmark import LANGUAGES, TASKS, Component

# Session key: the campaign whose list they work through, null for the list of all.
WORKS_THROUGH = "works_through"


@polled
@login_required
@require_safe
@never_cache
def cases(request: SignedInRequest, slug: str = "") -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_see_cases) if slug else None
    scope = _scope(request, campaign)
    try:
        asked = Asked.of(request.GET)
        listed = listed_cases(scope, asked)
    except ConcordError as error:
        return refused(request, campaign, error)
    # Going back, htmx asks for the whole page again.
    swapped = request.htmx and not request.htmx.history_restore_request
    template = "reviews/cases/_list.html" if swapped else "reviews/cases/cases.html"
    return render(request, template, _context(scope, campaign, asked, listed))


@login_required
@require_POST
def take_next(request: SignedInRequest, slug: str = "") -> HttpResponse:
    """`beyond_share`: of what is not dealt to them."""
    campaign = campaign_for(request.user, slug, policy.may_see_cases) if slug else None
    request.session[WORKS_THROUGH] = slug or None
    try:
        return go_on(request, campaign, beyond_share="beyond_share" in request.POST)
    except ConcordError as error:
        return refused(request, campaign, error)


def go_on(request: SignedInRequest, campaign: Campaign | None, *, beyond_share: bool = False) -> HttpResponse:
    """To the case they hold or the next one; to the list where none is left for them.

    Who works through all their campaigns goes on in all of them, whichever the last case came from.
    """
    if WORKS_THROUGH in request.session and request.session[WORKS_THROUGH] is None:
        campaign = None
    taken = services.take_next(expert=request.user, campaign=campaign, beyond_share=beyond_share)
    if taken is not None:
        return redirect("reviews:case", case_id=taken.pk)
    messages.info(request, _("No case waits for you."))
    return redirect(list_url(campaign))


def refused(request: SignedInRequest, campaign: Campaign | None, error: ConcordError) -> HttpResponse:
    context = {"campaign": campaign, "error": error, "list_url": list_url(campaign)}
    return render(request, "reviews/cases/refused.html", context, status=error.status)


def list_url(campaign: Campaign | None) -> str:
    return reverse("reviews:cases", args=[campaign.slug]) if campaign else reverse("reviews:all_cases")


@login_required
@require_POST
def keep_view(request: SignedInRequest) -> HttpResponse:
    """`name`, and as `query` what stands behind the question mark."""
    _scope(request, None)
    try:
        query = QueryDict(request.POST.get("query", ""))
        view = save_view(user=request.user, name=request.POST.get("name", ""), query=query)
    except ConcordError as error:
        return refused(request, None, error)
    messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
    return _at(view.query)


@login_required
@require_POST
def drop_view(request: SignedInRequest, view_id: int) -> HttpResponse:
    view = get_object_or_404(SavedView, user=request.user, pk=view_id)
    delete_view(view=view)
    messages.success(request, _("The view “%(name)s” is deleted; the cases stay as they are.") % {"name": view.name})
    return _at("")


def _at(query: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{reverse('reviews:all_cases')}?{query}".rstrip("?"))


def _scope(request: SignedInRequest, campaign: Campaign | None) -> Scope:
    scope = scope_of(request.user, campaign)
    if not scope.campaigns:
        raise PermissionDenied(_("Cases are for the experts and managers of a campaign."))
    return scope


def _context(scope: Scope, campaign: Campaign | None, asked: Asked, listed: Listed) -> dict[str, Any]:
    cells = tally_of(scope.campaigns)
    counts = counts_of(scope, asked, cells)
    query = asked.as_query()
    if campaign is not None and not asked.campaign:
        query = Asked.of(QueryDict(query).dict() | {"campaign": campaign.slug}).as_query()
    return {
        "scope": scope,
        "campaign": campaign,
        "list_url": list_url(campaign),
        "asked": asked,
        "listed": listed,
        "counts": counts,
        "states": [(state, state_words(state), counts[state]) for state in STATES],
        "choices": _choices(scope, cells),
        "sorts": [(sort, sort_words(sort)) for sort in _sorts(asked)],
        "holds": Case.objects.held_by(scope.viewer).filter(campaign__in=list(scope.shares)).exists(),
        "waiting": waiting_for(scope, cells) if scope.judges else None,
        "query": query,
        "views": [(view, view.query == query) for view in SavedView.objects.filter(user=scope.viewer)],
    }


def _sorts(asked: Asked) -> list[str]:
    """As the list comes, then what else there is."""
    first = Asked(state=asked.state).order
    return [first, *(sort for sort in ("priority", "oldest", "newest", "spread") if sort != first)]


def _choices(scope: Scope, cells: list[Any]) -> dict[str, list[tuple[str, Any]]]:
    """What the filters offer: nothing of which there is no case."""
    return {
        "reason": [(kind.value, kind_words(kind)) for kind in KINDS],
        "dimension": list(scope.dimensions.items()),
        "component": present(cells, "component", dict(Component.choices)),
        "task": present(cells, "task", {task.key: task.name for task in TASKS.values()}),
        "language": present(cells, "language", LANGUAGES),
        "campaign": [(slug, campaign.title) for slug, campaign in scope.by_slug.items()],
    }
