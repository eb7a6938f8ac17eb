"""The training round for programs: where one stands, the next item, and the experts' answer after one's own."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import known_campaign
from annotation.api.parsing import body_of, client_id_of, given_or
from annotation.api.request import SignedIn
from annotation.api.schemas import ItemSchema, MarkSchema, ProblemAnswer, RatingRequest
from annotation.errors import NotAllowed
from annotation.models import Membership, TrainingAttempt, WorkItem
from annotation.services.training import answer_training, begin_attempt, compared
from annotation.showing import texts_sent
from annotation.training_round import training_state


class AttemptSchema(serializers.Serializer):
    number = serializers.IntegerField()
    answered = serializers.IntegerField()
    items = serializers.IntegerField()
    passed = serializers.BooleanField(allow_null=True, help_text="Null while it is under way.")
    mean_difference = serializers.FloatField(allow_null=True)
    missed = serializers.IntegerField(allow_null=True)


class TrainingStateAnswer(serializers.Serializer):
    needed = serializers.BooleanField(help_text="There is a round that you have not passed: no item is given before.")
    qualified = serializers.BooleanField()
    attempts_left = serializers.IntegerField()
    attempts = AttemptSchema(many=True)


class TrainingItemAnswer(serializers.Serializer):
    attempt = serializers.IntegerField(help_text="Its number, 1 for the first.")
    place = serializers.IntegerField()
    of = serializers.IntegerField()
    training_item = serializers.IntegerField()
    item = ItemSchema()
    rubric = serializers.CharField()


class ExpertSchema(serializers.Serializer):
    scores = serializers.DictField(child=serializers.IntegerField())
    marks = MarkSchema(many=True)
    reasons = serializers.DictField(child=serializers.CharField())


class ComparedAnswer(serializers.Serializer):
    scores = serializers.DictField(child=serializers.IntegerField(), help_text="Yours, as first sent.")
    expert = ExpertSchema()
    differences = serializers.DictField(child=serializers.IntegerField(), help_text="Yours minus the experts'.")
    missed = serializers.ListField(child=serializers.CharField(), help_text="Violations that you did not mark.")
    finished = serializers.BooleanField()
    passed = serializers.BooleanField(allow_null=True)


class Training(APIView):
    @extend_schema(
        operation_id="training", responses={200: TrainingStateAnswer, 403: ProblemAnswer, 404: ProblemAnswer}
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """How you stand in the campaign's training round."""
        membership = _membership(request, slug)
        state = training_state(membership)
        attempts = membership.attempts.order_by("number").prefetch_related("answers")
        return Response(
            {
                "needed": state.required,
                "qualified": state.qualified,
                "attempts_left": state.attempts_left,
                "attempts": [
                    {
                        "number": attempt.number,
                        "answered": len(attempt.answers.all()),
                        "items": len(attempt.items),
                        **{name: getattr(attempt, name) for name in ("passed", "mean_difference", "missed")},
                    }
                    for attempt in attempts
                ],
            }
        )

    @extend_schema(
        operation_id="next_training_item",
        request=None,
        responses={200: TrainingItemAnswer, 403: ProblemAnswer, 404: ProblemAnswer, 409: ProblemAnswer},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """The next item of your attempt; a new attempt begins where none is under way."""
        campaign = known_campaign(request.user, slug)
        attempt = begin_attempt(campaign=campaign, user=request.user)
        answered = set(attempt.answers.values_list("work_item", flat=True))
        place = next(i for i, item in enumerate(attempt.items) if item not in answered)
        item = WorkItem.everything.select_related("scenario", "response").get(pk=attempt.items[place])
        return Response(
            {
                "attempt": attempt.number,
                "place": place + 1,
                "of": len(attempt.items),
                "training_item": item.pk,
                "item": texts_sent(item, campaign),
                "rubric": campaign.rubric.hash,
            }
        )


class AnswerTraining(APIView):
    @extend_schema(
        operation_id="answer_training",
        request=RatingRequest,
        responses={
            200: ComparedAnswer,
            201: ComparedAnswer,
            400: ProblemAnswer,
            403: ProblemAnswer,
            404: ProblemAnswer,
            409: ProblemAnswer,
        },
    )
    def post(self, request: SignedIn, slug: str, item_id: int) -> Response:
        """Your answer to an item of your attempt, once; answered with the experts'. Again: 200, with your first."""
        attempt = _membership(request, slug).attempts.order_by("number").last()
        if attempt is None or item_id not in attempt.items:
            raise Http404
        body = body_of(request)
        answered = answer_training(
            attempt_id=attempt.pk,
            item_id=item_id,
            user=request.user,
            client_id=client_id_of(body),
            scores=body.get("scores"),
            marks=given_or(body, "marks", []),
            rationale=given_or(body, "rationale", ""),
            seconds=given_or(body, "seconds", 0),
        )
        return Response(_beside(attempt, answered.answer), status=201 if answered.created else 200)


def _membership(request: SignedIn, slug: str) -> Membership:
    campaign = known_campaign(request.user, slug)
    mine = campaign.memberships.exclude(state=Membership.State.REMOVED).select_related("campaign", "user")
    found = mine.filter(user=request.user, role=Membership.Role.ANNOTATOR).first()
    if found is None:
        raise NotAllowed(_("You are not an annotator of this campaign."))
    return found


def _beside(attempt: TrainingAttempt, answer: Any) -> dict[str, Any]:
    attempt.refresh_from_db()
    known, found = answer.work_item.reference, compared(answer)
    return {
        "scores": answer.scores,
        "expert": {"scores": known.scores, "marks": known.marks, "reasons": known.reasons},
        "differences": found.differences,
        "missed": list(found.missed),
        "finished": attempt.finished_at is not None,
        "passed": attempt.passed,
    }
