"""Which files a path means, and in which format they are."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from django.utils.translation import gettext as _

from scenarios.benchmark import TASKS
from scenarios.reading import chat, concord, h2htalk, sharegpt
from scenarios.reading.faults import BadLine, Fault, ImportRefused, quoted
from scenarios.reading.json_lines import parse_object
from scenarios.reading.lines import ReadFile

FORMATS: dict[str, ModuleType] = {"concord": concord, "h2htalk": h2htalk, "chat": chat, "sharegpt": sharegpt}
# What gives a format away, by a key of its first record.
_SIGNS = {"key": "concord", "messages": "chat", "conversations": "sharegpt", "response": "h2htalk", "answer": "h2htalk"}
# Lines that are looked at before giving up on telling the format.
_LOOKED_AT = 100


def name_of(path: Path) -> str:
    """The file's name as it may be kept and shown: file systems take bytes that are no text, and line breaks."""
    text = os.fsencode(path.name).decode("utf-8", "replace")
    return "".join(char if char.isprintable() else "�" for char in text)


@dataclass(frozen=True)
class SourceFile:
    path: Path
    task: str | None

    @property
    def name(self) -> str:
        return name_of(self.path)


@dataclass(frozen=True)
class Source:
    """The files of one import, in the order they are read, all of one format."""

    name: str
    format: str
    files: list[SourceFile]
    # Files of the folder that are none of its data, said in the report.
    left_alone: list[str]

    @property
    def size(self) -> int:
        return sum(file.path.stat().st_size for file in self.files)


def find_source(path: Path, *, format: str | None, task: str | None) -> Source:
    """The files that a path means. Raises ImportRefused where there is nothing there to read."""
    if format is not None and format not in FORMATS:
        raise ImportRefused([Fault("", None, _("unknown format %(format)s") % {"format": quoted(format)})])
    if task is not None and task not in TASKS:
        raise ImportRefused([Fault("", None, _("unknown task %(task)s") % {"task": quoted(task)})])
    try:
        source = _folder(path, format, task) if path.is_dir() else _file(path, format, task)
        for file in source.files:
            file.path.open("rb").close()
    except OSError as error:
        raise ImportRefused([Fault(name_of(path), None, _unreadable(error))]) from None
    if source.format != "concord":
        _need_tasks(source.files)
    return source


def _unreadable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return _("there is no such file or folder")
    return _("cannot be read: %(why)s") % {"why": error.strerror or type(error).__name__}


def _file(path: Path, format: str | None, task: str | None) -> Source:
    if path.exists() and not path.is_file():
        raise ImportRefused([Fault(name_of(path), None, _("neither a file nor a folder"))])
    file = SourceFile(path, task)
    format = format or _detect(path)
    if format != "concord" and task is None and path.stem in TASKS:
        file = SourceFile(path, path.stem)
    return Source(name_of(path), format, [file], [])


def _folder(path: Path, format: str | None, task: str | None) -> Source:
    """A folder of TASK.jsonl files is H2HTalk; with another format named, all its .jsonl files are read."""
    inside = sorted(path.iterdir())
    data = [entry for entry in inside if entry.suffix.lower() == ".jsonl" and entry.is_file()]
    left_alone = [name_of(entry) for entry in inside if entry not in data]
    if format in (None, "h2htalk"):
        of_task = {entry.stem: entry for entry in data if entry.stem in TASKS}
        if not of_task:
            say = _("no TASK.jsonl file is in this folder; name the format if all its .jsonl files are to be read")
            raise ImportRefused([Fault(name_of(path), None, say)])
        stray = [name_of(entry) for entry in data if entry.stem not in TASKS]
        if stray:
            say = _("named after none of the eleven tasks; take it out of the folder")
            raise ImportRefused([Fault(name, 1, say) for name in stray])
        files = [SourceFile(of_task[name], name) for name in TASKS if name in of_task]
        return Source(name_of(path), "h2htalk", files, left_alone)
    if not data:
        raise ImportRefused([Fault(name_of(path), None, _("no .jsonl file is in this folder"))])
    named = format != "concord"
    files = [SourceFile(entry, entry.stem if named and entry.stem in TASKS else task) for entry in data]
    return Source(name_of(path), str(format), files, left_alone)


def _need_tasks(files: Iterable[SourceFile]) -> None:
    faults = [
        Fault(file.name, 1, _("which task is this? Name it (--task), or name the file TASK.jsonl"))
        for file in files
        if file.task is None
    ]
    if faults:
        raise ImportRefused(faults)


def _detect(path: Path) -> str:
    """The format of a file, by the keys of its first record that can be read."""
    first_fault: Fault | None = None
    for number, line in ReadFile(path).lines():
        if number > _LOOKED_AT:
            break
        if isinstance(line, bytes) and not line.strip():
            continue
        try:
            return _format_of(_object(line))
        except BadLine as error:
            first_fault = first_fault or Fault(name_of(path), number, str(error))
    raise ImportRefused([first_fault or Fault(name_of(path), 1, _("the file is empty"))])


def _object(line: bytes | BadLine) -> dict[str, Any]:
    if isinstance(line, BadLine):
        raise line
    return parse_object(line)


def _format_of(data: dict[str, Any]) -> str:
    for sign, format in _SIGNS.items():
        if sign in data:
            return format
    raise BadLine(_("no known format: “key” is missing, and there is no “messages” or “conversations” either"))
