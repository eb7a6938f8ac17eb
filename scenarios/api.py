import tempfile
from pathlib import Path
from typing import IO, Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scenarios.benchmark import CONDITIONS
from scenarios.counts import sizes
from scenarios.models import Dataset
from scenarios.policy import may_manage_datasets
from scenarios.reading.sources import FORMATS
from scenarios.services import ImportBusy, ImportRefused, ImportReport, import_responses, import_scenarios
from scenarios.wording import refusal_line

_CHUNK = 64 * 1024


class LinesParser(BaseParser):
    """Hands the body on unread, so that a file of any size is streamed."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        return stream


class AlwaysJson(BaseContentNegotiation):
    """`?format=` names the format of the file that is sent, not that of the answer."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class DatasetSerializer(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    created_at = serializers.DateTimeField()
    scenarios = serializers.IntegerField()
    responses = serializers.IntegerField()


class ImportOptions(serializers.Serializer):
    """The query of an import."""

    format = serializers.ChoiceField(choices=list(FORMATS), required=False)
    task = serializers.CharField(required=False)
    language = serializers.CharField(default="zh-Hans")
    skip_invalid = serializers.BooleanField(default=False)
    new_version = serializers.BooleanField(default=False)
    dry_run = serializers.BooleanField(default=False)


class ResponseImportOptions(ImportOptions):
    companion = serializers.CharField(required=False)
    condition = serializers.ChoiceField(choices=CONDITIONS, required=False)


class FaultSerializer(serializers.Serializer):
    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()


class ReportSerializer(serializers.Serializer):
    """What an import did: lines = created + unchanged + new_versions + refused + blank."""

    dataset = serializers.CharField()
    kind = serializers.CharField()
    format = serializers.CharField()
    file = serializers.CharField()
    sha256 = serializers.CharField()
    lines = serializers.IntegerField()
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    new_versions = serializers.IntegerField()
    refused = serializers.IntegerField()
    blank = serializers.IntegerField()
    nothing_changed = serializers.BooleanField()
    dry_run = serializers.BooleanField()
    import_id = serializers.IntegerField(allow_null=True)
    faults = FaultSerializer(many=True)
    refused_lines = serializers.DictField(child=serializers.CharField())
    ignored = serializers.DictField(child=serializers.IntegerField())
    left_alone = serializers.ListField(child=serializers.CharField())


class FaultyLinesSerializer(serializers.Serializer):
    lines = FaultSerializer(many=True, required=False)


class ImportProblemSerializer(serializers.Serializer):
    """Why nothing was imported; `total` counts the faults, of which the first stand in `fields`."""

    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    fields = FaultyLinesSerializer()  # type: ignore[assignment]
    total = serializers.IntegerField(required=False)


class DatasetList(APIView):
    """The datasets that you may see, with how much they hold."""

    @extend_schema(operation_id="datasets", responses=DatasetSerializer(many=True), tags=["datasets"])
    def get(self, request: Request) -> Response:
        datasets = list(Dataset.objects.visible_to(request.user))
        held = sizes(datasets)
        rows = [
            {
                "slug": dataset.slug,
                "title": dataset.title,
                "created_at": dataset.created_at,
                "scenarios": held[dataset.pk].scenarios,
                "responses": held[dataset.pk].responses,
            }
            for dataset in datasets
        ]
        return Response(DatasetSerializer(rows, many=True).data)


class _FileImport(APIView):
    parser_classes = [LinesParser]
    content_negotiation_class = AlwaysJson
    query: type[ImportOptions] = ImportOptions
    file_name: str

    def service(self, path: Path, **options: Any) -> ImportReport:
        raise NotImplementedError

    def take(self, request: Request, slug: str) -> Response:
        if not may_manage_datasets(request.user):
            raise PermissionDenied(_("Only site managers import."))
        options = self.query(data=request.query_params)
        options.is_valid(raise_exception=True)
        with tempfile.TemporaryDirectory(prefix="concord-import-") as folder:
            path = Path(folder) / self.file_name
            with path.open("wb") as file:
                _copy(request.stream, file)
            try:
                report = self.service(path, dataset=slug, by=request.user, **options.validated_data)
            except ImportRefused as refusal:
                return _problem(400, "Bad Request", refusal_line(refusal), refusal)
            except ImportBusy as busy:
                return _problem(409, "Conflict", str(busy), None)
        return Response(report.as_json(), status=200 if report.nothing_changed or report.dry_run else 201)


_ANSWERS = {200: ReportSerializer, 201: ReportSerializer} | dict.fromkeys((400, 403, 409), ImportProblemSerializer)
_BODY = {"application/jsonl": OpenApiTypes.BINARY}
_DATASET = OpenApiParameter("slug", str, OpenApiParameter.PATH, description="Short name of the dataset")


class ScenarioImport(_FileImport):
    """Import scenarios, JSONL in the body; the dataset is made if it is not there. Whole or not at all."""

    file_name = "scenarios.jsonl"

    def service(self, path: Path, **options: Any) -> ImportReport:
        return import_scenarios(path, **options)

    @extend_schema(
        operation_id="import_scenarios",
        parameters=[_DATASET, ImportOptions],
        request=_BODY,
        responses=_ANSWERS,
        tags=["datasets"],
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.take(request, slug)


class ResponseImport(_FileImport):
    """Import what companions said, JSONL in the body. Whole or not at all."""

    file_name = "responses.jsonl"
    query = ResponseImportOptions

    def service(self, path: Path, **options: Any) -> ImportReport:
        return import_responses(path, **options)

    @extend_schema(
        operation_id="import_responses",
        parameters=[_DATASET, ResponseImportOptions],
        request=_BODY,
        responses=_ANSWERS,
        tags=["datasets"],
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.take(request, slug)


def _copy(stream: Any, file: IO[bytes]) -> None:
    while stream is not None and (chunk := stream.read(_CHUNK)):
        file.write(chunk)


def _problem(status: int, title: str, detail: str, refusal: ImportRefused | None) -> Response:
    faults = [fault.as_json() for fault in refusal.faults] if refusal else []
    body = {"title": title, "status": status, "detail": detail, "fields": {"lines": faults} if faults else {}}
    if refusal:
        body["total"] = refusal.total
    return Response(body, status=status, content_type="application/problem+json")
