"""Taking, giving back and losing a case. Who was given the item never gets it."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from annotation.errors import EditClosed
from annotation.models import Assignment, ItemBar, WorkItem
from annotation.services.items import locked_item, withdraw_item
from annotation.services.leases import skip_item
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from reviews.errors import CaseFell, CaseNotFound, CaseNotFree, CaseNotHeld, ConflictOfInterest, NotAnExpert
from reviews.models import Case
from reviews.services.cases import expire_case_leases, give_back, renew_case, reopen_case, take_case, take_next
from reviews.tasks import sweep_case_leases
from tests import factories
from tests.reviews.judging import judge

pytestmark = pytest.mark.django_db
State = Case.State


def overdue(case):
    Case.objects.filter(pk=case.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


def test_the_expert_holds_what_they_took_for_half_an_hour(case, expert):
    taken = take_case(case_id=case.pk, expert=expert)
    assert (taken.state, taken.taken_by) == (State.TAKEN, expert)
    left = taken.lease_expires_at - timezone.now()
    assert timedelta(minutes=settings.LEASE_MINUTES - 1) < left <= timedelta(minutes=settings.LEASE_MINUTES)


def test_no_edit_once_it_is_taken_and_again_when_it_is_given_back(case, expert, disputed):
    rating = disputed.ratings.first()
    take_case(case_id=case.pk, expert=expert)
    with pytest.raises(EditClosed):
        factories.edit(rating, 5)
    give_back(case_id=case.pk, expert=expert)
    factories.edit(rating, 5)
    case.refresh_from_db()
    assert case.state == State.FALLEN


def test_who_took_a_case_can_never_rate_its_item(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    assert ItemBar.objects.filter(work_item=disputed, user=expert).exists()


def test_another_expert_is_refused_what_is_taken(case, expert):
    take_case(case_id=case.pk, expert=expert)
    with pytest.raises(CaseNotFree):
        take_case(case_id=case.pk, expert=factories.member(case.campaign, "expert"))


def test_the_same_expert_gets_it_again_and_next_is_the_one_they_hold(case, expert):
    take_case(case_id=case.pk, expert=expert)
    assert take_case(case_id=case.pk, expert=expert) == case
    assert take_next(expert=expert, campaign=case.campaign) == case


def test_next_gives_nothing_when_nothing_waits(case, expert):
    take_case(case_id=case.pk, expert=expert)
    assert take_next(expert=factories.member(case.campaign, "expert"), campaign=case.campaign) is None


def test_next_without_a_campaign_looks_in_all_of_theirs(case, expert):
    elsewhere = factories.campaign()
    factories.member(elsewhere, "expert", user=expert)
    assert take_next(expert=expert) == case


@pytest.mark.parametrize("role", ["annotator", "manager"])
def test_only_an_active_expert_takes_a_case(case, role):
    with pytest.raises((NotAnExpert, CaseNotFound)):
        take_case(case_id=case.pk, expert=factories.member(case.campaign, role))
    with pytest.raises(NotAnExpert):
        take_next(expert=factories.member(case.campaign, role), campaign=case.campaign)


def test_a_paused_expert_takes_nothing(case, expert):
    membership = expert.memberships.get()
    change_membership(membership=membership, state="paused")
    with pytest.raises((NotAnExpert, CaseNotFound)):
        take_case(case_id=case.pk, expert=expert)


def test_a_site_manager_is_not_by_that_an_expert(case):
    with pytest.raises(CaseNotFound):
        take_case(case_id=case.pk, expert=factories.site_manager())


def test_a_case_of_another_campaign_is_as_if_it_were_not_there(case):
    stranger = factories.member(factories.campaign(), "expert")
    with pytest.raises(CaseNotFound):
        take_case(case_id=case.pk, expert=stranger)
    with pytest.raises(CaseNotFound):
        take_case(case_id=10**6, expert=stranger)


def test_who_rated_the_item_never_gets_its_case(case, disputed):
    rater = factories.member(case.campaign, "expert", user=disputed.ratings.first().annotator)
    with pytest.raises(ConflictOfInterest):
        take_case(case_id=case.pk, expert=rater)
    assert take_next(expert=rater, campaign=case.campaign) is None


def test_nor_does_who_was_only_given_it_and_skipped_it():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    skipper = factories.member(campaign)
    skip_item(assignment_id=factories.lease(item, skipper).pk, user=skipper, reason="heavy")
    factories.rated_item([1, 5], item=item)
    factories.member(campaign, "expert", user=skipper)
    with pytest.raises(ConflictOfInterest):
        take_case(case_id=Case.objects.get().pk, expert=skipper)


def test_nor_does_whose_rating_was_imported(case, disputed):
    rater = disputed.ratings.first().annotator
    Assignment.objects.filter(annotator=rater).update(imported=True)
    factories.member(case.campaign, "expert", user=rater)
    with pytest.raises(ConflictOfInterest):
        take_case(case_id=case.pk, expert=rater)


def test_where_someone_may_be_in_danger_comes_first():
    campaign = factories.campaign(items=3, overlap=2)
    wide, split, danger = factories.items_of(campaign)
    factories.rated_item([{"empathy": 1}, 5], item=wide)
    factories.rating(split, 5, marks=["privacy"])
    factories.rating(split, 5)
    factories.rating(danger, {"empathy": 3}, marks=["missed_crisis"])
    factories.rating(danger, 5, marks=["missed_crisis"])
    expert = factories.member(campaign, "expert")
    order = []
    while found := take_next(expert=expert, campaign=campaign):
        order.append(found.work_item_id)
        Case.objects.filter(pk=found.pk).update(state=State.DECIDED)
    assert order == [danger.pk, split.pk, wide.pk]


def test_given_back_it_waits_for_the_others(case, expert):
    take_case(case_id=case.pk, expert=expert)
    assert give_back(case_id=case.pk, expert=expert).state == State.WAITING
    assert take_next(expert=factories.member(case.campaign, "expert"), campaign=case.campaign) == case


def test_what_one_does_not_hold_one_cannot_give_back_or_renew(case, expert):
    for act in (give_back, renew_case):
        with pytest.raises(CaseNotHeld):
            act(case_id=case.pk, expert=expert)


def test_a_lease_can_be_renewed_for_four_hours_at_most(case, expert):
    take_case(case_id=case.pk, expert=expert)
    start = timezone.now() - timedelta(hours=settings.LEASE_MAX_HOURS) + timedelta(minutes=10)
    Case.objects.update(taken_at=start)
    left = renew_case(case_id=case.pk, expert=expert).lease_expires_at - timezone.now()
    assert timedelta(minutes=9) < left < timedelta(minutes=11)


def test_a_lease_that_is_over_brings_the_case_back(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    assert expire_case_leases() == 0
    overdue(case)
    assert sweep_case_leases() == 1
    case.refresh_from_db()
    disputed.refresh_from_db()
    assert (case.state, case.taken_by, disputed.locked) == (State.WAITING, None, False)
    assert list(case.events.values_list("kind", flat=True)) == ["opened", "taken", "lease over"]


def test_another_expert_may_take_what_is_overdue_before_any_sweep(case, expert):
    take_case(case_id=case.pk, expert=expert)
    overdue(case)
    other = factories.member(case.campaign, "expert")
    assert take_case(case_id=case.pk, expert=other).taken_by == other


def test_a_taken_case_stays_with_its_expert_when_a_rating_is_withdrawn(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    withdraw_rating(rating_id=disputed.ratings.first().pk)
    case.refresh_from_db()
    assert (case.state, case.taken_by) == (State.TAKEN, expert)


def test_given_back_after_that_it_falls_since_the_item_wants_raters(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    withdraw_rating(rating_id=disputed.ratings.first().pk)
    assert give_back(case_id=case.pk, expert=expert).state == State.FALLEN


def test_a_case_whose_reason_went_while_it_was_held_falls_when_given_back(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    withdraw_rating(rating_id=disputed.ratings.order_by("rank").first().pk)
    disputed.refresh_from_db()
    factories.rating(disputed, 5)
    case.refresh_from_db()
    assert case.state == State.TAKEN
    assert give_back(case_id=case.pk, expert=expert).state == State.FALLEN
    disputed.refresh_from_db()
    assert disputed.state == WorkItem.State.SETTLED


def test_the_case_of_a_withdrawn_item_is_not_given_out(case, expert, disputed):
    withdraw_item(locked_item(disputed.pk))
    assert take_next(expert=expert, campaign=case.campaign) is None
    with pytest.raises(CaseNotFree):
        take_case(case_id=case.pk, expert=expert)


def test_nor_is_it_opened_again(case, expert, disputed):
    judge(case, expert)
    withdraw_item(locked_item(disputed.pk))
    for by in (expert, factories.member(case.campaign, "manager")):
        with pytest.raises(CaseFell):
            reopen_case(case_id=case.pk, by=by, reason="Once more.")
    case.refresh_from_db()
    assert case.state == "decided"


def test_the_queue_is_read_from_its_index(case):
    """Inside the lock, so never by a scan; SQLite would ignore a partial index under bound parameters."""
    if connection.vendor != "sqlite":
        pytest.skip("the plan of SQLite, where all writers wait for each other")
    queue = Case.objects.waiting().filter(campaign__in=[case.campaign_id]).order_by("priority", "pk")
    plan = queue.explain()
    assert "case_queue" in plan
    assert "TEMP B-TREE" not in plan
