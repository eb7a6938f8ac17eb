"""A release read back from its own files, an item at a time. Streams: a release of any size fits. Without pyarrow.

The tables stand in one order, that of the item ids' code points, so that several are read side by side.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any

from reviews.gold import DecisionGiven, ItemHistory, RatingGiven

Row = Mapping[str, Any]
_FIRST = '{"item_id": '
_decoder = json.JSONDecoder()


class Shelf:
    """One JSON Lines table, asked item by item in their order; what is passed over is not parsed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open(encoding="utf-8", newline="\n")
        self._line = self._file.readline()

    def of(self, item_id: str) -> list[Row]:
        """The item's rows; a later call must ask for a later item."""
        rows: list[Row] = []
        while self._line and (here := _item_of(self._line)) <= item_id:
            if here == item_id:
                rows.append(json.loads(self._line))
            self._line = self._file.readline()
        return rows

    def close(self) -> None:
        self._file.close()


def _item_of(line: str) -> str:
    if line.startswith(_FIRST):
        found: str = _decoder.raw_decode(line, len(_FIRST))[0]
        return found
    return str(json.loads(line)["item_id"])


def items_in(path: Path) -> Iterator[tuple[str, list[Row]]]:
    """(item id, its rows) of one table, in its order."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for item_id, rows in groupby(map(json.loads, file), key=lambda row: str(row["item_id"])):
            yield item_id, list(rows)


class Shelves:
    """What a release says of an item beside its labels: its row, ratings, marks and decisions."""

    NAMES = ("items", "ratings", "marks", "decisions")

    def __init__(self, folder: Path) -> None:
        self._shelves: dict[str, Shelf] = {}
        try:
            for name in self.NAMES:
                self._shelves[name] = Shelf(folder / f"{name}.jsonl")
        except OSError:
            self._close()
            raise

    def __enter__(self) -> "Shelves":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        for shelf in self._shelves.values():
            shelf.close()

    def of(self, item_id: str) -> dict[str, list[Row]]:
        """{table: rows}; a later call must ask for a later item."""
        return {name: shelf.of(item_id) for name, shelf in self._shelves.items()}


def histories_in(folder: Path) -> Iterator[ItemHistory]:
    """Every item's history as `reviews.gold` reads it: its labels can be made again from the files alone."""
    with Shelves(folder) as shelves:
        for item_id, _rows in items_in(folder / "items.jsonl"):
            yield history_of(shelves.of(item_id))


def history_of(found: Mapping[str, list[Row]]) -> ItemHistory:
    """found: {table: rows} of one item, as `Shelves.of` gives them."""
    item = found["items"][-1]
    return ItemHistory(
        item_id=item["item_id"],
        cluster=item["key"],
        needed=item.get("needed") or 0,
        ratings=_counted(found["ratings"], found["marks"]),
        withdrawn=bool(item.get("withdrawn")),
        case_open=bool(item.get("case_open")),
        audit=bool(item.get("audit")),
        decision=_standing(found["decisions"]),
    )


def _counted(ratings: Iterable[Row], marks: Iterable[Row]) -> list[RatingGiven]:
    """In the table's order, which is that of rank: a person has one counted rating of an item at most."""
    marked: dict[str, set[str]] = {}
    for mark in marks:
        if mark["status"] == "counted":
            marked.setdefault(mark["rater"], set()).add(mark["type"])
    scores: dict[str, dict[str, int]] = {}
    imported: dict[str, bool] = {}
    for row in ratings:
        if row["status"] == "counted":
            scores.setdefault(row["rater"], {})[row["dimension"]] = row["value"]
            imported[row["rater"]] = row["imported"]
    return [
        RatingGiven(
            rater=place,
            scores=given,
            marks=None if imported[rater] else frozenset(marked.get(rater, ())),
        )
        for place, (rater, given) in enumerate(scores.items(), start=1)
    ]


def standing_rows(decisions: Iterable[Row]) -> list[Row]:
    """The rows of the ruling that stands; none where there is no ruling."""
    rulings = [row for row in decisions if row.get("kind", "ruling") == "ruling" and not row["superseded"]]
    return [row for row in rulings if row["decision"] == rulings[-1]["decision"]]


def _standing(decisions: Iterable[Row]) -> DecisionGiven | None:
    rows = standing_rows(decisions)
    if not rows:
        return None
    return DecisionGiven(
        number=int(rows[0]["decision"].removeprefix("D")),
        values={row["dimension"]: row["value"] for row in rows if row["dimension"] is not None},
        marks={ruling["type"]: ruling["gold"] for ruling in rows[0]["rulings"]},
    )
