"""Background work of the annotation room."""

from celery import shared_task

from annotation.services.leases import end_stranded, expire_overdue


@shared_task
def sweep_leases() -> int:
    """Brings back the places of leases whose time is over, also where nobody asks for a next item."""
    return expire_overdue() + end_stranded()
