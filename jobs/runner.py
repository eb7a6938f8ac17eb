"""What a worker does when the bell rings: claim, hand over, write down how it ended."""

import logging
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from jobs import services
from jobs.errors import JobCancelled, JobFailed, LeaseLost
from jobs.handlers import handler_of
from jobs.models import Job
from jobs.running import RunningJob

logger = logging.getLogger(__name__)


def run(job_id: UUID) -> bool:
    """Run the job if it is to be had; False where another worker has it or it is finished.

    What a handler says to people is said in the language of whoever asked for the job.
    """
    attempt = services.claim(job_id)
    if attempt is None:
        return False
    job = Job.objects.select_related("created_by").get(pk=job_id)
    language = getattr(job.created_by, "language", "") or settings.LANGUAGE_CODE
    with translation.override(language):
        _run(job, attempt=attempt)
    return True


def _run(job: Job, *, attempt: int) -> None:
    try:
        result = handler_of(job.kind)(RunningJob(job, attempt=attempt))
        kept = services.finish(job.pk, attempt=attempt, result=result)
    except JobCancelled:
        kept = services.stop(job.pk, attempt=attempt)
    except LeaseLost:
        kept = False
    except JobFailed as refusal:
        kept = services.fail(job.pk, attempt=attempt, error=str(refusal), result=refusal.result)
    except Exception as error:
        logger.exception("job %s (%s) failed", job.pk, job.kind)
        told = _("Something went wrong that should not have: %(error)s.") % {"error": type(error).__name__}
        kept = services.fail(job.pk, attempt=attempt, error=told)
    if not kept:
        logger.warning("job %s: attempt %s had lost its lease, what it ended with does not count", job.pk, attempt)
