"""Files that a page hands out."""

from django.http import HttpResponse

CSV = "text/csv; charset=utf-8"


def attached(data: bytes, kind: str, name: str) -> HttpResponse:
    """To be saved under this name. kind: its media type."""
    return HttpResponse(data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
