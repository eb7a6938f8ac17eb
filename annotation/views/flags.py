"""Something is wrong with the scenario: said beside the rating, by a dialog of the desk or on a page of its own."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.errors import ConcordError
from annotation.models import Membership
from annotation.services.flags import flag_scenario, take_back_flag
from annotation.views.desk import annotators_only
from annotation.views.on_desk import flagging, own_assignment, own_flags
from annotation.views.refusals import by_script, refusal


@annotators_only
@require_http_methods(["GET", "POST"])
def flag(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponse:
    assignment = own_assignment(membership, assignment_id)
    sent = {"fault": request.POST.get("fault", ""), "note": request.POST.get("note", "")}
    flagged, error = "take_back" not in request.POST, None
    if request.method == "POST":
        try:
            if flagged:
                flag_scenario(assignment_id=assignment.pk, user=membership.user, fault=sent["fault"], note=sent["note"])
            else:
                take_back_flag(assignment_id=assignment.pk, user=membership.user)
        except ConcordError as refused:
            error = refused
        else:
            return _said(request, membership, assignment_id, flagged)
    if error is not None and by_script(request):
        return refusal(error)
    own = own_flags(membership, [assignment]).get(assignment.work_item.scenario_id)
    context = {"campaign": membership.campaign, "assignment": assignment, "error": error} | flagging(own)
    context["said"] = sent if error else {"fault": own.fault, "note": own.note} if own else sent
    return render(request, "annotation/flag.html", context, status=error.status if error else 200)


def _said(request: HttpRequest, membership: Membership, assignment_id: int, flagged: bool) -> HttpResponse:
    said = _("Told to the experts of this campaign. Rate the response as it stands.")
    said = said if flagged else _("Taken back: nothing is wrong with the scenario.")
    if by_script(request):
        return JsonResponse({"said": said, "flagged": flagged})
    messages.success(request, said)
    return redirect("annotation:flag", slug=membership.campaign.slug, assignment_id=assignment_id)
