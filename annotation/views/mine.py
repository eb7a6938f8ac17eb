"""A person's own ratings: found again, edited while that is open, skips taken back."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation import policy
from annotation.errors import ConcordError, NothingToUndo
from annotation.models import Membership, Rating
from annotation.own_ratings import SHOW, SKIPPED, active_seconds, own_ratings, own_skips, why_final
from annotation.own_work import own_work
from annotation.services.leases import take_back_skip
from annotation.views.desk import annotators_only
from annotation.views.on_desk import desk, edit_on_desk, own_assignment
from annotation.views.rating_form import filled_with
from annotation.views.refusals import by_script, refusal
from annotation.views.sent import number_or_text

PAGE = 25


@dataclass(frozen=True)
class Row:
    """`final` says why it can no longer be edited; empty while it can."""

    rating: Rating
    scores: list[tuple[str, int]]
    final: str


@annotators_only
@require_GET
def mine(request: HttpRequest, membership: Membership) -> HttpResponse:
    """`q` searches the texts they rated and their own words; `show` is one of SHOW (annotation/own_ratings.py).

    `assignment` leads to one rating alone, from a letter about it.
    """
    show, q = request.GET.get("show", ""), request.GET.get("q", "").strip()
    show = show if show in SHOW else ""
    skips = show == SKIPPED
    named = number_or_text(request.GET.get("assignment", ""))
    one = named if isinstance(named, int) and not skips else None
    found: QuerySet[Any] = (
        own_skips(membership, q=q) if skips else own_ratings(membership, show=show, q=q, assignment=one)
    )
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    query = QueryDict(mutable=True)
    query.update({"show": show, "q": q})
    context = {
        "membership": membership,
        "campaign": membership.campaign,
        "work": own_work(membership),
        "page": page,
        "rows": [] if skips else [_row(rating, membership) for rating in page],
        "seconds": active_seconds(membership),
        "one": one,
        "show": show,
        "shows": SHOW.items(),
        "q": q,
        "query": query.urlencode(),
    }
    return render(request, "annotation/mine.html", context)


def _row(rating: Rating, membership: Membership) -> Row:
    values = {score.dimension: score.value for score in rating.scores.all()}
    rubric = membership.campaign.rubric
    scores = [(d.name, values[d.key]) for d in rubric.dimensions if d.key in values]
    rating.annotator = membership.user  # theirs, as the query asked; not to be fetched for each
    return Row(rating, scores, why_final(rating))


@annotators_only
@require_GET
def edit(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """The desk on a rating they gave; what is submitted there supersedes it."""
    assignment = own_assignment(membership, assignment_id)
    standing = Rating.objects.standing().of(membership.user).filter(assignment=assignment)
    said = standing.select_related("work_item__campaign").prefetch_related("scores", "marks", "notes")
    rating = get_object_or_404(said)
    if not policy.may_edit_rating(membership.user, rating):
        messages.info(request, _("This rating is final: %(why)s.") % {"why": why_final(rating)})
        return redirect("annotation:mine", slug=membership.campaign.slug)
    return render(request, "annotation/rate.html", desk(membership, assignment, filled_with(rating)))


@annotators_only
@require_GET
def last(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Back to the latest rating of theirs that may still be edited; a script is given its edit to put in place."""
    recent = Rating.objects.of(membership.user).given_in(membership.campaign).order_by("-submitted_at", "-pk")
    latest = recent.exclude(work_item__locked=True).select_related("work_item__campaign")
    latest = latest.prefetch_related("work_item__bars")[:PAGE]
    rating = next((each for each in latest if policy.may_edit_rating(membership.user, each)), None)
    if rating is None:
        nothing = NothingToUndo()
        if by_script(request):
            return refusal(nothing)
        messages.info(request, str(nothing))
        return redirect("annotation:mine", slug=membership.campaign.slug)
    if not by_script(request):
        return redirect("annotation:edit", slug=membership.campaign.slug, assignment_id=rating.assignment_id)
    assignment = own_assignment(membership, rating.assignment_id)
    return JsonResponse(edit_on_desk(request, membership, assignment, filled_with(rating)))


@annotators_only
@require_POST
def take_back(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    assignment = own_assignment(membership, assignment_id)
    try:
        take_back_skip(assignment_id=assignment.pk, user=membership.user)
    except ConcordError as error:
        messages.warning(request, str(error))
        return redirect("annotation:mine", slug=membership.campaign.slug)
    return redirect("annotation:item", slug=membership.campaign.slug, assignment_id=assignment.pk)
