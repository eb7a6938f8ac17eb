"""The agreement so far, by API."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.problems import problem
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.errors import ConcordError
from reviews import policy
from reviews.live_outlook import live_json, width_of
from reviews.models import LiveAgreement


class LiveAnswer(serializers.Serializer):
    computed_at = serializers.DateTimeField(help_text="When its ratings were read.")
    data_version = serializers.CharField()
    seconds = serializers.FloatField(help_text="How long it took.")
    ratings = serializers.IntegerField()
    items = serializers.IntegerField(help_text="Of the campaign, rated or not.")
    replicates = serializers.IntegerField()
    seed = serializers.IntegerField()
    width = serializers.FloatField(help_text="That the outlook is for.")
    dimensions = serializers.DictField(
        help_text="By name: steps (alpha and its interval of the first items), more_raters, outlook."
    )


class LiveAgreementSoFar(APIView):
    @extend_schema(
        operation_id="live_agreement",
        tags=["reports"],
        parameters=[OpenApiParameter("width", float, description="Half the interval that is wanted; .05 without it.")],
        responses={200: LiveAnswer, 400: ProblemAnswer, 403: ProblemAnswer, 404: ProblemAnswer},
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """Alpha as items came in, made anew within a minute of a rating, and what a narrower interval would take."""
        campaign = campaign_for(request.user, slug, policy.may_see_live_agreement)
        width = width_of(request.GET.get("width", ""))
        if width is None:
            raise ConcordError(fields={"width": [_("The width is a number from .001 to .5.")]})
        live = LiveAgreement.objects.filter(campaign=campaign, computed_at__isnull=False).first()
        if live is None:
            return problem(404, _("No agreement has been computed yet."))
        return Response(live_json(live, width))
