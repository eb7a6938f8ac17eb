"""The annotator's desk: one item, its context, the scales. The same doors serve a script and a plain form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.errors import CampaignNotOpen, ConcordError, NotAllowed
from annotation.models import Assignment, Campaign, Membership, Rating
from annotation.own_work import own_work
from annotation.services.leases import lease_next, renew_lease, skip_item
from annotation.services.ratings import submit_rating
from annotation.showing import item_shown
from annotation.views.rating_form import Filled, read_form
from annotation.views.refusals import by_script, refusal

View = Callable[..., HttpResponse]


def annotators_only(view: View) -> View:
    """Gives the view the campaign and the person's membership as an annotator; to others there is nothing here.

    A script is told 401 where the session is over, so that the page can say so and keep what was typed.
    """

    @wraps(view)
    def guarded(request: HttpRequest, slug: str, **more: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            if by_script(request):
                return JsonResponse({"detail": _("You are signed out.")}, status=401)
            return redirect_to_login(request.get_full_path())
        mine = Membership.objects.exclude(state=Membership.State.REMOVED).select_related("campaign__rubric", "user")
        membership = get_object_or_404(mine, campaign__slug=slug, user=request.user, role=Membership.Role.ANNOTATOR)
        return view(request, membership, **more)

    return never_cache(guarded)


@annotators_only
@require_GET
def rate(request: HttpRequest, membership: Membership) -> HttpResponse:
    return render(request, "annotation/rate.html", _next(membership))


@annotators_only
@require_http_methods(["GET", "POST"])
def item(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """GET shows this very item again, as after a skip that was taken back; POST takes the rating."""
    assignment = own_assignment(membership, assignment_id)
    if request.method == "POST":
        return _submit(request, membership, assignment)
    if assignment.state == Assignment.State.SUBMITTED:
        return redirect("annotation:edit", slug=membership.campaign.slug, assignment_id=assignment.pk)
    if assignment.state != Assignment.State.LEASED:
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
    context = {"campaign": membership.campaign, "assignment": assignment, "sent": sent, "error": error} | _skipping()
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
    return render(request, "annotation/guideline.html", {"campaign": membership.campaign})


def own_assignment(membership: Membership, assignment_id: int) -> Assignment:
    mine = Assignment.objects.of(membership.user).filter(campaign=membership.campaign)
    return get_object_or_404(mine.select_related("work_item__scenario", "work_item__response"), pk=assignment_id)


def desk(
    membership: Membership, assignment: Assignment, filled: Filled | None = None, error: ConcordError | None = None
) -> dict[str, Any]:
    """What the desk shows of one assignment."""
    filled, faults = filled or Filled(), error.fields if error else {}
    dimensions = membership.campaign.rubric.dimensions
    return {
        "membership": membership,
        "campaign": membership.campaign,
        "assignment": assignment,
        "draft": _draft_name(assignment, filled),
        "shown": item_shown(assignment.work_item),
        "filled": filled,
        "scales": [
            {
                "dimension": dimension,
                "value": filled.scores.get(dimension.key),
                "error": next(iter(faults.get(f"scores.{dimension.key}", [])), ""),
            }
            for dimension in dimensions
        ],
        "error": error,
        "faults": [fault for name, found in faults.items() if not name.startswith("scores.") for fault in found],
        "work": own_work(membership),
        **_skipping(),
    }


def _draft_name(assignment: Assignment, filled: Filled) -> str:
    """Where the browser keeps what is typed: the same when the item is leased anew, and telling nothing of it."""
    about = f"{assignment.annotator_id}:{assignment.work_item_id}:{filled.supersedes or ''}"
    return salted_hmac("annotation.desk.draft", about).hexdigest()[:24]


def _skipping() -> dict[str, Any]:
    return {"reasons": Assignment.SkipReason.choices}


def _next(membership: Membership) -> dict[str, Any]:
    """The desk with the next item; else why there is none, in `why`."""
    campaign, why = membership.campaign, ""
    assignment: Assignment | None = None
    try:
        assignment = lease_next(campaign=campaign, user=membership.user)
    except NotAllowed:
        why = "member_paused"
    except CampaignNotOpen:
        campaign.refresh_from_db(fields=["state"])
        why = campaign.state
        if campaign.state == Campaign.State.PAUSED:  # what is under way may be finished
            assignment = Assignment.objects.of(membership.user).live().filter(campaign=campaign).first()
    if assignment is not None:
        return desk(membership, own_assignment(membership, assignment.pk))
    work = own_work(membership)
    why = why or ("share" if work.share_reached else "nothing")
    return {"membership": membership, "campaign": campaign, "work": work, "why": why}


def _go_on(request: HttpRequest, membership: Membership, said: str, *, status: str, to: str = "rate") -> HttpResponse:
    """After what was sent is done: a script is given the next item's parts, a plain form is sent on."""
    address = reverse(f"annotation:{to}", args=[membership.campaign.slug])
    if not by_script(request):
        messages.success(request, said)
        return redirect(address)
    if to != "rate":
        messages.success(request, said)
        return JsonResponse({"status": status, "said": said, "location": address})
    parts = render_to_string("annotation/_desk_parts.html", _next(membership), request)
    return JsonResponse({"status": status, "said": said, "parts": parts})
