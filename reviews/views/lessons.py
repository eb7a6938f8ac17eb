"""What a decided case teaches: a letter to its raters, a training item, an example in the guideline."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.errors import ConcordError, NotAllowed
from annotation.services.rubrics import LANGUAGES
from annotation.views.sent import number_or_text, typed
from jobs.request import SignedInRequest
from reviews.errors import ConflictOfInterest
from reviews.models import Case
from reviews.services.lessons import make_example, make_training_item
from reviews.services.letters import write_to_raters
from reviews.views.bench import bench
from reviews.views.cases import on_a_case
from reviews.views.lesson_forms import LEVEL, Form


@on_a_case
@require_POST
def letter(request: SignedInRequest, found: Case) -> HttpResponse:
    text = typed(request.POST.get("text", ""))
    try:
        n = write_to_raters(case_id=found.pk, by=request.user, text=text)
    except (ConflictOfInterest, NotAllowed):
        raise
    except ConcordError as error:
        return _again(request, found, "letter", {"text": text}, error)
    said = ngettext("Sent to %(n)s rater.", "Sent to %(n)s raters, to each by themselves.", n) % {"n": n}
    messages.success(request, said)
    return redirect("reviews:case", case_id=found.pk)


@on_a_case
@require_POST
def training_item(request: SignedInRequest, found: Case) -> HttpResponse:
    levels = {
        dimension.key: number_or_text(given)
        for dimension in found.campaign.rubric.dimensions
        if (given := request.POST.get(LEVEL + dimension.key))
    }
    try:
        make_training_item(case_id=found.pk, by=request.user, levels=levels)
    except (ConflictOfInterest, NotAllowed):
        raise
    except ConcordError as error:
        return _again(request, found, "training", levels, error)
    messages.success(request, _("This case is a training item now, with what was decided as its known answer."))
    return redirect("reviews:case", case_id=found.pk)


@on_a_case
@require_POST
def example(request: SignedInRequest, found: Case) -> HttpResponse:
    sent = _example_sent(request.POST)
    try:
        added = make_example(case_id=found.pk, by=request.user, **sent)
    except (ConflictOfInterest, NotAllowed):
        raise
    except ConcordError as error:
        return _again(request, found, "example", sent, error)
    number = {"number": added.rubric.version}
    if added.created:
        said = _("The guideline has a new example: version %(number)s is in use from now on.") % number
        messages.success(request, said)
    else:
        messages.info(request, _("This example stands in the guideline already, in version %(number)s.") % number)
    return redirect("reviews:case", case_id=found.pk)


def _example_sent(sent: QueryDict) -> dict[str, Any]:
    """What the form names; what it does not is taken from the case."""
    whys = {one: typed(sent.get(f"why.{one}", "")) for one in LANGUAGES if f"why.{one}" in sent}
    given = {
        name: typed(sent.get(name, "")) if name in sent else None for name in ("passage", "dimension", "violation")
    }
    return given | {"why": whys or None}


def _again(
    request: SignedInRequest, found: Case, kind: str, values: dict[str, Any], error: ConcordError
) -> HttpResponse:
    """The case with the form as it was sent, and what is wrong with it."""
    found = Case.objects.with_item().get(pk=found.pk)
    faults = {name: str(next(iter(told), "")) for name, told in error.fields.items()}
    sent = {kind: Form(values, error, faults)}
    context = bench(found, request.user, lesson=sent)
    return render(request, "reviews/cases/case.html", context, status=error.status)
