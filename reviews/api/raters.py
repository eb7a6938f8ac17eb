"""One rater of a campaign by API, for its managers: their numbers, and withdrawing what they gave from a date on."""

from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.parsing import body_of, cursor_of
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.models import Campaign
from reviews import policy
from reviews.access import rater_for
from reviews.api import raters_schemas as schemas
from reviews.errors import WithdrawalInvalid
from reviews.models import RatingWithdrawal
from reviews.rater_profile import ItemApart, given_by, measured, most_apart, totals_of, with_items
from reviews.services.background import latest_of_withdrawals
from reviews.services.withdrawals import ask_revert, ask_withdrawal, go_on, report_of

SIZE = 100
REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}


class Rater(APIView):
    @extend_schema(
        operation_id="rater",
        tags=["raters"],
        parameters=[OpenApiParameter("cursor", str, description="`next` of the answer before.")],
        responses={200: schemas.RaterAnswer, 400: ProblemAnswer, **REFUSED},
    )
    def get(self, request: SignedIn, slug: str, user_id: int) -> Response:
        """Live numbers, what the latest report says of them, where they differ most (a hundred at a time), and what was
        withdrawn. No other rater is named. `apart` is null for managers who judge cases here."""
        campaign, person = rater_for(request.user, slug, user_id)
        totals, (report, details) = totals_of(campaign, person), measured(campaign, person)
        start = cursor_of(request)
        apart, following = None, None
        if policy.looks_on(request.user, campaign):
            found = most_apart(campaign, person)
            apart = [_apart(one) for one in with_items(campaign, person, found[start : start + SIZE])]
            following = str(start + SIZE) if start + SIZE < len(found) else None
        theirs = RatingWithdrawal.objects.of(campaign, person)
        return Response(
            {
                "rater": person.username,
                "counted": totals.counted,
                "surplus": totals.surplus,
                "withdrawn": totals.withdrawn,
                "median_seconds": totals.median_seconds,
                "checks": totals.checks,
                "hits": totals.hits,
                "report": report.pk if report else None,
                "dimensions": {
                    one.dimension: {
                        "own": one.own,
                        "others": one.others,
                        "report": _without_code(details.get(one.dimension)),
                    }
                    for one in given_by(campaign, person)
                },
                "apart": apart,
                "next": following,
                "withdrawals": [_told(one) for one in theirs],
            }
        )


def _without_code(detail: Any) -> dict[str, Any] | None:
    return {name: value for name, value in detail.items() if name != "rater"} if detail else None


def _apart(one: ItemApart) -> dict[str, Any]:
    found = one.apart
    values = {"own": found.own, "others": list(one.others), "difference": found.difference}
    return {"item": found.item, "case": one.case, "dimension": found.dimension, **values}


class Withdrawals(APIView):
    @extend_schema(
        operation_id="withdraw_ratings",
        tags=["raters"],
        request=schemas.WithdrawalRequest,
        responses={202: schemas.WithdrawalAnswer, 400: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str, user_id: int) -> Response:
        """Takes out all that they submitted at or after a moment, in the background. Their rater is told."""
        campaign, person = rater_for(request.user, slug, user_id)
        body = body_of(request)
        since, reason = _moment(body.get("since")), body.get("reason", "")
        if not isinstance(reason, str):
            raise WithdrawalInvalid(fields={"reason": [_("Must be a text.")]})
        asked = ask_withdrawal(campaign=campaign, annotator=person, since=since, reason=reason, by=request.user)
        return Response(_started(campaign, asked), status=202)


def _moment(given: Any) -> datetime:
    try:
        moment = parse_datetime(given) if isinstance(given, str) else None
    except ValueError:
        moment = None
    if moment is None or not is_aware(moment):
        raise WithdrawalInvalid(fields={"since": [_("Must be a moment with its zone, 2026-03-01T09:00:00+01:00.")]})
    return moment


class RevertWithdrawal(APIView):
    @extend_schema(
        operation_id="revert_withdrawal",
        tags=["raters"],
        request=None,
        responses={202: schemas.WithdrawalAnswer, 409: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str, user_id: int, withdrawal_id: int) -> Response:
        """Brings back what it took out: counted where the item still has a place, else as surplus."""
        campaign, person = rater_for(request.user, slug, user_id)
        found = get_object_or_404(RatingWithdrawal.objects.of(campaign, person), pk=withdrawal_id)
        return Response(_started(campaign, ask_revert(withdrawal_id=found.pk, by=request.user)), status=202)


class ResumeWithdrawal(APIView):
    @extend_schema(
        operation_id="resume_withdrawal",
        tags=["raters"],
        request=None,
        responses={202: schemas.WithdrawalAnswer, 409: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str, user_id: int, withdrawal_id: int) -> Response:
        """Goes on with taking out, or with bringing back, where that was cancelled or has failed before its end."""
        campaign, person = rater_for(request.user, slug, user_id)
        found = get_object_or_404(RatingWithdrawal.objects.of(campaign, person), pk=withdrawal_id)
        go_on(withdrawal=found, by=request.user)
        return Response(_started(campaign, found), status=202)


def _started(campaign: Campaign, withdrawal: RatingWithdrawal) -> dict[str, Any]:
    job = latest_of_withdrawals(campaign, [withdrawal.pk])
    return {**_told(withdrawal), "job": job.pk if job else None}


def _told(one: RatingWithdrawal) -> dict[str, Any]:
    moments = {name: getattr(one, name) for name in ("since", "at", "finished_at", "reverted_at", "restored_at")}
    return {**report_of(one.pk), "reason": one.reason, **moments}
