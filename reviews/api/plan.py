"""A plan by API: the options of `manage.py plan`, worked out as a job."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.parsing import body_of
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.models import Campaign
from reviews import policy
from reviews.api import schemas
from reviews.errors import PlanInvalid
from reviews.plan_reading import read_plan
from reviews.services.background import start_plan


class PlanRequest(serializers.Serializer):
    """What is left out is as `manage.py plan` has it."""

    pilot = serializers.CharField(required=False, help_text="A campaign that you manage: its ratings are the pilot.")
    distribution = serializers.DictField(
        child=serializers.FloatField(), required=False, help_text='{"1": 2, "2": 5, …}: level and weight, in any unit.'
    )
    alpha = serializers.FloatField(required=False)
    scenario_share = serializers.FloatField(required=False)
    scale = serializers.CharField(required=False)
    dimension = serializers.CharField(required=False)
    scenarios = serializers.ListField(child=serializers.IntegerField(), required=False)
    responses = serializers.ListField(child=serializers.IntegerField(), required=False)
    raters = serializers.ListField(child=serializers.IntegerField(), required=False)
    width = serializers.FloatField(required=False)
    range = serializers.FloatField(required=False, allow_null=True)
    cut = serializers.FloatField(required=False)
    audit = serializers.FloatField(required=False)
    seconds = serializers.FloatField(required=False)
    case_minutes = serializers.FloatField(required=False)
    wage = serializers.FloatField(required=False)
    expert_wage = serializers.FloatField(required=False)
    seed = serializers.IntegerField(required=False)
    simulations = serializers.IntegerField(required=False)


class Plan(APIView):
    @extend_schema(
        operation_id="plan",
        tags=["reports"],
        request=PlanRequest,
        responses={202: schemas.StartedAnswer, 400: ProblemAnswer, 403: ProblemAnswer},
    )
    def post(self, request: SignedIn) -> Response:
        """Works a plan out in the background; its result is the job's. For site managers and managers of a campaign."""
        if not policy.may_plan(request.user):
            raise PermissionDenied
        body = dict(body_of(request))
        pilot = _pilot(request, body.pop("pilot", None))
        options = read_plan(body, has_pilot=pilot is not None)
        return Response({"job": start_plan(options=options.as_json(), pilot=pilot, by=request.user).pk}, status=202)


def _pilot(request: SignedIn, slug: Any) -> str | None:
    if slug is None:
        return None
    if not isinstance(slug, str) or not Campaign.objects.managed_by(request.user).filter(slug=slug).exists():
        raise PlanInvalid(fields={"pilot": [_("You manage no such campaign.")]})
    return slug
