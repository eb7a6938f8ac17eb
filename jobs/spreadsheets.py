"""Text on its way into a spreadsheet: shown as it is, never run."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

# What a spreadsheet takes for the beginning of a formula, in any width.
FORMULA = frozenset("=+-@")
BREAKS = frozenset("\t\r\n")
# No blanks to Unicode, but nothing to see.
UNSEEN = "\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"


def guarded(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet could run it.

    That is where it begins, after blanks, with = + - @ of any width, or anywhere in those blanks with a tab or a line
    break: readers of CSV drop them, and what follows runs.
    """
    rest = text
    while rest and (rest[0].isspace() or rest[0] in UNSEEN):
        if rest[0] in BREAKS:
            return "'" + text
        rest = rest[1:]
    return "'" + text if rest and unicodedata.normalize("NFKC", rest[0])[0] in FORMULA else text


def csv_bytes(rows: Iterable[Sequence[Any]]) -> bytes:
    """UTF-8 with BOM, RFC 4180: what a spreadsheet shows right. Cells are to be guarded before."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue().encode("utf-8-sig")
