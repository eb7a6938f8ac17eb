"""How a page's door answers a script: the same problem documents as the API gives."""

from django.http import HttpRequest, JsonResponse

from annotation.api.problems import MEDIA_TYPE, document
from annotation.errors import ConcordError


def by_script(request: HttpRequest) -> bool:
    """Sent by the page's own script, which reads JSON; a plain form asks for a page."""
    return request.headers.get("Accept") == "application/json"


def refusal(error: ConcordError) -> JsonResponse:
    body = document(error.status, str(error), fields=error.fields, **error.more)
    return JsonResponse(body, status=error.status, content_type=MEDIA_TYPE)
