"""Agreement and releases by API: what is kept is read, what is heavy is asked for as a job."""

from typing import Any

from django.http import FileResponse, Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.parsing import body_of, cursor_of
from annotation.api.problems import problem
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.errors import ConcordError
from reviews import policy
from reviews.agreement_raters import read_raters
from reviews.api import schemas
from reviews.comparing import as_row, pair_of, window
from reviews.models import AgreementReport, Release
from reviews.release_files import file_of
from reviews.services.background import PUBLISH_RELEASE, start, start_agreement

CHANGES = 1000
REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}


class Agreement(APIView):
    @extend_schema(
        operation_id="agreement",
        tags=["reports"],
        parameters=[
            OpenApiParameter("report", int, description="Its id; without it the latest that is of all raters."),
        ],
        responses={200: schemas.AgreementAnswer, **REFUSED},
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """A report, as `agreement --json` prints it; for managers, and for experts once the campaign is closed."""
        campaign = campaign_for(request.user, slug, policy.may_see_agreement)
        asked = request.query_params.get("report", "")
        report = AgreementReport.objects.asked_for(campaign, asked)
        if report is None and asked:
            return problem(404, _("The campaign has no such report."))
        if report is None:
            return problem(404, _("No agreement has been computed yet; ask for it with POST."))
        about = {"id": report.pk, "created_at": report.created_at}
        about |= {"data_version": report.data_version, "code_version": report.code_version}
        return Response({**report.result, "report": about})

    @extend_schema(
        operation_id="compute_agreement",
        tags=["reports"],
        request=schemas.AgreementRequest,
        responses={202: schemas.StartedAnswer, 400: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Computes a report in the background; nothing is computed twice from the same data."""
        campaign = campaign_for(request.user, slug, policy.may_compute_agreement)
        raters = read_raters(body_of(request).get("raters"), campaign)
        return Response({"job": start_agreement(campaign, raters=raters, by=request.user).pk}, status=202)


class ReleaseList(APIView):
    @extend_schema(
        operation_id="releases", tags=["reports"], responses={200: schemas.ReleaseAnswer(many=True), **REFUSED}
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """The campaign's releases, the latest first, with the hash of each file."""
        campaign = campaign_for(request.user, slug, policy.may_see_releases)
        return Response([_release(release) for release in Release.objects.filter(campaign=campaign)])

    @extend_schema(
        operation_id="publish_release",
        tags=["reports"],
        request=schemas.ReleaseRequest,
        responses={202: schemas.StartedAnswer, 400: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Publishes a release in the background; where nothing has changed it is the last one again."""
        campaign = campaign_for(request.user, slug, policy.may_publish)
        without_texts = body_of(request).get("without_texts", False)
        if not isinstance(without_texts, bool):
            raise ConcordError(fields={"without_texts": [_("Must be true or false.")]})
        more = {"without_texts": True} if without_texts else {}
        return Response({"job": start(campaign, PUBLISH_RELEASE, by=request.user, **more).pk}, status=202)


def _release(release: Release) -> dict[str, Any]:
    manifest = release.manifest
    names = [*manifest["files"], "manifest.json"]
    urls = {name: reverse("api-release-file", args=[release.pk, name]) for name in names}
    return {
        "release": release.pk,
        "number": release.number,
        "created_at": release.created_at,
        "data_version": release.data_version,
        "parameters": release.parameters,
        "counts": manifest.get("counts", {}),
        "files": {name: {**manifest["files"].get(name, {}), "url": urls[name]} for name in names},
    }


class CompareReleases(APIView):
    @extend_schema(
        operation_id="compare_releases",
        tags=["reports"],
        parameters=[
            OpenApiParameter("from", int, description="Number of a release; without it the one before `to`."),
            OpenApiParameter("to", int, description="Number of a release; without it the last one."),
            OpenApiParameter("cursor", str, description="`next` of the answer before."),
        ],
        responses={200: schemas.ComparisonAnswer, 400: ProblemAnswer, 409: ProblemAnswer, **REFUSED},
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """Which labels changed between two releases and why, the earlier first, a thousand at a time."""
        campaign = campaign_for(request.user, slug, policy.may_see_releases)
        start = cursor_of(request)
        pair = pair_of(campaign, request.query_params.dict())
        comparison = pair.comparison()
        changes, total = window(comparison, start=start, size=CHANGES)
        return Response(
            {
                "from": pair.before.number,
                "to": pair.after.number,
                "counts": comparison.counts.as_json(),
                "campaign": comparison.facts(),
                "changes": [as_row(change) for change in changes],
                "next": str(start + CHANGES) if start + CHANGES < total else None,
            }
        )


class AnyMediaType(DefaultContentNegotiation):
    """The file is what it is, whatever the client says it accepts."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class ReleaseFile(APIView):
    content_negotiation_class = AnyMediaType

    @extend_schema(
        operation_id="release_file",
        tags=["reports"],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **REFUSED},
    )
    def get(self, request: SignedIn, pk: int, name: str) -> FileResponse:
        """One file of a release, as it lies there."""
        release = get_object_or_404(Release.objects.select_related("campaign"), pk=pk)
        if not policy.may_see_releases(request.user, release.campaign):
            raise Http404
        return file_of(release, name)
