"""Background work of the reviews room. What is heavy is imported where it is used: web servers enqueue, workers run."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import shared_task
from django.utils.translation import gettext_noop

from annotation.errors import ConcordError
from annotation.models import Campaign
from jobs.errors import JobFailed
from jobs.handlers import handles
from jobs.running import RunningJob
from reviews.services.background import APPLY_RULE, COMPARE_OVERLAPS, COMPUTE_AGREEMENT, PUBLISH_RELEASE
from reviews.services.cases import expire_case_leases


@shared_task
def sweep_case_leases() -> int:
    """Brings back the cases whose expert's lease is over, also where nobody asks for the next one."""
    return expire_case_leases()


@contextmanager
def refusals_told() -> Iterator[None]:
    """A named error is the job's failure, told as it is."""
    try:
        yield
    except ConcordError as error:
        raise JobFailed(str(error)) from error


def _campaign(job: RunningJob) -> Campaign:
    return Campaign.objects.select_related("rubric", "dataset").get(slug=job.arguments["campaign"])


@handles(COMPUTE_AGREEMENT)
def compute_agreement(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug}."""
    from reviews.services import agreement

    job.progress(0, 1, gettext_noop("Reading the ratings and resampling the scenarios"))
    with refusals_told():
        report, is_new = agreement.compute_agreement(campaign=_campaign(job), by=job.by, pulse=job.renew)
    return {"report": report.pk, "new": is_new}


@handles(PUBLISH_RELEASE)
def publish_release(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "without_texts"?: bool}."""
    from reviews.services import releases

    note = gettext_noop("Writing the files")
    job.progress(0, 1, note)
    with refusals_told():
        published = releases.publish_release(
            campaign=_campaign(job),
            by=job.by,
            without_texts=bool(job.arguments.get("without_texts", False)),
            progress=lambda done, total: job.progress(done, total, note),
        )
    return {"release": published.release.number, "new": published.is_new}


@handles(APPLY_RULE)
def apply_rule(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "version": of the rule}."""
    from reviews.services import rule

    note = gettext_noop("Going over the items with the new rule")
    job.progress(0, 1, note)
    return rule.apply_rule(
        campaign=_campaign(job),
        version=job.arguments["version"],
        progress=lambda done, total: job.progress(done, total, note),
    )


@handles(COMPARE_OVERLAPS)
def compare_overlaps(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug}."""
    from reviews.services import overlap

    note = gettext_noop("Drawing raters from those who rated")
    job.progress(0, 1, note)
    with refusals_told():
        return overlap.compare_overlaps(
            campaign=_campaign(job), progress=lambda done, total: job.progress(done, total, note)
        )
