"""A comparison of two groups of ratings to be taken away: JSON, its tables as CSV."""

import json
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from annotation.access import campaign_for
from annotation.policy import may_manage_campaign
from jobs.downloads import CSV, attached
from jobs.request import SignedInRequest
from reviews import policy
from reviews.agreement_comparison_page import tables_of_comparison
from reviews.report.files import as_csv, as_zip
from reviews.report.reading import report_for
from reviews.report.tables import Table
from reviews.services.background import COMPARE_AGREEMENT, every_done
from reviews.views.compare_agreement import asked_comparison


@login_required
@require_GET
@never_cache
def as_json(request: SignedInRequest, slug: str) -> HttpResponse:
    """What the job kept, as the API gives it: raters under their codes. The latest, or the one of `?comparison=`."""
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    made = asked_comparison(campaign, request)
    if made is None or not made.result:
        raise Http404
    text = json.dumps(made.result, ensure_ascii=False, indent=2) + "\n"
    return attached(text.encode(), "application/json", f"comparison-{slug}.json")


@login_required
@require_GET
@never_cache
def table(request: SignedInRequest, slug: str, job_id: UUID, name: str) -> HttpResponse:
    tables = _tables(request, slug, job_id)
    if name not in tables:
        raise Http404
    return attached(as_csv(tables[name]), CSV, f"comparison-{slug}-{name}.csv")


@login_required
@require_GET
@never_cache
def tables(request: SignedInRequest, slug: str, job_id: UUID) -> HttpResponse:
    archive = as_zip(_tables(request, slug, job_id).values())
    return attached(archive, "application/zip", f"comparison-{slug}.zip")


def _tables(request: SignedInRequest, slug: str, job_id: UUID) -> dict[str, Table]:
    campaign = campaign_for(request.user, slug, policy.may_see_agreement)
    made = get_object_or_404(every_done(campaign, COMPARE_AGREEMENT), pk=job_id)
    if not made.result:
        raise Http404
    read = report_for(made.result, campaign, with_names=may_manage_campaign(request.user, campaign))
    return tables_of_comparison(read.result, read.names)
