"""Two groups of a campaign's ratings compared, by API: asked for as a job, read when it is done."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.access import campaign_for
from annotation.api.parsing import body_of
from annotation.api.problems import problem
from annotation.api.request import SignedIn
from annotation.api.schemas import ProblemAnswer
from reviews import policy
from reviews.agreement_split import KINDS, read_split
from reviews.api import schemas
from reviews.services.background import COMPARE_AGREEMENT, latest_done, start

REFUSED = {403: ProblemAnswer, 404: ProblemAnswer}


class SplitRequest(serializers.Serializer):
    by = serializers.ChoiceField(choices=[(kind, kind) for kind in KINDS])
    since = serializers.CharField(
        required=False, help_text="With periods and retraining: a day, or a moment with its zone."
    )
    a = serializers.ListField(
        child=serializers.CharField(), required=False, help_text='Rubric versions ("default 1") or codes of raters.'
    )
    b = serializers.ListField(child=serializers.CharField(), required=False, help_text="As `a`: the second group.")
    rater = serializers.CharField(required=False, help_text="With retraining: the rater’s code.")


class ComparedAgreementAnswer(serializers.Serializer):
    names = serializers.ListField(child=serializers.CharField(), help_text="a, b: every difference is b minus a.")
    groups = serializers.ListField(child=serializers.DictField(), help_text="ratings, items, scenarios, raters of each")
    dimensions = serializers.DictField(
        help_text="By name: a and b (alpha, pair_exact, …), difference, mean_difference, exact_difference"
    )
    parameters = serializers.DictField(help_text="split, level, bootstrap, seed")
    data_version = serializers.CharField()
    code_version = serializers.CharField()
    computed_at = serializers.DateTimeField()


class CompareAgreement(APIView):
    @extend_schema(
        operation_id="compared_agreement", tags=["reports"], responses={200: ComparedAgreementAnswer, **REFUSED}
    )
    def get(self, request: SignedIn, slug: str) -> Response:
        """The latest comparison of two groups of ratings; for who may see the agreement."""
        done = latest_done(campaign_for(request.user, slug, policy.may_see_agreement), COMPARE_AGREEMENT)
        if done is None:
            return problem(404, _("Nothing has been compared yet; ask for it with POST."))
        return Response({**(done.result or {}), "computed_at": done.finished_at})

    @extend_schema(
        operation_id="compare_agreement",
        tags=["reports"],
        request=SplitRequest,
        responses={202: schemas.StartedAnswer, 400: ProblemAnswer, **REFUSED},
    )
    def post(self, request: SignedIn, slug: str) -> Response:
        """Compares two groups in the background: periods, rubric versions, raters, one rater before and after."""
        campaign = campaign_for(request.user, slug, policy.may_compare_agreement)
        split = read_split(body_of(request), campaign)
        job = start(campaign, COMPARE_AGREEMENT, by=request.user, split=split.as_json())
        return Response({"job": job.pk}, status=202)
