"""The expert's bench. Every door is a plain form; scripts only make it quicker."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.errors import ConcordError
from annotation.views.refusals import refusal
from jobs.request import SignedInRequest
from reviews import policy
from reviews.errors import ConflictOfInterest
from reviews.models import Case, Decision
from reviews.services import cases as services
from reviews.services.decisions import decide_case
from reviews.services.talk import call_another, say
from reviews.verdict import required_values
from reviews.views.bench import bench
from reviews.views.queue import go_on, refused
from reviews.views.verdict_form import STOP, Filled, read_form

View = Callable[..., HttpResponse]
State = Case.State


def on_a_case(view: View) -> View:
    """Gives the view the case, where the person may know that it exists; named errors become a page that says them."""

    @wraps(view)
    def guarded(request: SignedInRequest, case_id: int, **more: Any) -> HttpResponse:
        found = get_object_or_404(Case.objects.with_item(), pk=case_id)
        if not policy.may_see_cases(request.user, found.campaign):
            raise Http404
        try:
            return view(request, found, **more)
        except ConcordError as error:
            return refused(request, found.campaign, error)

    return login_required(never_cache(guarded))


@on_a_case
@require_safe
def case(request: SignedInRequest, found: Case) -> HttpResponse:
    if not policy.may_see_case(request.user, found):
        raise ConflictOfInterest
    context = bench(found, request.user) | {"revising": "revise" in request.GET}
    return render(request, "reviews/cases/case.html", context)


@on_a_case
@require_POST
def take(request: SignedInRequest, found: Case) -> HttpResponse:
    services.take_case(case_id=found.pk, expert=request.user)
    return redirect("reviews:case", case_id=found.pk)


@on_a_case
@require_POST
def give_back(request: SignedInRequest, found: Case) -> HttpResponse:
    services.give_back(case_id=found.pk, expert=request.user)
    messages.success(request, _("The case is given back."))
    return redirect("reviews:cases", slug=found.campaign.slug)


@on_a_case
@require_POST
def renew(request: SignedInRequest, found: Case) -> HttpResponse:
    """The expert is still at it; asked by the page's script."""
    try:
        held = services.renew_case(case_id=found.pk, expert=request.user)
    except ConcordError as error:
        return refusal(error)
    assert held.lease_expires_at is not None
    return JsonResponse({"expires_at": held.lease_expires_at.isoformat()})


@on_a_case
@require_POST
def reopen(request: SignedInRequest, found: Case) -> HttpResponse:
    services.reopen_case(case_id=found.pk, by=request.user, reason=request.POST.get("reason", ""))
    messages.success(request, _("The case is open again and waits in the queue; its decision stays on record."))
    return redirect("reviews:cases", slug=found.campaign.slug)


@on_a_case
def decide(request: SignedInRequest, found: Case) -> HttpResponse:
    """POST takes the decision. A GET comes from signing in again after a session that ended: back to the case."""
    if request.method != "POST":
        return redirect("reviews:case", case_id=found.pk)
    filled = Filled()
    try:
        rubric = found.campaign.rubric
        required = required_values(rubric, found.disputed, found.split_marks)
        filled = read_form(request.POST, rubric, required=required)
        decided = decide_case(case_id=found.pk, expert=request.user, **filled.as_arguments())
    except ConflictOfInterest:
        raise
    except ConcordError as error:
        found = Case.objects.with_item().get(pk=found.pk)
        context = bench(found, request.user, filled=filled, error=error)
        return render(request, "reviews/cases/case.html", context, status=error.status)
    if not decided.created:
        messages.info(request, _("This decision was saved before; this is how it stands."))
        return redirect("reviews:case", case_id=found.pk)
    messages.success(request, _said(decided.decision, filled))
    stays = filled.supersedes or decided.decision.case.is_to_settle or request.POST.get("then") == STOP
    return redirect("reviews:case", case_id=found.pk) if stays else go_on(request, found.campaign)


def _said(decision: Decision, filled: Filled) -> str:
    """What the form came to. `decision.case` is as the service left it."""
    if filled.supersedes:
        return _("Revised.")
    if decision.kind == Decision.Kind.RULING:
        return _("Decided.")
    if decision.case.state == State.DECIDED:
        return _("Decided: you and the others said the same.")
    if decision.case.is_to_settle:
        return _("Your opinion is kept. It differs from the others’: see what they said, and settle it together.")
    return _("Your opinion is kept. The case now waits for another expert, who does not see it.")


@on_a_case
@require_POST
def talk(request: SignedInRequest, found: Case) -> HttpResponse:
    say(case_id=found.pk, expert=request.user, text=request.POST.get("text", ""))
    return redirect("reviews:case", case_id=found.pk)


@on_a_case
@require_POST
def another(request: SignedInRequest, found: Case) -> HttpResponse:
    call_another(case_id=found.pk, expert=request.user)
    messages.success(request, _("One expert more is asked, who does not see what you said."))
    return redirect("reviews:case", case_id=found.pk)
