"""An agreement report to be taken away: JSON, one page for the browser, its tables as CSV."""

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.access import campaign_for
from annotation.models import Campaign
from annotation.policy import may_manage_campaign
from jobs.downloads import CSV, attached
from jobs.request import SignedInRequest
from reviews import policy
from reviews.models import AgreementReport
from reviews.report.files import as_csv, as_page, as_zip
from reviews.report.reading import report_for
from reviews.report.sections import tables_of
from reviews.report.tables import Table
from reviews.views.agreement import asked_report, report_context


@login_required
@require_GET
@never_cache
def as_json(request: SignedInRequest, slug: str) -> HttpResponse:
    """The stored result, as `agreement --json` prints it."""
    campaign, report = _asked(request, slug)
    text = json.dumps(report.result, ensure_ascii=False, indent=2) + "\n"
    return attached(text.encode(), "application/json", f"agreement-{campaign.slug}.json")


@login_required
@require_GET
@never_cache
def as_file(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign, report = _asked(request, slug)
    text = as_page(report_context(report, campaign, request))
    return attached(text.encode(), "text/html; charset=utf-8", f"agreement-{campaign.slug}.html")


@login_required
@require_GET
@never_cache
def table(request: SignedInRequest, slug: str, report_id: int, name: str) -> HttpResponse:
    tables = _tables(request, slug, report_id)
    if name not in tables:
        raise Http404
    return attached(as_csv(tables[name]), CSV, f"{slug}-{name}.csv")


@login_required
@require_GET
@never_cache
def tables(request: SignedInRequest, slug: str, report_id: int) -> HttpResponse:
    archive = as_zip(_tables(request, slug, report_id).values())
    return attached(archive, "application/zip", f"agreement-{slug}.zip")


def _asked(request: SignedInRequest, slug: str) -> tuple[Campaign, AgreementReport]:
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    report = asked_report(campaign, request)
    if report is None:
        raise Http404
    return campaign, report


def _tables(request: SignedInRequest, slug: str, report_id: int) -> dict[str, Table]:
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    report = get_object_or_404(AgreementReport, campaign=campaign, pk=report_id)
    return tables_of(report_for(report.result, campaign, with_names=may_manage_campaign(request.user, campaign)))
