"""Hours of work by week: a person's own, and for those who run a campaign everyone's in it; as a page and as a file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation import policy
from annotation.access import campaign_for
from annotation.hours import COLUMNS, WEEK, Stint, Tally, Weeks, as_row, campaign_hours, monday_of, own_hours, total_of
from jobs.downloads import CSV, attached
from jobs.request import SignedInRequest
from jobs.spreadsheets import csv_bytes, guarded

USUAL = 8  # weeks shown where none are asked for
DAYS = [MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2100, 1, 1))]


def _day(label: Any) -> forms.DateField:
    picker = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, validators=DAYS, widget=picker, input_formats=["%Y-%m-%d"])


class WeeksForm(forms.Form):
    """Any day of a week stands for the week; an empty end has no limit."""

    first = _day(_("From the week of"))
    last = _day(_("To the week of"))

    def __init__(self, sent: QueryDict) -> None:
        this_week = monday_of(timezone.now().date())
        usual = {"from": (this_week - (USUAL - 1) * WEEK).isoformat(), "to": this_week.isoformat()}
        super().__init__(sent if sent.keys() & usual.keys() else usual)

    def add_prefix(self, field_name: str) -> str:
        """In the address they are `from` and `to`."""
        return {"first": "from", "last": "to"}.get(field_name, field_name)

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if cleaned.get("first") and cleaned.get("last") and cleaned["first"] > cleaned["last"]:
            self.add_error("last", _("The last week comes before the first."))
        return cleaned

    @property
    def weeks(self) -> Weeks:
        return Weeks.around(self.cleaned_data["first"], self.cleaned_data["last"])

    @property
    def query(self) -> str:
        """For the address of the file of the same weeks."""
        return urlencode({self.add_prefix(name): self.data.get(self.add_prefix(name), "") for name in self.fields})


@dataclass(frozen=True)
class Week:
    """All that is shown of one week; `days` of it are Monday and Sunday."""

    name: str
    days: tuple[date, date]
    stints: list[Stint]
    total: Tally


@login_required
@require_GET
@never_cache
def own(request: SignedInRequest) -> HttpResponse:
    return _page(request, "annotation/hours/own.html", lambda weeks: own_hours(request.user, weeks))


@login_required
@require_GET
@never_cache
def own_csv(request: SignedInRequest) -> HttpResponse:
    return _file(f"hours-{request.user.pk}", own_hours(request.user, _weeks(request)))


@login_required
@require_GET
@never_cache
def of_campaign(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    template = "annotation/hours/campaign.html"
    return _page(request, template, lambda weeks: campaign_hours(campaign, weeks), campaign=campaign)


@login_required
@require_GET
@never_cache
def of_campaign_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_run_campaign)
    return _file(f"hours-{slug}", campaign_hours(campaign, _weeks(request)))


def _page(request: SignedInRequest, template: str, hours: Callable[[Weeks], list[Stint]], **more: Any) -> HttpResponse:
    form = WeeksForm(request.GET)
    stints = hours(form.weeks) if form.is_valid() else []
    context = {"form": form, "weeks": _by_week(stints), "total": total_of(stints), **more}
    return render(request, template, context, status=200 if form.is_valid() else 422)


def _by_week(stints: list[Stint]) -> list[Week]:
    weeks = []
    for monday, of_week in groupby(stints, key=lambda stint: stint.monday):
        found = list(of_week)
        weeks.append(Week(found[0].week, (monday, monday + timedelta(days=6)), found, total_of(found)))
    return weeks


def _weeks(request: SignedInRequest) -> Weeks:
    form = WeeksForm(request.GET)
    if not form.is_valid():
        raise BadRequest(" ".join(str(error) for errors in form.errors.values() for error in errors))
    return form.weeks


def _file(name: str, stints: Iterable[Stint]) -> HttpResponse:
    """UTF-8 with BOM, RFC 4180, from the oldest week on; text guarded, so that a spreadsheet runs none of it."""
    oldest_first = sorted(stints, key=lambda stint: stint.monday)
    rows = ([guarded(value) if isinstance(value, str) else value for value in as_row(stint)] for stint in oldest_first)
    return attached(csv_bytes([COLUMNS, *rows]), CSV, f"{name}.csv")
