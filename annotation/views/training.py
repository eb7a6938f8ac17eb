"""The training round as an annotator meets it: the guideline, item by item, and what it came to."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.comparison import answer_shown, result_shown
from annotation.errors import ConcordError
from annotation.models import Campaign, Membership, TrainingAnswer, TrainingAttempt, WorkItem
from annotation.services.training import answer_training, begin_attempt, result_of
from annotation.showing import item_shown
from annotation.training_round import training_state
from annotation.views.desk import annotators_only
from annotation.views.rating_form import Filled, read_form


@annotators_only
@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest, membership: Membership) -> HttpResponse:
    """GET: where the person stands, with the guideline; POST begins an attempt, or goes on with the one under way."""
    campaign, state = membership.campaign, training_state(membership)
    if request.method == "POST":
        try:
            attempt = begin_attempt(campaign=campaign, user=membership.user)
        except ConcordError as error:
            messages.error(request, str(error))
            return redirect("annotation:practice", slug=campaign.slug)
        return redirect("annotation:practice_item", slug=campaign.slug, item_id=_next_of(attempt))
    if state.rule is None:
        return redirect("annotation:rate", slug=campaign.slug)
    context: dict[str, Any] = {"membership": membership, "campaign": campaign, "state": state}
    last = _last_finished(membership)
    result = result_of(last) if last else None
    if last and result:
        dimensions, missed = result_shown(result, campaign.rubric)
        context |= {"last": last, "dimensions": dimensions, "missed": missed}
    context["over"] = campaign.state == Campaign.State.CLOSED
    return render(request, "annotation/training/practice.html", context)


def _last_finished(membership: Membership) -> TrainingAttempt | None:
    return membership.attempts.exclude(finished_at=None).order_by("number").last()


def _next_of(attempt: TrainingAttempt) -> int | None:
    """The first item that is not answered yet; None where all are."""
    answered = set(attempt.answers.values_list("work_item", flat=True))
    return next((item for item in attempt.items if item not in answered), None)


@annotators_only
@require_http_methods(["GET", "POST"])
def practice_item(request: HttpRequest, membership: Membership, item_id: int) -> HttpResponse:
    """An item to answer; once it is answered, the same address shows the expert's answer beside one's own."""
    if membership.note_is_unread and membership.campaign.state != Campaign.State.CLOSED:
        return redirect("annotation:rate", slug=membership.campaign.slug)  # where the note is read
    attempt = membership.attempts.order_by("number").last()
    if attempt is None or item_id not in attempt.items:
        return redirect("annotation:practice", slug=membership.campaign.slug)
    if request.method == "POST":
        return _answer(request, membership, attempt, item_id)
    answer = attempt.answers.filter(work_item=item_id).select_related("work_item__reference").first()
    if answer is not None:
        return render(request, "annotation/training/answered.html", _answered(membership, attempt, answer))
    if membership.campaign.state == Campaign.State.CLOSED:
        return redirect("annotation:practice", slug=membership.campaign.slug)
    if item_id != (current := _next_of(attempt)):
        return redirect("annotation:practice_item", slug=membership.campaign.slug, item_id=current)
    return render(request, "annotation/training/item.html", _item(membership, attempt, item_id))


def _answer(request: HttpRequest, membership: Membership, attempt: TrainingAttempt, item_id: int) -> HttpResponse:
    filled = Filled()
    try:
        filled = read_form(request.POST, membership.campaign.rubric)
        given = filled.as_arguments()
        names = ("client_id", "scores", "marks", "rationale", "seconds")
        sent = {name: given[name] for name in names}
        answered = answer_training(attempt_id=attempt.pk, item_id=item_id, user=membership.user, **sent)
    except ConcordError as error:
        context = _item(membership, attempt, item_id, filled, error)
        return render(request, "annotation/training/item.html", context, status=error.status)
    if not answered.created and answered.answer.client_id != given["client_id"]:
        messages.info(request, _("You had answered this item before: your first answer stands."))
    return redirect("annotation:practice_item", slug=membership.campaign.slug, item_id=item_id)


def _place(attempt: TrainingAttempt, item_id: int) -> dict[str, Any]:
    draft = salted_hmac("annotation.practice.draft", f"{attempt.pk}:{item_id}").hexdigest()[:24]
    return {"attempt": attempt, "place": attempt.items.index(item_id) + 1, "of": len(attempt.items), "draft": draft}


def _item(
    membership: Membership,
    attempt: TrainingAttempt,
    item_id: int,
    filled: Filled | None = None,
    error: ConcordError | None = None,
) -> dict[str, Any]:
    filled, faults = filled or Filled(), error.fields if error else {}
    found = WorkItem.everything.select_related("scenario", "response")
    item = get_object_or_404(found, pk=item_id)
    return {
        "membership": membership,
        "campaign": membership.campaign,
        "item": item,
        "shown": item_shown(item),
        "filled": filled,
        "scales": [
            {
                "dimension": dimension,
                "value": filled.scores.get(dimension.key),
                "error": next(iter(faults.get(f"scores.{dimension.key}", [])), ""),
            }
            for dimension in membership.campaign.rubric.dimensions
        ],
        "error": error,
        "faults": [fault for name, found in faults.items() if not name.startswith("scores.") for fault in found],
        **_place(attempt, item_id),
    }


def _answered(membership: Membership, attempt: TrainingAttempt, answer: TrainingAnswer) -> dict[str, Any]:
    item = WorkItem.everything.select_related("scenario", "response", "reference").get(pk=answer.work_item_id)
    answer.work_item = item
    return {
        "membership": membership,
        "campaign": membership.campaign,
        "item": item,
        "shown": item_shown(item),
        "beside": answer_shown(answer, membership.campaign.rubric),
        "next_item": _next_of(attempt),
        **_place(attempt, answer.work_item_id),
    }
