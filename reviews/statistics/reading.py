"""Ratings from a tidy CSV: every fault is named with its line in the file, as an editor counts them."""

import csv
import hashlib
import io
from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .faults import FAULTS_KEPT, Fault, RatingsRefused
from .tidy import code_ratings

__all__ = ["RatingsRefused", "read_ratings"]

CHUNK = 50_000
KNOWN = ("item_id", "rater_id", "dimension", "value", "cluster_id", "order")
LINE = "line"  # the column of a frame that says where in the file a rating stands


def read_ratings(
    path: str | Path, level: str = "ordinal", scale: Any = None, cluster: str | None = None, by: Sequence[str] = ()
) -> pd.DataFrame:
    """Read `item_id,rater_id,dimension,value[,cluster_id][,order]` into a checked frame.

    path: UTF-8 with or without BOM; comma, semicolon or tab; any newline.
    level, scale, cluster: as `agreement` takes them; values off the scale are refused.
    by: names of more columns; each is in the frame under its `tag_column`.
    Returns one row a rating, missing ones with a NaN value, with the line of each in `line`. `frame.attrs` holds
    source, sha256 (of the file), rows and said (what was assumed), which `agreement` repeats in its report.
    Raises RatingsRefused, with every fault and its line.
    """
    data = Path(path).read_bytes()
    text = _decode(data)
    columns, lines, ignored = _columns(text, cluster, by)
    frame = pd.DataFrame({**columns, LINE: lines})
    if not len(frame):
        raise RatingsRefused([Fault(1, "no row below the header")])
    ratings = code_ratings(frame, level=level, scale=scale, cluster=cluster)
    rows = len(frame)
    frame = frame.iloc[ratings.kept].reset_index(drop=True)
    frame["value"] = _values(ratings.code, ratings.dimension, ratings.scales, ratings.dimension_names, level)
    said = [sentence for sentence in ratings.said if "left out" in sentence]
    if ignored:
        said.append(f"columns not used: {', '.join(ignored)}")
    frame.attrs = {
        "source": Path(path).name.encode("utf-8", "replace").decode(),  # a name may be no text at all
        "sha256": hashlib.sha256(data).hexdigest(),
        "rows": rows,
        "said": said,
    }
    return frame


def tag_column(name: str) -> str:
    """Where a frame has a column that is not read for what it says of a rating; no other is called so."""
    return f"by:{name}"


def of_raters(frame: pd.DataFrame, raters: Collection[str]) -> pd.DataFrame:
    """The ratings of some raters alone, and in `frame.attrs` who and of how many, for the report's parameters.

    Raises RatingsRefused for a stranger.
    """
    if "rater_id" not in frame.columns:
        raise RatingsRefused([Fault(1, "no rater ids: raters cannot be chosen")])
    there = set(frame["rater_id"].unique())
    if strangers := [rater for rater in raters if rater not in there]:
        raise RatingsRefused([Fault(1, f"no rating is by rater {strangers[0]!r}")])
    chosen = frame[frame["rater_id"].isin(raters)].reset_index(drop=True)
    chosen.attrs = {**frame.attrs, "rows": len(chosen), "raters": sorted(set(raters)), "raters_of": len(there)}
    return chosen


def _decode(data: bytes) -> str:
    """The text of a file, or a refusal that says what the file is instead."""
    if data[:4] == b"PK\x03\x04":
        raise RatingsRefused([Fault(1, "this is a zip archive (as Excel workbooks are), not a CSV file")])
    if data[:2] == b"\x1f\x8b":
        raise RatingsRefused([Fault(1, "this is a gzip archive, not a CSV file")])
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise RatingsRefused([Fault(1, "the file is UTF-16: save it as UTF-8")])
    if b"\x00" in data:
        raise RatingsRefused([Fault(_line_at(data, data.index(b"\x00")), "the line holds a NUL character")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # the codec counts from behind a BOM
        start = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        reason = f"not UTF-8 (byte 0x{data[start]:02x}): save the file as UTF-8"
        raise RatingsRefused([Fault(_line_at(data, start), reason)]) from None
    if not text.strip():
        raise RatingsRefused([Fault(1, "the file is empty")])
    return text


def _line_at(data: bytes, position: int) -> int:
    return len((data[:position] + b"x").splitlines())


def _columns(
    text: str, cluster: str | None, by: Sequence[str]
) -> tuple[dict[str, pd.Categorical], np.ndarray, list[str]]:
    """The columns that are used, the line of each row, and the names of the columns that are not used."""
    lines_before = len(text) - len(text.lstrip("\r\n"))
    before = len(text[:lines_before].splitlines())
    text = text[lines_before:]
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    faults: list[Fault] = []
    rows: list[list[str]] = []
    starts: list[int] = []
    last = 0
    try:
        header = _header(next(reader), cluster, before + 1)
        last = reader.line_num
        tags = _tags(header, by, before + 1)
        gathered = {name: _Gatherer(at) for name, at in header.items() if name in KNOWN or name == cluster}
        gathered |= {tag_column(name): _Gatherer(at) for name, at in tags.items()}
        width = max(header.values()) + 1
        for row in reader:
            if len(row) == width and any(row):
                rows.append(row)
                starts.append(before + last + 1)
                if len(rows) == CHUNK:
                    _gather(gathered, rows)
            elif any(row):
                faults.append(Fault(before + last + 1, f"{len(row)} cells where the header has {width}"))
            last = reader.line_num
    except csv.Error as error:
        faults.append(Fault(before + last + 1, _csv_reason(str(error))))
    if faults:
        raise RatingsRefused(faults[:FAULTS_KEPT], len(faults))
    _gather(gathered, rows)
    used = {one.at for one in gathered.values()}
    ignored = [name for name, at in header.items() if at not in used and not name.startswith("\x00")]
    return {name: one.column() for name, one in gathered.items()}, np.asarray(starts, dtype=np.int64), ignored


class _Gatherer:
    """Codes of one column, so that a million short texts are held once each."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.index: dict[str, int] = defaultdict(count().__next__)
        self.parts: list[np.ndarray] = []

    def take(self, rows: list[list[str]]) -> None:
        index, at = self.index, self.at
        self.parts.append(np.fromiter((index[row[at]] for row in rows), dtype=np.int64, count=len(rows)))

    def column(self) -> pd.Categorical:
        codes = np.concatenate(self.parts) if self.parts else np.zeros(0, dtype=np.int64)
        stripped, names = pd.factorize(np.asarray([name.strip() for name in self.index], dtype=object))
        return pd.Categorical.from_codes(stripped[codes] if len(codes) else codes, categories=pd.Index(names))


def _gather(gathered: dict[str, _Gatherer], rows: list[list[str]]) -> None:
    for one in gathered.values():
        one.take(rows)
    rows.clear()


def _delimiter(text: str) -> str:
    """Comma, semicolon or tab: the one that makes the header's columns."""
    ends = [at for at in (text.find("\n"), text.find("\r")) if at >= 0]
    first = text[: min(ends, default=len(text))]
    cells = {mark: [cell.strip().lower() for cell in first.replace('"', "").split(mark)] for mark in ",;\t"}
    return max(cells, key=lambda mark: (len(set(cells[mark]) & set(KNOWN)), len(cells[mark])))


def _header(cells: list[str], cluster: str | None, line: int) -> dict[str, int]:
    """Position of each column by its name; the known names in any case."""
    names = [cell.strip() if cell.strip() == cluster else _known(cell.strip()) for cell in cells]
    twice = [name for at, name in enumerate(names) if name and name in names[:at]]
    if twice:
        raise RatingsRefused([Fault(line, f"column {twice[0]!r} stands twice in the header")])
    if cluster == LINE:
        raise RatingsRefused([Fault(line, f"clusters cannot be taken from a column named {LINE!r}: name it otherwise")])
    for name in ("item_id", "value", cluster):
        if name and name not in names:
            raise RatingsRefused([Fault(line, f"no column {name!r} (the header has: {', '.join(names)})"[:300])])
    # columns without a name keep their place, so that the width is right
    return {name or f"\x00{at}": at for at, name in enumerate(names)}


def _tags(header: dict[str, int], by: Sequence[str], line: int) -> dict[str, int]:
    """Position of each column that is asked for beside the known ones."""
    for name in by:
        if name not in header and _known(name) not in header:
            there = ", ".join(one for one in header if not one.startswith("\x00"))
            raise RatingsRefused([Fault(line, f"no column {name!r} (the header has: {there})"[:300])])
    return {name: header[name if name in header else _known(name)] for name in by}


def _known(name: str) -> str:
    return name.lower() if name.lower() in KNOWN else name


def _csv_reason(told: str) -> str:
    if "end of data" in told:
        return "a quoted cell is never closed"
    if "field limit" in told:
        return "a cell is longer than 131,072 characters; is a quote never closed?"
    return f"not CSV: {told}"


def _values(code: np.ndarray, dimension: np.ndarray, scales: dict, names: list[str], level: str) -> np.ndarray:
    """The value of each rating from its code, missing where there is none."""
    missing: Any = None if level == "nominal" else np.nan
    values = np.full(len(code), missing, dtype=object if level == "nominal" else float)
    for at, name in enumerate(names):
        here = np.flatnonzero((dimension == at) & (code >= 0))
        if len(here):
            values[here] = np.asarray(scales[name].levels, dtype=values.dtype)[code[here]]
    return values
