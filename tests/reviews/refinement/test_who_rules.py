"""Who may rule on a scenario, what reading it costs, and who sees its reference."""

import pytest

from annotation.models import Assignment, ItemBar, Membership, WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.leases import lease_next
from annotation.services.people import change_membership
from reviews import policy
from reviews.errors import NotAnExpert, ReferenceHidden, ScenarioConflict, ScenarioNotFound
from reviews.models import Case, ReferenceReading
from reviews.services.refinement import read_reference, read_scenario
from scenarios.models import Scenario
from tests import factories
from tests.reviews.judging import judge
from tests.reviews.refining import items, states

pytestmark = pytest.mark.django_db


class TestWhoMay:
    @pytest.mark.parametrize("role", ["manager", "annotator"])
    def test_only_an_expert_of_the_campaign(self, campaign, rule, role):
        for other in (factories.member(campaign, role), factories.member(factories.campaign(), "expert")):
            with pytest.raises(NotAnExpert):
                rule("keep", expert=other)

    def test_no_paused_expert(self, campaign, expert, rule):
        change_membership(membership=Membership.objects.get(user=expert), state="paused")
        with pytest.raises(NotAnExpert):
            rule("keep")

    @pytest.mark.parametrize("ends", ["", "released", "skipped", "submitted"])
    def test_nobody_who_was_ever_given_any_response_to_it(self, campaign, scenario, expert, rule, ends):
        assignment = factories.lease(items(campaign, scenario)[-1], factories.member(campaign, user=expert))
        if ends:
            Assignment.objects.filter(pk=assignment.pk).update(state=ends)
        for verdict in ("keep", "revise", "withdraw"):
            with pytest.raises(ScenarioConflict):
                rule(verdict)
        with pytest.raises(ScenarioConflict):
            read_scenario(campaign=campaign, scenario=scenario, viewer=expert)
        assert states(campaign, scenario) == {"open"}

    def test_a_response_to_another_scenario_is_no_conflict(self, campaign, scenario, expert, rule):
        other = WorkItem.objects.filter(campaign=campaign).exclude(scenario=scenario).first()
        factories.lease(other, factories.member(campaign, user=expert))
        assert rule("keep").created

    def test_a_scenario_of_another_dataset_is_none_here(self, rule):
        factories.dataset(scenarios=1)
        with pytest.raises(ScenarioNotFound):
            rule("keep", scenario=Scenario.objects.last())

    def test_who_read_the_flags_or_ruled_is_given_no_item_of_it(self, campaign, scenario, expert, rule):
        factories.member(campaign, user=expert)
        read_scenario(campaign=campaign, scenario=scenario, viewer=expert)
        assert ItemBar.objects.filter(user=expert).count() == 4
        given = set()
        while assignment := lease_next(campaign=campaign, user=expert):
            given.add(assignment.work_item.scenario_id)
            factories.rating(assignment.work_item, user=expert, assignment=assignment)
        assert given
        assert scenario.pk not in given
        other = factories.member(campaign, "expert")
        rule("keep", expert=other)
        assert ItemBar.objects.filter(user=other).count() == 4


class TestWhoSeesTheReference:
    def test_an_expert_who_does_not_rate_once_nothing_is_to_be_judged(self, campaign, scenario, expert):
        assert not policy.may_see_reference(expert, campaign, scenario.pk)
        first, *rest = items(campaign, scenario)
        for item in rest:
            factories.rated_item([5, 5], item=item)
        factories.rated_item([1, 5], item=first)  # its case waits
        assert not policy.may_see_reference(expert, campaign, scenario.pk)
        WorkItem.objects.filter(pk=first.pk).update(state="withdrawn")
        assert policy.may_read_reference(expert, campaign, scenario.pk)
        assert not policy.may_see_reference(expert, campaign, scenario.pk)
        read_reference(campaign=campaign, scenario=scenario, expert=expert)
        assert policy.may_see_reference(expert, campaign, scenario.pk)

    def test_a_manager_who_looks_on_once_the_campaign_is_closed(self, campaign, scenario, expert):
        manager = factories.member(campaign, "manager")
        for item in items(campaign, scenario):
            factories.rated_item([5, 5], item=item)
        assert not policy.may_see_reference(manager, campaign, scenario.pk)
        campaign = close_campaign(campaign=campaign)
        assert policy.may_see_reference(manager, campaign, scenario.pk)
        factories.member(campaign, "expert", user=manager)
        assert not policy.may_see_reference(manager, campaign, scenario.pk)

    def test_an_expert_of_a_closed_campaign_as_of_an_open_one(self, campaign, scenario, expert):
        """Its cases are still decided, and it may be opened again."""
        first, *_never_rated = items(campaign, scenario)
        factories.rated_item([{"empathy": 1}, 5], item=first)
        campaign = close_campaign(campaign=campaign)
        with pytest.raises(ReferenceHidden):
            read_reference(campaign=campaign, scenario=scenario, expert=expert)
        judge(Case.objects.get(work_item=first), expert)
        assert not policy.may_see_reference(expert, campaign, scenario.pk)
        read_reference(campaign=campaign, scenario=scenario, expert=expert)
        assert policy.may_see_reference(expert, campaign, scenario.pk)
        assert ReferenceReading.objects.filter(user=expert, scenario=scenario).exists()

    def test_never_one_who_rates_here(self, campaign, scenario, expert):
        factories.member(campaign, user=expert)
        campaign = close_campaign(campaign=campaign)
        assert not policy.may_see_reference(expert, campaign, scenario.pk)
        assert not policy.may_see_reference(factories.member(campaign), campaign, scenario.pk)
