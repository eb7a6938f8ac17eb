"""Decisions: complete, by someone who did not rate, saved once, never changed."""

import uuid

import pytest

from annotation.models import WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from reviews.errors import AlreadyDecided, CaseNotFree, CaseNotHeld, ConflictOfInterest, DecisionInvalid
from reviews.models import Case, Decision
from reviews.services.cases import reopen_case, take_case, take_next
from reviews.services.decisions import decide_case
from tests import factories
from tests.reviews.test_take_case import overdue

pytestmark = pytest.mark.django_db
State = Case.State


def faults_of(case, expert, **given):
    with pytest.raises(DecisionInvalid) as refused:
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), **given)
    return refused.value.fields


def test_a_decision_settles_the_item(case, expert, decide, disputed):
    decision = decide(case, expert, {"empathy": 4, "safety": 5}, quick_reason="misread")
    disputed.refresh_from_db()
    assert case.state == State.DECIDED
    assert disputed.state == WorkItem.State.SETTLED
    assert {v.dimension: v.value for v in decision.values.all()} == {"empathy": 4, "safety": 5}
    assert decision.quick_reason == "misread"


def test_every_disputed_dimension_needs_a_value(case, expert):
    take_case(case_id=case.pk, expert=expert)
    assert list(faults_of(case, expert, values={"fluency": 4})) == ["values.empathy"]


def test_a_dimension_may_be_not_decidable(case, expert, decide):
    (value,) = decide(case, expert, {"empathy": "ambiguous"}, quick_reason="ambiguity").values.all()
    assert (value.value, value.ambiguous) == (None, True)


@pytest.mark.parametrize("value", [0, 6, 3.5, "4", True, "unsure", [4], {}])
def test_a_value_that_is_no_level_is_refused(case, expert, value):
    take_case(case_id=case.pk, expert=expert)
    assert "values.empathy" in faults_of(case, expert, values={"empathy": value})


@pytest.mark.parametrize("values", [None, [], "empathy", 4])
def test_values_must_be_an_object(case, expert, values):
    take_case(case_id=case.pk, expert=expert)
    assert "values" in faults_of(case, expert, values=values)


def test_unknown_names_are_faults(case, expert):
    take_case(case_id=case.pk, expert=expert)
    faults = faults_of(
        case, expert, values={"empathy": 3, "charm": 4}, marks={"rudeness": True, "privacy": 1}, quick_reason="mood"
    )
    assert set(faults) == {"values.charm", "marks.rudeness", "marks.privacy", "quick_reason"}


def test_a_rationale_that_cannot_be_stored_is_refused(case, expert):
    take_case(case_id=case.pk, expert=expert)
    for rationale in ("a\x00b", "\ud800", 7, "x" * 10_001):
        assert "rationale" in faults_of(case, expert, values={"empathy": 4}, rationale=rationale)


def test_a_value_outside_the_raters_range_needs_a_rationale():
    item = factories.rated_item([{"empathy": 2}, {"empathy": 4}])
    case = Case.objects.get(work_item=item)
    expert = factories.member(case.campaign, "expert")
    take_case(case_id=case.pk, expert=expert)
    assert "rationale" in faults_of(case, expert, values={"empathy": 5})
    assert "rationale" in faults_of(case, expert, values={"empathy": 1}, rationale="  \n")
    decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 5}, rationale="It names it.")


def test_a_split_mark_needs_a_ruling_and_a_violation_set_needs_a_rationale():
    campaign = factories.campaign(overlap=2)
    (item,) = factories.items_of(campaign)
    factories.rating(item, 5, marks=["privacy"])
    factories.rating(item, 5)
    case, expert = Case.objects.get(), factories.member(campaign, "expert")
    take_case(case_id=case.pk, expert=expert)
    assert list(faults_of(case, expert, values={})) == ["marks.privacy"]
    assert list(faults_of(case, expert, values={}, marks={"privacy": True})) == ["rationale"]
    decided = decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={}, marks={"privacy": False})
    assert decided.decision.marks == {"privacy": False}


def test_in_an_audit_the_whole_item_is_the_question():
    item = factories.rated_item([5, 5], rule={"audit_share": 1.0})
    case = Case.objects.get(work_item=item)
    expert = factories.member(case.campaign, "expert")
    take_case(case_id=case.pk, expert=expert)
    assert set(faults_of(case, expert, values={})) == {"values.empathy", "values.fluency", "values.safety"}


def test_the_same_decision_sent_twice_is_saved_once(case, expert, decide):
    client_id = uuid.uuid4()
    first = decide(case, expert, client_id=client_id)
    again = decide_case(case_id=case.pk, expert=expert, client_id=client_id, values={"empathy": 4})
    assert (again.decision, again.created) == (first, False)
    assert Decision.objects.count() == 1


def test_a_client_id_is_of_one_case():
    campaign = factories.campaign(items=2, overlap=2)
    expert = factories.member(campaign, "expert")
    cases = [
        Case.objects.get(work_item=factories.rated_item([1, 5], item=item)) for item in factories.items_of(campaign)
    ]
    client_id, values = uuid.uuid4(), dict.fromkeys(factories.DIMENSIONS, 3)
    for case in cases:
        take_case(case_id=case.pk, expert=expert)
    decide_case(case_id=cases[0].pk, expert=expert, client_id=client_id, values=values)
    with pytest.raises(DecisionInvalid) as refused:
        decide_case(case_id=cases[1].pk, expert=expert, client_id=client_id, values=values)
    assert "client_id" in refused.value.fields


def test_only_who_holds_the_case_decides_it(case, expert):
    with pytest.raises(CaseNotHeld):
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4})
    take_case(case_id=case.pk, expert=expert)
    other = factories.member(case.campaign, "expert")
    with pytest.raises(CaseNotFree):
        decide_case(case_id=case.pk, expert=other, client_id=uuid.uuid4(), values={"empathy": 4})


def test_who_rated_the_item_cannot_decide_it(case, disputed):
    rater = factories.member(case.campaign, "expert", user=disputed.ratings.first().annotator)
    with pytest.raises(ConflictOfInterest):
        decide_case(case_id=case.pk, expert=rater, client_id=uuid.uuid4(), values={"empathy": 4})


def test_a_decision_just_after_the_lease_is_taken_where_nothing_changed(case, expert):
    take_case(case_id=case.pk, expert=expert)
    overdue(case)
    take_next(expert=factories.member(factories.campaign(), "expert"))  # anyone's request sweeps
    decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4})
    case.refresh_from_db()
    assert case.state == State.DECIDED


def test_but_not_on_ratings_that_were_edited_meanwhile(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    overdue(case)
    take_next(expert=factories.member(factories.campaign(), "expert"))
    factories.edit(disputed.ratings.order_by("rank").first(), {"empathy": 2})
    with pytest.raises(CaseNotHeld):
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4})


def test_a_decided_case_stays_decided_whatever_the_rule_says_then(case, expert, decide, disputed):
    decide(case, expert)
    withdraw_rating(rating_id=disputed.ratings.order_by("rank").last().pk)
    disputed.refresh_from_db()
    assert disputed.state == WorkItem.State.OPEN
    factories.rating(disputed, {"safety": 1})
    disputed.refresh_from_db()
    case.refresh_from_db()
    assert disputed.state == WorkItem.State.SETTLED
    assert case.state == State.DECIDED
    assert take_next(expert=expert, campaign=case.campaign) is None


def test_cases_are_decided_on_a_closed_campaign_too(case, expert, decide):
    close_campaign(campaign=case.campaign)
    decide(case, expert)
    assert case.state == State.DECIDED


def test_a_second_decision_must_say_which_one_it_revises(case, expert, decide):
    first = decide(case, expert)
    with pytest.raises(AlreadyDecided) as refused:
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 3})
    assert refused.value.more == {"decision": first.pk}


def test_an_own_decision_is_revised_with_a_reason_and_both_are_kept(case, expert, decide):
    first = decide(case, expert)
    revision = {"case_id": case.pk, "expert": expert, "values": {"empathy": 3}, "supersedes": first.pk}
    with pytest.raises(DecisionInvalid):
        decide_case(client_id=uuid.uuid4(), **revision)
    second = decide_case(client_id=uuid.uuid4(), rationale="Read it again.", **revision).decision
    assert second.supersedes == first
    assert list(Decision.objects.standing()) == [second]
    with pytest.raises(AlreadyDecided):
        decide_case(client_id=uuid.uuid4(), rationale="And again.", **revision)


def test_another_experts_decision_is_not_revised_but_reopened(case, expert, decide):
    first = decide(case, expert)
    other = factories.member(case.campaign, "expert")
    with pytest.raises(AlreadyDecided):
        decide_case(
            case_id=case.pk,
            expert=other,
            client_id=uuid.uuid4(),
            values={"empathy": 3},
            rationale="No.",
            supersedes=first.pk,
        )
    reopen_case(case_id=case.pk, by=other, reason="I see it otherwise.")
    second = decide(case, other, {"empathy": 3})
    assert second.supersedes == first
    assert list(case.events.values_list("kind", flat=True)) == [
        "opened", "taken", "decided", "reopened", "taken", "decided",
    ]  # fmt: skip


def test_reopening_needs_a_reason_and_sends_the_item_back_into_review(case, expert, decide, disputed):
    decide(case, expert)
    with pytest.raises(DecisionInvalid):
        reopen_case(case_id=case.pk, by=expert, reason=" ")
    reopen_case(case_id=case.pk, by=expert, reason="The guideline changed.")
    disputed.refresh_from_db()
    case.refresh_from_db()
    assert disputed.state == WorkItem.State.IN_REVIEW
    assert case.state == State.WAITING
    assert case.kinds == " range reopened "


def test_a_reopened_case_waits_even_where_the_rule_finds_no_reason(expert, case, decide, disputed):
    decide(case, expert)
    reopen_case(case_id=case.pk, by=expert, reason="Look again.")
    withdraw_rating(rating_id=disputed.ratings.order_by("rank").first().pk)
    disputed.refresh_from_db()
    factories.rating(disputed, 5)
    case.refresh_from_db()
    disputed.refresh_from_db()
    assert (case.state, case.kinds) == (State.WAITING, " reopened ")
    assert disputed.state == WorkItem.State.IN_REVIEW


def test_the_case_of_a_withdrawn_item_is_not_decided(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    withdraw_item(locked_item(disputed.pk))
    overdue(case)
    take_next(expert=factories.member(factories.campaign(), "expert"))
    with pytest.raises((CaseNotHeld, CaseNotFree)):
        decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4})


def test_an_item_decided_while_it_wants_a_rater_is_settled_once_it_has_one(case, expert, disputed):
    take_case(case_id=case.pk, expert=expert)
    withdraw_rating(rating_id=disputed.ratings.order_by("rank").last().pk)
    decide_case(case_id=case.pk, expert=expert, client_id=uuid.uuid4(), values={"empathy": 4})
    disputed.refresh_from_db()
    assert disputed.state == WorkItem.State.OPEN
    factories.rating(disputed, 5)
    disputed.refresh_from_db()
    assert disputed.state == WorkItem.State.SETTLED
