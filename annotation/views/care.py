"""What spares the people who rate: the note before the first item, a break, whom to turn to."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import known_campaign
from annotation.models import Membership
from annotation.services.care import read_note
from annotation.views.desk import annotators_only
from jobs.request import SignedInRequest


@annotators_only
@require_POST
def note_read(request: HttpRequest, membership: Membership) -> HttpResponse:
    read_note(membership=membership)
    return redirect("annotation:rate", slug=membership.campaign.slug)


@annotators_only
@require_GET
def rest(request: HttpRequest, membership: Membership) -> HttpResponse:
    """A page to be away on: nothing to do, and the clock stands still."""
    return render(request, "annotation/rest.html", {"campaign": membership.campaign})


@login_required
@require_GET
@never_cache
def support(request: SignedInRequest, slug: str) -> HttpResponse:
    """Whom to turn to, for everyone who has a part in the campaign."""
    return render(request, "annotation/support.html", {"campaign": known_campaign(request.user, slug)})
