"""Clearing away what an import left that did not come to its end."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scenarios.models import Companion, Dataset, Import, Response, Scenario
from scenarios.models.imports import STALE_AFTER

_AT_ONCE = 1000


def sweep_imports(*, now: datetime | None = None) -> list[int]:
    """Clear away every import that has not been heard of for two minutes; returns their ids."""
    now = now or timezone.now()
    stale = list(Import.objects.stale(now).values_list("pk", flat=True))
    return [pk for pk in stale if clear_away(pk)]


def clear_stale(*, slug: str, job_id: UUID | None) -> None:
    """Clear away dead imports of a dataset, and what an earlier attempt of this very job left."""
    dead = Q(heartbeat_at__lt=timezone.now() - STALE_AFTER)
    if job_id is not None:
        dead |= Q(job_id=job_id)
    for pk in list(Import.objects.unfinished().filter(dead, dataset__slug=slug).values_list("pk", flat=True)):
        clear_away(pk)


def clear_away(pk: int) -> bool:
    """Delete what an unfinished import has written; False where it is finished after all.

    First its state: from then on whoever still writes for it is stopped at the next batch. Then its rows, in short
    transactions. Killed half-way, it is found and cleared by the next sweep.
    """
    unfinished = Import.objects.unfinished().filter(pk=pk)
    if not unfinished.update(state=Import.State.FAILED):
        return False
    for model in (Response, Scenario):
        while ids := list(model.objects.filter(arrival=pk).order_by().values_list("pk", flat=True)[:_AT_ONCE]):
            model.objects.filter(pk__in=ids).delete()
    with transaction.atomic():
        arrival = unfinished.select_for_update().select_related(None).first()
        if arrival is not None:
            _close(arrival)
    return True


def _close(arrival: Import) -> None:
    made = Companion.objects.filter(pk__in=arrival.created_companions, responses__isnull=True)
    if not Import.objects.unfinished().filter(kind=Import.Kind.RESPONSES).exclude(pk=arrival.pk).exists():
        made.delete()  # with another import under way one of them may be in use a moment from now
    others = Import.objects.filter(dataset=arrival.dataset_id).exclude(pk=arrival.pk)
    if arrival.created_dataset and not others.exists():
        arrival.delete()
        Dataset.objects.filter(pk=arrival.dataset_id).delete()
        return
    arrival.finished_at = timezone.now()
    arrival.save(update_fields=["finished_at"])
