from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from jobs.models import Job


class ProgressSerializer(serializers.Serializer):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    note = serializers.CharField()


class JobSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.CharField()
    subject = serializers.CharField()
    state = serializers.ChoiceField(choices=Job.State.choices)
    progress = ProgressSerializer()
    result = serializers.JSONField(allow_null=True)
    error = serializers.CharField()
    attempt = serializers.IntegerField()
    cancel_requested = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


_NOT_YOURS = OpenApiResponse(description="There is no such job, or it is not yours to see.")


class JobDetail(APIView):
    """How far a background job is and what came of it; for who started it and for site managers."""

    @extend_schema(operation_id="job", responses={200: JobSerializer, 404: _NOT_YOURS}, tags=["jobs"])
    def get(self, request: Request, job_id: UUID) -> Response:
        job = Job.objects.visible_to(request.user).filter(pk=job_id).first()
        if job is None:
            raise Http404
        return Response(JobSerializer(job.as_json()).data)
