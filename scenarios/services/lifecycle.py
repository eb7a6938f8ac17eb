"""An Import's life: begun, heard of with each batch, finished or cleared away."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scenarios.models import Companion, Dataset, Import
from scenarios.services.clearing import clear_away, clear_stale

if TYPE_CHECKING:
    from annotation.models import User


class ImportBusy(Exception):
    """Another import into this dataset is under way."""

    def __init__(self, slug: str) -> None:
        super().__init__(
            _("Another import into dataset %(slug)s is under way. Try again when it is done.") % {"slug": slug}
        )


class ImportLost(Exception):
    """This import was given up as dead, and what it had written was cleared away."""


class DatasetMoved(Exception):
    """Another import was finished since this one checked its file: the check does not hold any more."""


@dataclass(frozen=True)
class Beginning:
    """What an Import row is begun with."""

    slug: str
    title: str
    kind: str
    source: str
    format: str
    sha256: str
    by: "User | None"
    job_id: UUID | None
    # The last import that was done when the file was checked.
    seen: int | None


def last_import(slug: str) -> int | None:
    """The newest import of a dataset that is done: a check made before it does not hold after it."""
    done = Import.objects.done().filter(dataset__slug=slug).order_by("-finished_at", "-id")
    return done.values_list("pk", flat=True).first()


def refuse_if_busy(slug: str, *, job_id: UUID | None) -> None:
    """Clears away what died here before. Raises ImportBusy where an import is alive."""
    clear_stale(slug=slug, job_id=job_id)
    if Import.objects.unfinished().filter(dataset__slug=slug).exists():
        raise ImportBusy(slug)


def begin(beginning: Beginning, *, companions: set[str]) -> Import:
    """Open the import, with its dataset and companions where they are new; nobody sees any of it yet.

    Raises ImportBusy and DatasetMoved.
    """
    refuse_if_busy(beginning.slug, job_id=beginning.job_id)
    try:
        with transaction.atomic():
            return _begin(beginning, companions)
    except IntegrityError:
        raise ImportBusy(beginning.slug) from None


def _begin(beginning: Beginning, companions: set[str]) -> Import:
    dataset, made = Dataset.objects.get_or_create(
        slug=beginning.slug, defaults={"title": beginning.title or beginning.slug}
    )
    arrival = Import.objects.create(
        dataset=dataset,
        kind=beginning.kind,
        source=beginning.source[:255],
        format=beginning.format,
        sha256=beginning.sha256,
        heartbeat_at=timezone.now(),
        job_id=beginning.job_id,
        created_by=beginning.by,
        created_dataset=made,
    )
    if last_import(beginning.slug) != beginning.seen:
        raise DatasetMoved
    for name in sorted(companions):
        companion, new = Companion.objects.get_or_create(name=name)
        if new:
            arrival.created_companions.append(companion.pk)
    if arrival.created_companions:
        arrival.save(update_fields=["created_companions"])
    return arrival


def beat(arrival: Import) -> None:
    """Say that it lives; inside a transaction this also keeps it from being cleared away before the commit.

    Raises ImportLost where it has been given up.
    """
    alive = Import.objects.filter(pk=arrival.pk, state=Import.State.RUNNING)
    if not alive.update(heartbeat_at=timezone.now()):
        raise ImportLost(_("This import was given up as dead; nothing of it was kept. Start it again."))


def finish(arrival: Import, *, counts: dict[str, Any]) -> None:
    """Done: from this transaction on its rows are seen."""
    now = timezone.now()
    Import.objects.filter(pk=arrival.pk).update(
        state=Import.State.DONE, finished_at=now, heartbeat_at=now, counts=counts
    )


def give_up(arrival: Import) -> None:
    """Clear away what this import has written; not an error where the sweep was quicker."""
    clear_away(arrival.pk)
