"""A person's own ratings: found again, edited while that is open, skips taken back."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from annotation import policy
from annotation.errors import ConcordError, NothingToUndo
from annotation.models import Assignment, Membership, Rating
from annotation.own_work import own_work
from annotation.services.leases import take_back_skip
from annotation.views.desk import annotators_only
from annotation.views.on_desk import desk, edit_on_desk, own_assignment
from annotation.views.rating_form import filled_with
from annotation.views.refusals import by_script, refusal

PAGE = 25
SHOW = {
    "": gettext_lazy("standing"),
    "counted": gettext_lazy("counted"),
    "surplus": gettext_lazy("surplus"),
    "superseded": gettext_lazy("superseded"),
    "skipped": gettext_lazy("skipped"),
}


@dataclass(frozen=True)
class Row:
    rating: Rating
    scores: list[tuple[str, int]]
    may_edit: bool


@annotators_only
@require_GET
def mine(request: HttpRequest, membership: Membership) -> HttpResponse:
    """`q` searches the texts they rated and their own rationales; `show` is a status, or the skipped ones."""
    show, q = request.GET.get("show", ""), request.GET.get("q", "").strip()
    show = show if show in SHOW else ""
    found: QuerySet[Any] = _skips(membership, q) if show == "skipped" else _ratings(membership, show, q)
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    query = QueryDict(mutable=True)
    query.update({"show": show, "q": q})
    context = {
        "membership": membership,
        "campaign": membership.campaign,
        "work": own_work(membership),
        "page": page,
        "rows": [] if show == "skipped" else [_row(rating, membership) for rating in page],
        "show": show,
        "shows": SHOW.items(),
        "q": q,
        "query": query.urlencode(),
    }
    return render(request, "annotation/mine.html", context)


def _ratings(membership: Membership, show: str, q: str) -> QuerySet[Rating]:
    ratings = Rating.objects.of(membership.user).given_in(membership.campaign)
    ratings = ratings.filter(status=show) if show else ratings.exclude(status=Rating.Status.SUPERSEDED)
    if q:
        ratings = ratings.filter(work_item__response__text__icontains=q) | ratings.filter(rationale__icontains=q)
    related = ratings.select_related("work_item__response", "work_item__campaign", "assignment")
    return related.prefetch_related("scores", "marks").order_by("-submitted_at", "-pk")


def _skips(membership: Membership, q: str) -> QuerySet[Assignment]:
    skips = Assignment.objects.of(membership.user).filter(campaign=membership.campaign, state=Assignment.State.SKIPPED)
    if q:
        skips = skips.filter(work_item__response__text__icontains=q)
    return skips.select_related("work_item__response").order_by("-ended_at", "-pk")


def _row(rating: Rating, membership: Membership) -> Row:
    values = {score.dimension: score.value for score in rating.scores.all()}
    rubric = membership.campaign.rubric
    scores = [(d.name, values[d.key]) for d in rubric.dimensions if d.key in values]
    return Row(rating, scores, policy.may_edit_rating(membership.user, rating))


@annotators_only
@require_GET
def edit(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """The desk on a rating they gave; what is submitted there supersedes it."""
    assignment = own_assignment(membership, assignment_id)
    standing = Rating.objects.standing().of(membership.user).filter(assignment=assignment)
    said = standing.select_related("work_item__campaign").prefetch_related("scores", "marks", "notes")
    rating = get_object_or_404(said)
    if not policy.may_edit_rating(membership.user, rating):
        messages.info(request, _("This rating is final: an expert has taken the item, or the campaign is closed."))
        return redirect("annotation:mine", slug=membership.campaign.slug)
    return render(request, "annotation/rate.html", desk(membership, assignment, filled_with(rating)))


@annotators_only
@require_GET
def last(request: HttpRequest, membership: Membership) -> HttpResponse:
    """Back to the latest rating of theirs that may still be edited; a script is given its edit to put in place."""
    recent = Rating.objects.of(membership.user).given_in(membership.campaign).order_by("-submitted_at", "-pk")
    latest = recent.exclude(work_item__locked=True).select_related("work_item__campaign")[:PAGE]
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
