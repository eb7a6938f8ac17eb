"""Known answers brought in from a file: the whole file in one transaction, or nothing."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.answer_file import KnownAnswerLine, read_lines, with_places
from annotation.errors import CampaignNotOpen, ConcordError
from annotation.models import Campaign, User, WorkItem
from annotation.services.campaigns import log
from annotation.services.references import keep_reference
from scenarios.item_ids import split_item_id
from scenarios.models import Response
from scenarios.reading.faults import BadLine, Fault, FaultLog, ImportRefused, quoted


@dataclass
class AnswersImported:
    """lines = created + replaced + unchanged; training and check count the lines by use."""

    lines: int = 0
    created: int = 0
    replaced: int = 0
    unchanged: int = 0
    training: int = 0
    check: int = 0

    def as_json(self) -> dict[str, int]:
        return asdict(self)


@transaction.atomic
def import_answers(
    *, campaign: Campaign, path: Path, name: str = "", by: User | None = None, dry_run: bool = False
) -> AnswersImported:
    """Reads the file to its end and keeps every answer, or none. `name`: what faults and log call the file.

    Raises ImportRefused with every fault and its line, CampaignNotOpen where the campaign is closed.
    """
    if campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: it takes no more known answers."))
    name, report, faults = name or path.name, AnswersImported(), FaultLog()
    first_seen: dict[tuple[str, str], int] = {}
    try:
        for number, line in read_lines(path):
            report.lines += 1
            try:
                _take(campaign, line, first_seen, name, report)
            except BadLine as bad:
                faults.add(Fault(name, number, str(bad)))
            except ConcordError as error:
                faults.add(Fault(name, number, _in_words(error)))
    except OSError as error:
        raise ImportRefused([Fault(name, None, error.strerror or str(error))]) from None
    if not report.lines:
        faults.add(Fault(name, None, _("the file is empty")))
    if faults.total:
        raise ImportRefused(faults.kept, total=faults.total)
    if dry_run:
        transaction.set_rollback(True)
    elif report.created or report.replaced:
        log(campaign, "known answers imported", by, file=name, **report.as_json())
    return report


def _take(
    campaign: Campaign,
    line: KnownAnswerLine | BadLine,
    first_seen: dict[tuple[str, str], int],
    name: str,
    report: AnswersImported,
) -> None:
    if isinstance(line, BadLine):
        raise line
    first = first_seen.setdefault((line.item_id, line.use), line.line)
    if first != line.line:
        raise BadLine(_("this item stands on line %(line)s already") % {"line": first})
    response = _response(campaign, line.item_id)
    kept = keep_reference(
        campaign=campaign,
        response=response,
        purpose=line.use,
        scores=line.scores,
        marks=with_places(line.marks, response.text),
        reasons=line.reasons,
        source=name,
    )
    setattr(report, kept.outcome, getattr(report, kept.outcome) + 1)
    setattr(report, line.use, getattr(report, line.use) + 1)


def _response(campaign: Campaign, item_id: str) -> Response:
    """The version that the campaign has already, else the current one."""
    key, companion, condition = split_item_id(item_id)
    found = Response.objects.filter(
        scenario__dataset=campaign.dataset_id, scenario__key=key, companion__name=companion, condition=condition
    ).select_related("scenario", "companion")
    mine = WorkItem.everything.filter(campaign=campaign).values("response")
    response = found.filter(pk__in=mine).order_by("pk").last()
    standing = {"scenario__superseded": False, "scenario__withdrawn": False}
    response = response or found.current().filter(**standing).order_by("pk").last()
    if response is None:
        raise BadLine(_("no response %(id)s in the campaign's dataset") % {"id": quoted(item_id)})
    return response


def _in_words(error: ConcordError) -> str:
    """In one line: the fields at fault, else what was refused."""
    fields: dict[str, Any] = error.fields
    said = [f"{field}: {' '.join(map(str, faults))}" for field, faults in fields.items()]
    return "; ".join(said) or str(error)
