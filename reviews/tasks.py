"""Background work of the reviews room."""

from celery import shared_task

from reviews.services.cases import expire_case_leases


@shared_task
def sweep_case_leases() -> int:
    """Brings back the cases whose expert's lease is over, also where nobody asks for the next one."""
    return expire_case_leases()
