"""Cases by API: the same queue, the same bench, the same blindness as on the page."""

from dataclasses import asdict
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.parsing import body_of, client_id_of, given_or
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from annotation.models import Campaign, User
from annotation.validation import can_be_stored
from reviews import policy
from reviews.api import schemas
from reviews.asked import Asked
from reviews.errors import CaseNotFound, ConflictOfInterest, DecisionInvalid, NotAnExpert
from reviews.models import Case
from reviews.queue import Row, listed_cases
from reviews.scope import scope_of
from reviews.services import cases as services
from reviews.services.decisions import decide_case
from reviews.services.reading import read_case
from reviews.services.talk import call_another, say
from reviews.verdict import required_values
from reviews.wording import ShownReason

REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}
HELD = REFUSED | {409: ProblemAnswer}


def case_for(user: User, pk: int) -> Case:
    """The case, where the person may see it. Raises CaseNotFound, ConflictOfInterest."""
    case = Case.objects.with_item().filter(pk=pk).first()
    if case is None or not policy.may_see_cases(user, case.campaign):
        raise CaseNotFound
    if not policy.may_see_case(user, case):
        raise ConflictOfInterest
    return case


def _reasons(reasons: list[ShownReason]) -> list[dict[str, Any]]:
    return [{"kind": str(r.kind), "dimension": r.dimension, "words": r.words} for r in reasons]


def _row(row: Row) -> dict[str, Any]:
    names = (
        "state",
        "turn",
        "component",
        "task",
        "language",
        "opened_at",
        "urgent",
        "spread",
        "conflict",
        "knows_reference",
        "lease_until",
    )
    return {
        "case": row.id,
        "campaign": row.campaign.slug,
        **{name: getattr(row, name) for name in names},
        "reasons": _reasons(row.reasons),
        "dimensions": [key for key, _name in row.dimensions],
    }


def _page(request: SignedIn, campaign: Campaign | None) -> Response:
    scope = scope_of(request.user, campaign)
    if not scope.campaigns:
        raise NotAnExpert
    listed = listed_cases(scope, Asked.of(request.query_params))
    return Response({"results": [_row(row) for row in listed.rows], "next": listed.next})


FILTERS = [
    OpenApiParameter("state", str, description="open (without it), waiting, mine, several, taken or decided"),
    OpenApiParameter(
        "reason", str, description="safety, marks_split, straddle, range, asked, hurried, reopened, audit"
    ),
    OpenApiParameter("dimension", str, description="One that a reason names, by its key."),
    OpenApiParameter("spread", int, description="Scores of one dimension at least so many levels apart."),
    OpenApiParameter("component", str, description="dialogue, recollection or itinerary"),
    OpenApiParameter("task", str),
    OpenApiParameter("language", str),
    OpenApiParameter("share", str, description="1: only what is dealt to you."),
    OpenApiParameter("q", str, description="The number of a case, or words that all stand in the response's text."),
    OpenApiParameter(
        "sort", str, description="priority, oldest, newest or spread; without it decided ones come latest first"
    ),
    OpenApiParameter("cursor", str),
]


def _shown(case: Case, user: User) -> dict[str, Any]:
    shown = read_case(case, user)
    names = ("campaign", "state", "stage", "task", "language", "opened_at", "urgent", "mine", "may_take", "lease_until")
    disputed, split = case.disputed, case.split_marks
    required = {"values": required_values(case.campaign.rubric, disputed, split), "marks": split}
    return {
        "case": shown.id,
        **{name: getattr(shown, name) for name in names},
        "reasons": _reasons(shown.reasons),
        "required": required,
        "item": shown.item and asdict(shown.item),
        "ratings": None if shown.voices is None else [asdict(voice) for voice in shown.voices],
        "decisions": None if shown.decisions is None else [asdict(decision) for decision in shown.decisions],
        "talk": None if shown.talk is None else [asdict(remark) for remark in shown.talk],
        "origin": shown.origin and asdict(shown.origin),
    }


def _lease(case: Case) -> Response:
    return Response({"case": case.pk, "state": case.state, "lease_until": case.lease_expires_at})


class CaseList(APIView):
    @extend_schema(
        operation_id="cases",
        tags=["cases"],
        parameters=FILTERS,
        responses={200: schemas.CasePage, 400: ProblemAnswer, **REFUSED},
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """A page of the campaign's cases: urgent ones first, then by the rule's priority, unless sorted otherwise."""
        return _page(request, campaign_for(request.user, slug, policy.may_see_cases))


class AllCases(APIView):
    @extend_schema(
        operation_id="all_cases",
        tags=["cases"],
        parameters=[OpenApiParameter("campaign", str, description="Of this campaign alone."), *FILTERS],
        responses={200: schemas.CasePage, 400: ProblemAnswer, 403: ProblemAnswer},
    )
    def get(self, request: SignedIn) -> Response:
        """A page of the cases of all campaigns of which you are an active expert or manager."""
        return _page(request, None)


class NextCase(APIView):
    @extend_schema(
        operation_id="next_case",
        tags=["cases"],
        request=schemas.NextCaseRequest,
        responses={200: schemas.CaseAnswer, 204: None, **HELD},
    )
    def post(self, request: SignedIn) -> Response:
        """The case you hold, else the next one that is not yours by rating; 204 when none is left for you.

        Of what is dealt to you, unless you say `beyond_share`.
        """
        body = body_of(request)
        slug, beyond_share = body.get("campaign"), body.get("beyond_share") is True
        campaign: Campaign | None = None
        if slug is not None:
            if not isinstance(slug, str) or not can_be_stored(slug):
                raise Http404
            campaign = campaign_for(request.user, slug, policy.may_see_cases)
        case = services.take_next(expert=request.user, campaign=campaign, beyond_share=beyond_share)
        return Response(status=204) if case is None else Response(_shown(case_for(request.user, case.pk), request.user))


class CaseDetail(APIView):
    @extend_schema(operation_id="case", tags=["cases"], responses={200: schemas.CaseAnswer, **REFUSED})
    def get(self, request: SignedIn, pk: int) -> Response:
        """A case: its ratings under pseudonyms for who holds or decided it, or once it is decided."""
        return Response(_shown(case_for(request.user, pk), request.user))


class TakeCase(APIView):
    @extend_schema(operation_id="take_case", tags=["cases"], request=None, responses={200: schemas.CaseAnswer, **HELD})
    def post(self, request: SignedIn, pk: int) -> Response:
        """This very case, for half an hour; renew it while you are at it."""
        services.take_case(case_id=pk, expert=request.user)
        return Response(_shown(case_for(request.user, pk), request.user))


class RenewCase(APIView):
    @extend_schema(
        operation_id="renew_case", tags=["cases"], request=None, responses={200: schemas.LeaseOfCase, **HELD}
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """You are still at it: half an hour from now, four hours at most."""
        return _lease(services.renew_case(case_id=pk, expert=request.user))


class GiveBack(APIView):
    @extend_schema(
        operation_id="give_back_case", tags=["cases"], request=None, responses={200: schemas.LeaseOfCase, **HELD}
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Back into the queue, undecided."""
        return _lease(services.give_back(case_id=pk, expert=request.user))


class ReopenCase(APIView):
    @extend_schema(
        operation_id="reopen_case",
        tags=["cases"],
        request=schemas.ReopenRequest,
        responses={200: schemas.LeaseOfCase, 400: ProblemAnswer, **HELD},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """A decided case waits again, with your reason; the old decision stays on record."""
        reason = body_of(request).get("reason")
        return _lease(
            services.reopen_case(case_id=pk, by=request.user, reason=reason if isinstance(reason, str) else "")
        )


class Decide(APIView):
    @extend_schema(
        operation_id="decide_case",
        tags=["cases"],
        request=schemas.DecisionRequest,
        responses={200: schemas.DecisionAnswer, 201: schemas.DecisionAnswer, 400: ProblemAnswer, **HELD},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Saves your decision, once: the same client_id again answers 200 with the same body.

        Where several experts judge the case it is an opinion; so too with `panel`, by which you ask for the others.
        """
        body = body_of(request)
        supersedes = body.get("supersedes")
        if supersedes is not None and type(supersedes) is not int:
            raise DecisionInvalid(fields={"supersedes": ["Must be the number of a decision."]})
        decided = decide_case(
            case_id=pk,
            expert=request.user,
            client_id=client_id_of(body),
            values=body.get("values"),
            marks=body.get("marks"),
            rationale=given_or(body, "rationale", ""),
            quick_reason=given_or(body, "quick_reason", ""),
            supersedes=supersedes,
            panel=body.get("panel"),
        )
        decision = decided.decision
        answer = {"decision": decision.pk, "case": decision.case_id, "kind": decision.kind}
        return Response(answer, status=201 if decided.created else 200)


class Talk(APIView):
    @extend_schema(
        operation_id="talk_about_case",
        tags=["cases"],
        request=schemas.RemarkRequest,
        responses={201: schemas.RemarkAnswer, 400: ProblemAnswer, **HELD},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """A word to the others who gave their opinions, once all of them are in and differ."""
        remark = say(case_id=pk, expert=request.user, text=body_of(request).get("text"))
        return Response({"remark": remark.pk, "case": pk}, status=201)


class CallAnother(APIView):
    @extend_schema(
        operation_id="call_another_expert", tags=["cases"], request=None, responses={200: schemas.LeaseOfCase, **HELD}
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """You and the others do not come to one: one expert more is asked."""
        return _lease(call_another(case_id=pk, expert=request.user))
