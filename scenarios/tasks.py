"""Background work of this room; only a worker imports it."""

from typing import Any

from celery import shared_task

from jobs.errors import JobFailed
from jobs.handlers import handles
from jobs.running import RunningJob
from scenarios import services, uploads
from scenarios.services import ImportBusy, ImportRefused
from scenarios.wording import refusal_line


@handles("import_scenarios")
def import_scenarios(job: RunningJob) -> dict[str, Any]:
    return _import(services.import_scenarios, job)


@handles("import_responses")
def import_responses(job: RunningJob) -> dict[str, Any]:
    return _import(services.import_responses, job)


def _import(service: Any, job: RunningJob) -> dict[str, Any]:
    """Run an import on what was uploaded. The files stay till the job is finished: another attempt may need them."""
    arguments = dict(job.arguments)
    path = uploads.path_of(arguments.pop("upload"), as_folder=arguments.pop("as_folder"))
    try:
        report = service(path, by=job.by, progress=job.progress, job_id=job.id, **arguments)
    except ImportRefused as refusal:
        raise JobFailed(refusal_line(refusal), result=refusal.as_json()) from None
    except ImportBusy as busy:
        raise JobFailed(str(busy)) from None
    result: dict[str, Any] = report.as_json()
    return result


@shared_task(name="scenarios.tasks.sweep_imports")
def sweep_imports() -> None:
    """Clear away what dead imports left, and uploads that no job needs any more."""
    services.sweep_imports()
    uploads.sweep()
