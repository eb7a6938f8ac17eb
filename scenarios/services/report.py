from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from scenarios.reading.faults import Fault, FaultLog
from scenarios.reading.reader import Reading
from scenarios.services.plan import Fate, Outcome


@dataclass(frozen=True)
class ImportReport:
    """What an import did, or would do. lines = created + unchanged + new_versions + refused + blank."""

    dataset: str
    kind: str
    format: str
    source: str
    sha256: str
    lines: int
    created: int
    unchanged: int
    new_versions: int
    refused: int
    blank: int
    dry_run: bool = False
    # None where there was nothing to write.
    import_id: int | None = None
    # The first faults with their reasons, and the lines of all of them by file.
    faults: list[Fault] = field(default_factory=list)
    refused_lines: dict[str, str] = field(default_factory=dict)
    # What was there and is not taken: fields by name with how often, and other files of the folder.
    ignored: dict[str, int] = field(default_factory=dict)
    left_alone: list[str] = field(default_factory=list)

    @property
    def nothing_changed(self) -> bool:
        return not self.created and not self.new_versions

    def as_json(self) -> dict[str, Any]:
        counts = ("lines", "created", "unchanged", "new_versions", "refused", "blank")
        return {
            "dataset": self.dataset,
            "kind": self.kind,
            "format": self.format,
            "file": self.source,
            "sha256": self.sha256,
            **{name: getattr(self, name) for name in counts},
            "nothing_changed": self.nothing_changed,
            "dry_run": self.dry_run,
            "import_id": self.import_id,
            "faults": [fault.as_json() for fault in self.faults],
            "refused_lines": self.refused_lines,
            "ignored": self.ignored,
            "left_alone": self.left_alone,
        }


class Tally:
    """Counts the outcomes of one pass and keeps its faults."""

    def __init__(self) -> None:
        self.counts: Counter[Fate] = Counter()
        self.faults = FaultLog()
        self.fatal = False

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.fate] += 1
        if outcome.fate is Fate.REFUSED:
            self.faults.add(Fault(outcome.place.file, outcome.place.line, outcome.reason))
            self.fatal = self.fatal or outcome.fatal

    @property
    def written(self) -> int:
        return self.counts[Fate.CREATED] + self.counts[Fate.NEW_VERSION]

    def report(
        self, *, dataset: str, kind: str, reading: Reading, dry_run: bool, import_id: int | None
    ) -> ImportReport:
        return ImportReport(
            dataset=dataset,
            kind=kind,
            format=reading.source.format,
            source=reading.source.name,
            sha256=reading.sha256,
            lines=self.counts.total(),
            created=self.counts[Fate.CREATED],
            unchanged=self.counts[Fate.UNCHANGED],
            new_versions=self.counts[Fate.NEW_VERSION],
            refused=self.counts[Fate.REFUSED],
            blank=self.counts[Fate.BLANK],
            dry_run=dry_run,
            import_id=import_id,
            faults=self.faults.kept,
            refused_lines=self.faults.lines(),
            ignored=dict(sorted(reading.ignored.items())),
            left_alone=reading.source.left_alone,
        )
