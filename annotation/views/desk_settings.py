"""A campaign's desk, as its managers set it: the note, whom to turn to, breaks, items ahead; which items are heavy."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import policy
from annotation.access import campaign_for
from annotation.errors import SettingsInvalid
from annotation.forms import DeskForm
from annotation.heavy import skipped_as_heavy
from annotation.models import Campaign, WorkItem
from annotation.services.care import flag_heavy, set_desk
from jobs.request import SignedInRequest

SHOWN = 20


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def desk_settings(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    form = DeskForm(request.POST or None, campaign=campaign)
    if request.method == "POST" and form.is_valid():
        try:
            set_desk(campaign=campaign, **form.cleaned_data, by=request.user)
        except SettingsInvalid as refusal:
            for name, faults in refusal.fields.items():
                form.add_error(name, faults)
        else:
            messages.success(request, _("The desk is set. Raters meet it so from their next page on."))
            return redirect("annotation:desk_settings", slug=slug)
    context = {"campaign": campaign, "form": form, **_heavy(campaign)}
    return render(request, "annotation/campaigns/desk_settings.html", context, status=422 if form.errors else 200)


def _heavy(campaign: Campaign) -> dict[str, object]:
    items = WorkItem.objects.filter(campaign=campaign).select_related("response__scenario", "response__companion")
    flagged = items.filter(heavy=True).order_by("priority", "id")
    return {
        "flagged": flagged.count(),
        "flagged_items": flagged[:SHOWN],
        "skipped_items": skipped_as_heavy(campaign)[:SHOWN],
    }


@login_required
@require_POST
def heavy(request: SignedInRequest, slug: str, item_id: int) -> HttpResponse:
    """Announces the item from now on, or no more."""
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    item = get_object_or_404(WorkItem, campaign=campaign, pk=item_id)
    flag_heavy(item=item, heavy=request.POST.get("heavy") == "1", by=request.user)
    return redirect("annotation:desk_settings", slug=slug)
