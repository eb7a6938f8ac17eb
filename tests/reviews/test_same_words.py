"""Two companions said the very same to one scenario: who knows what was made of one, or rated it, is bound on both."""

import pytest

from annotation.models import Assignment
from annotation.services.leases import lease_next
from annotation.services.ratings import withdraw_rating
from annotation.services.references import add_reference
from annotation.standing import stuck_items
from reviews import policy
from reviews.asked import Asked
from reviews.errors import ConflictOfInterest
from reviews.models import Case
from reviews.panel import others_able
from reviews.queue import counts_of, listed_cases
from reviews.scope import scope_of
from reviews.services.cases import take_case, take_next
from reviews.tally import tally_of, waiting_for
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def data():
    return factories.dataset(scenarios=2, companions=["one", "two"], texts=["I am sorry."])


@pytest.fixture
def campaign(data):
    return factories.campaign(overlap=2, rule={"range": 2}, data=data)


@pytest.fixture
def same(campaign):
    """The two items of one scenario."""
    first, *others = factories.items_of(campaign)
    return first, next(item for item in others if item.scenario_id == first.scenario_id)


@pytest.fixture
def elsewhere(campaign, same):
    """The items with the same words of another scenario: there they may be right."""
    return [item for item in factories.items_of(campaign) if item.scenario_id != same[0].scenario_id]


def both(campaign, user=None):
    user = factories.member(campaign, "expert", user=user)
    return factories.member(campaign, user=user)


def given_to(user, campaign):
    items = set()
    while assignment := lease_next(campaign=campaign, user=user):
        items.add(assignment.work_item)
        factories.rating(assignment.work_item, user=user, assignment=assignment)
    return items


class TestWhoCouldReadWhyItIsACase:
    """As an expert, in the list: not taken, only seen."""

    def test_is_given_neither(self, campaign, same, elsewhere):
        factories.rated_item([{"empathy": 1}, 5], item=same[0])
        user = both(campaign)
        (row,) = listed_cases(scope_of(user), Asked()).rows
        assert row.reasons
        assert given_to(user, campaign) == set(elsewhere)

    def test_nor_as_a_check(self, data, campaign, same):
        factories.rated_item([{"empathy": 1}, 5], item=same[0])
        withdraw_rating(rating_id=same[0].ratings.last().pk)
        factories.rated_item([5, 5], item=same[1])
        add_reference(campaign=campaign, response=same[1].response, purpose="check", scores=factories.full_scores(4))
        checks = campaign.items.model.everything.unused_checks
        assert checks(factories.member(campaign).memberships.get()).exists()
        assert not checks(both(campaign).memberships.get(role="annotator")).exists()

    def test_and_the_manager_is_told_when_nobody_else_is_left(self, campaign, same):
        factories.rated_item([{"empathy": 1}, 5], item=same[0])
        campaign.memberships.update(state="removed")
        both(campaign)
        assert set(stuck_items(campaign)) == {same[1]}

    def test_who_is_no_expert_rates_on(self, campaign, same):
        factories.rated_item([{"empathy": 1}, 5], item=same[0])
        assert same[1] in given_to(factories.member(campaign), campaign)


class TestWhoRatedTheOne:
    """Judges neither: no one judges their own."""

    @pytest.fixture
    def user(self, campaign, same):
        user = factories.member(campaign)
        factories.rating(same[1], 5, user=user)
        return factories.member(campaign, "expert", user=user)

    @pytest.fixture
    def case(self, same, user):
        return Case.objects.get(work_item=factories.rated_item([{"empathy": 1}, 5], item=same[0]))

    def test_cannot_take_the_other(self, campaign, case, user):
        assert take_next(expert=user, campaign=campaign) is None
        with pytest.raises(ConflictOfInterest):
            take_case(case_id=case.pk, expert=user)

    def test_reads_nothing_of_it_in_the_list(self, case, user):
        (row,) = listed_cases(scope_of(user), Asked()).rows
        assert (row.conflict, row.reasons, row.spread, row.may_take) == (True, [], 0, False)
        assert listed_cases(scope_of(user), Asked(reason="range")).rows == []
        assert counts_of(scope_of(user), Asked(reason="range"), [])["waiting"] == 0

    def test_does_not_count_it_as_waiting_for_them(self, case, user):
        scope = scope_of(user)
        assert waiting_for(scope, tally_of(scope.campaigns)).inside == 0

    def test_is_nobody_to_ask_for_an_opinion(self, campaign, case, user):
        assert others_able(case, factories.member(campaign, "expert")) == 0

    def test_judges_the_same_words_in_another_scenario(self, campaign, case, user, elsewhere):
        theirs = Case.objects.get(work_item=factories.rated_item([{"empathy": 1}, 5], item=elsewhere[0]))
        assert not policy.has_conflict(user, theirs)
        assert take_next(expert=user, campaign=campaign) == theirs

    def test_who_was_given_the_one_while_the_next_case_was_looked_for_is_not_handed_the_other(
        self, campaign, same, monkeypatch
    ):
        """Asked again under the item's lock."""
        expert = both(campaign)
        Case.objects.get(work_item=factories.rated_item([{"empathy": 1}, 5], item=same[0]))
        from reviews.services import cases

        locked = cases._locked

        def meanwhile(pk):
            factories.lease(same[1], expert)
            return locked(pk)

        monkeypatch.setattr(cases, "_locked", meanwhile)
        assert take_next(expert=expert, campaign=campaign) is None
        assert Assignment.objects.filter(annotator=expert).count() == 1
