"""Records as rows of a release's tables. Pure."""

import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reviews.gold import GoldLabel, ItemHistory, ViolationLabel, labels_of, violations_of
from reviews.records import DecisionRecord, ItemRecord, RatingRecord, RulingRecord

Row = dict[str, Any]


@dataclass(frozen=True)
class Scale:
    """A dimension of the rubric: its key and its levels."""

    key: str
    levels: Sequence[int]


@dataclass(frozen=True)
class Naming:
    """What a release calls people and things. rubrics: {key: (name, hash)}; sequences: {rating: place}."""

    raters: Mapping[int, str]
    experts: Mapping[int, str]
    sequences: Mapping[int, int]
    rubrics: Mapping[int, tuple[str, str]]


def pseudonyms(people: Iterable[int], *, letter: str, salt: str) -> dict[int, str]:
    """{person: R01}: in an order drawn by HMAC with the release's salt, so that no two releases can be joined by it."""
    drawn = sorted(set(people), key=lambda pk: hmac.digest(salt.encode(), f"{letter}:{pk}".encode(), "sha256"))
    width = max(2, len(str(len(drawn))))
    return {person: f"{letter}{place:0{width}d}" for place, person in enumerate(drawn, start=1)}


class Rows:
    """The rows of one item after the other; decisions are numbered as they come."""

    def __init__(self, *, naming: Naming, scales: Sequence[Scale], closed: bool) -> None:
        self.naming, self.scales, self.closed = naming, scales, closed
        self.dimensions = [scale.key for scale in scales]
        self._levels = {scale.key: [str(level) for level in scale.levels] for scale in scales}
        self._decided = 0

    def of(self, record: ItemRecord, history: ItemHistory) -> dict[str, list[Row]]:
        """{table: rows} of one item."""
        numbers = self._numbers(record)
        labels = labels_of(history, dimensions=self.dimensions, closed=self.closed)
        violations = violations_of(history, closed=self.closed)
        return {
            "items": [self._item(record)],
            "gold": [self._gold(record, label, numbers) for label in labels],
            "ratings": [row for rating in record.ratings for row in self._rating(record, rating)],
            "decisions": [row for decision in record.decisions for row in self._decision(record, decision, numbers)],
            "marks": list(self._marks(record, violations)),
            "notes": list(self._notes(record)),
            "violations": [self._violation(violation) for violation in violations],
        }

    def _numbers(self, record: ItemRecord) -> dict[int, str]:
        numbers = {}
        for decision in record.decisions:
            self._decided += 1
            numbers[decision.number] = f"D{self._decided}"
        return numbers

    def _item(self, record: ItemRecord) -> Row:
        names = ("item_id", "key", "task", "language", "companion", "condition", "text")
        standing = ("needed", "withdrawn", "case_open", "audit", "twice")
        return {name: getattr(record, name) for name in names + standing} | {"import": record.arrival}

    def _gold(self, record: ItemRecord, label: GoldLabel, numbers: Mapping[int, str]) -> Row:
        names = ("item_id", "key", "task", "component", "language", "companion", "condition")
        counts = {str(level): count for level, count in label.distribution.items()}
        return {name: getattr(record, name) for name in names} | {
            "dimension": label.dimension,
            "value": None if label.value is None else float(label.value),
            "method": str(label.method),
            "short": label.short,
            "raters": label.raters,
            "spread": label.spread,
            "distribution": dict.fromkeys(self._levels[label.dimension], 0) | counts,
            "decision": None if label.decision is None else numbers[label.decision],
        }

    def _rating(self, record: ItemRecord, rating: RatingRecord) -> Iterator[Row]:
        name, rubric = self.naming.rubrics[rating.rubric]
        for dimension in [key for key in self.dimensions if key in rating.scores]:
            yield {
                "item_id": record.item_id,
                "rater": self.naming.raters[rating.rater],
                "dimension": dimension,
                "value": rating.scores[dimension],
                "status": rating.status,
                "superseded": rating.status == "superseded",
                "rank": rating.rank,
                "extra": rating.is_extra,
                "sequence": self.naming.sequences[rating.number],
                "seconds": None if rating.imported else rating.seconds,
                "rationale": rating.rationale,
                "needs_expert": rating.needs_expert,
                "imported": rating.imported,
                "submitted_at": rating.submitted_at,
                "rubric_version": name,
                "rubric": rubric,
            }

    def _decision(self, record: ItemRecord, decision: DecisionRecord, numbers: Mapping[int, str]) -> Iterator[Row]:
        decided: list[str | None] = [key for key in self.dimensions if key in decision.values]
        for dimension in decided or [None]:
            value = decision.values[dimension] if dimension else None
            yield {
                "decision": numbers[decision.number],
                "item_id": record.item_id,
                "expert": self.naming.experts[decision.expert],
                "kind": decision.kind,
                "round": decision.round,
                "dimension": dimension,
                "value": value,
                "ambiguous": dimension is not None and value is None,
                "rulings": [{"type": kind, "gold": gold} for kind, gold in sorted(decision.marks.items())],
                "quick_reason": decision.quick_reason,
                "rationale": decision.rationale,
                "superseded": decision.superseded,
                "decided_at": decision.decided_at,
            }

    def _marks(self, record: ItemRecord, violations: Sequence[ViolationLabel]) -> Iterator[Row]:
        known = {violation.type: violation for violation in violations}
        for rating in record.ratings:
            for mark in rating.marks:
                label = known.get(mark.type)
                yield {
                    "item_id": record.item_id,
                    "rater": self.naming.raters[rating.rater],
                    "type": mark.type,
                    "start": mark.start,
                    "end": mark.end,
                    "quote": mark.quote,
                    "note": mark.note,
                    "status": rating.status,
                    "votes": label.votes if label else None,
                    "gold": label.gold if label else None,
                }

    def _notes(self, record: ItemRecord) -> Iterator[Row]:
        for rating in record.ratings:
            for note in rating.notes:
                yield {
                    "item_id": record.item_id,
                    "rater": self.naming.raters[rating.rater],
                    **vars(note),
                    "status": rating.status,
                }

    def ruling(self, ruling: RulingRecord) -> Row:
        """The row of one ruling on a scenario."""
        names = ("key", "task", "version", "verdict", "fault", "reason", "superseded", "ruled_at")
        return {name: getattr(ruling, name) for name in names} | {
            "expert": self.naming.experts[ruling.expert],
            "revised_version": ruling.revised_to,
        }

    def _violation(self, violation: ViolationLabel) -> Row:
        return {name: getattr(violation, name) for name in ("item_id", "type", "votes", "raters", "gold", "how")}
