"""Two at once, on the database the tests run on: one case, one expert; one edit or one decision; one release."""

import uuid

import pytest
from django.db import connection

from annotation.errors import ConcordError, EditClosed
from annotation.models import Rating, WorkItem
from reviews.errors import CaseNotFree, CaseNotHeld
from reviews.models import Case, Decision, Release
from reviews.services.cases import expire_case_leases, give_back, take_case, take_next
from reviews.services.decisions import decide_case
from reviews.services.releases import publish_release
from reviews.services.snapshot import snapshot
from tests import factories
from tests.at_once import at_once
from tests.reviews.judging import judge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _rubric(transactional_db: None) -> None:
    factories.default_rubric()


def unexpected(outcomes):
    return [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, ConcordError)]


def test_one_case_goes_to_one_expert(case):
    experts = [factories.member(case.campaign, "expert") for _ in range(6)]
    outcomes = at_once(*(lambda e=e: take_case(case_id=case.pk, expert=e) for e in experts))
    assert not unexpected(outcomes)
    assert [type(outcome) for outcome in outcomes].count(Case) == 1
    assert sum(isinstance(outcome, CaseNotFree) for outcome in outcomes) == 5


def test_everyone_who_asks_for_the_next_gets_another():
    campaign = factories.campaign(items=6, overlap=2)
    for item in factories.items_of(campaign):
        factories.rated_item([1, 5], item=item)
    experts = [factories.member(campaign, "expert") for _ in range(8)]
    outcomes = at_once(*(lambda e=e: take_next(expert=e, campaign=campaign) for e in experts))
    assert not unexpected(outcomes)
    taken = [case.pk for case in outcomes if case is not None]
    assert len(taken) == len(set(taken)) == 6


def test_one_expert_who_asks_twice_holds_one_case():
    campaign = factories.campaign(items=3, overlap=2)
    for item in factories.items_of(campaign):
        factories.rated_item([1, 5], item=item)
    expert = factories.member(campaign, "expert")
    outcomes = at_once(*[lambda: take_next(expert=expert, campaign=campaign)] * 4)
    assert not unexpected(outcomes)
    assert len({case.pk for case in outcomes}) == 1
    assert Case.objects.held_by(expert).count() == 1


@pytest.mark.parametrize("round_", range(4))
def test_an_edit_and_the_taking_of_the_case_exclude_each_other(case, expert, disputed, round_):
    far = disputed.ratings.order_by("rank").first()
    edited, taken = at_once(
        lambda: factories.edit(far, 5),
        lambda: take_case(case_id=case.pk, expert=expert),
    )
    assert not unexpected([edited, taken])
    case.refresh_from_db()
    disputed.refresh_from_db()
    if isinstance(edited, Rating):
        assert isinstance(taken, CaseNotFree)
        assert (case.state, disputed.state) == (Case.State.FALLEN, WorkItem.State.SETTLED)
    else:
        assert isinstance(edited, EditClosed)
        assert (case.state, disputed.state) == (Case.State.TAKEN, WorkItem.State.IN_REVIEW)


def test_of_many_who_would_give_the_second_opinion_one_does(case, expert):
    others = [factories.member(case.campaign, "expert") for _ in range(5)]
    judge(case, expert, 2, panel=2)
    outcomes = at_once(*(lambda e=e: judge(case, e, 4) for e in others))
    assert not unexpected(outcomes)
    case.refresh_from_db()
    assert (case.state, case.opinions_in, case.decisions.opinions().count()) == ("second_opinion", 2, 2)
    assert sum(not isinstance(outcome, Exception) for outcome in outcomes) == 1


def test_those_who_differ_make_one_decision_though_all_decide_at_once(case, expert):
    second = factories.member(case.campaign, "expert")
    judge(case, expert, 2, panel=2)
    judge(case, second, 4)
    outcomes = at_once(*(lambda e=e: judge(case, e, 3) for e in (expert, second)))
    assert not unexpected(outcomes)
    assert sum(not isinstance(outcome, Exception) for outcome in outcomes) == 1
    assert Decision.objects.standing().filter(case=case).count() == 1


def test_asking_for_others_and_deciding_exclude_each_other(case, expert):
    factories.member(case.campaign, "expert")
    take_case(case_id=case.pk, expert=expert)
    given = {"case_id": case.pk, "expert": expert, "values": {"empathy": 3}, "rationale": "So."}
    outcomes = at_once(
        lambda: decide_case(client_id=uuid.uuid4(), panel=2, **given),
        lambda: decide_case(client_id=uuid.uuid4(), **given),
    )
    assert not unexpected(outcomes)
    case.refresh_from_db()
    kinds = set(case.decisions.values_list("kind", flat=True))
    assert (case.state, kinds) in [("decided", {"ruling"}), ("second_opinion", {"opinion"})]


def test_a_decision_that_races_its_own_copy_is_saved_once(case, expert):
    take_case(case_id=case.pk, expert=expert)
    client_id = uuid.uuid4()
    outcomes = at_once(
        *[lambda: decide_case(case_id=case.pk, expert=expert, client_id=client_id, values={"empathy": 4})] * 4
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert sum(outcome.created for outcome in outcomes) == 1
    assert Decision.objects.count() == 1


def test_a_decision_and_giving_back_end_in_one_of_the_two(case, expert):
    take_case(case_id=case.pk, expert=expert)
    decided, back = at_once(
        lambda: decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4}),
        lambda: give_back(case_id=case.pk, expert=expert),
    )
    assert not unexpected([decided, back])
    case.refresh_from_db()
    # Given back first, the decision takes the case again: nothing has changed since they looked at it.
    assert case.state == Case.State.DECIDED
    assert isinstance(back, CaseNotHeld | Case)


def test_sweeping_twice_at_once_brings_each_case_back_once(case, expert):
    take_case(case_id=case.pk, expert=expert)
    Case.objects.update(lease_expires_at=case.opened_at)
    assert sorted(at_once(expire_case_leases, expire_case_leases)) == [0, 1]
    assert case.events.filter(kind="lease over").count() == 1


def test_a_snapshot_does_not_see_what_is_written_meanwhile_and_holds_nobody_up(case, expert):
    with snapshot() as outside:
        before = Case.objects.get(pk=case.pk).state
        outside(lambda: take_case(case_id=case.pk, expert=expert))
        assert Case.objects.get(pk=case.pk).state == before == Case.State.WAITING
    assert Case.objects.get(pk=case.pk).state == Case.State.TAKEN
    assert not connection.in_atomic_block


def test_an_error_ends_the_snapshot(case):
    with pytest.raises(Case.DoesNotExist), snapshot():
        Case.objects.get(pk=0)
    Case.objects.update(priority=7)
    assert Case.objects.get().priority == 7


def test_two_who_publish_at_once_make_one_release(study):
    told: list[tuple[int, int]] = []
    outcomes = at_once(*[lambda: publish_release(campaign=study, progress=lambda *seen: told.append(seen))] * 2)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)], outcomes
    assert sorted(outcome.is_new for outcome in outcomes) == [False, True]
    assert Release.objects.count() == 1
    assert [path.name for path in Release.objects.get().path.parent.parent.iterdir()] == ["study"]
    assert (8, 8) in told
