"""Errors as application/problem+json (RFC 9457): title, detail, and `fields` where a field is at fault."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotation.errors import ConcordError

MEDIA_TYPE = "application/problem+json"


def document(status: int, detail: str, *, fields: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"title": HTTPStatus(status).phrase, "status": status, "detail": detail, "fields": fields or {}, **more}


def problem(status: int, detail: str, **more: Any) -> Response:
    return Response(document(status, detail, **more), status=status, content_type=MEDIA_TYPE)


def problem_json(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turns named errors and REST framework's own into problem documents; anything else stays a 500."""
    if isinstance(error, ConcordError):
        return problem(error.status, str(error), fields=error.fields, **error.more)
    answer = exception_handler(error, context)
    if answer is None:
        return None
    fields: dict[str, Any] = {}
    if isinstance(error, exceptions.ValidationError):
        fields = answer.data if isinstance(answer.data, dict) else {"": answer.data}
        detail = "Some fields are not as they must be; see `fields`."
    elif isinstance(error, Http404 | exceptions.NotFound):
        detail = "There is no such thing here, or it is not yours to see."
    elif isinstance(error, PermissionDenied):
        detail = str(error) or "You may not do this."
    else:
        detail = str(getattr(error, "detail", error))
    answer.data = document(answer.status_code, detail, fields=fields)
    answer.content_type = MEDIA_TYPE
    return answer
