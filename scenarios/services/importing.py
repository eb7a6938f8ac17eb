"""Both imports' way: check the whole file, then write it in batches that nobody sees before the last."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scenarios.models import Dataset, Import
from scenarios.reading.faults import BadLine, Fault, ImportRefused, quoted
from scenarios.reading.reader import Reading
from scenarios.reading.records import language_of
from scenarios.reading.sources import Source, find_source
from scenarios.services.lifecycle import (
    Beginning,
    DatasetMoved,
    beat,
    begin,
    finish,
    give_up,
    last_import,
    refuse_if_busy,
)
from scenarios.services.plan import BATCH, Fate, Outcome, Plan
from scenarios.services.report import ImportReport, Tally

if TYPE_CHECKING:
    from annotation.models import User

CHECKING, WRITING = gettext_noop("Checking the file"), gettext_noop("Writing")
_SLUG = re.compile(r"[A-Za-z0-9_-]{1,50}")
_RESERVED = "import"  # /datasets/import/ takes files: the page of a dataset of that name could not be reached


class Progress(Protocol):
    def __call__(self, done: int, total: int, note: str = "") -> None: ...


@dataclass(frozen=True)
class Request:
    """What someone asked to be imported."""

    path: Path
    dataset: str
    kind: str
    verb: str  # the formats' function that reads it
    format: str | None
    task: str | None
    language: str
    skip_invalid: bool
    new_version: bool
    dry_run: bool
    by: "User | None"
    progress: Progress | None
    job_id: UUID | None
    title: str = ""


def run(request: Request, make_plan: Callable[[Dataset | None], Plan[Any]]) -> ImportReport:
    """Import what is asked for, whole or not at all.

    Raises ImportRefused, ImportBusy, and what `progress` raises; nothing is left behind then.
    """
    _check(request)
    refuse_if_busy(request.dataset, job_id=request.job_id)
    source = find_source(request.path, format=request.format, task=request.task)
    while True:
        seen = last_import(request.dataset)
        plan = make_plan(Dataset.objects.filter(slug=request.dataset).first())
        reading, tally, companions = _first_pass(request, source, plan)
        _refuse_if_bad(request, tally)
        if request.dry_run or not tally.written:
            return _report(request, reading, tally, None)
        try:
            arrival = begin(_beginning(request, reading, seen), companions=companions)
        except DatasetMoved:
            continue  # another import was finished meanwhile: what was checked must be checked again
        return _second_pass(request, source, reading, tally, arrival, make_plan)


def _check(request: Request) -> None:
    if not _SLUG.fullmatch(request.dataset):
        say = _("%(slug)s cannot be a dataset's short name: letters, digits, - and _ only")
        raise ImportRefused([Fault("", None, say % {"slug": quoted(request.dataset)})])
    if request.dataset == _RESERVED:
        say = _("%(slug)s is an address of Concord's own; choose another short name")
        raise ImportRefused([Fault("", None, say % {"slug": quoted(request.dataset)})])
    try:
        language_of(request.language)
    except BadLine as error:
        raise ImportRefused([Fault("", None, str(error))]) from None


def _first_pass(request: Request, source: Source, plan: Plan[Any]) -> tuple[Reading, Tally, set[str]]:
    reading, tally = Reading(source, verb=request.verb, language=request.language), Tally()
    companions: set[str] = set()
    for outcomes in plan.outcomes(reading):
        for outcome in outcomes:
            tally.add(outcome)
            companions |= plan.companions(outcome)
        _say(request, reading.bytes_read, source.size, CHECKING)
    return reading, tally, companions


def _refuse_if_bad(request: Request, tally: Tally) -> None:
    if not tally.faults.total:
        return
    nothing_left = not tally.written and not tally.counts[Fate.UNCHANGED]
    if tally.fatal or nothing_left or not request.skip_invalid:
        raise ImportRefused(tally.faults.kept, total=tally.faults.total)


def _second_pass(
    request: Request,
    source: Source,
    checked: Reading,
    tally: Tally,
    arrival: Import,
    make_plan: Callable[[Dataset | None], Plan[Any]],
) -> ImportReport:
    reading = Reading(source, verb=request.verb, language=request.language)
    plan = make_plan(arrival.dataset)
    try:
        for outcomes in plan.outcomes(reading):
            _write(plan, outcomes, arrival)
            _say(request, source.size + reading.bytes_read, source.size, WRITING)
        if reading.sha256 != checked.sha256:
            raise ImportRefused([Fault(source.name, None, _("the file changed while it was being read"))])
        report = _report(request, reading, tally, arrival.pk)
        with transaction.atomic():
            beat(arrival)
            if report.new_versions:
                plan.supersede(arrival)
            finish(arrival, counts=_counts(report))
    except BaseException:
        give_up(arrival)
        raise
    return report


def _write(plan: Plan[Any], outcomes: list[Outcome], arrival: Import) -> None:
    new = [outcome for outcome in outcomes if outcome.fate in (Fate.CREATED, Fate.NEW_VERSION)]
    assert len(new) <= BATCH
    with transaction.atomic():
        beat(arrival)
        plan.write(new, arrival)


def _beginning(request: Request, reading: Reading, seen: int | None) -> Beginning:
    return Beginning(
        slug=request.dataset,
        title=request.title,
        kind=request.kind,
        source=reading.source.name,
        format=reading.source.format,
        sha256=reading.sha256,
        by=request.by,
        job_id=request.job_id,
        seen=seen,
    )


def _say(request: Request, done: int, size: int, note: str) -> None:
    if request.progress is not None:
        request.progress(done, 2 * size, note)


def _report(request: Request, reading: Reading, tally: Tally, import_id: int | None) -> ImportReport:
    return tally.report(
        dataset=request.dataset, kind=request.kind, reading=reading, dry_run=request.dry_run, import_id=import_id
    )


def _counts(report: ImportReport) -> dict[str, int]:
    names = ("lines", "created", "unchanged", "new_versions", "refused", "blank")
    return {name: getattr(report, name) for name in names}
