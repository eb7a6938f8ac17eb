"""The records of a source, one at a time."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.faults import BadLine
from scenarios.reading.json_lines import parse_object
from scenarios.reading.lines import ForeignFile, ReadFile
from scenarios.reading.records import Place, Record
from scenarios.reading.sources import FORMATS, Source, SourceFile


@dataclass(frozen=True, slots=True)
class ReadLine:
    """One line: a record, or the reason why it is none; with neither it is blank."""

    place: Place
    record: Record | None = None
    reason: str | None = None
    # The whole file is no data at all: leaving out the line would not help.
    fatal: bool = False

    @property
    def is_blank(self) -> bool:
        return self.record is None and self.reason is None


class Reading:
    """One pass over a source. `verb` is the format's function: `scenario` or `response`."""

    def __init__(self, source: Source, *, verb: str, language: str) -> None:
        self.source = source
        self.ignored: Counter[str] = Counter()
        self._language = language
        self._read: Callable[[dict[str, Any], Place], Record] = getattr(FORMATS[source.format], verb)
        self._files: list[tuple[str, ReadFile]] = []

    @property
    def bytes_read(self) -> int:
        return sum(file.bytes_read for _name, file in self._files)

    @property
    def sha256(self) -> str:
        """Of a single file its own; of a folder, of the names and hashes of its files. Right once all is read."""
        if len(self._files) == 1:
            return self._files[0][1].sha256
        parts = "".join(f"{name}\0{file.sha256}\n" for name, file in self._files)
        return hashlib.sha256(parts.encode()).hexdigest()

    def __iter__(self) -> Iterator[ReadLine]:
        for file in self.source.files:
            yield from self._lines(file)

    def _lines(self, file: SourceFile) -> Iterator[ReadLine]:
        read = ReadFile(file.path)
        self._files.append((file.name, read))
        empty = True
        for number, line in read.lines():
            place = Place(file=file.name, line=number, task=file.task, language=self._language)
            found = self._read_line(place, line)
            empty = empty and found.is_blank
            yield found
        if empty:
            place = Place(file=file.name, line=1, task=file.task, language=self._language)
            yield ReadLine(place, reason=_("the file is empty"), fatal=True)

    def _read_line(self, place: Place, line: bytes | BadLine) -> ReadLine:
        if isinstance(line, BadLine):
            return ReadLine(place, reason=str(line), fatal=isinstance(line, ForeignFile))
        if not line.strip():
            return ReadLine(place)
        try:
            record = self._read(parse_object(line), place)
        except BadLine as error:
            return ReadLine(place, reason=str(error))
        self.ignored.update(record.ignored)
        return ReadLine(place, record=record)
