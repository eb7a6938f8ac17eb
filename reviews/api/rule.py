"""The rule of a campaign by API: in words, counted without saving, changed; and ways of asking raters compared."""

from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.parsing import body_of, given_or
from annotation.api.problems import problem
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.errors import RuleInvalid
from annotation.models import Campaign
from reviews import policy
from reviews.api import schemas
from reviews.forecast import Forecast
from reviews.rule_page import change_sentences, count_sentences
from reviews.rule_reading import read_rule
from reviews.rule_words import words_of
from reviews.rules import Rule
from reviews.services.background import APPLY_RULE, COMPARE_OVERLAPS, latest_done, latest_job, start
from reviews.services.forecast import outlook_of_rule
from reviews.services.rule import change_rule

REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}


class CampaignRule(APIView):
    @extend_schema(operation_id="rule", tags=["rules"], responses={200: schemas.RuleAnswer, **REFUSED})
    def get(self, request: SignedIn, slug: str) -> Response:
        """The rule, its version and its sentences; for experts and managers."""
        return Response(_told(campaign_for(request.user, slug, policy.may_see_rule)))

    @extend_schema(
        operation_id="change_rule",
        tags=["rules"],
        request=schemas.RuleChange,
        responses={200: schemas.RuleAnswer, 400: ProblemAnswer, 409: ProblemAnswer, **REFUSED},
    )
    def put(self, request: SignedIn, slug: str) -> Response:
        """The whole rule; what is left out is off. A job goes over the items; the same rule again changes nothing."""
        campaign = campaign_for(request.user, slug, policy.may_change_rule)
        body = body_of(request)
        changed = change_rule(
            campaign=campaign,
            rule=read_rule(body.get("rule"), campaign.rubric),
            by=request.user,
            reason=_text(body, "reason"),
            seen=_number(body, "version"),
        )
        job = latest_job(changed, APPLY_RULE)
        return Response({**_told(changed), "job": job.pk if job else None})


class CountRule(APIView):
    @extend_schema(
        operation_id="count_rule",
        tags=["rules"],
        request=schemas.RuleToCount,
        responses={200: schemas.RuleCount, 400: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """What a rule would send on the ratings so far, and what saving it would change. Saves nothing."""
        campaign = campaign_for(request.user, slug, policy.may_change_rule)
        rule = read_rule(body_of(request).get("rule", campaign.rule), campaign.rubric)
        outlook = outlook_of_rule(campaign, rule, compare=True)
        return Response(
            {
                "items": outlook.items,
                "rated": outlook.rated,
                **_counted(outlook.forecast),
                "kinds": {str(kind): asdict(found) for kind, found in outlook.forecast.kinds.items()},
                "dimensions": {key: asdict(found) for key, found in outlook.forecast.dimensions.items()},
                "changes": outlook.changes,
                "words": [*count_sentences(outlook), *change_sentences(outlook)],
                "others": [{"rule": name, **_counted(other)} for name, other in outlook.others],
            }
        )


class Overlaps(APIView):
    @extend_schema(operation_id="overlaps", tags=["rules"], responses={200: schemas.OverlapsAnswer, **REFUSED})
    def get(self, request: SignedIn, slug: str) -> Response:
        """The latest comparison of ways to ask raters, with its parameters; for managers."""
        done = latest_done(campaign_for(request.user, slug, policy.may_compare_overlaps), COMPARE_OVERLAPS)
        if done is None:
            return problem(404, _("Nothing has been compared yet; ask for it with POST."))
        return Response({**(done.result or {}), "computed_at": done.finished_at})

    @extend_schema(
        operation_id="compare_overlaps",
        tags=["rules"],
        request=None,
        responses={202: schemas.StartedAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Compares them in the background."""
        campaign = campaign_for(request.user, slug, policy.may_compare_overlaps)
        return Response({"job": start(campaign, COMPARE_OVERLAPS, by=request.user).pk}, status=202)


def _told(campaign: Campaign) -> dict[str, Any]:
    rule = Rule.of(campaign.rule)
    words = words_of(rule, campaign.rubric).sentences
    return {"version": campaign.rule_version, "rule": rule.as_json(), "words": words}


def _counted(forecast: Forecast) -> dict[str, Any]:
    sent = forecast.sent
    told = {"sent": sent.hits, "share": sent.share, "low": sent.low, "high": sent.high, "interval": sent.how}
    return {"looked_at": forecast.looked_at, **told, "extra": forecast.extra}


def _text(body: dict[str, Any], name: str) -> str:
    text = given_or(body, name, "")
    if not isinstance(text, str):
        raise RuleInvalid(fields={name: [_("Must be a text.")]})
    return text


def _number(body: dict[str, Any], name: str) -> int | None:
    number = body.get(name)
    if number is not None and type(number) is not int:
        raise RuleInvalid(fields={name: [_("Must be a whole number.")]})
    return number
