"""What a decided case teaches, by API: the same verbs as under the case's page."""

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.parsing import body_of
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from reviews.api import schemas
from reviews.services.lessons import make_example, make_training_item
from reviews.services.letters import write_to_raters

PROBLEMS = dict.fromkeys((400, 403, 404, 409), ProblemAnswer)


class Letter(APIView):
    @extend_schema(
        operation_id="write_to_raters",
        tags=["cases"],
        request=schemas.LetterRequest,
        responses={201: schemas.LetterAnswer, **PROBLEMS},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """A letter to each rater of a decided case, with the outcome and the reason; they can no longer rate it."""
        raters = write_to_raters(case_id=pk, by=request.user, text=body_of(request).get("text"))
        return Response({"raters": raters}, status=201)


class TrainingItem(APIView):
    @extend_schema(
        operation_id="make_training_item",
        tags=["cases"],
        request=schemas.TrainingItemWanted,
        responses={201: schemas.TrainingItemMade, **PROBLEMS},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """A training item with what stands decided as its known answer; the same again changes nothing."""
        answer = make_training_item(case_id=pk, by=request.user, levels=body_of(request).get("levels"))
        return Response({"scores": answer.scores, "marks": answer.marks, "reasons": answer.reasons}, status=201)


class Example(APIView):
    @extend_schema(
        operation_id="make_example",
        tags=["cases"],
        request=schemas.ExampleRequest,
        responses={200: schemas.ExampleAnswer, 201: schemas.ExampleAnswer, **PROBLEMS},
    )
    def post(self, request: SignedIn, pk: int) -> Response:
        """An example in the guideline, which goes on with a new version; what you leave out is taken from the case."""
        body = body_of(request)
        sent = {name: body.get(name) for name in ("passage", "dimension", "violation", "why")}
        added = make_example(case_id=pk, by=request.user, **sent)
        rubric = added.rubric
        return Response({"rubric": rubric.hash, "version": rubric.version}, status=201 if added.created else 200)
