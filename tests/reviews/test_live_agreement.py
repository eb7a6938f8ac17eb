"""The agreement so far: asked for when ratings came in and not else, no more than a worker can spare, for managers."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.models import Campaign, Membership
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.items import ask_for_more, locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from jobs.models import Job
from jobs.runner import run
from reviews import tasks  # registers the handlers, as the worker does
from reviews.models import LiveAgreement
from reviews.services import live_numbers
from reviews.services.agreement import scales_of
from reviews.services.background import LIVE_AGREEMENT
from reviews.services.base_ratings import frame_of
from reviews.services.live import LEAST_APART, sweep_live_agreements
from reviews.services.live_numbers import compute_live_agreement
from reviews.statistics.planning_raters import more_raters
from reviews.statistics.report import agreement
from tests import factories
from tests.at_once import at_once

pytestmark = pytest.mark.django_db
Role = Membership.Role
SECOND = timedelta(seconds=1)


def rated(items: int = 3, scores: tuple[tuple[int, int], ...] = ((1, 2), (3, 3), (5, 4)), **options: Any) -> Campaign:
    """An open campaign of so many items, each by the same two people, and one item more that nobody has rated."""
    campaign = factories.campaign(slug="study", items=items + 1, overlap=2, **options)
    raters = [factories.member(campaign) for _ in range(2)]
    for place, item in enumerate(factories.items_of(campaign)[:items]):
        factories.rated_item(scores[place % len(scores)], item=item, raters=raters)
    return campaign


@pytest.fixture
def campaign() -> Campaign:
    return rated()


def work(job: Job) -> None:
    run(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.error


def computed(campaign: Campaign) -> LiveAgreement:
    """Asked for and computed, as sweep and worker do."""
    (job,) = sweep_live_agreements()
    work(job)
    return LiveAgreement.objects.get(campaign=campaign)


def later(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


def swept_after(seconds: float) -> int:
    return len(sweep_live_agreements(now=later(seconds)))


def rate(campaign: Campaign) -> Any:
    return factories.rating(factories.items_of(campaign)[-1])


class TestWhenItIsAskedFor:
    def test_once_ratings_are_in_and_again_only_when_there_are_others(self, campaign: Campaign) -> None:
        live = computed(campaign)
        assert live.result is not None
        assert live.result["ratings"] == 6
        assert swept_after(3600) == 0
        rate(campaign)
        assert swept_after(3640) == 1
        assert Job.objects.filter(kind=LIVE_AGREEMENT).count() == 1

    def test_the_job_says_for_what(self, campaign: Campaign) -> None:
        (job,) = sweep_live_agreements()
        assert (job.kind, job.subject, job.arguments, job.created_by) == (
            "live_agreement",
            "campaign:study",
            {"campaign": "study"},
            None,
        )

    def test_a_rating_is_on_the_page_within_a_minute(self, client: Any, campaign: Campaign) -> None:
        """At worst: the least time between two looks, then the next sweep, then the page's next."""
        schedule = settings.CELERY_BEAT_SCHEDULE["sweep-live-agreement"]
        assert schedule["task"] == tasks.sweep_live_agreement.name
        client.force_login(factories.member(campaign, Role.MANAGER))
        assert 'hx-trigger="every 10s"' in client.get("/campaigns/study/agreement/live/").content.decode()
        assert LEAST_APART.total_seconds() + schedule["schedule"] + 10 <= 60 - 10  # and some seconds to compute

    def test_not_before_anybody_has_rated(self) -> None:
        factories.campaign(items=2)
        assert sweep_live_agreements() == []
        assert swept_after(3600) == 0
        assert not Job.objects.exists()

    def test_not_again_before_half_a_minute_is_over(self, campaign: Campaign) -> None:
        computed(campaign)
        rate(campaign)
        assert swept_after(25) == 0
        assert swept_after(31) == 1

    def test_never_more_than_one_waits(self, campaign: Campaign) -> None:
        sweep_live_agreements()
        rate(campaign)
        assert swept_after(3600) == 0
        assert Job.objects.count() == 1

    def test_what_took_long_rests_nine_times_as_long(self, campaign: Campaign) -> None:
        computed(campaign)
        now = timezone.now()
        Job.objects.update(started_at=now - timedelta(seconds=100), finished_at=now)
        rate(campaign)
        assert sweep_live_agreements(now=now + 899 * SECOND) == []
        assert len(sweep_live_agreements(now=now + 901 * SECOND)) == 1

    def test_what_failed_is_not_tried_again_at_once(self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
        def breaks(**_given: Any) -> None:
            raise RuntimeError

        monkeypatch.setattr(live_numbers, "compute_live_agreement", breaks)
        (job,) = sweep_live_agreements()
        run(job.pk)
        assert swept_after(590) == 0
        assert swept_after(601) == 1

    def test_only_the_last_job_is_kept(self, campaign: Campaign) -> None:
        computed(campaign)
        other = Job.objects.get()
        Job.objects.create(
            kind="publish_release",
            subject=other.subject,
            state="done",
            created_at=other.created_at,
            queued_at=other.created_at,
            rung_at=other.created_at,
            finished_at=other.finished_at,
        )
        rate(campaign)
        (job,) = sweep_live_agreements(now=later(31))
        assert set(Job.objects.values_list("kind", "state")) == {
            ("publish_release", "done"),
            (LIVE_AGREEMENT, "queued"),
        }
        assert job.pk != other.pk

    def test_an_edit_a_withdrawn_rating_and_a_withdrawn_item_are_noticed(self, campaign: Campaign) -> None:
        first, second, *_others = factories.items_of(campaign)
        deeds = [
            lambda: factories.edit(first.ratings.earliest("pk"), 3),
            lambda: withdraw_rating(rating_id=first.ratings.counted().latest("pk").pk),
            lambda: withdraw_item(locked_item(second.pk)),
        ]
        for deed in deeds:
            compute_live_agreement(campaign=campaign)
            assert swept_after(3600) == 0
            deed()
            (job,) = sweep_live_agreements(now=later(3640))
            LiveAgreement.objects.update(looked_at=None)
            job.delete()

    def test_what_agreement_does_not_read_is_no_reason(self, campaign: Campaign) -> None:
        computed(campaign)
        item = locked_item(factories.items_of(campaign)[0].pk)
        ask_for_more(item, 1)
        factories.rating(item, 5)  # by who was asked because the first disagreed
        assert swept_after(3600) == 0

    def test_while_it_is_open_or_paused(self, campaign: Campaign) -> None:
        draft = factories.campaign(items=1, opened=False)
        close_campaign(campaign=campaign)
        assert (draft.state, sweep_live_agreements()) == ("draft", [])
        Campaign.objects.filter(pk=campaign.pk).update(state="open")
        pause_campaign(campaign=Campaign.objects.get(pk=campaign.pk))
        assert len(sweep_live_agreements()) == 1

    def test_the_sweep_asks_few_questions_where_nothing_is_due(
        self, campaign: Campaign, django_assert_max_num_queries: Any
    ) -> None:
        computed(campaign)
        with django_assert_max_num_queries(4):
            assert swept_after(3600) == 0

    def test_what_took_long_to_compute_is_looked_at_more_seldom(
        self, campaign: Campaign, django_assert_num_queries: Any
    ) -> None:
        computed(campaign)
        now = timezone.now()
        LiveAgreement.objects.update(looked_at=now, seconds=60)
        with django_assert_num_queries(1):
            sweep_live_agreements(now=now + 55 * SECOND)
        rate(campaign)
        assert len(sweep_live_agreements(now=now + 61 * SECOND)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("round_", range(4))
@pytest.mark.parametrize("is_first", [True, False])
def test_sweeps_at_once_ask_once(is_first: bool, round_: int) -> None:
    factories.default_rubric()
    campaign = rated()
    if not is_first:
        compute_live_agreement(campaign=campaign)
        rate(campaign)
    now = timezone.now()
    outcomes = at_once(*[lambda: sweep_live_agreements(now=now)] * 4)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert sum(map(len, outcomes)) == Job.objects.count() == 1


class TestTheNumbers:
    def test_the_last_step_is_the_agreement_of_all(self) -> None:
        campaign = rated(32, ((1, 2), (3, 3), (5, 4), (2, 2), (4, 2)), seed=7)
        result = computed(campaign).result
        assert result is not None
        expected = agreement(frame_of(campaign), scale=scales_of(campaign), bootstrap=1000, seed=7).to_json()
        for name, entry in result["dimensions"].items():
            alpha = expected["dimensions"][name]["alpha"]
            last = entry["steps"][-1]
            assert (last["items"], last["scenarios"]) == (32, 32)
            assert last["value"] == pytest.approx(alpha["value"], abs=1e-11)
            assert (last["ci_low"], last["ci_high"]) == pytest.approx((alpha["ci_low"], alpha["ci_high"]), abs=1e-9)
        assert set(result["dimensions"]) == set(factories.DIMENSIONS)

    def test_it_names_what_it_came_from(self, campaign: Campaign) -> None:
        before = timezone.now()
        live = computed(campaign)
        assert live.data_version == frame_of(campaign).attrs["sha256"]
        assert live.computed_at is not None
        assert before <= live.computed_at <= timezone.now()
        assert live.seconds > 0

    def test_the_items_stand_in_the_order_in_which_they_were_complete(self) -> None:
        campaign = factories.campaign(items=2, overlap=2)
        first, second = factories.items_of(campaign)
        factories.rating(first, 1)
        factories.rated_item([1, 5], item=second)
        factories.rating(first, 1)
        steps = compute_live_agreement(campaign=campaign).result["dimensions"]["empathy"]["steps"]  # type: ignore[index]
        assert [step["value"] for step in steps] == pytest.approx([0, 0])
        assert [step["reason"] for step in steps] == ["too few clusters for an interval: 30 are needed"] * 2

    def test_an_older_computation_takes_no_newers_place(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        live = computed(campaign)
        LiveAgreement.objects.update(computed_at=later(60), data_version="newer")
        rate(campaign)
        assert compute_live_agreement(campaign=campaign).data_version == "newer"
        LiveAgreement.objects.update(computed_at=live.computed_at)
        assert compute_live_agreement(campaign=campaign).data_version != "newer"

    def test_what_more_raters_bring_is_simulated_anew_once_there_are_a_tenth_more_items(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        campaign = rated(30)
        asked: list[int] = []
        monkeypatch.setattr(
            live_numbers, "more_raters", lambda one, **given: asked.append(one.units) or more_raters(one, **given)
        )
        result = compute_live_agreement(campaign=campaign).result
        assert asked == [30, 30, 30]
        again = compute_live_agreement(campaign=campaign).result
        assert (again, asked) == (result, [30, 30, 30])
        row = LiveAgreement.objects.get()
        for entry in row.result["dimensions"].values():  # type: ignore[index]
            entry["more_raters"]["items"] = 27
        row.save()
        compute_live_agreement(campaign=campaign)
        assert asked == [30] * 6

    def test_with_all_withdrawn_there_are_no_numbers(self, campaign: Campaign) -> None:
        for item in factories.items_of(campaign):
            withdraw_item(locked_item(item.pk))
        result = compute_live_agreement(campaign=campaign).result
        assert (result["ratings"], result["dimensions"]) == (0, {})  # type: ignore[index]
