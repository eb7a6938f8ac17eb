from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

# Faults kept with their reasons; of the others the line is kept.
KEPT = 1000


class BadLine(Exception):
    """What is wrong with one line; the reason reads on from "line 3: "."""


@dataclass(frozen=True, order=True, slots=True)
class Fault:
    """What is wrong, and where. `line` is None where it is the whole file or folder, or no file at all."""

    file: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.reason}" if place else self.reason

    def as_json(self) -> dict[str, str | int | None]:
        return {"file": self.file, "line": self.line, "reason": self.reason}


class ImportRefused(Exception):
    """Nothing was imported. `faults` are the first of them, `total` is how many there are."""

    def __init__(self, faults: Iterable[Fault], *, total: int | None = None) -> None:
        self.faults = list(faults)
        self.total = len(self.faults) if total is None else total
        super().__init__(str(self.faults[0]) if self.faults else "refused")

    def as_json(self) -> dict[str, object]:
        return {"refused": True, "total": self.total, "faults": [fault.as_json() for fault in self.faults]}


class FaultLog:
    """The faults of one reading: the first thousand in full, and the lines of all of them, in little memory."""

    def __init__(self) -> None:
        self.kept: list[Fault] = []
        self.total = 0
        self._lines: dict[str, list[int]] = {}

    def add(self, fault: Fault) -> None:
        self.total += 1
        if len(self.kept) < KEPT:
            self.kept.append(fault)
        if fault.line is not None:
            self._lines.setdefault(fault.file, []).append(fault.line)

    def lines(self) -> dict[str, str]:
        """Every line at fault, by file: `{"dialogue_base.jsonl": "3, 7-9"}`."""
        return {file: ", ".join(_ranges(lines)) for file, lines in self._lines.items()}


def _ranges(numbers: list[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        block = [number for _, number in run]
        yield str(block[0]) if len(block) == 1 else f"{block[0]}-{block[-1]}"


def quoted(value: object) -> str:
    """A value as it may stand in a one-line reason: short, and with nothing that breaks the line."""
    text = ascii(value) if not isinstance(value, str) else value
    text = "".join(char if char.isprintable() else "�" for char in text[:61])
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"
