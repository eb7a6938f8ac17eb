from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Exists, OuterRef

from scenarios.benchmark import TASKS
from scenarios.models import Dataset, Import, Scenario
from scenarios.reading.records import Place, ScenarioRecord
from scenarios.services.importing import Progress, Request, run
from scenarios.services.plan import Known, Outcome, Plan
from scenarios.services.report import ImportReport

if TYPE_CHECKING:
    from annotation.models import User


def import_scenarios(
    path: Path,
    *,
    dataset: str,
    format: str | None = None,
    task: str | None = None,
    language: str = "zh-Hans",
    skip_invalid: bool = False,
    new_version: bool = False,
    dry_run: bool = False,
    by: "User | None" = None,
    progress: Progress | None = None,
    job_id: UUID | None = None,
    title: str = "",
) -> ImportReport:
    """Import a file or a folder of scenarios into a dataset, which is made if there is none of that short name.

    format: concord, h2htalk, chat or sharegpt; told from the file where None. task: for files that do not say.
    language: of records that do not say. skip_invalid: leave out bad lines and report them, instead of refusing all.
    new_version: where a key is there with other content, take the record as its new version. progress: called with
    bytes done, bytes in all (both passes), and a message id. job_id: of the job that runs this, if one does.
    Raises ImportRefused with file, line and reason of what is wrong, and ImportBusy; nothing has changed then.
    """
    request = Request(
        path=path,
        dataset=dataset,
        kind=Import.Kind.SCENARIOS,
        verb="scenario",
        format=format,
        task=task,
        language=language,
        skip_invalid=skip_invalid,
        new_version=new_version,
        dry_run=dry_run,
        by=by,
        progress=progress,
        job_id=job_id,
        title=title,
    )
    return run(request, lambda found: ScenarioPlan(dataset=found, new_version=new_version))


class ScenarioPlan(Plan[ScenarioRecord]):
    def __init__(self, *, dataset: Dataset | None, new_version: bool) -> None:
        super().__init__(dataset=dataset, new_version=new_version)
        self._known: dict[str, Known] = {}

    def name(self, record: ScenarioRecord) -> str:
        return record.key

    def look_up(self, records: list[ScenarioRecord]) -> None:
        self._known = {}
        if self.dataset is None:
            return
        rows = Scenario.objects.filter(
            dataset=self.dataset, key__in={record.key for record in records}, arrival__state=Import.State.DONE
        ).values_list("key", "version", "content_hash")
        for key, version, content_hash in rows.order_by():
            known = self._known.setdefault(key, Known(version=version, hashes=set()))
            known.version = max(known.version, version)
            known.hashes.add(content_hash)

    def settle(self, place: Place, record: ScenarioRecord) -> Outcome:
        return self.compare(place, record, self._known.get(record.key))

    def write(self, outcomes: list[Outcome], arrival: Import) -> None:
        Scenario.objects.bulk_create([self._row(outcome, arrival) for outcome in outcomes])

    def supersede(self, arrival: Import) -> None:
        newer = Scenario.objects.filter(arrival=arrival, dataset=arrival.dataset, key=OuterRef("key"))
        Scenario.objects.newest_versions().filter(Exists(newer), dataset=arrival.dataset).update(superseded=True)

    @staticmethod
    def _row(outcome: Outcome, arrival: Import) -> Scenario:
        record = outcome.record
        assert isinstance(record, ScenarioRecord)
        return Scenario(
            dataset=arrival.dataset,
            component=TASKS[record.task].component,
            task=record.task,
            key=record.key,
            version=outcome.version,
            language=record.language,
            persona=record.persona,
            turns=record.turns,
            memories=record.memories,
            schedule=record.schedule,
            reference=record.reference,
            tags=record.tags,
            content_hash=record.content_hash,
            arrival=arrival,
        )
