"""How a page's door answers a script: the same problem documents as the API gives."""

from http import HTTPStatus

from django.http import HttpRequest, JsonResponse

from annotation.errors import ConcordError


def by_script(request: HttpRequest) -> bool:
    """Sent by the page's own script, which reads JSON; a plain form asks for a page."""
    return request.headers.get("Accept") == "application/json"


def refusal(error: ConcordError) -> JsonResponse:
    body = {"title": HTTPStatus(error.status).phrase, "status": error.status, "detail": str(error)}
    body |= {"fields": error.fields} | error.more
    return JsonResponse(body, status=error.status, content_type="application/problem+json")
