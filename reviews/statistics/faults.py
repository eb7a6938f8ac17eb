"""What is wrong with ratings, each fault with its line."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

FAULTS_KEPT = 100


class Fault(NamedTuple):
    """One thing wrong, and the line (of a file) or row (of a frame) where it stands."""

    line: int
    reason: str


class RatingsRefused(ValueError):
    """Ratings that cannot be taken. `faults` holds the first hundred by line, `total` counts all."""

    def __init__(self, faults: list[Fault], total: int | None = None) -> None:
        self.faults = sorted(faults)
        self.total = total or len(faults)
        first = self.faults[0]
        more = f" (and {self.total - 1} more)" if self.total > 1 else ""
        super().__init__(f"line {first.line}: {first.reason}{more}")


class Faults:
    """Collects faults row by row, without building a sentence for each of a million bad rows."""

    def __init__(self, lines: np.ndarray) -> None:
        self.lines = lines
        self.found: list[Fault] = []
        self.total = 0

    def add(self, rows: np.ndarray, reason: Callable[[int], str]) -> None:
        self.total += len(rows)
        self.found += [Fault(int(self.lines[row]), reason(int(row))) for row in rows[:FAULTS_KEPT]]

    def raise_if_any(self) -> None:
        if self.found:
            raise RatingsRefused(sorted(self.found)[:FAULTS_KEPT], self.total)
