"""The two bells."""

from uuid import UUID

from celery import shared_task

from jobs import runner, services


@shared_task(name="jobs.tasks.run_job")
def run_job(job_id: str) -> None:
    runner.run(UUID(job_id))


@shared_task(name="jobs.tasks.sweep")
def sweep() -> None:
    services.sweep()
