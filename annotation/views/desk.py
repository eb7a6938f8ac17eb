"""The annotator's desk: one item, its context, the scales. The same doors serve a script and a plain form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import ConcordError
from annotation.guideline import versions_of
from annotation.models import Assignment, Membership, Rating
from annotation.services.leases import renew_lease, skip_item
from annotation.services.ratings import submit_rating
from annotation.sign_in import person_key
from annotation.views.on_desk import ahead_on_desk, desk, next_on_desk, numbers, own_assignment, skipping
from annotation.views.rating_form import Filled, read_form
from annotation.views.refusals import by_script, refusal

View = Callable[..., HttpResponse]
PERSON = "Concord-Person"  # the header in which a script says whose page it runs on


def annotators_only(view: View) -> View:
    """Gives the view the campaign and the person's membership as an annotator; to others there is nothing here.

    A script is told 401 where the session is over or another person's by now, so that the page can say so and keep what
    was typed.
    """

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **more: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            if by_script(request):
                return JsonResponse({"detail": _("You are signed out.")}, status=401)
            return redirect_to_login(request.get_full_path())
        if request.headers.get(PERSON, person_key(request.user)) != person_key(request.user):
            told = {"detail": _("You are signed in as someone else."), "someone_else": True}
            return JsonResponse(told, status=401)
        mine = Membership.objects.exclude(state=Membership.State.REMOVED).select_related("campaign__rubric", "user")
        membership = get_object_or_404(mine, campaign__slug=slug, user=request.user, role=Membership.Role.ANNOTATOR)
        return view(request, membership, **more)

    return never_cache(guarded)


@annotators_only
@require_GET
def rate(request: HttpRequest, membership: Membership) -> HttpResponse:
    return render(request, "annotation/rate.html", next_on_desk(membership))


@annotators_only
@require_POST
def ahead(request: HttpRequest, membership: Membership) -> HttpResponse:
    """For the page's script: the items to go on with. `have` names the assignments that it holds already."""
    return JsonResponse(ahead_on_desk(request, membership, numbers(request.POST.get("have", ""))))


@annotators_only
@require_http_methods(["GET", "POST"])
def item(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """GET shows this very item again, as after a skip that was taken back; POST takes the rating."""
    assignment = own_assignment(membership, assignment_id)
    if request.method == "POST":
        return _submit(request, membership, assignment)
    if assignment.state == Assignment.State.SUBMITTED:
        return redirect("annotation:edit", slug=membership.campaign.slug, assignment_id=assignment.pk)
    if assignment.state != Assignment.State.LEASED or membership.note_is_unread:
        return redirect("annotation:rate", slug=membership.campaign.slug)
    return render(request, "annotation/rate.html", desk(membership, assignment))


def _submit(request: HttpRequest, membership: Membership, assignment: Assignment) -> HttpResponse:
    filled = Filled()
    try:
        filled = read_form(request.POST, membership.campaign.rubric)
        submitted = submit_rating(assignment_id=assignment.pk, user=membership.user, **filled.as_arguments())
    except ConcordError as error:
        if by_script(request):
            return refusal(error)
        context = desk(membership, assignment, filled, error)
        return render(request, "annotation/rate.html", context, status=error.status)
    surplus = submitted.rating.answered == Rating.Status.SURPLUS
    said = _("Saved.")
    if surplus:
        said = _(
            "Saved. The item had all the raters it needs by then, so your rating is kept beside the others as surplus; "
            "your time counts."
        )
    edited = filled.supersedes is not None
    return _go_on(request, membership, said, status=submitted.rating.answered, to="mine" if edited else "rate")


@annotators_only
@require_http_methods(["GET", "POST"])
def skip(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    assignment = own_assignment(membership, assignment_id)
    sent = {"reason": request.POST.get("reason", ""), "note": request.POST.get("note", "").strip()}
    error: ConcordError | None = None
    if request.method == "POST":
        try:
            skip_item(assignment_id=assignment.pk, user=membership.user, **sent)
        except ConcordError as refused:
            error = refused
        else:
            return _go_on(request, membership, _("Skipped. You find it under “My ratings”."), status="skipped")
    if error is not None and by_script(request):
        return refusal(error)
    context = {"campaign": membership.campaign, "assignment": assignment, "sent": sent, "error": error} | skipping()
    return render(request, "annotation/skip.html", context, status=error.status if error else 200)


@annotators_only
@require_POST
def renew(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """The person is still at it."""
    try:
        assignment = renew_lease(assignment_id=own_assignment(membership, assignment_id).pk, user=membership.user)
    except ConcordError as error:
        return refusal(error)
    return JsonResponse({"expires_at": assignment.expires_at.isoformat()})


@annotators_only
@require_GET
def guideline(request: HttpRequest, membership: Membership) -> HttpResponse:
    """With its versions and, of each, how many of one's own ratings stand on it: what others gave is not counted."""
    own = Rating.objects.standing().of(membership.user).given_in(membership.campaign)
    context = {"campaign": membership.campaign, "versions": versions_of(membership.campaign, own)}
    return render(request, "annotation/guideline.html", context)


def _go_on(request: HttpRequest, membership: Membership, said: str, *, status: str, to: str = "rate") -> HttpResponse:
    """After what was sent is done: a plain form is sent on; a script that says what it has is given what is next.

    One that does not (it sends what waited, from another page) is told where to look.
    """
    address = reverse(f"annotation:{to}", args=[membership.campaign.slug])
    if not by_script(request):
        messages.success(request, said)
        return redirect(address)
    answer: dict[str, Any] = {"status": status, "said": said, "location": address}
    if "have" in request.POST:
        answer["next"] = ahead_on_desk(request, membership, numbers(request.POST["have"]))
    elif to != "rate":
        messages.success(request, said)
    return JsonResponse(answer)
