"""Files sent by a browser, kept until their import job is finished: MEDIA_ROOT/uploads/UUID/NAME."""

import os
import shutil
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _

from jobs.models import Job
from jobs.services import enqueue

if TYPE_CHECKING:
    from annotation.models import User

# A folder without a job is one whose request is still under way, or was cut off.
_SECONDS_WITHOUT_JOB = 3600
# What file systems take; a browser's system may count characters, of which one can have four bytes.
_LONGEST_NAME = 255


class UploadRefused(Exception):
    """These files cannot be taken as they are."""


def keep(files: Iterable[UploadedFile]) -> str:
    """Store the files in a folder of their own; returns its name. Raises UploadRefused."""
    upload = uuid.uuid4().hex
    folder = _root() / upload
    folder.mkdir(parents=True)
    try:
        for file in files:
            _store(file, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return upload


def start_import(
    *, kind: str, files: Iterable[UploadedFile], as_folder: bool, options: dict[str, Any], by: "User"
) -> Job:
    """Keep the files and write down the job that imports them. Raises UploadRefused.

    kind: scenarios or responses. options: the keyword arguments of that import's service.
    """
    upload = keep(files)
    return enqueue(
        kind=f"import_{kind}",
        arguments={**options, "upload": upload, "as_folder": as_folder},
        by=by,
        subject=f"dataset:{options['dataset']}",
    )


def path_of(upload: str, *, as_folder: bool) -> Path:
    """The folder, or the one file in it."""
    folder = _root() / uuid.UUID(upload).hex
    if as_folder or not folder.is_dir():
        return folder
    return next(folder.iterdir(), folder)


def sweep() -> list[str]:
    """Remove uploads whose job is finished, and those that never got one; returns their names."""
    root = _root()
    gone = []
    for folder in root.iterdir() if root.is_dir() else ():
        job = Job.objects.filter(arguments__upload=folder.name).first()
        old = time.time() - folder.stat().st_mtime > _SECONDS_WITHOUT_JOB
        if job.is_finished if job else old:
            shutil.rmtree(folder, ignore_errors=True)
            gone.append(folder.name)
    return gone


def _root() -> Path:
    return Path(settings.MEDIA_ROOT) / "uploads"


def _store(file: UploadedFile, folder: Path) -> None:
    path = folder / Path(file.name or "upload").name
    if len(os.fsencode(path.name)) > _LONGEST_NAME:
        told = {"name": f"{path.name[:40]}…", "most": _LONGEST_NAME}
        raise UploadRefused(_("The name of %(name)s is longer than %(most)s bytes. Give it a shorter one.") % told)
    if path.exists():
        raise UploadRefused(_("Two of these files are named %(name)s.") % {"name": path.name})
    with path.open("wb") as stored:
        for chunk in file.chunks():
            stored.write(chunk)
