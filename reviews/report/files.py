"""The report as files: its tables as CSV, one by one or all, and the whole as one page that needs no network."""

import io
import zipfile
from collections.abc import Iterable
from typing import Any

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string

from jobs.spreadsheets import csv_bytes, guarded
from reviews.report.tables import Table

STYLES = ("tokens", "base", "layout", "parts", "judging", "pages", "report")
VEGA = ("vega/vega.min.js", "vega-lite/vega-lite.min.js", "vega-embed/vega-embed.min.js")
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same tables are the same bytes


def as_csv(table: Table) -> bytes:
    """UTF-8 with BOM, RFC 4180, text guarded: a spreadsheet shows it right and runs nothing."""
    return csv_bytes(
        [guarded(cell) if isinstance(cell, str) and not _is_number(cell) else cell for cell in row]
        for row in table.csv_rows()
    )


def _is_number(cell: str) -> bool:
    """A figure in full: a minus before it is no formula."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def as_zip(tables: Iterable[Table]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for table in tables:
            archive.writestr(zipfile.ZipInfo(f"{table.name}.csv", EPOCH), as_csv(table), zipfile.ZIP_DEFLATED)
    return file.getvalue()


def as_page(context: dict[str, Any]) -> str:
    """One HTML file: styles, scripts and numbers inside, nothing fetched, fit to be printed."""
    inside = {
        "styles": [_static(f"css/{name}.css") for name in STYLES],
        "libraries": [_static(f"vendor/{name}") for name in VEGA],
        "charts": _static("js/parts/charts.js").replace("export function", "function"),
    }
    return render_to_string("reviews/agreement/file.html", {**context, **inside, "tables_at": ""})


def _static(name: str) -> str:
    """Of our own files alone: nothing in them ends a script or a style."""
    path = finders.find(name)
    if path is None:  # collected
        with staticfiles_storage.open(name) as file:
            return str(file.read().decode())
    with open(path, encoding="utf-8") as file:
        return file.read()
