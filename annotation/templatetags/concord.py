"""What templates need beyond Django's own: navigation by what the person may, exact texts, times of the reader."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django import template
from django.template.context import Context
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import conditional_escape, format_html, urlize
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from annotation import policy, sign_in
from annotation.models import Campaign, Membership
from annotation.services.messages import unread_of
from annotation.shortcuts import Keys, keys_of

register = template.Library()
Role = Membership.Role


@dataclass(frozen=True)
class Link:
    """An entry of a navigation; `current` where the page stands under it, `waiting` the unread messages behind it."""

    label: str
    url: str
    current: bool
    waiting: int = 0


def _links(path: str, entries: list[tuple[str, str, list[str]]], *, home: str, waiting: dict[str, int]) -> list[Link]:
    """The entries that have an address here; the longest address that the path begins with is the current one.

    waiting: unread messages, by the name of the page that shows them.
    """
    found = []
    for label, name, arguments in entries:
        try:
            found.append((label, reverse(name, args=arguments), waiting.get(name, 0)))
        except NoReverseMatch:  # a room that this installation does not serve
            continue
    under = [url for _label, url, _n in found if path.startswith(url) and (url != home or path == home)]
    current = max(under, key=len, default=None)
    return [Link(label, url, url == current, n) for label, url, n in found]


@register.simple_tag(takes_context=True)
def site_nav(context: Context) -> list[Link]:
    """Home for everyone, with the number of messages that wait there; cases for experts, campaigns and datasets for
    those who manage."""
    request = context.get("request")  # a page of an error may have none
    if request is None or not request.user.is_authenticated:
        return []
    user = request.user
    entries: list[tuple[str, str, list[str]]] = [(_("Home"), "annotation:home", [])]
    active = user.memberships.filter(state=Membership.State.ACTIVE)
    roles = set(active.order_by().values_list("role", flat=True).distinct())
    if Role.EXPERT in roles:
        entries += [(_("Cases"), "reviews:all_cases", [])]
    if user.is_site_manager or Role.MANAGER in roles:
        entries += [(_("Campaigns"), "annotation:campaigns", []), (_("Datasets"), "scenarios:datasets", [])]
    waiting = {"annotation:home": unread_of(user)}
    return _links(request.path, entries, home=reverse("annotation:home"), waiting=waiting)


@register.simple_tag(takes_context=True)
def campaign_nav(context: Context, campaign: Campaign) -> list[Link]:
    """The pages of one campaign that the person may open."""
    request, slug = context["request"], [campaign.slug]
    user = request.user
    runs, manages = policy.may_run_campaign(user, campaign), policy.may_manage_campaign(user, campaign)
    rates, judges = policy.may_rate(user, campaign), policy.has_role(user, campaign, Role.EXPERT)
    writes = policy.may_read_messages(user, campaign)
    waiting = {"annotation:messages": unread_of(user, campaign)} if writes else {}
    entries = [
        (runs, _("Campaign"), "annotation:campaign"),
        (runs, _("People"), "annotation:people"),
        (runs, _("Desk"), "annotation:desk_settings"),
        (manages, _("Training"), "annotation:training"),
        (rates, _("Rate"), "annotation:rate"),
        (rates, _("My ratings"), "annotation:mine"),
        (writes, _("Messages"), "annotation:messages"),
        (runs, _("Hours"), "annotation:campaign_hours"),
        (judges or manages, _("Cases"), "reviews:cases"),
        (judges or manages, _("Refinement"), "reviews:refinement"),
        (manages, _("Experts"), "reviews:experts"),
        (judges or manages, _("Rule"), "reviews:rule"),
        (manages, _("Agreement"), "reviews:agreement"),
        (manages, _("Releases"), "reviews:releases"),
    ]
    home = reverse("annotation:campaign", args=slug) if runs and _there("annotation:campaign", slug) else ""
    there = [(label, name, slug) for may, label, name in entries if may]
    return _links(request.path, there, home=home, waiting=waiting)


def _there(name: str, arguments: list[str]) -> bool:
    try:
        return bool(reverse(name, args=arguments))
    except NoReverseMatch:
        return False


@register.simple_tag(takes_context=True)
def may(context: Context, what: str, *about: Any) -> bool:
    """`{% may "run_campaign" campaign as runs %}` asks `annotation.policy.may_run_campaign(user, campaign)`."""
    return bool(getattr(policy, f"may_{what}")(context["request"].user, *about))


@register.simple_tag(takes_context=True)
def person_key(context: Context) -> str:
    """Names the person to their own browser: what one typed there is never sent as another (annotation.sign_in)."""
    return sign_in.person_key(context["request"].user)


@register.filter
def as_stored(text: str) -> SafeString:
    """A text for the page, to the code point: a parser of HTML would make CR LF one LF, and shift what is marked."""
    return mark_safe(conditional_escape(text).replace("\r", "&#13;"))


@register.filter
def with_links(text: str) -> SafeString:
    """A manager's words as they were written, with the addresses of pages and of mail in them to click on."""
    return mark_safe(urlize(text, nofollow=True, autoescape=True))


@register.filter
def moment(value: datetime | None, show: str = "datetime") -> str:
    """A time in the reader's zone (js/parts/times.js); without a script in the server's, and said so."""
    if value is None:
        return ""
    local = timezone.localtime(value)
    parts = ([] if show == "time" else [day(local)]) + ([] if show == "date" else [f"{local:%H:%M %Z}"])
    shown = ", ".join(parts)
    return format_html('<time datetime="{}" data-show="{}">{}</time>', value.isoformat(), show, shown)


@register.filter
def clock(seconds: int) -> str:
    """Seconds as 0:41 or 1:02:05."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def spent(seconds: int) -> str:
    """Seconds of work in words: 47 min, 3 h 5 min."""
    hours, minutes = divmod(round(int(seconds) / 60), 60)
    if hours:
        return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)s min") % {"minutes": minutes}


@register.filter
def day(value: date, show: str = "long") -> str:
    """A day that is no moment (of a week, of a chart), in the order of the language: 2 Dec 2026, 2026年12月2日."""
    # Translators: Django's letters for the parts of a date; n月j日 (D) in Chinese.
    short = pgettext("day, short", "D j M")
    # Translators: Django's letters for the parts of a date; Y年n月j日 in Chinese.
    return date_format(value, short if show == "short" else pgettext("day", "j M Y"))


@register.simple_tag
def marks_of(filled: Any, kind: str) -> list[dict[str, Any]]:
    """The marks of one kind that stand in a rating form (annotation.views.rating_form.Filled)."""
    return list(filled.marks_of(kind))


def _keys(context: Context) -> Keys:
    return keys_of(getattr(context.get("request"), "user", None))  # a page of an error may have no request


@register.simple_tag(takes_context=True)
def keys_json(context: Context) -> str:
    """The person's single keys, for js/parts/keys.js."""
    return json.dumps(_keys(context).as_json(), ensure_ascii=False)


@register.simple_tag(takes_context=True)
def key(context: Context, action: str) -> str:
    """The person's own key for an action (annotation.shortcuts) as a hint; nothing where they switched keys off."""
    own = _keys(context).of_action(action)
    return format_html("<kbd>{}</kbd>", own) if own else ""


@register.simple_tag(takes_context=True)
def single_keys(context: Context) -> bool:
    """Whether the person's single keys do anything: `{% single_keys as keys_on %}`."""
    return _keys(context).on
