"""What became of the gold labels between two releases of a campaign, and why: read from their files alone.

Nothing joins the two but the content: decisions are numbered and people named anew in each release. A rating is known
again by when it was given, its rank and its scores; a decision by when it was saved and what it said.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from reviews.release.reading import Row, Shelves, items_in
from reviews.release.reasons import Side, Why, why_of


class Kind(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"  # another value, or another way to it
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Change:
    """One label: its rows of gold in the two releases, None where it has none. why: in order of weight, never empty."""

    kind: Kind
    item_id: str
    dimension: str
    before: Row | None
    after: Row | None
    why: tuple[Why, ...] = ()


@dataclass
class Counts:
    """labels: {kind: n}; dimensions: {dimension: {kind: n}}; why: {reason: labels}, one label may have several."""

    labels: Counter[str] = field(default_factory=Counter)
    dimensions: dict[str, Counter[str]] = field(default_factory=dict)
    why: Counter[str] = field(default_factory=Counter)

    @property
    def different(self) -> int:
        return self.labels.total() - self.labels[Kind.UNCHANGED]

    def add(self, label: Change) -> None:
        self.labels[label.kind] += 1
        self.dimensions.setdefault(label.dimension, Counter())[label.kind] += 1

    def as_json(self) -> dict[str, Any]:
        return {
            "labels": {kind: self.labels[kind] for kind in Kind},
            "dimensions": {name: {kind: found[kind] for kind in Kind} for name, found in self.dimensions.items()},
            "why": {reason: self.why[reason] for reason in Why if self.why[reason]},
        }


@dataclass(frozen=True)
class Released:
    """A release as it lies there: its folder and its manifest."""

    folder: Path
    manifest: Mapping[str, Any]


class Comparison:
    """The labels of `before` and `after`, two releases of one campaign, the earlier first.

    Go through `changes` once; after that `counts` is complete.
    """

    def __init__(self, before: Released, after: Released) -> None:
        self.before, self.after = before, after
        self.counts = Counts()

    def changes(self) -> Iterator[Change]:
        """Every label that is not as it was, in the order of items and dimensions.

        Raises OSError where a file is missing, ValueError or KeyError where one is no file of a release.
        """
        with Shelves(self.before.folder) as was, Shelves(self.after.folder) as now:
            for item_id, before, after in self._items():
                labels = list(_labels(item_id, before, after))
                for label in labels:
                    self.counts.add(label)
                different = [label for label in labels if label.kind != Kind.UNCHANGED]
                if different:
                    sides = (
                        Side.of(was.of(item_id), self.before.manifest),
                        Side.of(now.of(item_id), self.after.manifest),
                    )
                for change in different:
                    why = why_of(change.dimension, change.before, change.after, *sides)
                    self.counts.why.update(why)
                    yield Change(change.kind, item_id, change.dimension, change.before, change.after, why)

    def _items(self) -> Iterator[tuple[str, list[Row], list[Row]]]:
        """(item id, its labels before, its labels after): both files merged, an item at a time."""
        gold = [items_in(release.folder / "gold.jsonl") for release in (self.before, self.after)]
        was, now = (next(found, None) for found in gold)
        while was is not None or now is not None:
            if now is None or (was is not None and was[0] < now[0]):
                assert was is not None
                yield was[0], was[1], []
                was = next(gold[0], None)
            elif was is None or now[0] < was[0]:
                yield now[0], [], now[1]
                now = next(gold[1], None)
            else:
                yield was[0], was[1], now[1]
                was, now = next(gold[0], None), next(gold[1], None)

    def facts(self) -> dict[str, tuple[Any, Any]]:
        """{what: (before, after)} of what the manifests say of the campaign and is not the same."""
        names = ("closed", "overlap", "rule_version", "rubric", "code_version", "title")
        both = {name: (self.before.manifest.get(name), self.after.manifest.get(name)) for name in names}
        return {name: (was, now) for name, (was, now) in both.items() if was != now}


def _labels(item_id: str, before: list[Row], after: list[Row]) -> Iterator[Change]:
    was, now = ({row["dimension"]: row for row in rows} for rows in (before, after))
    for dimension in dict.fromkeys([*was, *now]):
        old, new = was.get(dimension), now.get(dimension)
        yield Change(_kind(old, new), item_id, dimension, old, new)


def _kind(old: Row | None, new: Row | None) -> Kind:
    if old is None or new is None:
        return Kind.ADDED if old is None else Kind.REMOVED
    same = (old["value"], old["method"]) == (new["value"], new["method"])
    return Kind.UNCHANGED if same else Kind.CHANGED
