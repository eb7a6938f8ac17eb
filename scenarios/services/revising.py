"""Mending a scenario that was ruled defective: a new version beside the old one, or none at all any more."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scenarios.models import Dataset, Import, Scenario
from scenarios.reading.context import memory_of, schedule_entry_of, turn_of
from scenarios.reading.faults import BadLine
from scenarios.reading.json_lines import check_texts
from scenarios.reading.records import ScenarioRecord, list_of, text_of
from scenarios.services.lifecycle import ImportBusy, finish, refuse_if_busy

if TYPE_CHECKING:
    from annotation.models import User

# What an import calls a version that came from no file.
FORMAT = "revision"


class RevisionInvalid(Exception):
    """What was asked for cannot be a scenario. `faults`: {part: [sentence]}."""

    def __init__(self, message: str, faults: Mapping[str, list[str]] | None = None) -> None:
        super().__init__(message)
        self.faults = dict(faults or {})


class ScenarioGone(Exception):
    """It was revised or withdrawn before."""


@transaction.atomic
def revise_scenario(*, scenario: Scenario, changes: Any, by: "User | None") -> Scenario:
    """The scenario's new version with these changes; the old one is kept, superseded, with every answer to it.

    changes: {part: its new content}, of persona, turns, memories, schedule and reference; what is not named stays.
    It arrives by an import of its own, of one record, that names who made it: no file holds this version. A file of
    the first content, imported again, is still unchanged.
    Raises ScenarioGone, RevisionInvalid (also where nothing changes), ImportBusy; nothing has changed then.
    """
    old = Scenario.objects.select_for_update(of=("self",)).select_related("dataset").get(pk=scenario.pk)
    if old.superseded:
        raise ScenarioGone(_("This scenario has a newer version already."))
    if old.withdrawn:
        raise ScenarioGone(_("This scenario was withdrawn."))
    changed = read_changes(changes)
    if all(getattr(old, part) == content for part, content in changed.items()):
        raise RevisionInvalid(_("Nothing is changed."), {"changes": [_("The new version says what the old one says.")]})
    content = {part: changed.get(part, getattr(old, part)) for part in PARTS}
    record = ScenarioRecord(key=old.key, task=old.task, language=old.language, tags=old.tags, **content)
    arrival = _arrival(old.dataset, f"revision of scenario {old.pk}", record.content_hash, by)
    versions = Scenario.objects.filter(dataset=old.dataset, key=old.key)
    last = versions.order_by("-version").values_list("version", flat=True)[0]
    new: Scenario = Scenario.objects.create(
        dataset=old.dataset,
        component=old.component,
        task=old.task,
        key=old.key,
        version=last + 1,
        language=old.language,
        tags=old.tags,
        content_hash=record.content_hash,
        arrival=arrival,
        **content,
    )
    old.superseded = True
    old.save(update_fields=["superseded"])
    finish(arrival, counts={"lines": 1, "created": 0, "unchanged": 0, "new_versions": 1, "refused": 0, "blank": 0})
    arrival.refresh_from_db()
    return new


@transaction.atomic
def withdraw_scenario(*, scenario: Scenario) -> Scenario:
    """Drawn for no campaign any more; kept with all that was said of it. Twice is the same."""
    found: Scenario = Scenario.objects.select_for_update(of=("self",)).get(pk=scenario.pk)
    found.withdrawn = True
    found.save(update_fields=["withdrawn"])
    return found


def read_changes(changes: Any) -> dict[str, Any]:
    """The changes in the bench's own form, read as a line of a file is. Raises RevisionInvalid naming every fault."""
    if not isinstance(changes, Mapping):
        raise RevisionInvalid(_("The changes must be an object."), {"changes": [_("Must be an object.")]})
    faults = {str(part): [_("This part of a scenario cannot be changed.")] for part in changes if part not in PARTS}
    read: dict[str, Any] = {}
    for part in [part for part in PARTS if part in changes]:
        try:
            check_texts(changes[part])
            read[part] = PARTS[part](dict(changes), part)
        except BadLine as error:
            faults[part] = [str(error)]
    if faults:
        raise RevisionInvalid(_("The new version is not valid; see the fields named."), faults)
    return read


def _list_by(entry_of: Callable[[object], dict[str, Any]]) -> Callable[[dict[str, Any], str], Any]:
    return lambda changes, part: [_finite(entry_of(entry)) for entry in list_of(changes, part)]


def _finite(entry: dict[str, Any]) -> dict[str, Any]:
    if any(isinstance(value, float) and not math.isfinite(value) for value in entry.values()):
        raise BadLine(_("a number is not finite"))
    return entry


# What a revision may change, each part with its reader.
PARTS: dict[str, Callable[[dict[str, Any], str], Any]] = {
    "persona": text_of,
    "turns": _list_by(turn_of),
    "memories": _list_by(memory_of),
    "schedule": _list_by(schedule_entry_of),
    "reference": text_of,
}


def _arrival(dataset: Dataset, source: str, sha256: str, by: "User | None") -> Import:
    """Under way until the caller is done: while it writes, the dataset takes no file. Raises ImportBusy."""
    refuse_if_busy(dataset.slug, job_id=None)
    try:
        with transaction.atomic():
            return Import.objects.create(
                dataset=dataset,
                kind=Import.Kind.SCENARIOS,
                source=source,
                sha256=sha256,
                format=FORMAT,
                heartbeat_at=timezone.now(),
                created_by=by,
            )
    except IntegrityError:
        raise ImportBusy(dataset.slug) from None
