"""The manager's side of training and checks: the rules, the known answers, every attempt of every person."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Count, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import policy
from annotation.access import campaign_for
from annotation.comparison import answer_shown
from annotation.errors import ConcordError
from annotation.models import Campaign, Membership, ReferenceAnswer, TrainingAttempt, WorkItem
from annotation.qualification import rule_of
from annotation.services.answers import AnswersImported, import_answers
from annotation.services.desk_rules import save_checks_rule, save_training_rule
from annotation.services.references import remove_reference
from annotation.services.training import compared_answers, grant_attempt, let_in
from annotation.training_forms import AnswersForm, ChecksRuleForm, TrainingRuleForm
from annotation.training_round import unable_to_begin
from jobs.request import SignedInRequest
from scenarios.benchmark import LANGUAGES
from scenarios.reading.faults import ImportRefused
from scenarios.wording import FAULTS_LISTED

PAGE = 50
PAGE_OF_PEOPLE = 30


@login_required
@require_GET
@never_cache
def training(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    return _page(request, campaign)


def _page(request: SignedInRequest, campaign: Campaign, **forms: Any) -> HttpResponse:
    """Rules and people; one query for each kind of thing, however many there are."""
    known = _known_by_use(campaign)
    rule = rule_of(campaign.training)
    attempts = TrainingAttempt.objects.order_by("number").annotate(answered=Count("answers"))
    people = (
        campaign.memberships.filter(role=Membership.Role.ANNOTATOR)
        .exclude(state=Membership.State.REMOVED)
        .select_related("user")
        .prefetch_related(Prefetch("attempts", attempts, to_attr="all_attempts"))
        .order_by("pk")
    )
    page = Paginator(people, PAGE_OF_PEOPLE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "known": known,
        "rule": rule,
        "over": campaign.state == Campaign.State.CLOSED,
        "page": page,
        "unable": unable_to_begin(campaign, rule) if rule else [],
        "rule_form": TrainingRuleForm(campaign=campaign, known=known["training"]),
        "checks_form": ChecksRuleForm(campaign=campaign),
        **forms,
    }
    return render(request, "annotation/training/manage.html", context, status=422 if forms else 200)


def _known_by_use(campaign: Campaign) -> dict[str, Any]:
    """How many known answers there are of each use, and the languages of those for training."""
    counted = (
        WorkItem.everything.filter(campaign=campaign)
        .exclude(Q(purpose=WorkItem.Purpose.RATING) | Q(state=WorkItem.State.WITHDRAWN))
        .order_by()
        .values_list("purpose", "language")
        .annotate(n=Count("pk"))
    )
    uses: dict[str, Any] = {"training": 0, "check": 0, "languages": []}
    for purpose, language, n in sorted(counted):
        uses[purpose] += n
        if purpose == WorkItem.Purpose.TRAINING:
            uses["languages"].append((LANGUAGES.get(language, language), n))
    return uses


@login_required
@require_POST
def training_rule(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    form = TrainingRuleForm(request.POST, campaign=campaign, known=0)
    return _save(request, campaign, "rule_form", form, save_training_rule)


@login_required
@require_POST
def checks_rule(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    return _save(request, campaign, "checks_form", ChecksRuleForm(request.POST, campaign=campaign), save_checks_rule)


def _save(request: SignedInRequest, campaign: Campaign, name: str, form: Any, save: Any) -> HttpResponse:
    """The form's rule, or none where the button says so."""
    off = "off" in request.POST
    if not off and not form.is_valid():
        return _page(request, campaign, **{name: form})
    try:
        save(campaign=campaign, by=request.user, **({"rule": None} if off else form.options))
    except ConcordError as error:
        if off or not error.fields:
            messages.error(request, str(error))
            return redirect("annotation:training", slug=campaign.slug)
        for field, faults in error.fields.items():
            form.add_error(field, faults)
        return _page(request, campaign, **{name: form})
    messages.success(request, _("The rule is off.") if off else _("The rule is saved."))
    return redirect("annotation:training", slug=campaign.slug)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def known_answers(request: SignedInRequest, slug: str) -> HttpResponse:
    """GET lists them, POST takes a file of them."""
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    if request.method == "GET":
        return _answers_page(request, campaign, AnswersForm())
    form, refused = AnswersForm(request.POST, request.FILES), None
    if form.is_valid():
        try:
            report = _import(campaign, form, request)
        except ImportRefused as error:
            refused = {"faults": error.faults[:FAULTS_LISTED], "more": max(0, error.total - FAULTS_LISTED)}
        except ConcordError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _said(report, dry_run=form.cleaned_data["dry_run"]))
            return redirect("annotation:known_answers", slug=slug)
    return _answers_page(request, campaign, form, refused)


def _import(campaign: Campaign, form: AnswersForm, request: SignedInRequest) -> AnswersImported:
    file = form.cleaned_data["file"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        with path.open("wb") as copy:
            shutil.copyfileobj(file, copy)
        return import_answers(
            campaign=campaign, path=path, name=file.name, by=request.user, dry_run=form.cleaned_data["dry_run"]
        )


def _said(report: AnswersImported, *, dry_run: bool) -> str:
    counts = report.as_json()
    said = ngettext(
        "%(lines)s line read = %(created)s new + %(replaced)s replaced + %(unchanged)s unchanged.",
        "%(lines)s lines read = %(created)s new + %(replaced)s replaced + %(unchanged)s unchanged.",
        report.lines,
    )
    return (said % counts) + (" " + _("This was a check: nothing was written.") if dry_run else "")


def _answers_page(
    request: SignedInRequest, campaign: Campaign, form: AnswersForm, refused: dict[str, Any] | None = None
) -> HttpResponse:
    answers = (
        ReferenceAnswer.objects.filter(work_item__campaign=campaign)
        .select_related("work_item__response__scenario", "work_item__response__companion")
        .order_by("work_item__purpose", "work_item__priority", "pk")
    )
    page = Paginator(answers, PAGE).get_page(request.GET.get("page"))
    dimensions = campaign.rubric.dimensions
    rows = [
        {
            "answer": answer,
            "item": answer.work_item,
            "use": WorkItem.Purpose(answer.work_item.purpose).label,
            "language": LANGUAGES.get(answer.work_item.language, answer.work_item.language),
            "scores": [answer.scores.get(dimension.key, "") for dimension in dimensions],
        }
        for answer in page
    ]
    context = {"campaign": campaign, "form": form, "refused": refused, "page": page, "rows": rows}
    context |= {"dimensions": dimensions, "over": campaign.state == Campaign.State.CLOSED}
    status = 422 if refused or form.errors else 200
    return render(request, "annotation/training/answers.html", context, status=status)


@login_required
@require_POST
def drop_answer(request: SignedInRequest, slug: str, item_id: int) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    answer = get_object_or_404(ReferenceAnswer, work_item=item_id, work_item__campaign=campaign)
    try:
        remove_reference(answer=answer, by=request.user)
    except ConcordError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The known answer is removed."))
    return redirect("annotation:known_answers", slug=slug)


@login_required
@require_GET
@never_cache
def attempt(request: SignedInRequest, slug: str, attempt_id: int) -> HttpResponse:
    """One attempt of one person, each answer beside the expert's."""
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    found = TrainingAttempt.objects.select_related("membership__user")
    attempt = get_object_or_404(found, pk=attempt_id, membership__campaign=campaign)
    answers = [
        (answer, answer_shown(answer, campaign.rubric), answer.work_item.response.item_id)
        for answer, _known, _compared in compared_answers(attempt)
    ]
    context = {"campaign": campaign, "attempt": attempt, "answers": answers, "rule": rule_of(attempt.rule)}
    return render(request, "annotation/training/attempt.html", context)


@login_required
@require_POST
def let_member_in(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    return _for_member(request, slug, member_id, let_in, _("%(person)s is let in and is given items from now on."))


@login_required
@require_POST
def another_attempt(request: SignedInRequest, slug: str, member_id: int) -> HttpResponse:
    return _for_member(request, slug, member_id, grant_attempt, _("%(person)s has another attempt."))


def _for_member(request: SignedInRequest, slug: str, member_id: int, deed: Any, said: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    member = get_object_or_404(campaign.memberships.select_related("user"), pk=member_id)
    try:
        deed(membership=member, by=request.user)
    except ConcordError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, said % {"person": member.user})
    return redirect("annotation:training", slug=slug)
