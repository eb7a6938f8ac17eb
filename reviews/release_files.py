"""Handing out one file of a release, by page and API alike."""

from django.http import FileResponse, Http404

from reviews.models import Release

MEDIA_TYPES = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown; charset=utf-8",
    ".parquet": "application/vnd.apache.parquet",
}


def file_of(release: Release, name: str) -> FileResponse:
    """A file that the manifest names, or the manifest; raises Http404 for any other."""
    path = release.path / name
    if name not in {*release.manifest["files"], "manifest.json"} or not path.is_file():
        raise Http404
    return FileResponse(
        path.open("rb"),
        as_attachment=True,
        filename=f"{release.campaign.slug}-{release.number}-{name}",
        content_type=MEDIA_TYPES.get(path.suffix, "application/octet-stream"),
    )
