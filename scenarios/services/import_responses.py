from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from scenarios.benchmark import Condition
from scenarios.item_ids import make_item_id
from scenarios.models import Companion, Dataset, Import, Response, Scenario
from scenarios.reading.faults import BadLine, Fault, ImportRefused, quoted
from scenarios.reading.records import Place, ResponseRecord, condition_of, name_of
from scenarios.services.importing import Progress, Request, run
from scenarios.services.plan import Fate, Known, Outcome, Plan
from scenarios.services.report import ImportReport

if TYPE_CHECKING:
    from annotation.models import User


def import_responses(
    path: Path,
    *,
    dataset: str,
    companion: str | None = None,
    condition: str | None = None,
    format: str | None = None,
    task: str | None = None,
    language: str = "zh-Hans",
    skip_invalid: bool = False,
    new_version: bool = False,
    dry_run: bool = False,
    by: "User | None" = None,
    progress: Progress | None = None,
    job_id: UUID | None = None,
) -> ImportReport:
    """Import what a companion said to the scenarios of a dataset.

    companion, condition: of lines that do not say; a line that says otherwise is a fault. Condition is `no_sap` where
    neither says. A companion that is new is made. The rest is as in `import_scenarios`.
    Raises ImportRefused (also where there is no such dataset) and ImportBusy; nothing has changed then.
    """
    try:
        companion = name_of(companion, "companion") if companion else None
        condition = condition_of(condition) if condition else None
    except BadLine as error:
        raise ImportRefused([Fault("", None, str(error))]) from None
    if not Dataset.objects.established().filter(slug=dataset).exists():
        say = _("there is no dataset %(slug)s: import its scenarios first") % {"slug": quoted(dataset)}
        raise ImportRefused([Fault("", None, say)])
    request = Request(
        path=path,
        dataset=dataset,
        kind=Import.Kind.RESPONSES,
        verb="response",
        format=format,
        task=task,
        language=language,
        skip_invalid=skip_invalid,
        new_version=new_version,
        dry_run=dry_run,
        by=by,
        progress=progress,
        job_id=job_id,
    )
    return run(request, lambda found: ResponsePlan(found, companion, condition, new_version=new_version))


class ResponsePlan(Plan[ResponseRecord]):
    def __init__(
        self, dataset: Dataset | None, companion: str | None, condition: str | None, *, new_version: bool
    ) -> None:
        super().__init__(dataset=dataset, new_version=new_version)
        self._companion, self._condition = companion, condition
        self._scenarios: dict[str, int] = {}
        self._known: dict[tuple[str, str, str], Known] = {}

    def name(self, record: ResponseRecord) -> str:
        return make_item_id(record.key, str(record.companion), str(record.condition))

    def complete(self, record: ResponseRecord) -> ResponseRecord:
        companion = self._one(record.companion, self._companion, "companion")
        if companion is None:
            raise BadLine(_("which companion said this? Neither the line nor the import (--companion) names it"))
        condition = self._one(record.condition, self._condition, "condition") or Condition.NO_SAP
        return replace(record, companion=companion, condition=str(condition))

    @staticmethod
    def _one(in_line: str | None, of_all: str | None, name: str) -> str | None:
        if in_line and of_all and in_line != of_all:
            said = {"name": name, "line": quoted(in_line), "all": quoted(of_all)}
            raise BadLine(_("the line says %(name)s %(line)s, the import %(all)s") % said)
        return in_line or of_all

    def companions(self, outcome: Outcome) -> set[str]:
        if outcome.fate not in (Fate.CREATED, Fate.NEW_VERSION):
            return set()
        assert isinstance(outcome.record, ResponseRecord)
        return {str(outcome.record.companion)}

    def look_up(self, records: list[ResponseRecord]) -> None:
        keys = {record.key for record in records}
        names = {str(record.companion) for record in records}
        # Withdrawn ones too: a file of answers to a whole benchmark is not refused for the few ruled out since.
        scenarios = Scenario.objects.newest_versions().filter(dataset=self.dataset, key__in=keys)
        self._scenarios = dict(scenarios.order_by().values_list("key", "pk"))
        self._known = {}
        rows = Response.objects.filter(
            scenario__dataset=self.dataset,
            scenario__key__in=keys,
            companion__name__in=names,
            arrival__state=Import.State.DONE,
        ).values_list(
            "scenario__key", "companion__name", "condition", "version", "content_hash", "superseded", "scenario"
        )
        for key, companion, condition, version, content_hash, superseded, scenario_id in rows.order_by():
            known = self._known.setdefault((key, companion, condition), Known(version=version, hashes=set()))
            known.version = max(known.version, version)
            known.hashes.add(content_hash)
            if not superseded:
                known.scenario_id = scenario_id

    def settle(self, place: Place, record: ResponseRecord) -> Outcome:
        scenario_id = self._scenarios.get(record.key)
        if scenario_id is None:
            raise BadLine(_("the dataset has no scenario %(key)s") % {"key": quoted(record.key)})
        known = self._known.get((record.key, str(record.companion), str(record.condition)))
        outcome = replace(self.compare(place, record, known), scenario_id=scenario_id)
        if known and outcome.fate is Fate.UNCHANGED and self.new_version and known.scenario_id != scenario_id:
            # the same words, to a scenario that has a new version since
            return replace(outcome, fate=Fate.NEW_VERSION, version=known.version + 1)
        return outcome

    def write(self, outcomes: list[Outcome], arrival: Import) -> None:
        names = {str(outcome.record.companion) for outcome in outcomes if isinstance(outcome.record, ResponseRecord)}
        companions = dict(Companion.objects.filter(name__in=names).values_list("name", "pk"))
        Response.objects.bulk_create([self._row(outcome, arrival, companions) for outcome in outcomes])

    def supersede(self, arrival: Import) -> None:
        newer = Response.objects.filter(
            arrival=arrival,
            scenario__key=OuterRef("scenario__key"),
            companion=OuterRef("companion"),
            condition=OuterRef("condition"),
        )
        old = Response.objects.current().filter(Exists(newer), scenario__dataset=arrival.dataset)
        old.update(superseded=True)

    @staticmethod
    def _row(outcome: Outcome, arrival: Import, companions: dict[str, int]) -> Response:
        record = outcome.record
        assert isinstance(record, ResponseRecord)
        assert outcome.scenario_id is not None
        return Response(
            scenario_id=outcome.scenario_id,
            companion_id=companions[str(record.companion)],
            condition=str(record.condition),
            text=record.text,
            version=outcome.version,
            content_hash=record.content_hash,
            arrival=arrival,
        )
