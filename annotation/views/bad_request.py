"""What was sent cannot even be read: said in our own words, without reading it once more."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from annotation.api.problems import MEDIA_TYPE, document
from annotation.views.refusals import by_script


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's answer to a request that is too large, in another encoding or damaged; a script is told in JSON."""
    status, detail = _told(exception)
    if by_script(request) or request.path.startswith("/api/"):
        return JsonResponse(document(status, detail), status=status, content_type=MEDIA_TYPE)
    return HttpResponse(render_to_string("400.html", {"detail": detail}), status=status)


def _told(exception: Exception) -> tuple[int, str]:
    if isinstance(exception, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20
        return 413, _("What was sent is larger than %(most)s MiB.") % {"most": most}
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        return 413, _("At most %(most)s files can be sent at once.") % {"most": most}
    if isinstance(exception, TooManyFieldsSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        return 413, _("A form has at most %(most)s fields.") % {"most": most}
    return 400, _("What was sent is damaged, or in another encoding than UTF-8.")
