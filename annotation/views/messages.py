"""Messages of a campaign: a person's with its managers, and for the managers everyone's."""

from typing import Any

from django.contrib import messages as notices
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation import policy
from annotation.access import campaign_for
from annotation.conversations import conversation_with, conversations_of, people_to_write_to
from annotation.errors import MessageRefused
from annotation.letters import with_letters
from annotation.models import Campaign, Message, User
from annotation.services.messages import LONGEST, mark_read, mark_thread_read, send_message, send_to_annotators
from annotation.views.refusals import by_script
from annotation.views.sent import number_or_text, typed
from jobs.request import SignedInRequest

PAGE = 50


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def messages(request: SignedInRequest, slug: str) -> HttpResponse:
    """To a manager everyone's conversations; to all others their own, and a POST writes to the managers."""
    campaign = campaign_for(request.user, slug, policy.may_read_messages)
    if policy.may_manage_campaign(request.user, campaign):
        if request.method == "POST":
            raise PermissionDenied(_("A manager writes to a person, or to all annotators."))
        return _conversations(request, campaign)
    if request.method == "GET":
        return _conversation(request, campaign, request.user)
    try:
        send_message(campaign=campaign, author=request.user, **_sent(request, campaign))
    except MessageRefused as refusal:
        return _conversation(request, campaign, request.user, refusal)
    notices.success(request, _("Sent to the managers of %(title)s.") % {"title": campaign.title})
    return redirect("annotation:home") if "from_home" in request.POST else redirect("annotation:messages", slug=slug)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def thread(request: SignedInRequest, slug: str, user_id: int) -> HttpResponse:
    """One person's conversation, for managers; it stays readable when the person has left."""
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    person = _person(campaign, user_id)
    if request.method == "GET":
        return _conversation(request, campaign, person)
    try:
        send_message(campaign=campaign, author=request.user, recipient=person, **_sent(request, campaign))
    except MessageRefused as refusal:
        return _conversation(request, campaign, person, refusal)
    notices.success(request, _("Sent to %(person)s.") % {"person": person})
    return redirect("annotation:thread", slug=slug, user_id=user_id)


@login_required
@require_POST
def everyone(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_manage_campaign)
    try:
        n = send_to_annotators(campaign=campaign, text=typed(request.POST.get("text", "")), author=request.user)
    except MessageRefused as refusal:
        return _conversations(request, campaign, refusal)
    if n:
        said = ngettext("Sent to %(n)s annotator.", "Sent to %(n)s annotators, to each by themselves.", n)
        notices.success(request, said % {"n": n})
    else:
        notices.warning(request, _("Nobody rates here yet: nothing was sent."))
    return redirect("annotation:messages", slug=slug)


@login_required
@require_POST
def read(request: SignedInRequest, message_id: int) -> HttpResponse:
    """The person has unfolded what they were sent."""
    message = get_object_or_404(Message.objects.select_related("campaign"), pk=message_id, recipient=request.user)
    mark_read(message=message, user=request.user)
    return HttpResponse(status=204) if by_script(request) else redirect("annotation:home")


@login_required
@require_POST
def read_thread(request: SignedInRequest, slug: str, user_id: int | None = None) -> HttpResponse:
    """The conversation was before their eyes, up to the newest message of the page."""
    may = policy.may_read_messages if user_id is None else policy.may_manage_campaign
    campaign = campaign_for(request.user, slug, may)
    person = None if user_id is None else _person(campaign, user_id)
    up_to = number_or_text(request.POST.get("up_to", ""))
    if isinstance(up_to, int):
        mark_thread_read(campaign=campaign, user=request.user, person=person, up_to=up_to)
    if by_script(request):
        return HttpResponse(status=204)
    return redirect("annotation:messages", slug) if person is None else redirect("annotation:thread", slug, person.pk)


def _person(campaign: Campaign, user_id: int) -> User:
    """Who has or had a part in the campaign, or a conversation in it. Raises Http404 for all others."""
    part = Q(memberships__campaign=campaign) | Q(pk__in=campaign.messages.values("author"))
    person: User = get_object_or_404(User.objects.filter(part).distinct(), pk=user_id)
    return person


def _sent(request: SignedInRequest, campaign: Campaign) -> dict[str, Any]:
    """The text, and the message that it answers where one is named."""
    named = number_or_text(request.POST.get("reply_to", ""))
    answered = Message.objects.filter(campaign=campaign, pk=named).first() if isinstance(named, int) else None
    return {"text": typed(request.POST.get("text", "")), "reply_to": answered}


def _conversation(
    request: SignedInRequest, campaign: Campaign, person: User, refusal: MessageRefused | None = None
) -> HttpResponse:
    managing = person != request.user
    writes = policy.may_write_to(request.user, campaign, person) if managing else True
    page = Paginator(conversation_with(campaign, person), PAGE).get_page(request.GET.get("page"))
    context = {
        "campaign": campaign,
        "person": person,
        "managing": managing,
        "page": page,
        "said": with_letters(list(page)),
        "may_write": writes,
        "unread": [one.pk for one in page if one.read_at is None and (one.recipient_id is None) == managing],
        "newest": max((one.pk for one in page), default=0),
        **_form(request, refusal),
    }
    return render(request, "annotation/messages/thread.html", context, status=422 if refusal else 200)


def _conversations(request: SignedInRequest, campaign: Campaign, refusal: MessageRefused | None = None) -> HttpResponse:
    found = conversations_of(campaign)
    notes = list(conversation_with(campaign, None)[:PAGE])
    context = {
        "campaign": campaign,
        "page": Paginator([one for one in found if one.person], PAGE).get_page(request.GET.get("page")),
        "notes": notes,
        "unread": [note.pk for note in notes if note.read_at is None],
        "newest": max((note.pk for note in notes), default=0),
        "others": people_to_write_to(campaign, [one.person.pk for one in found if one.person]),
        **_form(request, refusal),
    }
    return render(request, "annotation/messages/messages.html", context, status=422 if refusal else 200)


def _form(request: SignedInRequest, refusal: MessageRefused | None) -> dict[str, Any]:
    return {"text": request.POST.get("text", "") if refusal else "", "error": refusal, "longest": LONGEST}
