"""Scenarios that are themselves at fault: the table, the flags that wait, and an expert's ruling on one."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import campaign_for
from annotation.errors import ConcordError
from annotation.models import Campaign, WorkItem
from jobs.request import SignedInRequest
from reviews import policy
from reviews.errors import NotAnExpert
from reviews.models import ScenarioRuling
from reviews.refinement import refinement_of, shown_scenario
from reviews.services.refinement import read_reference, read_scenario, rule_on_scenario
from reviews.views.revision_form import Filled, read_form
from scenarios.models import Scenario
from scenarios.models.scenario import Fault

PAGE = 50


@login_required
@require_safe
@never_cache
def refinement(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_see_cases)
    found = refinement_of(campaign, request.user)
    context = {
        "campaign": campaign,
        "found": found,
        "page": Paginator(found.waiting, PAGE).get_page(request.GET.get("page")),
        "counted": policy.may_count_flags(request.user, campaign),
        "judges": policy.is_expert(request.user, campaign),
    }
    return render(request, "reviews/refinement/refinement.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def scenario(request: SignedInRequest, slug: str, scenario_id: int) -> HttpResponse:
    campaign, found = _found(request, slug, scenario_id)
    try:
        read_scenario(campaign=campaign, scenario=found, viewer=request.user)
        if request.method == "POST":
            return _rule(request, campaign, found)
    except ConcordError as error:
        return _refused(request, campaign, error)
    return render(request, "reviews/refinement/scenario.html", _context(request, campaign, found))


@login_required
@require_POST
def reference(request: SignedInRequest, slug: str, scenario_id: int) -> HttpResponse:
    """Read it, and decide no case of the scenario any more."""
    campaign, found = _found(request, slug, scenario_id)
    try:
        read_reference(campaign=campaign, scenario=found, expert=request.user)
    except ConcordError as error:
        return _refused(request, campaign, error)
    return redirect("reviews:scenario", slug=campaign.slug, scenario_id=found.pk)


def _found(request: SignedInRequest, slug: str, scenario_id: int) -> tuple[Campaign, Scenario]:
    campaign = campaign_for(request.user, slug, policy.may_see_cases)
    here = WorkItem.everything.filter(campaign=campaign).values("scenario")
    return campaign, get_object_or_404(Scenario, pk=scenario_id, pk__in=here)


def _refused(request: SignedInRequest, campaign: Campaign, error: ConcordError) -> HttpResponse:
    context = {"campaign": campaign, "error": error}
    return render(request, "reviews/refinement/refused.html", context, status=error.status)


def _rule(request: SignedInRequest, campaign: Campaign, found: Scenario) -> HttpResponse:
    if not policy.is_expert(request.user, campaign):
        raise NotAnExpert
    filled = _filled(request, campaign, found)
    try:
        ruled = rule_on_scenario(
            campaign=campaign,
            scenario=found,
            expert=request.user,
            verdict=filled.verdict,
            fault=filled.fault,
            reason=filled.reason,
            changes=filled.changes,
        )
    except ConcordError as error:
        found.refresh_from_db()
        context = _context(request, campaign, found, filled, error)
        return render(request, "reviews/refinement/scenario.html", context, status=error.status)
    said = {
        ScenarioRuling.Verdict.KEEP: _("Kept: the flags are answered."),
        ScenarioRuling.Verdict.REVISE: _(
            "Revised: the new version stands; what was rated of the old one is out of gold."
        ),
        ScenarioRuling.Verdict.WITHDRAW: _("Withdrawn: what was rated of it is out of gold."),
    }
    messages.success(request, said[ScenarioRuling.Verdict(ruled.ruling.verdict)])
    return redirect("reviews:scenario", slug=campaign.slug, scenario_id=found.pk)


def _filled(request: SignedInRequest, campaign: Campaign, found: Scenario) -> Filled:
    sees = policy.may_see_reference(request.user, campaign, found.pk)
    return read_form(request.POST.dict(), found, with_reference=sees)


def _context(
    request: SignedInRequest,
    campaign: Campaign,
    found: Scenario,
    filled: Filled | None = None,
    error: ConcordError | None = None,
) -> dict[str, Any]:
    shown = shown_scenario(found, campaign, request.user)
    faults = [sentence for told in error.fields.values() for sentence in told] if error else []
    judges = policy.is_expert(request.user, campaign)
    return {
        "campaign": campaign,
        "shown": shown,
        "judges": judges,
        "may_rule": judges and not shown.final,
        "filled": filled or read_form({}, found, with_reference=shown.reference is not None),
        "verdicts": ScenarioRuling.Verdict.choices,
        "faults": Fault.choices,
        "error": error,
        "wrong": faults,
    }
