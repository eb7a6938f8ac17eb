"""No address holds a NUL: PostgreSQL takes none in a text, and nobody types one."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from annotation.api.problems import MEDIA_TYPE, document


class NulFreeMiddleware:
    """Answers 404 where a path or a query holds a NUL, before a view looks something up by it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        query = request.META.get("QUERY_STRING", "")
        if "\x00" not in request.path and "%00" not in query and "\x00" not in query:
            return self.get_response(request)
        told = _("The address holds a NUL character.")
        if request.path.startswith("/api/"):
            return JsonResponse(document(404, told), status=404, content_type=MEDIA_TYPE)
        raise Http404(told)
