"""The releases of a campaign: what one would hold now, making one in the background, and the files of each."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import campaign_for
from annotation.models import Campaign, User
from annotation.views.polled import polled
from jobs.request import SignedInRequest
from reviews import policy
from reviews.models import Release
from reviews.outlook import outlook_of
from reviews.quality import expert_agreement_of
from reviews.quality_page import experts_page
from reviews.release_files import file_of
from reviews.services.background import PUBLISH_RELEASE, gave_again, latest_job, start
from reviews.views.background import how_far, job_context


@dataclass(frozen=True)
class File:
    """One file of a release, as the manifest names it."""

    name: str
    sha256: str
    size: int
    rows: int | None


@polled
@login_required
@require_GET
@never_cache
def releases(request: SignedInRequest, slug: str) -> HttpResponse:
    """While a release is being made the page asks each second how far it is."""
    campaign = campaign_for(request.user, slug, policy.may_see_releases)
    if request.htmx:
        return how_far(request, latest_job(campaign, PUBLISH_RELEASE))
    return render(request, "reviews/releases/releases.html", _context(campaign, request.user))


def _context(campaign: Campaign, user: User) -> dict[str, Any]:
    made = Release.objects.filter(campaign=campaign).select_related("created_by")
    job = latest_job(campaign, PUBLISH_RELEASE)
    return {
        "campaign": campaign,
        "outlook": outlook_of(campaign),
        "experts": experts_page(expert_agreement_of(campaign), campaign),
        "releases": [(release, _files(release)) for release in made],
        "may_publish": policy.may_publish(user, campaign),
        "unchanged": gave_again(job),
        **job_context(job, user),
    }


def _files(release: Release) -> list[File]:
    named = release.manifest["files"]
    files = [File(name, about["sha256"], about["bytes"], about.get("rows")) for name, about in named.items()]
    return [*files, File("manifest.json", "", _size(release.path / "manifest.json"), None)]


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


@login_required
@require_POST
def publish(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = campaign_for(request.user, slug, policy.may_publish)
    start(campaign, PUBLISH_RELEASE, by=request.user)
    return redirect("reviews:releases", slug=slug)


@login_required
@require_GET
def download(request: SignedInRequest, slug: str, number: int, name: str) -> FileResponse:
    """A file that the manifest names, and no other."""
    campaign = campaign_for(request.user, slug, policy.may_see_releases)
    release = get_object_or_404(Release.objects.select_related("campaign"), campaign=campaign, number=number)
    return file_of(release, name)
