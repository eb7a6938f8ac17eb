"""Withdrawing a rater's ratings by the page: counted first, asked once more, watched, brought back."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse

from jobs import services as jobs
from jobs.models import Job
from reviews.models import RatingWithdrawal
from reviews.services.withdrawals import take_out
from tests.reviews.pages import page, post
from tests.reviews.rater_pages import at, shown, study_made
from tests.reviews.withdrawing import statuses, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return study_made()


def test_a_withdrawal_is_counted_first_and_read_in_the_managers_zone(study):
    given = {"since": "2026-03-03T09:00", "zone": "Asia/Shanghai", "reason": "why so"}
    answer = page(study.web, "withdraw_ratings", "study", study.anna.pk, **given)
    said = answer.content.decode()
    assert 'value="2026-03-03T09:00:00+08:00"' in said
    assert "3 counted ratings are taken out." in said
    assert "3 items that have all their raters fall under what they need." in said
    assert 'value="why so"' in said
    assert not RatingWithdrawal.objects.exists()
    answer = at(study, "withdraw_ratings", since="2026-03-03T09:00:00+08:00", reason="why so")
    assert answer.status_code == 302
    made = RatingWithdrawal.objects.get()
    assert made.since == datetime(2026, 3, 3, 9, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert (made.by, made.reason) == (study.manager, "why so")
    take_out(withdrawal_id=made.pk)
    assert set(statuses(study.anna)) == {"withdrawn"}
    said = shown(study)
    assert "3 of 3 ratings taken out. 3 items wanted raters by it." in said
    assert "why so" in said


def test_an_unknown_zone_is_the_servers(study):
    for zone in ("", "Nowhere/Land", "../etc", "a" * 100):
        given = {"since": "2026-03-03T09:00", "zone": zone, "reason": "why"}
        answer = page(study.web, "withdraw_ratings", "study", study.anna.pk, **given)
        assert answer.status_code == 200
        assert 'value="2026-03-03T09:00:00+00:00"' in answer.content.decode()


def test_a_withdrawal_without_a_reason_is_refused(study):
    answer = page(study.web, "withdraw_ratings", "study", study.anna.pk, since="2026-03-03T09:00", reason=" ")
    assert answer.status_code == 422
    for fields in ({"since": "2026-03-03T09:00:00+00:00"}, {"since": "2026-03-03T09:00", "reason": "x"}, {}):
        assert at(study, "withdraw_ratings", **fields).status_code == 302
    assert not RatingWithdrawal.objects.exists()


def test_the_page_asks_how_far_it_is_and_offers_to_go_on_where_it_stopped(study):
    at(study, "withdraw_ratings", since="2026-03-03T09:00:00+00:00", reason="why")
    assert "Waiting for a worker" in shown(study)
    url = reverse("reviews:rater", args=["study", study.anna.pk])
    assert "<html" not in study.web.get(url, headers={"HX-Request": "true"}).content.decode()
    jobs.cancel(Job.objects.get(), by=study.manager)
    assert study.web.get(url, headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "Go on with it" in shown(study)
    post(study.web, "resume_withdrawal", "study", study.anna.pk, RatingWithdrawal.objects.get().pk)
    assert Job.objects.filter(state="queued").count() == 1


def test_what_is_done_does_not_go_on(study):
    withdrawal = withdraw(study.campaign, study.anna)
    answer = post(study.web, "resume_withdrawal", "study", study.anna.pk, withdrawal.pk)
    (told,) = get_messages(answer.wsgi_request)
    assert (told.level_tag, str(told)) == ("error", "Nothing of this is left to do.")


def test_another_raters_work_is_not_shown_here(study):
    at(study, "withdraw_ratings", since="2026-03-03T09:00:00+00:00", reason="why")
    assert "Waiting for a worker" not in shown(study, study.bo)
    assert (
        post(study.web, "revert_withdrawal", "study", study.bo.pk, RatingWithdrawal.objects.get().pk).status_code == 404
    )


def test_it_is_brought_back_once(study):
    withdrawal = withdraw(study.campaign, study.anna)
    answers = [post(study.web, "revert_withdrawal", "study", study.anna.pk, withdrawal.pk) for _ in range(2)]
    told = [[one.level_tag for one in get_messages(answer.wsgi_request)] for answer in answers]
    assert told[0] == ["success"]
    assert told[1][-1] == "error"
    assert Job.objects.filter(kind="restore_ratings").count() == 1
    assert "Bring them back" not in shown(study)
