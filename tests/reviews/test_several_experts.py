"""Several experts on one case: opinions given without sight of each other, a talk, one decision."""

import uuid

import pytest

from annotation.models import Assignment, WorkItem
from annotation.services.items import locked_item, withdraw_item
from annotation.services.people import change_membership
from reviews.errors import (
    CaseNotFree,
    CaseNotHeld,
    ConflictOfInterest,
    DecisionInvalid,
    NobodyElse,
    NotAmongThem,
    OpinionGiven,
    RemarkInvalid,
)
from reviews.models import Case, CaseRemark, Decision
from reviews.services.cases import give_back, reopen_case, take_case, take_next
from reviews.services.decisions import decide_case
from reviews.services.records import records_of
from reviews.services.talk import call_another, say
from reviews.showing import shown_case
from tests import factories
from tests.reviews.judging import judge

pytestmark = pytest.mark.django_db
State, Kind = Case.State, Decision.Kind


@pytest.fixture
def second(case, expert):
    return factories.member(case.campaign, "expert")


@pytest.fixture
def third(case, expert):
    return factories.member(case.campaign, "expert")


@pytest.fixture
def divided(case, expert, second):
    """Two opinions that differ."""
    judge(case, expert, 2, panel=2)
    judge(case, second, 4)
    return case


def labels_of(case):
    return next(record for record in records_of(case.campaign)).history().decision


class TestAsking:
    def test_keeps_what_was_entered_as_an_opinion_and_lets_the_case_wait(self, case, expert, second):
        opinion = judge(case, expert, 2, panel=2)
        assert (opinion.kind, case.state, case.taken_by) == (Kind.OPINION, State.SECOND_OPINION, None)
        assert (case.opinions_in, case.opinions_needed) == (1, 2)
        assert WorkItem.objects.get(pk=case.work_item_id).state == "in_review"
        assert labels_of(case) is None

    @pytest.mark.parametrize("panel", [1, 6, "2", True, 2.5])
    def test_is_refused_for_a_panel_that_is_none(self, case, expert, second, panel):
        take_case(case_id=case.pk, expert=expert)
        with pytest.raises(DecisionInvalid) as refused:
            judge(case, expert, panel=panel)
        assert list(refused.value.fields) == ["panel"]
        assert not Decision.objects.exists()

    def test_is_refused_where_nobody_else_could_judge(self, case, expert, disputed):
        rater = disputed.ratings.first().annotator
        factories.member(case.campaign, "expert", user=rater)
        with pytest.raises(NobodyElse):
            judge(case, expert, panel=2)
        assert not Decision.objects.exists()

    def test_is_refused_of_a_decided_case(self, case, expert, second):
        decision = judge(case, expert)
        with pytest.raises(CaseNotHeld):
            decide_case(
                case_id=case.pk,
                expert=expert,
                client_id=uuid.uuid4(),
                values={"empathy": 3},
                rationale="More",
                supersedes=decision.pk,
                panel=2,
            )

    def test_lets_no_rating_be_edited_meanwhile(self, case, expert, second):
        judge(case, expert, panel=2)
        assert WorkItem.objects.get(pk=case.work_item_id).locked


class TestTheSecond:
    def test_is_given_the_case_next_and_the_first_is_not(self, case, expert, second):
        judge(case, expert, panel=2)
        assert take_next(expert=expert, campaign=case.campaign) is None
        assert take_next(expert=second, campaign=case.campaign) == case
        case.refresh_from_db()
        assert (case.state, case.taken_by) == (State.SECOND_OPINION, second)
        give_back(case_id=case.pk, expert=second)
        with pytest.raises(OpinionGiven):
            take_case(case_id=case.pk, expert=expert)

    def test_sees_nothing_of_what_the_first_said(self, case, expert, second):
        judge(case, expert, 2, rationale="The first word.", panel=2)
        take_case(case_id=case.pk, expert=second)
        shown = shown_case(Case.objects.with_item().get(pk=case.pk), second)
        assert (shown.mine, shown.decisions, shown.talk, shown.stage) == (True, [], None, "awaited")
        assert "The first word." not in repr(shown)

    def test_may_not_be_somebody_who_rated_it(self, case, expert, second, disputed):
        judge(case, expert, panel=2)
        rater = disputed.ratings.first().annotator
        factories.member(case.campaign, "expert", user=rater)
        with pytest.raises(ConflictOfInterest):
            take_case(case_id=case.pk, expert=rater)

    def test_holds_it_alone_and_may_give_it_back(self, case, expert, second, third):
        judge(case, expert, panel=2)
        take_case(case_id=case.pk, expert=second)
        with pytest.raises(CaseNotFree):
            take_case(case_id=case.pk, expert=third)
        give_back(case_id=case.pk, expert=second)
        case.refresh_from_db()
        assert (case.state, case.opinions_in) == (State.SECOND_OPINION, 1)
        take_case(case_id=case.pk, expert=third)

    def test_who_says_the_same_makes_it_the_decision(self, case, expert, second):
        first = judge(case, expert, 2, panel=2)
        judge(case, second, 2, rationale="I too.")
        ruling = case.decisions.standing().get()
        assert (case.state, ruling.expert, ruling.rationale) == (State.DECIDED, second, "I too.")
        assert ruling.values.get().value == 2
        assert Decision.objects.opinions().count() == 2
        assert first.kind == Kind.OPINION
        assert WorkItem.objects.get(pk=case.work_item_id).state == "settled"

    def test_of_three_that_do_not_all_agree_nothing_comes_by_itself(self, case, expert, second, third):
        judge(case, expert, 2, panel=3)
        judge(case, second, 2)
        assert case.is_awaiting_opinions
        judge(case, third, 3)
        assert (case.is_to_settle, Decision.objects.standing().exists()) == (True, False)


class TestSettling:
    def test_both_see_both_and_talk(self, divided, expert, second):
        say(case_id=divided.pk, expert=expert, text="Look at the third line.")
        shown = shown_case(Case.objects.with_item().get(pk=divided.pk), second)
        assert [(o.expert, o.mine, o.values) for o in shown.opinions] == [
            (1, False, {"empathy": 2}),
            (2, True, {"empathy": 4}),
        ]
        assert [(said.expert, said.mine, said.text) for said in shown.talk] == [(1, False, "Look at the third line.")]
        assert shown.stage == "to_settle"

    def test_one_of_them_decides_and_that_alone_is_gold(self, divided, expert, second):
        ruling = judge(divided, expert, 3, rationale="We met in the middle.")
        assert (ruling.kind, divided.state) == (Kind.RULING, State.DECIDED)
        given = labels_of(divided)
        assert (given.number, given.values) == (ruling.pk, {"empathy": 3})

    def test_nobody_else_talks_settles_or_reads(self, divided, third):
        with pytest.raises(NotAmongThem):
            say(case_id=divided.pk, expert=third, text="Me too.")
        with pytest.raises(NotAmongThem):
            take_case(case_id=divided.pk, expert=third)
        with pytest.raises(NotAmongThem):
            call_another(case_id=divided.pk, expert=third)
        shown = shown_case(Case.objects.with_item().get(pk=divided.pk), third)
        assert (shown.item, shown.decisions, shown.talk) == (None, None, None)
        assert take_next(expert=third, campaign=divided.campaign) is None

    def test_no_talk_before_all_opinions_are_in(self, case, expert, second):
        judge(case, expert, panel=2)
        with pytest.raises(NotAmongThem):
            say(case_id=case.pk, expert=expert, text="I wonder.")

    @pytest.mark.parametrize("text", ["", "  ", None, 3, "x" * 2001, "\x00"])
    def test_a_remark_is_words(self, divided, expert, text):
        with pytest.raises(RemarkInvalid):
            say(case_id=divided.pk, expert=expert, text=text)
        assert not CaseRemark.objects.exists()

    def test_a_second_click_is_no_second_remark(self, divided, expert):
        assert say(case_id=divided.pk, expert=expert, text="Once.") == say(
            case_id=divided.pk, expert=expert, text="Once."
        )

    def test_one_more_expert_may_be_called_who_sees_none_of_it(self, divided, expert, third):
        say(case_id=divided.pk, expert=expert, text="Between us.")
        call_another(case_id=divided.pk, expert=expert)
        assert take_next(expert=third, campaign=divided.campaign) == divided
        shown = shown_case(Case.objects.with_item().get(pk=divided.pk), third)
        assert (shown.decisions, shown.talk) == ([], None)
        shown = shown_case(Case.objects.with_item().get(pk=divided.pk), expert)
        assert [decision.mine for decision in shown.decisions] == [True]
        judge(divided, third, 4)
        assert divided.is_to_settle

    def test_nobody_is_called_who_is_not_there(self, divided, expert):
        with pytest.raises(NobodyElse):
            call_another(case_id=divided.pk, expert=expert)


class TestWhereExpertsLeave:
    def leave(self, case, who):
        change_membership(membership=case.campaign.memberships.get(user=who), state="removed")

    def test_the_first_decides_alone_once_nobody_could_be_second(self, case, expert, second):
        judge(case, expert, 2, panel=2)
        self.leave(case, second)
        assert judge(case, expert, 2).kind == Kind.RULING
        assert case.state == State.DECIDED

    def test_another_settles_what_those_who_left_were_divided_over(self, divided, expert, second, third):
        for gone in (expert, second):
            self.leave(divided, gone)
        assert judge(divided, third, 3).kind == Kind.RULING


def test_what_is_opened_again_is_judged_anew_by_one(divided, expert, second):
    judge(divided, expert, 3)
    reopen_case(case_id=divided.pk, by=second, reason="The rubric has changed.")
    divided.refresh_from_db()
    assert (divided.round, divided.opinions_in, divided.opinions_needed) == (1, 0, 1)
    ruling = judge(divided, second, 2, panel=2)
    assert (ruling.kind, ruling.round) == (Kind.OPINION, 1)
    judge(divided, expert, 2)
    last = divided.decisions.standing().get()
    assert last.supersedes is not None
    assert divided.state == State.DECIDED


def test_an_item_that_leaves_the_campaign_meanwhile_is_judged_by_nobody(case, expert, second):
    judge(case, expert, panel=2)
    withdraw_item(locked_item(case.work_item_id))
    assert take_next(expert=second, campaign=case.campaign) is None
    with pytest.raises(CaseNotFree):
        take_case(case_id=case.pk, expert=second)


def test_who_held_it_when_its_item_left_is_given_something_else(case, expert, second):
    judge(case, expert, panel=2)
    take_case(case_id=case.pk, expert=second)
    withdraw_item(locked_item(case.work_item_id))
    assert take_next(expert=second, campaign=case.campaign) is None
    assert case.events.last().detail == {"why": "the item left the campaign"}


def test_a_lease_that_runs_out_leaves_the_opinions_as_they_were(case, expert, second, third):
    judge(case, expert, panel=2)
    take_case(case_id=case.pk, expert=second)
    Case.objects.filter(pk=case.pk).update(lease_expires_at=case.opened_at)
    assert take_next(expert=third, campaign=case.campaign) == case
    with pytest.raises(CaseNotFree):
        decide_case(case_id=case.pk, expert=second, client_id=uuid.uuid4(), values={"empathy": 3}, rationale="Late.")


def test_an_expert_who_rates_too_sees_no_rating_of_a_case_on_which_they_said_nothing(divided):
    both = factories.member(divided.campaign, "expert")
    factories.member(divided.campaign, "annotator", user=both)
    shown = shown_case(Case.objects.with_item().get(pk=divided.pk), both)
    assert (shown.item, shown.voices) == (None, None)
    assert not Assignment.objects.filter(annotator=both).exists()
