"""Physical lines of a file, as bytes, one at a time."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scenarios.reading.faults import BadLine

LONGEST_LINE = 1024 * 1024
BOM = b"\xef\xbb\xbf"

_FOREIGN: tuple[tuple[tuple[bytes, ...], str], ...] = (
    ((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"), gettext_noop("this is a ZIP archive: unpack it first")),
    ((b"\x1f\x8b",), gettext_noop("this is a gzip file: unpack it first")),
    (
        (b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf"),
        gettext_noop("this is an archive: unpack it first"),
    ),
    (
        (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff", b"{\x00", b"\x00{"),
        gettext_noop("this is UTF-16 or UTF-32: save it as UTF-8"),
    ),
    ((b"%PDF",), gettext_noop("this is a PDF, not a text file")),
)


class ForeignFile(BadLine):
    """The file is of another kind altogether; no line of it can be read."""


class TooLong(BadLine):
    """A line above the limit; it was passed over, not held in memory."""


class ReadFile:
    """One file while it is read: what was read so far, and its hash once all was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes_read = 0
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def lines(self) -> Iterator[tuple[int, bytes | BadLine]]:
        """Number and bytes of each line, divided at line feeds only, without its ending and the file's BOM.

        U+2028, U+0085 or a lone carriage return inside a text divides nothing. In place of a line that is too long
        comes a TooLong, in place of everything a ForeignFile.
        """
        with self.path.open("rb") as stream:
            head = stream.peek(8)[:8]
            for starts, reason in _FOREIGN:
                if head.startswith(starts):
                    yield 1, ForeignFile(_(reason))
                    return
            yield from self._lines(stream)

    def _lines(self, stream: BinaryIO) -> Iterator[tuple[int, bytes | BadLine]]:
        number = 0
        while raw := self._next(stream):
            number += 1
            if number == 1:
                raw = raw.removeprefix(BOM)
            line = raw.removesuffix(b"\n").removesuffix(b"\r")
            if len(line) <= LONGEST_LINE:
                yield number, line
                continue
            while not raw.endswith(b"\n") and (raw := self._next(stream)):
                pass
            yield number, TooLong(_("the line is longer than 1 MiB"))

    def _next(self, stream: BinaryIO) -> bytes:
        raw = stream.readline(LONGEST_LINE + len(BOM) + 2)
        self.bytes_read += len(raw)
        self._hash.update(raw)
        return raw
