"""Rulings, ratings, cases and flags at the same time: one is first, and there is never half of one."""

import pytest

from annotation.errors import ConcordError
from annotation.models import Assignment, ScenarioFlag, WorkItem
from annotation.services.flags import flag_scenario
from annotation.services.leases import lease_next
from reviews.errors import RulingRefused
from reviews.models import ScenarioRuling
from reviews.services.cases import take_case
from reviews.services.refinement import Ruled, read_scenario, rule_on_scenario
from scenarios.models import Scenario
from tests import factories
from tests.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(transactional_db):
    factories.default_rubric()
    data = factories.dataset(scenarios=1, companions=[f"model-{i}" for i in range(4)])
    return factories.campaign(data=data, overlap=2)


@pytest.fixture
def scenario(campaign):
    return Scenario.objects.get(dataset=campaign.dataset)


def ruling(campaign, scenario, expert, verdict, **given):
    given |= {} if verdict != "revise" else {"changes": {"persona": f"By {expert.pk}."}}
    about = {"campaign": campaign, "scenario": scenario, "expert": expert}
    return lambda: rule_on_scenario(verdict=verdict, fault="unsafe", reason=f"{expert.pk}", **about, **given)


def unexpected(outcomes):
    return [outcome for outcome in outcomes if isinstance(outcome, Exception) and not isinstance(outcome, ConcordError)]


@pytest.mark.parametrize("verdicts", [("revise", "revise"), ("withdraw", "withdraw"), ("revise", "withdraw")])
def test_of_two_experts_one_rules(campaign, scenario, verdicts):
    experts = [factories.member(campaign, "expert") for _ in verdicts]
    outcomes = at_once(*(ruling(campaign, scenario, *pair) for pair in zip(experts, verdicts, strict=True)))
    assert not unexpected(outcomes)
    assert [type(outcome) for outcome in outcomes].count(Ruled) == 1
    assert sum(isinstance(outcome, RulingRefused) for outcome in outcomes) == 1
    stands = ScenarioRuling.objects.get()
    assert set(WorkItem.objects.values_list("state", flat=True)) == {"withdrawn"}
    versions = Scenario.objects.filter(key=scenario.key).order_by("version")
    assert [one.version for one in versions] == ([1, 2] if stands.verdict == "revise" else [1])
    assert (versions[0].superseded, versions[0].withdrawn) == (stands.verdict == "revise", stands.verdict == "withdraw")


def test_of_two_campaigns_that_revise_it_one_does(campaign, scenario):
    other = factories.campaign(data=campaign.dataset)
    calls = [ruling(one, scenario, factories.member(one, "expert"), "revise") for one in (campaign, other)]
    outcomes = at_once(*calls)
    assert not unexpected(outcomes)
    assert [type(outcome) for outcome in outcomes].count(Ruled) == 1
    ruled = ScenarioRuling.objects.get().campaign
    for one in (campaign, other):
        states = set(WorkItem.objects.filter(campaign=one).values_list("state", flat=True))
        assert states == ({"withdrawn"} if one == ruled else {"open"})
    assert Scenario.objects.filter(key=scenario.key).count() == 2


def test_one_expert_who_sends_it_twice_rules_once(campaign, scenario):
    expert = factories.member(campaign, "expert")
    outcomes = at_once(*[ruling(campaign, scenario, expert, "revise")] * 3)
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert sum(outcome.created for outcome in outcomes) == 1
    assert Scenario.objects.filter(key=scenario.key).count() == 2


@pytest.mark.parametrize("round_", range(3))
def test_ratings_and_cases_under_way_end_in_one_order_or_the_other(campaign, scenario, round_):
    first, second, third, _fourth = factories.items_of(campaign)
    asks = factories.member(campaign)
    held = [factories.lease(item, factories.member(campaign)) for item in (first, second)]
    factories.rated_item([1, 5], item=third)
    outcomes = at_once(
        ruling(campaign, scenario, factories.member(campaign, "expert"), "withdraw"),
        lambda: factories.rating(first, user=held[0].annotator, assignment=held[0]),
        lambda: factories.rating(second, user=held[1].annotator, assignment=held[1]),
        lambda: take_case(case_id=third.cases.get().pk, expert=factories.member(campaign, "expert")),
        lambda: lease_next(campaign=campaign, user=asks),
    )
    assert not unexpected(outcomes)
    assert isinstance(outcomes[0], Ruled)
    assert set(WorkItem.objects.values_list("state", flat=True)) == {"withdrawn"}
    assert not Assignment.objects.live().exists()
    assert set(third.cases.values_list("state", flat=True)) == {"fallen"}
    for place, outcome in enumerate(outcomes[1:3]):
        kept = held[place].work_item.ratings.count()
        assert kept == (0 if isinstance(outcome, Exception) else 1)


def test_a_flag_is_before_the_ruling_or_after_it(campaign, scenario):
    user = factories.member(campaign)
    given = factories.lease(factories.items_of(campaign)[0], user)
    outcomes = at_once(
        ruling(campaign, scenario, factories.member(campaign, "expert"), "keep"),
        *[lambda: flag_scenario(assignment_id=given.pk, user=user, fault="unsafe")] * 3,
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert ScenarioFlag.objects.count() == ScenarioRuling.objects.count() == 1


@pytest.mark.parametrize("moved", [False, True])
def test_who_opens_a_scenario_while_another_rules_on_it_waits_and_neither_is_lost(campaign, scenario, moved):
    """Both hold many items at once: in one order, whatever order the rows lie in."""
    if moved:
        for item in reversed(factories.items_of(campaign)):
            WorkItem.objects.filter(pk=item.pk).update(heavy=True)
    reader, expert = factories.member(campaign, "expert"), factories.member(campaign, "expert")
    outcomes = at_once(
        lambda: read_scenario(campaign=campaign, scenario=scenario, viewer=reader),
        ruling(campaign, scenario, expert, "withdraw"),
    )
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
