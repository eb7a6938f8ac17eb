"""The campaigns a person may see; making one; how one stands; opening, pausing and closing it."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotation import policy
from annotation.access import campaign_for
from annotation.design import design_of
from annotation.errors import MoveRefused, SelectionInvalid
from annotation.forms import CampaignForm
from annotation.guideline import versions_of
from annotation.models import Campaign, Membership, Rating, User
from annotation.progress import Progress, progress_by_campaign, progress_by_task, progress_of, who_did_what
from annotation.services.campaigns import (
    close_campaign,
    create_campaign,
    open_campaign,
    pause_campaign,
    selected_responses,
)
from annotation.standing import next_steps, people_of, stuck_items, urgent_items
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from scenarios.benchmark import LANGUAGES, TASKS
from scenarios.counts import sizes
from scenarios.models import Dataset

State = Campaign.State
PAGE = 50
STUCK_SHOWN = 20


@dataclass(frozen=True)
class Row:
    """A campaign in the list. `progress` only for those who run it: to a rater, a count would say too much."""

    campaign: Campaign
    roles: list[str]
    progress: Progress | None


@login_required
@require_GET
@never_cache
def campaigns(request: SignedInRequest) -> HttpResponse:
    found = Campaign.objects.visible_to(request.user).select_related("dataset")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": _rows(list(page), request.user),
        "may_create": policy.may_create_campaign(request.user),
        "any_dataset": Dataset.objects.visible_to(request.user).exists(),
    }
    return render(request, "annotation/campaigns/campaigns.html", context)


def _rows(shown: list[Campaign], user: User) -> list[Row]:
    mine = user.memberships.filter(campaign__in=shown).exclude(state=Membership.State.REMOVED).order_by("role")
    roles: dict[int, list[Membership]] = {}
    for membership in mine:
        roles.setdefault(membership.campaign_id, []).append(membership)
    runs = {
        campaign.pk
        for campaign in shown
        if user.is_site_manager
        or any(m.role == m.Role.MANAGER and m.state == "active" for m in roles.get(campaign.pk, []))
    }
    progress = progress_by_campaign(runs)
    return [
        Row(campaign, [m.get_role_display() for m in roles.get(campaign.pk, [])], progress.get(campaign.pk))
        for campaign in shown
    ]


@login_required
@require_http_methods(["GET", "POST"])
def new_campaign(request: SignedInRequest) -> HttpResponse:
    if not policy.may_create_campaign(request.user):
        raise PermissionDenied
    dataset = _chosen_dataset(request)
    if dataset is None:
        datasets = list(Dataset.objects.visible_to(request.user))
        held = sizes(datasets)
        rows = [(dataset, held[dataset.pk]) for dataset in datasets]
        return render(request, "annotation/campaigns/choose_dataset.html", {"rows": rows})
    form = CampaignForm(request.POST or None, dataset=dataset)
    if request.method == "POST" and form.is_valid():
        try:
            made = create_campaign(**form.options, by=request.user)
        except SelectionInvalid as refusal:
            for name in refusal.fields or [None]:
                form.add_error(name if name in form.fields else None, str(refusal))
        else:
            messages.success(request, _("The campaign is made, as a draft. Add people, then open it."))
            return redirect("annotation:campaign", slug=made.slug)
    choices = [form["companions"], form["conditions"], form["languages"]]
    context = {"form": form, "dataset": dataset, "choice_fields": choices, **_count(form)}
    return render(request, "annotation/campaigns/new.html", context, status=422 if form.errors else 200)


def _chosen_dataset(request: SignedInRequest) -> Dataset | None:
    """The dataset named in the address; the only one where there is but one."""
    datasets = Dataset.objects.visible_to(request.user)
    if slug := request.GET.get("dataset"):
        return get_object_or_404(datasets, slug=slug)
    first = list(datasets[:2])
    return first[0] if len(first) == 1 else None


@polled
@login_required
@require_GET
def count(request: SignedInRequest) -> HttpResponse:
    """What the form selects as it stands, whether the rest of it is filled in or not."""
    if not policy.may_create_campaign(request.user):
        raise PermissionDenied
    dataset = get_object_or_404(Dataset.objects.visible_to(request.user), slug=request.GET.get("dataset", ""))
    form = CampaignForm(request.GET, dataset=dataset)
    form.full_clean()
    return render(request, "annotation/campaigns/_count.html", _count(form))


def _count(form: CampaignForm) -> dict[str, Any]:
    """Responses, scenarios and ratings of what is chosen so far."""
    overlap = form.cleaned_data.get("overlap", 0) if form.is_bound else form.fields["overlap"].initial
    selection = form.selection
    found = selected_responses(form.dataset, selection).order_by()
    counted = found.aggregate(responses=Count("pk"), scenarios=Count("scenario", distinct=True))
    drawn = min(selection.sample or counted["responses"], counted["responses"])
    return {**counted, "sample": selection.sample, "drawn": drawn, "ratings": drawn * overlap}


@polled
@login_required
@require_GET
@never_cache
def campaign(request: SignedInRequest, slug: str) -> HttpResponse:
    """How things stand. The page asks for its own middle part again while it is open."""
    found = campaign_for(request.user, slug, policy.may_run_campaign)
    template = "annotation/campaigns/_standing.html" if request.htmx else "annotation/campaigns/campaign.html"
    context = _standing(found, request.user)
    if context["manages"] and not request.htmx:  # not worth asking again every twenty seconds
        context["design"] = design_of(found)
        context["versions"] = versions_of(found, Rating.objects.counted().given_in(found))
    return render(request, template, context)


def _standing(found: Campaign, user: User) -> dict[str, Any]:
    manages = policy.may_manage_campaign(user, found)
    progress, people, stuck = progress_of(found), people_of(found), stuck_items(found)
    stuck_count = stuck.count() if progress.open else 0
    by_task = [(TASKS[task].name, LANGUAGES.get(tag, tag), of) for task, tag, of in progress_by_task(found)]
    return {
        "campaign": found,
        "manages": manages,
        "progress": progress,
        "people": people,
        "by_task": by_task,
        "stuck_count": stuck_count,
        "stuck": stuck.select_related("response__scenario", "response__companion")[:STUCK_SHOWN] if stuck_count else [],
        "urgent": urgent_items(found) if manages and progress.urgent else [],
        "doings": who_did_what(found) if manages else [],
        "steps": next_steps(found, progress, people, stuck=stuck_count, manages=manages),
    }


@login_required
@require_http_methods(["GET", "POST"])
def change_state(request: SignedInRequest, slug: str, to: str) -> HttpResponse:
    """GET asks once more, POST does it."""
    found = campaign_for(request.user, slug, policy.may_run_campaign)
    context = {"campaign": found, "to": to, "people": people_of(found), "progress": progress_of(found)}
    if request.method == "GET":
        return render(request, "annotation/campaigns/change_state.html", context)
    try:
        _move(found, to, by=request.user, reason=request.POST.get("reason", ""))
    except MoveRefused as refusal:
        if refusal.fields:
            return render(request, "annotation/campaigns/change_state.html", {**context, "error": refusal}, status=422)
        messages.error(request, str(refusal))
    else:
        messages.success(request, _moved(to))
    return redirect("annotation:campaign", slug=slug)


def _move(found: Campaign, to: str, *, by: User, reason: str) -> None:
    if to == State.OPEN:
        open_campaign(campaign=found, by=by, reason=reason)
    elif to == State.PAUSED:
        pause_campaign(campaign=found, by=by)
    else:
        close_campaign(campaign=found, by=by)


def _moved(to: str) -> str:
    return {
        State.OPEN.value: _("The campaign is open: raters are given items now."),
        State.PAUSED.value: _("The campaign is paused: nobody is given a new item. What is under way may be finished."),
        State.CLOSED.value: _("The campaign is closed. Work that still comes in is kept, outside agreement and gold."),
    }[to]
