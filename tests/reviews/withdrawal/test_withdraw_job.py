"""Taking out and bringing back as a job: stopped anywhere it goes on, loses nothing and counts right."""

import pytest

from annotation.errors import MoveRefused
from jobs.errors import JobCancelled
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # noqa: F401  (registers the handlers, as the worker does)
from reviews.models import WithdrawnRating
from reviews.services.withdrawals import ask_revert, ask_withdrawal, bring_back, go_on, report_of, take_out
from tests.invariants import breaches
from tests.reviews.withdrawing import day, statuses

pytestmark = pytest.mark.django_db


def test_killed_half_way_and_run_again_it_loses_nothing_and_counts_right(campaign, anna, rated):
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    with pytest.raises(JobCancelled):
        take_out(withdrawal_id=asked.pk, progress=_stop_at(2))
    assert statuses(anna) == ["withdrawn", "withdrawn", "counted", "counted"]
    asked.refresh_from_db()
    assert asked.is_under_way
    assert take_out(withdrawal_id=asked.pk)["counted"] == 4
    assert statuses(anna) == ["withdrawn"] * 4
    assert take_out(withdrawal_id=asked.pk) == take_out(withdrawal_id=asked.pk)
    ask_revert(withdrawal_id=asked.pk)
    with pytest.raises(JobCancelled):
        bring_back(withdrawal_id=asked.pk, progress=_stop_at(1))
    assert statuses(anna) == ["counted", "withdrawn", "withdrawn", "withdrawn"]
    assert bring_back(withdrawal_id=asked.pk)["again"] == 4
    assert statuses(anna) == ["counted"] * 4
    assert breaches(campaign) == []


def _stop_at(n):
    def progress(done, total):
        if done == n:
            raise JobCancelled

    return progress


def test_reverted_half_way_it_brings_back_what_was_out_and_takes_out_no_more(campaign, anna, rated):
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    with pytest.raises(JobCancelled):
        take_out(withdrawal_id=asked.pk, progress=_stop_at(2))
    ask_revert(withdrawal_id=asked.pk)
    take_out(withdrawal_id=asked.pk)
    assert statuses(anna) == ["withdrawn", "withdrawn", "counted", "counted"]
    assert bring_back(withdrawal_id=asked.pk)["again"] == 2
    assert statuses(anna) == ["counted"] * 4
    assert WithdrawnRating.objects.count() == 2


def test_the_jobs_do_it_and_go_on_where_one_failed(campaign, anna, rated):
    asked = ask_withdrawal(campaign=campaign, annotator=anna, since=day(1), reason="why")
    job = Job.objects.get()
    assert (job.kind, job.subject) == ("withdraw_ratings", "campaign:study")
    Job.objects.update(state="failed")
    go_on(withdrawal=asked)
    run(Job.objects.get(state="queued").pk)
    done = Job.objects.get(state="done")
    assert done.result == report_of(asked.pk)
    asked.refresh_from_db()
    with pytest.raises(MoveRefused):
        go_on(withdrawal=asked)
    assert Job.objects.count() == 2, "it is done: nothing is left to go on with"
    ask_revert(withdrawal_id=asked.pk)
    run(Job.objects.get(state="queued").pk)
    assert statuses(anna) == ["counted"] * 4
