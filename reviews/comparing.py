"""Two releases of a campaign put side by side, for page, files and API alike. Loads nothing heavy."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Campaign
from jobs.spreadsheets import guarded
from reviews.errors import NothingToCompare, PairInvalid, ReleaseDamaged
from reviews.models import Release
from reviews.release.compare import Change, Comparison, Kind, Released

FILES = ("gold", "items", "ratings", "marks", "decisions")
_OF_ITEM = ("item_id", "key", "task", "language", "companion", "condition", "dimension")
_OF_LABEL = ("value", "method", "raters", "short")
COLUMNS = (
    *_OF_ITEM,
    "change",
    *(f"{name}_before" for name in _OF_LABEL),
    *(f"{name}_after" for name in _OF_LABEL),
    "why",
)


@dataclass(frozen=True)
class Pair:
    """The earlier release first, in whatever order they were named."""

    before: Release
    after: Release

    def comparison(self) -> Comparison:
        """Raises ReleaseDamaged where a file that it needs is not there."""
        for release in (self.before, self.after):
            if any(not (release.path / f"{name}.jsonl").is_file() for name in FILES):
                told = {"number": release.number}
                raise ReleaseDamaged(
                    _("The files of release %(number)s are not all there. Restore them from a copy.") % told
                )
        return Comparison(*(Released(release.path, release.manifest) for release in (self.before, self.after)))


def pair_of(campaign: Campaign, given: Mapping[str, str]) -> Pair:
    """The releases of the numbers `from` and `to`; without them the last one and the one before it.

    Raises NothingToCompare where there are fewer than two, PairInvalid.
    """
    releases = {str(release.number): release for release in Release.objects.filter(campaign=campaign)}
    if len(releases) < 2:
        raise NothingToCompare
    of, to = _numbers(list(releases), given.get("from", ""), given.get("to", ""))
    faults = {
        field: [_("There is no such release.")]
        for field, number in (("from", of), ("to", to))
        if number not in releases
    }
    if not faults and of == to:
        faults = {"to": [_("Name two different releases.")]}
    if faults:
        raise PairInvalid(fields=faults)
    before, after = sorted((releases[of], releases[to]), key=lambda release: release.number)
    return Pair(before, after)


def _numbers(numbers: list[str], of: str, to: str) -> tuple[str, str]:
    """What was named, and where nothing was: the latest that is not the other, the next earlier before it."""
    to = to or next(number for number in numbers if number != of)
    earlier = numbers[numbers.index(to) + 1 :] if to in numbers else []
    return of or next(number for number in [*earlier, *numbers] if number != to), to


def window(comparison: Comparison, *, start: int, size: int, kind: Kind | None = None) -> tuple[list[Change], int]:
    """(as many changes from `start` on, how many there are in all); goes through all, so that the counts are whole."""
    kept: list[Change] = []
    seen = 0
    for change in comparison.changes():
        if kind is None or change.kind == kind:
            if start <= seen < start + size:
                kept.append(change)
            seen += 1
    return kept, seen


def as_row(change: Change) -> dict[str, Any]:
    """Flat, as the files hold it."""
    told = change.after or change.before or {}
    before, after = change.before or {}, change.after or {}
    return {
        **{name: told.get(name) for name in _OF_ITEM},
        "change": str(change.kind),
        **{f"{name}_before": before.get(name) for name in _OF_LABEL},
        **{f"{name}_after": after.get(name) for name in _OF_LABEL},
        "why": [str(why) for why in change.why],
    }


def jsonl_of(comparison: Comparison) -> Iterator[str]:
    for change in comparison.changes():
        yield json.dumps(as_row(change), ensure_ascii=False) + "\n"


def csv_of(comparison: Comparison) -> Iterator[str]:
    """With BOM, and no cell that a spreadsheet could run; several reasons stand in one cell."""
    buffer = io.StringIO(newline="")
    lines = csv.writer(buffer, lineterminator="\r\n")
    buffer.write("\ufeff")
    lines.writerow(COLUMNS)
    for change in comparison.changes():
        lines.writerow([_cell(value) for value in as_row(change).values()])
        if buffer.tell() > 64_000:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "; ".join(value)
    return guarded(value) if isinstance(value, str) else "" if value is None else value


WRITERS: dict[str, tuple[str, Callable[[Comparison], Iterator[str]]]] = {
    "csv": ("text/csv; charset=utf-8", csv_of),
    "jsonl": ("application/jsonl", jsonl_of),
}
