"""What is to become of each line of a file: decided the same way in both passes."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Generic, TypeVar, cast

from django.utils.translation import gettext as _

from scenarios.models import Dataset, Import
from scenarios.reading.faults import BadLine, quoted
from scenarios.reading.reader import ReadLine
from scenarios.reading.records import Place, Record

# Lines looked up in one query, rows written in one transaction.
BATCH = 500


class Fate(enum.Enum):
    CREATED = "created"
    NEW_VERSION = "new version"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one line."""

    place: Place
    fate: Fate
    record: Record | None = None
    version: int = 1
    # Of a response: the scenario it answers.
    scenario_id: int | None = None
    reason: str = ""
    fatal: bool = False


@dataclass(slots=True)
class Known:
    """What the dataset holds under one key: its last version, and the content of all of them."""

    version: int
    hashes: set[str]
    # Of responses: the scenario that the current one answers.
    scenario_id: int | None = None


R = TypeVar("R", bound=Record)


class Plan(ABC, Generic[R]):
    """Settles the records of one pass against each other and against the dataset."""

    def __init__(self, *, dataset: Dataset | None, new_version: bool) -> None:
        self.dataset = dataset
        self.new_version = new_version
        self._first_seen: dict[bytes, tuple[str, int]] = {}

    def outcomes(self, lines: Iterable[ReadLine]) -> Iterator[list[Outcome]]:
        """The outcomes of all lines in order, a batch at a time."""
        batch: list[ReadLine] = []
        for line in lines:
            batch.append(line)
            if len(batch) == BATCH:
                yield self._settle(batch)
                batch = []
        if batch:
            yield self._settle(batch)

    @abstractmethod
    def look_up(self, records: list[R]) -> None:
        """Fetch what the dataset holds under the keys of these records."""

    @abstractmethod
    def name(self, record: R) -> str:
        """What must stand once in a file, as people read it."""

    @abstractmethod
    def settle(self, place: Place, record: R) -> Outcome:
        """The outcome of one record. Raises BadLine."""

    @abstractmethod
    def write(self, outcomes: list[Outcome], arrival: Import) -> None:
        """Write the rows of those that are new."""

    @abstractmethod
    def supersede(self, arrival: Import) -> None:
        """Mark what the new versions of this import replace."""

    def companions(self, outcome: Outcome) -> set[str]:
        """The companions that the writing of this line needs."""
        return set()

    def complete(self, record: R) -> R:
        """The record with what the command or the form says of all. Raises BadLine where they differ."""
        return record

    def compare(self, place: Place, record: R, known: Known | None) -> Outcome:
        """Created, unchanged, a new version, or refused: equal to any version that ever came is unchanged."""
        if known is None:
            return Outcome(place, Fate.CREATED, record)
        if record.content_hash in known.hashes:
            return Outcome(place, Fate.UNCHANGED, record)
        if self.new_version:
            return Outcome(place, Fate.NEW_VERSION, record, version=known.version + 1)
        raise BadLine(
            _("%(key)s is in the dataset with other content; --new-version takes this as its new version")
            % {"key": quoted(self.name(record))}
        )

    def _settle(self, batch: list[ReadLine]) -> list[Outcome]:
        completed = [self._completed(line) for line in batch]
        self.look_up([cast(R, line.record) for line in completed if line.record is not None])
        return [self._outcome(line) for line in completed]

    def _completed(self, line: ReadLine) -> ReadLine:
        if line.record is None:
            return line
        try:
            return ReadLine(line.place, record=self.complete(cast(R, line.record)))
        except BadLine as error:
            return ReadLine(line.place, reason=str(error))

    def _outcome(self, line: ReadLine) -> Outcome:
        if line.is_blank:
            return Outcome(line.place, Fate.BLANK)
        try:
            if line.record is None:
                raise BadLine(line.reason)
            record = cast(R, line.record)
            self._once(line.place, record)
            return self.settle(line.place, record)
        except BadLine as error:
            return Outcome(line.place, Fate.REFUSED, reason=str(error), fatal=line.fatal)

    def _once(self, place: Place, record: R) -> None:
        name = self.name(record)
        digest = blake2b(name.encode(), digest_size=16).digest()
        file, line = self._first_seen.setdefault(digest, (place.file, place.line))
        if (file, line) != (place.file, place.line):
            where = {"key": quoted(name), "file": file, "line": line}
            raise BadLine(_("%(key)s is there already, in %(file)s line %(line)s") % where)
