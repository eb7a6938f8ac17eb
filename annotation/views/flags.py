"""Something is wrong with the scenario: said beside the rating, in a dialog of the desk or on a page of its own."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.errors import ConcordError
from annotation.models import Assignment, Membership, ScenarioFlag
from annotation.services.flags import flag_scenario, take_back_flag
from annotation.views.desk import annotators_only
from annotation.views.on_desk import own_assignment
from annotation.views.refusals import by_script, refusal
from scenarios.models.scenario import Fault

# What a rater can find. Not the reference: they never see it.
FOUND_BY_RATERS = [choice for choice in Fault.choices if choice[0] != Fault.REFERENCE_WRONG]


@annotators_only
@require_http_methods(["GET", "POST"])
def flag(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    """A script is sent the form by itself, and answered in words."""
    assignment = own_assignment(membership, assignment_id)
    if request.method == "POST":
        return _say(request, membership, assignment)
    context = _form(membership, assignment)
    if by_script(request):
        form = render_to_string("annotation/_flag_form.html", context | {"in_dialog": True}, request)
        return JsonResponse({"form": form})
    return render(request, "annotation/flag.html", context)


def _say(request: HttpRequest, membership: Membership, assignment: Assignment) -> HttpResponse:
    sent = {"fault": request.POST.get("fault", ""), "note": request.POST.get("note", "").replace("\r\n", "\n")}
    try:
        if "take_back" in request.POST:
            take_back_flag(assignment_id=assignment.pk, user=membership.user)
            said = _("Taken back: nothing is wrong with the scenario.")
        else:
            flag_scenario(assignment_id=assignment.pk, user=membership.user, fault=sent["fault"], note=sent["note"])
            said = _("Told to the experts of this campaign. Rate the response as it stands.")
    except ConcordError as error:
        if by_script(request):
            return refusal(error)
        context = _form(membership, assignment) | {"said": sent, "error": error}
        return render(request, "annotation/flag.html", context, status=error.status)
    if by_script(request):
        return JsonResponse({"said": said})
    messages.success(request, said)
    return redirect("annotation:flag", slug=membership.campaign.slug, assignment_id=assignment.pk)


def _form(membership: Membership, assignment: Assignment) -> dict[str, Any]:
    """With the person's own flag; what others said is for experts alone."""
    mine = ScenarioFlag.objects.in_campaign(membership.campaign).of(membership.user)
    own = mine.filter(scenario=assignment.work_item.scenario_id).first()
    return {
        "campaign": membership.campaign,
        "assignment": assignment,
        "flag": own,
        "flag_faults": FOUND_BY_RATERS,
        "said": {"fault": own.fault, "note": own.note} if own else {},
    }
