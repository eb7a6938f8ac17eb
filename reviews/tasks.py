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
from reviews.agreement_split import Split
from reviews.errors import PlanInvalid
from reviews.plan_reading import PlanOptions
from reviews.services.background import (
    APPLY_RULE,
    COMPARE_AGREEMENT,
    COMPARE_OVERLAPS,
    COMPUTE_AGREEMENT,
    LIVE_AGREEMENT,
    MAKE_PLAN,
    PUBLISH_RELEASE,
    RESTORE_RATINGS,
    WITHDRAW_RATINGS,
)
from reviews.services.cases import expire_case_leases
from reviews.services.live import sweep_live_agreements


@shared_task
def sweep_case_leases() -> int:
    """Brings back the cases whose expert's lease is over, also where nobody asks for the next one."""
    return expire_case_leases()


@shared_task
def sweep_live_agreement() -> int:
    """Asks for the live agreement of campaigns whose ratings have changed."""
    return len(sweep_live_agreements())


@contextmanager
def refusals_told() -> Iterator[None]:
    """A named error is the job's failure, told as it is."""
    try:
        yield
    except ConcordError as error:
        raise JobFailed(str(error)) from error


@contextmanager
def refused_plan_kept() -> Iterator[None]:
    """What a plan was refused for goes on the row, so that its page can tell it in its reader's language."""
    try:
        yield
    except PlanInvalid as error:
        raise JobFailed(str(error), result=error.more) from error


def _campaign(job: RunningJob) -> Campaign:
    return Campaign.objects.select_related("rubric", "dataset").get(slug=job.arguments["campaign"])


@handles(COMPUTE_AGREEMENT)
def compute_agreement(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "raters"?: codes of those whose ratings are read}."""
    from reviews.services import agreement

    raters = job.arguments.get("raters")
    note = gettext_noop("Reading the ratings and resampling the scenarios")
    job.progress(0, 1, note)
    with refusals_told():
        report, is_new = agreement.compute_agreement(
            campaign=_campaign(job),
            options=agreement.Options(raters=None if raters is None else tuple(raters)),
            by=job.by,
            pulse=job.renew,
            step=lambda done, of: job.progress(done, of, note),
        )
    return {"report": report.pk, "new": is_new}


@handles(LIVE_AGREEMENT)
def live_agreement(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug}."""
    from reviews.services import live_numbers

    job.progress(0, 1, gettext_noop("Reading the ratings and resampling the scenarios"))
    with refusals_told():
        live = live_numbers.compute_live_agreement(campaign=_campaign(job), pulse=job.renew)
    return {"seconds": live.seconds}


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


@handles(COMPARE_AGREEMENT)
def compare_agreement(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "split": as Split keeps it}."""
    from reviews.services import compare_agreement

    job.progress(0, 1, gettext_noop("Comparing two groups of ratings"))
    with refusals_told():
        return compare_agreement.compare_agreement(
            campaign=_campaign(job), split=Split.of(job.arguments["split"]), pulse=job.renew
        )


@handles(MAKE_PLAN)
def make_plan(job: RunningJob) -> dict[str, Any]:
    """arguments: {"options": as PlanOptions keeps them, "pilot": slug of a campaign or None}."""
    from reviews.services import plan

    note = gettext_noop("Simulating studies, design by design")
    job.progress(0, 1, note)
    options, slug = PlanOptions.of(job.arguments["options"]), job.arguments["pilot"]
    with refusals_told(), refused_plan_kept():
        found = None if slug is None else Campaign.objects.select_related("rubric", "dataset").get(slug=slug)
        pilot = None if found is None else plan.pilot_of(found, pulse=job.renew)
        made = plan.make_plan(
            options=options, pilot=pilot, progress=lambda done, total: job.progress(done, total, note)
        )
    return plan.kept_plan(made, options=options, pilot=pilot)


@handles(WITHDRAW_RATINGS)
def withdraw_ratings(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "withdrawal": pk}."""
    from reviews.services import withdrawals

    note = gettext_noop("Taking ratings out, item by item")
    job.progress(0, 1, note)
    with refusals_told():
        return withdrawals.take_out(
            withdrawal_id=job.arguments["withdrawal"], progress=lambda done, total: job.progress(done, total, note)
        )


@handles(RESTORE_RATINGS)
def restore_ratings(job: RunningJob) -> dict[str, Any]:
    """arguments: {"campaign": slug, "withdrawal": pk}."""
    from reviews.services import withdrawals

    note = gettext_noop("Bringing ratings back, item by item")
    job.progress(0, 1, note)
    with refusals_told():
        return withdrawals.bring_back(
            withdrawal_id=job.arguments["withdrawal"], progress=lambda done, total: job.progress(done, total, note)
        )
