import re
from datetime import UTC, date, datetime, timedelta

import pytest

from annotation.models import Assignment, Campaign, Membership, Rating, User
from annotation.pace import Day, bars, items_an_hour, last_days
from tests import factories as f
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db
TODAY = date(2026, 12, 2)


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(items=4, overlap=2, slug="c", title="Winter")


@pytest.fixture
def anna(campaign: Campaign) -> User:
    return f.member(campaign)


def rated(campaign: Campaign, user: User, item: int, *, seconds: int, at: datetime) -> Rating:
    held = f.lease(f.items_of(campaign)[item], user)
    Assignment.objects.filter(pk=held.pk).update(leased_at=at - timedelta(days=1))
    rating = f.rating(held.work_item, user=user, assignment=Assignment.objects.get(pk=held.pk), seconds=seconds)
    Rating.objects.filter(pk=rating.pk).update(submitted_at=at)
    rating.refresh_from_db()
    return rating


def at(day: int, hour: int = 9) -> datetime:
    return datetime(2026, 12, 1, hour, tzinfo=UTC) + timedelta(days=day - 1)


class TestPace:
    def test_known_answers(self, campaign: Campaign, anna: User) -> None:
        rated(campaign, anna, 0, seconds=600, at=at(1))
        rated(campaign, anna, 1, seconds=1200, at=at(2))
        f.edit(rated(campaign, anna, 2, seconds=60, at=at(2)), 3, seconds=90)
        Rating.objects.filter(supersedes__isnull=False).update(submitted_at=at(2, 10))
        rated(campaign, f.member(campaign), 0, seconds=5000, at=at(2))  # another's is none of theirs
        days = last_days(anna, today=TODAY)
        assert len(days) == 14
        assert (days[0].day, days[-1].day) == (date(2026, 11, 19), TODAY)
        assert days[-2:] == [Day(date(2026, 12, 1), 600, 1), Day(TODAY, 1290, 2)]
        assert {day.seconds for day in days[:-2]} == {0}
        assert items_an_hour(days) == pytest.approx(3 * 3600 / 1890)

    @pytest.mark.parametrize(("seconds", "pace"), [(0, None), (599, None), (600, 6.0)])
    def test_little_work_has_no_pace(self, seconds: int, pace: float | None) -> None:
        assert items_an_hour([Day(TODAY, seconds, 1)]) == pace

    def test_a_day_is_of_the_servers_zone(self, campaign: Campaign, anna: User, settings) -> None:
        settings.TIME_ZONE = "Asia/Shanghai"
        rated(campaign, anna, 0, seconds=60, at=at(1, 17))  # 1:00 on the second in Shanghai
        assert last_days(anna, today=TODAY)[-1].items == 1


class TestBars:
    def test_known_answers(self) -> None:
        drawn = bars([Day(TODAY, 50), Day(TODAY, 0), Day(TODAY, 100), Day(TODAY, 1)])
        assert [(bar.x, bar.y, bar.width, bar.height) for bar in drawn] == [
            (3.75, 50.0, 17.5, 50.0),
            (28.75, 100.0, 17.5, 0.0),
            (53.75, 0.0, 17.5, 100.0),
            (78.75, 98.0, 17.5, 2.0),
        ]

    def test_no_work_is_no_bar(self) -> None:
        assert [bar.height for bar in bars([Day(TODAY)] * 3)] == [0.0, 0.0, 0.0]
        assert bars([]) == []


class TestHome:
    def test_draws_ones_own_days_with_a_name_and_a_table(self, campaign: Campaign, anna: User) -> None:
        rated(campaign, anna, 0, seconds=1500, at=datetime.now(UTC))
        shown = signed_in(anna).get(page("home")).text
        assert re.search(
            r'<svg role="img"\s+aria-label="Active time on each of the last 14 days, 25 min in all"', shown
        )
        assert shown.count("<rect") == 1
        assert "25:00" in shown

    def test_says_in_chinese_what_it_says_in_english(self, campaign: Campaign, anna: User) -> None:
        anna.language = "zh-hans"
        anna.save()
        rated(campaign, anna, 0, seconds=1500, at=datetime.now(UTC))
        assert signed_in(anna).get(page("home")).status_code == 200

    def test_without_work_says_what_will_stand_there(self, campaign: Campaign, anna: User) -> None:
        assert "Nothing rated in the last 14 days." in signed_in(anna).get(page("home")).text

    def test_is_not_about_pace_for_those_who_do_not_rate(self, campaign: Campaign) -> None:
        assert "My pace" not in signed_in(f.member(campaign, Membership.Role.EXPERT)).get(page("home")).text

    def test_leads_to_the_training_round_first(self, campaign: Campaign, anna: User) -> None:
        campaign.training = {"items": 20, "max_mean_difference": 0.7, "max_missed": 0, "attempts": 3}
        campaign.save()
        shown = signed_in(anna).get(page("home")).text
        assert "a training round of 20 items" in shown
        assert page("practice", "c") in shown
        assert page("rate", "c") not in shown
