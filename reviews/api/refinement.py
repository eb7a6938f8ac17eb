"""Scenarios that are themselves at fault, by API: the same table, ruling and blindness as on the page."""

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.parsing import body_of, given_or
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.validation import can_be_stored
from reviews import policy
from reviews.api import refinement_schemas as schemas
from reviews.errors import RulingInvalid, ScenarioNotFound
from reviews.refinement import as_json, refinement_of
from reviews.services.refinement import rule_on_scenario
from scenarios.models import Scenario

REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}


class RefinementTable(APIView):
    @extend_schema(operation_id="refinement", tags=["refinement"], responses={200: schemas.RefinementAnswer, **REFUSED})
    def get(self, request: SignedIn, slug: str) -> Response:
        """How many scenarios a task were flagged, kept, revised and withdrawn, and why; flagged ones that wait."""
        campaign = campaign_for(request.user, slug, policy.may_see_cases)
        return Response(as_json(refinement_of(campaign, request.user)))


class RuleOnScenario(APIView):
    @extend_schema(
        operation_id="rule_on_scenario",
        tags=["refinement"],
        request=schemas.ScenarioRulingRequest,
        responses={
            200: schemas.ScenarioRulingAnswer,
            201: schemas.ScenarioRulingAnswer,
            400: ProblemAnswer,
            409: ProblemAnswer,
            **REFUSED,
        },
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Keep, revise or withdraw a scenario in a campaign. The same ruling sent again answers 200."""
        body = body_of(request)
        slug = body.get("campaign")
        if not isinstance(slug, str) or not can_be_stored(slug):
            raise RulingInvalid(fields={"campaign": ["The short name of a campaign."]})
        campaign = campaign_for(request.user, slug, policy.may_see_cases)
        scenario = Scenario.objects.filter(pk=pk).first()
        if scenario is None:
            raise ScenarioNotFound
        ruled = rule_on_scenario(
            campaign=campaign,
            scenario=scenario,
            expert=request.user,
            verdict=body.get("verdict"),
            fault=given_or(body, "fault", ""),
            reason=given_or(body, "reason", ""),
            changes=body.get("changes"),
        )
        ruling = ruled.ruling
        answer = {"ruling": ruling.pk, "scenario": pk, "verdict": ruling.verdict, "revised_to": ruling.revised_to_id}
        return Response(answer, status=201 if ruled.created else 200)
