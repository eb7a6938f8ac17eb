"""The share of cases that is decided twice, and whose turn the list says it is."""

import pytest

from reviews.asked import Asked
from reviews.models import Case, Decision
from reviews.queue import counts_of, listed_cases
from reviews.scope import scope_of
from reviews.services.cases import take_case
from reviews.showing import shown_case
from reviews.tally import tally_of
from tests import factories
from tests.reviews.judging import judge

pytestmark = pytest.mark.django_db
State, Kind = Case.State, Decision.Kind


class TestTheShareThatIsDecidedTwice:
    @pytest.fixture
    def campaign(self):
        made = factories.campaign(items=40, overlap=2, rule={"twice_share": 0.5}, seed=5)
        for item in factories.items_of(made):
            factories.rated_item([{"empathy": 1}, 5], item=item)
        return made

    def test_is_drawn_by_the_seed_and_said_to_nobody_beforehand(self, campaign):
        drawn = Case.objects.filter(drawn_twice=True)
        assert 10 < drawn.count() < 30
        expert = factories.member(campaign, "expert")
        factories.member(campaign, "expert")
        case = drawn.first()
        shown = shown_case(take_case(case_id=case.pk, expert=expert), expert)
        assert shown.stage == ""

    def test_takes_two_opinions_and_the_rest_one(self, campaign):
        first, second = (factories.member(campaign, "expert") for _ in range(2))
        for case in Case.objects.in_campaign(campaign):
            kind = judge(case, first, 2).kind
            assert kind == (Kind.OPINION if case.drawn_twice else Kind.RULING)
        for case in Case.objects.filter(drawn_twice=True):
            judge(case, second, 2)
            assert case.state == State.DECIDED

    def test_is_decided_once_where_there_is_one_expert(self, campaign):
        expert = factories.member(campaign, "expert")
        assert judge(Case.objects.filter(drawn_twice=True).first(), expert, 2).kind == Kind.RULING


def test_where_several_experts_judge_it_the_list_tells_each_whose_turn_it_is(case, expert):
    second, third = (factories.member(case.campaign, "expert") for _ in range(2))

    def row_of(who):
        return next(row for row in listed_cases(scope_of(who), Asked()).rows if row.id == case.pk)

    judge(case, expert, 2, panel=2)
    assert [(row_of(who).state, row_of(who).turn, row_of(who).may_take) for who in (expert, second)] == [
        ("several", "", False),
        ("several", "opinion", True),
    ]
    take_case(case_id=case.pk, expert=second)
    assert (row_of(second).state, row_of(third).turn) == ("mine", "")
    scope = scope_of(second)
    assert counts_of(scope, Asked(), tally_of(scope.campaigns))["mine"] == 1
    judge(case, second, 4)
    assert [row_of(who).turn for who in (expert, second, third)] == ["settle", "settle", ""]
    assert [row.id for row in listed_cases(scope_of(expert), Asked(state="several")).rows] == [case.pk]
