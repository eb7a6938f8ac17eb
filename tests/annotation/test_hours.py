import csv
import io
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from annotation.hours import COLUMNS, Tally, Weeks, campaign_hours, iso_week, own_hours, total_of
from annotation.models import Assignment, Campaign, Membership, Rating, TrainingAnswer, TrainingAttempt, User
from annotation.services.leases import skip_item
from annotation.services.ratings import withdraw_rating
from tests import factories as f
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db

MONDAY = date(2026, 11, 30)
SUNDAY_EVENING = datetime(2026, 11, 29, 23, 59, 59, tzinfo=UTC)
MONDAY_MORNING = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
WEDNESDAY = datetime(2026, 12, 2, 9, 0, tzinfo=UTC)


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(items=6, overlap=1, slug="c", title="Winter")


@pytest.fixture
def anna(campaign: Campaign) -> User:
    return f.member(campaign, user=f.person("anna", display_name="Anna"))


def held_for_an_hour(campaign: Campaign, item: int, user: User) -> Assignment:
    """The clock between lease and submit bounds the seconds."""
    held = f.lease(f.items_of(campaign)[item], user)
    Assignment.objects.filter(pk=held.pk).update(leased_at=datetime(2026, 11, 1, tzinfo=UTC))
    return held


def rated(campaign: Campaign, item: int, user: User, *, seconds: int, at: datetime, **given: Any) -> Rating:
    held = held_for_an_hour(campaign, item, user)
    saved = f.rating(f.items_of(campaign)[item], user=user, assignment=held, seconds=seconds, **given)
    return moved(saved, at)


def moved(rating: Rating, at: datetime) -> Rating:
    Rating.objects.filter(pk=rating.pk).update(submitted_at=at)
    rating.refresh_from_db()
    return rating


def trained(campaign: Campaign, user: User, *, seconds: int, at: datetime) -> None:
    membership = Membership.objects.get(campaign=campaign, user=user)
    attempt = TrainingAttempt.objects.create(membership=membership, number=1, items=[], rule={})
    answer = TrainingAnswer.objects.create(
        attempt=attempt, work_item=f.items_of(campaign)[0], client_id=f.uuid.uuid4(), scores={}, seconds=seconds
    )
    TrainingAnswer.objects.filter(pk=answer.pk).update(submitted_at=at)


def by_week(user: User) -> dict[str, Tally]:
    return {stint.week: stint.tally for stint in own_hours(user, Weeks())}


def test_known_answers(campaign: Campaign, anna: User) -> None:
    """Two weeks, an edit, a surplus, a withdrawn rating, training, a skip; each reckoned by hand."""
    rated(campaign, 0, anna, seconds=40, at=SUNDAY_EVENING)
    rated(campaign, 1, anna, seconds=60, at=MONDAY_MORNING)
    edited = rated(campaign, 2, anna, seconds=100, at=MONDAY_MORNING)
    moved(f.edit(edited, 2, seconds=130), WEDNESDAY)
    surplus = rated(campaign, 3, anna, seconds=25, at=WEDNESDAY)
    Rating.objects.filter(pk=surplus.pk).update(status=Rating.Status.SURPLUS)
    withdrawn = rated(campaign, 4, anna, seconds=15, at=WEDNESDAY)
    withdraw_rating(rating_id=withdrawn.pk)
    trained(campaign, anna, seconds=300, at=WEDNESDAY)
    skip_item(assignment_id=f.lease(f.items_of(campaign)[5], anna).pk, user=anna, reason="heavy")
    Assignment.objects.filter(state="skipped").update(ended_at=WEDNESDAY)
    assert by_week(anna) == {
        "2026-W49": Tally(items=4, seconds=60 + 130 + 25 + 15, training_items=1, training_seconds=300, skipped=1),
        "2026-W48": Tally(items=1, seconds=40),
    }
    Rating.objects.filter(pk=surplus.pk).update(status=Rating.Status.COUNTED)


class TestAnEdit:
    def test_counts_its_time_once_and_loses_none(self, campaign: Campaign, anna: User) -> None:
        first = rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
        second = moved(f.edit(first, 3, seconds=70), WEDNESDAY)
        moved(f.edit(second, 4, seconds=95), WEDNESDAY)
        assert by_week(anna) == {"2026-W49": Tally(items=1, seconds=95)}

    def test_from_the_page_carries_the_time_already_spent(self, campaign: Campaign, anna: User) -> None:
        first = rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
        form = signed_in(anna).get(page("edit", "c", first.assignment_id)).text
        assert 'name="seconds"' in form
        assert 'value="40"' in form

    def test_in_a_later_week_changes_nothing_of_the_week_before(self, campaign: Campaign, anna: User) -> None:
        first = rated(campaign, 0, anna, seconds=40, at=SUNDAY_EVENING)
        moved(f.edit(first, 3, seconds=70), WEDNESDAY)
        assert by_week(anna) == {"2026-W48": Tally(items=1, seconds=40), "2026-W49": Tally(items=0, seconds=30)}

    def test_by_a_client_that_carries_no_time_takes_none_away(self, campaign: Campaign, anna: User) -> None:
        first = rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
        moved(f.edit(first, 3, seconds=5), WEDNESDAY)
        assert by_week(anna) == {"2026-W49": Tally(items=1, seconds=40)}


def test_a_hidden_check_is_work_as_any_other(campaign: Campaign, anna: User) -> None:
    real = rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
    before = by_week(anna)
    item = real.work_item
    item.purpose, item.counted = "check", 0
    item.save()
    Rating.objects.filter(pk=real.pk).update(status=Rating.Status.CHECK)
    assert by_week(anna) == before
    item.purpose, item.counted = "rating", 1  # as it was: the invariants are asked of what is left
    item.save()
    Rating.objects.filter(pk=real.pk).update(status=Rating.Status.COUNTED)


def test_what_came_from_a_file_was_not_given_here(campaign: Campaign, anna: User) -> None:
    real = rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
    Assignment.objects.filter(pk=real.assignment_id).update(imported=True)
    assert by_week(anna) == {}


def test_the_weeks_are_of_the_iso_year() -> None:
    assert [iso_week(day) for day in (date(2026, 12, 31), date(2027, 1, 3), date(2027, 1, 4))] == [
        "2026-W53",
        "2026-W53",
        "2027-W01",
    ]


def test_only_the_weeks_asked_for(campaign: Campaign, anna: User) -> None:
    rated(campaign, 0, anna, seconds=40, at=SUNDAY_EVENING)
    rated(campaign, 1, anna, seconds=60, at=WEDNESDAY)
    the_later = Weeks.around(date(2026, 12, 4), None)
    assert total_of(own_hours(anna, the_later)).seconds == 60
    assert total_of(own_hours(anna, Weeks.around(None, date(2026, 11, 23)))).seconds == 40
    assert total_of(campaign_hours(campaign, Weeks.around(date(2026, 11, 24), date(2026, 12, 1)))).seconds == 100


def test_it_takes_as_many_queries_of_much_as_of_little(campaign: Campaign) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            campaign_hours(campaign, Weeks())
        return len(captured)

    rated(campaign, 0, f.member(campaign), seconds=40, at=WEDNESDAY)
    few = asked()
    for place in range(1, 6):
        rated(campaign, place, f.member(campaign), seconds=40, at=WEDNESDAY)
    assert asked() == few <= 5


def rows_of(answer: HttpResponse) -> list[list[str]]:
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


class TestTheFile:
    def test_is_exact(self, campaign: Campaign, anna: User) -> None:
        rated(campaign, 0, anna, seconds=40, at=SUNDAY_EVENING)
        rated(campaign, 1, anna, seconds=4500, at=WEDNESDAY)
        manager = signed_in(f.member(campaign, "manager"))
        assert rows_of(manager.get(page("campaign_hours_csv", "c") + "?from=&to=")) == [
            list(COLUMNS),
            ["2026-W48", "2026-11-23", "anna", "c", "1", "40", "0.01", "0", "0", "0"],
            ["2026-W49", "2026-11-30", "anna", "c", "1", "4500", "1.25", "0", "0", "0"],
        ]

    def test_runs_nothing_in_a_spreadsheet(self, campaign: Campaign) -> None:
        at = f.member(campaign, user=f.person("@SUM"))
        rated(campaign, 0, at, seconds=40, at=WEDNESDAY)
        manager = signed_in(f.member(campaign, "manager"))
        assert rows_of(manager.get(page("campaign_hours_csv", "c") + "?from=&to="))[1][2] == "'@SUM"

    def test_of_ones_own_holds_nobody_else(self, campaign: Campaign, anna: User) -> None:
        rated(campaign, 0, anna, seconds=40, at=WEDNESDAY)
        rated(campaign, 1, f.member(campaign), seconds=90, at=WEDNESDAY)
        (row,) = rows_of(signed_in(anna).get(page("hours_csv") + "?from=&to="))[1:]
        assert row[2:6] == ["anna", "c", "1", "40"]


class TestThePages:
    def test_ones_own_say_the_week_the_items_and_the_time_and_nothing_of_others(
        self, campaign: Campaign, anna: User
    ) -> None:
        rated(campaign, 0, anna, seconds=3725, at=WEDNESDAY)
        bo = f.member(campaign, user=f.person("bo"))
        rated(campaign, 1, bo, seconds=7777, at=WEDNESDAY)
        shown = signed_in(anna).get(page("hours") + "?from=2026-12-01&to=2026-12-01").text
        assert "2026-W49" in shown
        assert "1:02:05" in shown
        assert "bo" not in shown.replace("body", "").replace("boxes", "").split("<main")[1].split()
        assert "2:09:37" not in shown

    def test_the_managers_hold_everyone(self, campaign: Campaign, anna: User) -> None:
        rated(campaign, 0, anna, seconds=3725, at=WEDNESDAY)
        shown = signed_in(f.member(campaign, "manager")).get(page("campaign_hours", "c") + "?from=&to=").text
        assert "Anna" in shown
        assert "1:02:05" in shown

    @pytest.mark.parametrize("query", ["from=soon", "to=0001-01-01", "from=2026-12-08&to=2026-12-01", "to=9999-12-31"])
    def test_weeks_that_cannot_be_are_said_so(self, campaign: Campaign, anna: User, query: str) -> None:
        assert signed_in(anna).get(f"{page('hours')}?{query}").status_code == 422
        assert signed_in(anna).get(f"{page('hours_csv')}?{query}").status_code == 400

    def test_without_work_they_say_so(self, anna: User) -> None:
        assert "No work" in signed_in(anna).get(page("hours")).text
