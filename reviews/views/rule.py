"""The rule of a campaign: in words, counted on the ratings so far, changed in versions."""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import campaign_for
from annotation.errors import ConcordError, RuleInvalid
from annotation.models import Campaign
from annotation.views.polled import polled
from annotation.views.sent import number_or_text, typed
from jobs.request import SignedInRequest
from reviews import policy
from reviews.rule_form import RuleForm
from reviews.rule_page import applied_sentences, shown_count, versions_of
from reviews.rule_reading import read_rule
from reviews.rule_words import changed_words, words_of
from reviews.rules import Rule
from reviews.services.background import APPLY_RULE, latest_job
from reviews.services.forecast import outlook_of_rule
from reviews.services.rule import change_rule, start_applying
from reviews.views.background import how_far, job_context


@polled
@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def rule(request: SignedInRequest, slug: str) -> HttpResponse:
    """GET: how it is; with `count`, what is typed, counted. POST saves what was counted. An expert reads the words."""
    if request.method == "POST":
        return _save(request, campaign_for(request.user, slug, policy.may_change_rule))
    campaign = campaign_for(request.user, slug, policy.may_see_rule)
    if not policy.may_change_rule(request.user, campaign):
        return render(request, "reviews/rule/rule.html", _in_words(campaign))
    if request.htmx:
        return how_far(request, latest_job(campaign, APPLY_RULE))
    context = {**_in_words(campaign), **_to_change(request, campaign)}
    return render(request, "reviews/rule/rule.html", context, status=422 if context["form"].errors else 200)


def _in_words(campaign: Campaign) -> dict[str, Any]:
    return {"campaign": campaign, "words": words_of(Rule.of(campaign.rule), campaign.rubric), "changes": False}


def _to_change(request: SignedInRequest, campaign: Campaign) -> dict[str, Any]:
    kept, rubric = Rule.of(campaign.rule), campaign.rubric
    form = RuleForm(request.GET if "count" in request.GET else None, rubric=rubric, rule=kept)
    counts = form.is_valid()
    job = latest_job(campaign, APPLY_RULE)
    context = {
        "changes": True,
        "over": campaign.state == Campaign.State.CLOSED,
        "form": form,
        "versions": versions_of(campaign),
        "count": shown_count(outlook_of_rule(campaign, form.rule, compare=True), rubric),
        "applied": applied_sentences(job.result) if job and job.result else [],
        "unfinished": bool(job and job.state in (job.State.FAILED, job.State.CANCELLED)),
        **job_context(job, request.user),
    }
    if counts:
        context["typed"] = {
            "words": words_of(form.rule, rubric),
            "changed": changed_words(kept, form.rule, rubric),
            "same": form.rule == kept,
            "json": json.dumps(form.rule.as_json()),
            "version": campaign.rule_version + 1,
        }
    return context


def _save(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    try:
        saved = change_rule(
            campaign=campaign,
            rule=read_rule(_sent(request.POST.get("rule", "")), campaign.rubric),
            by=request.user,
            reason=typed(request.POST.get("reason", "")),
            seen=_version(request.POST.get("seen", "")),
        )
    except ConcordError as error:
        messages.error(request, str(error))
        return redirect("reviews:rule", slug=campaign.slug)
    if saved.rule_version == campaign.rule_version:
        messages.info(request, _("This is the rule already: nothing was changed."))
    else:
        said = _("Version %(version)s is saved. The items are gone over with it in the background.")
        messages.success(request, said % {"version": saved.rule_version})
    return redirect("reviews:rule", slug=campaign.slug)


def _sent(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleInvalid(_("The form is damaged: reload the page.")) from error


def _version(text: str) -> int | None:
    number = number_or_text(text)
    return number if isinstance(number, int) else None


@login_required
@require_POST
def apply(request: SignedInRequest, slug: str) -> HttpResponse:
    """Once more, where the going over the items was cancelled or has failed."""
    campaign = campaign_for(request.user, slug, policy.may_change_rule)
    start_applying(campaign, by=request.user)
    return redirect("reviews:rule", slug=slug)
