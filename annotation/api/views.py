"""The annotation room's doors for programs: who asks, what they may, one call, one answer."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation import policy
from annotation.access import known_campaign
from annotation.api import schemas
from annotation.api.parsing import body_of, client_id_of, cursor_of, given_or
from annotation.api.request import SignedIn
from annotation.drafts import drafts_of
from annotation.errors import NotAllowed, RatingInvalid
from annotation.models import Assignment, Campaign, Membership, Rating, Rubric
from annotation.own_work import items_left
from annotation.services.drafts import keep_draft
from annotation.services.flags import flag_scenario, take_back_flag
from annotation.services.leases import lease_ahead, lease_next, release_lease, renew_lease, skip_item
from annotation.services.people import make_token
from annotation.services.ratings import submit_rating
from annotation.showing import item_sent
from scenarios.item_ids import make_item_id

PAGE = 100
PROBLEM = schemas.ProblemAnswer


class CampaignList(APIView):
    @extend_schema(operation_id="campaigns", responses=schemas.CampaignAnswer(many=True))
    def get(self, request: SignedIn) -> Response:
        """The campaigns you have a role in."""
        roles: dict[int, list[str]] = {}
        for campaign_id, role in Membership.objects.active().filter(user=request.user).values_list("campaign", "role"):
            roles.setdefault(campaign_id, []).append(role)
        campaigns = Campaign.objects.filter(pk__in=roles).order_by("slug")
        return Response(
            [{"slug": c.slug, "title": c.title, "state": c.state, "roles": sorted(roles[c.pk])} for c in campaigns]
        )


class RubricDetail(APIView):
    @extend_schema(operation_id="rubric", responses={200: schemas.RubricAnswer, 404: PROBLEM})
    def get(self, request: SignedIn, hash: str) -> Response:
        """A rubric's version: scales, anchors and violation types; its examples, for people of their campaign."""
        rubric = get_object_or_404(Rubric, hash=hash)
        content = rubric.content
        if "examples" in content and not Campaign.objects.of(request.user).filter(slug=content["campaign"]).exists():
            content = {part: said for part, said in content.items() if part not in ("campaign", "examples")}
        return Response({"key": rubric.key, "version": rubric.version, "hash": rubric.hash, "content": content})


class NextAssignment(APIView):
    @extend_schema(
        operation_id="next_assignment",
        request=None,
        responses={200: schemas.AssignmentAnswer, 204: None, 403: PROBLEM, 404: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Your live assignment, else a new one; 204 when nothing is left for you."""
        campaign = known_campaign(request.user, slug)
        assignment = lease_next(campaign=campaign, user=request.user)
        if assignment is None:
            return Response(status=204)
        return Response(_with_item(assignment, campaign, items_left(campaign, request.user)))


class AheadAssignments(APIView):
    @extend_schema(
        operation_id="assignments_ahead",
        request=None,
        responses={200: schemas.AheadAnswer, 403: PROBLEM, 404: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Your live assignments, oldest first, with as many ahead as the campaign allows; an empty list when nothing is
        left for you."""
        campaign = known_campaign(request.user, slug)
        held = lease_ahead(campaign=campaign, user=request.user)
        left = items_left(campaign, request.user) if held else 0
        return Response({"assignments": [_with_item(each, campaign, left - at) for at, each in enumerate(held)]})


def _with_item(assignment: Assignment, campaign: Campaign, left: int) -> dict[str, Any]:
    return {
        "assignment": assignment.pk,
        "expires_at": assignment.expires_at,
        "item": item_sent(assignment, campaign),
        "rubric": campaign.rubric.hash,
        "draft": drafts_of(assignment.annotator, [assignment.work_item_id]).get(assignment.work_item_id),
        "left": left,
    }


def _lease(assignment: Assignment) -> Response:
    return Response({"assignment": assignment.pk, "state": assignment.state, "expires_at": assignment.expires_at})


class Renew(APIView):
    @extend_schema(
        operation_id="renew_assignment",
        request=None,
        responses={200: schemas.LeaseAnswer, 404: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """You are still at it: the lease is renewed."""
        return _lease(renew_lease(assignment_id=pk, user=request.user))


class Release(APIView):
    @extend_schema(
        operation_id="release_assignment",
        request=None,
        responses={200: schemas.LeaseAnswer, 404: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Hand the item back untouched."""
        return _lease(release_lease(assignment_id=pk, user=request.user))


class KeepDraft(APIView):
    @extend_schema(
        operation_id="keep_draft",
        request=schemas.DraftSchema,
        responses={200: schemas.DraftAnswer, 400: PROBLEM, 404: PROBLEM, 409: PROBLEM},
    )
    def put(self, request: SignedIn, pk: int) -> Response:
        """Keeps what was typed and not submitted. 409 with the stored `draft` where that is newer and another."""
        kept = keep_draft(assignment_id=pk, user=request.user, sent=body_of(request))
        return Response({"saved_at": kept.draft.saved_at.isoformat(), "replaced": kept.replaced})


class Skip(APIView):
    @extend_schema(
        operation_id="skip_assignment",
        request=schemas.SkipRequest,
        responses={200: schemas.LeaseAnswer, 400: PROBLEM, 404: PROBLEM, 409: PROBLEM},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Do not rate this item, and say why."""
        body = body_of(request)
        given = {"reason": body.get("reason"), "note": given_or(body, "note", "")}
        return _lease(skip_item(assignment_id=pk, user=request.user, **given))


class FlagScenario(APIView):
    @extend_schema(
        operation_id="flag_scenario",
        request=schemas.FlagRequest,
        responses={200: schemas.FlagAnswer, 400: PROBLEM, 404: PROBLEM},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Something is wrong with the scenario itself; said again, it replaces what you said. Your rating is apart."""
        body = body_of(request)
        if given_or(body, "take_back", False) is True:
            take_back_flag(assignment_id=pk, user=request.user)
            return Response({"flagged": False, "fault": None, "note": ""})
        given = {"fault": body.get("fault"), "note": given_or(body, "note", "")}
        flag = flag_scenario(assignment_id=pk, user=request.user, **given)
        return Response({"flagged": True, "fault": flag.fault, "note": flag.note})


class SubmitRating(APIView):
    @extend_schema(
        operation_id="submit_rating",
        request=schemas.RatingRequest,
        responses={
            200: schemas.RatingAnswer,
            201: schemas.RatingAnswer,
            400: PROBLEM,
            404: PROBLEM,
            409: PROBLEM,
        },
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """Saves your rating, once: the same client_id again answers 200 with the same body."""
        body = body_of(request)
        submitted = submit_rating(
            assignment_id=pk,
            user=request.user,
            client_id=client_id_of(body),
            scores=body.get("scores"),
            marks=given_or(body, "marks", []),
            rationale=given_or(body, "rationale", ""),
            seconds=given_or(body, "seconds", 0),
            needs_expert=given_or(body, "needs_expert", False),
            supersedes=body.get("supersedes"),
        )
        answer = {"rating": submitted.rating.pk, "status": submitted.rating.answered}
        return Response(answer, status=201 if submitted.created else 200)


class RatingList(APIView):
    @extend_schema(
        operation_id="ratings",
        parameters=[
            OpenApiParameter("mine", bool, description="Your own; without it everyone's, for managers."),
            OpenApiParameter("cursor", int),
        ],
        responses={200: schemas.Page, 403: PROBLEM, 404: PROBLEM},
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """Ratings of a campaign in the order they came, a hundred a page."""
        campaign = known_campaign(request.user, slug)
        mine = request.query_params.get("mine") in ("1", "true")
        if not mine and not policy.may_manage_campaign(request.user, campaign):
            raise NotAllowed(_("Only managers see everyone's ratings; ask with ?mine=1 for your own."))
        given = Rating.objects.given_in(campaign) if mine else Rating.objects.in_campaign(campaign)
        ratings = given.order_by("pk").prefetch_related("scores", "marks", "notes")
        ratings = (
            ratings.of(request.user)
            if mine
            else ratings.select_related("annotator", "work_item__scenario", "work_item__response__companion")
        )
        page = list(ratings.filter(pk__gt=cursor_of(request))[: PAGE + 1])
        results = [_rating(rating, named=not mine) for rating in page[:PAGE]]
        return Response({"results": results, "next": str(page[PAGE - 1].pk) if len(page) > PAGE else None})


def _rating(rating: Rating, *, named: bool) -> dict[str, Any]:
    answer = {
        "rating": rating.pk,
        "assignment": rating.assignment_id,
        "status": rating.told,
        "scores": {score.dimension: score.value for score in rating.scores.all()},
        "marks": rating.marks_as_json(),
        "rationale": rating.rationale,
        "seconds": rating.seconds,
        "submitted_at": rating.submitted_at,
    }
    if named:
        item = rating.work_item
        names = (item.scenario.key, item.response.companion.name, item.response.condition)
        answer |= {"rater": rating.annotator.username, "item": make_item_id(*names)}
    return answer


class TokenList(APIView):
    @extend_schema(operation_id="make_token", request=schemas.TokenRequest, responses={201: schemas.TokenAnswer})
    def post(self, request: SignedIn) -> Response:
        """A new token for yourself, shown this once."""
        name = given_or(body_of(request), "name", "")
        if not isinstance(name, str):
            raise RatingInvalid(fields={"name": [_("Must be text.")]})
        return Response({"token": make_token(user=request.user, name=name)}, status=201)


class NotHere(APIView):
    """What is asked for under /api/v1/ and is not there answers as a problem document too."""

    schema = None

    def get(self, request: SignedIn, rest: str = "") -> Response:
        raise Http404

    post = put = patch = delete = get
