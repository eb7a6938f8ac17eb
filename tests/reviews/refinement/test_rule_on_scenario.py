"""An expert keeps, revises or withdraws a scenario: what was rated of a defective one leaves gold, and is kept."""

import pytest

from annotation.models import Assignment, CampaignEvent, Membership, Rating, WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.flags import flag_scenario
from annotation.services.items import locked_item
from annotation.services.leases import lease_next
from reviews.errors import RulingInvalid, RulingRefused
from reviews.models import Case, ScenarioRuling
from reviews.services.agreement import Options, compute_agreement
from reviews.services.cases import take_case
from reviews.services.refinement import read_reference
from scenarios.models import Scenario
from tests import factories
from tests.reviews.published import publish, rows
from tests.reviews.refining import CHANGES, items, states

pytestmark = pytest.mark.django_db


def flagged_by_rater(campaign, scenario):
    user = factories.member(campaign)
    item = items(campaign, scenario)[0]
    assignment = factories.lease(item, user)
    flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe")
    return assignment


class TestRevised:
    def test_there_is_a_new_version_and_every_item_of_the_old_one_is_withdrawn(self, campaign, scenario, rule):
        ruling = rule("revise").ruling
        new = Scenario.objects.current().get(key=scenario.key)
        assert (ruling.revised_to, new.version, new.persona) == (new, 2, CHANGES["persona"])
        assert len(items(campaign, scenario)) == 4
        assert states(campaign, scenario) == {"withdrawn"}
        other = Scenario.objects.current().exclude(pk=new.pk).get()
        assert states(campaign, other) == {"open"}

    def test_ratings_are_kept_leases_end_and_open_cases_fall(self, campaign, scenario, rule):
        disputed, taken, leased, done = items(campaign, scenario)
        factories.rated_item([1, 5], item=disputed)
        factories.rated_item([1, 5], item=taken)
        take_case(case_id=Case.objects.get(work_item=taken).pk, expert=factories.member(campaign, "expert"))
        assignment = factories.lease(leased, factories.member(campaign))
        factories.rated_item([5, 5], item=done)
        before = list(Rating.objects.order_by("pk").values_list("pk", "status"))
        rule("revise")
        assert list(Rating.objects.order_by("pk").values_list("pk", "status")) == before
        assert set(Case.objects.values_list("state", flat=True)) == {"fallen"}
        assignment.refresh_from_db()
        assert assignment.state == Assignment.State.WITHDRAWN
        leased.refresh_from_db()
        assert leased.leased == 0

    def test_it_is_in_the_campaigns_log(self, campaign, scenario, expert, rule):
        ruling = rule("revise").ruling
        event = CampaignEvent.objects.filter(campaign=campaign, kind="scenario revised").get()
        assert event.by == expert
        assert event.detail == {
            "scenario": scenario.pk,
            "ruling": ruling.pk,
            "fault": "personal_data",
            "items": 4,
            "revised_to": ruling.revised_to_id,
        }

    def test_training_and_check_items_go_too(self, campaign, scenario, rule):
        response = items(campaign, scenario)[0].response
        withdrawn = locked_item(items(campaign, scenario)[0].pk)
        withdrawn.state = "settled"
        withdrawn.save()
        check = factories.check_item(campaign, response=response)
        rule("revise")
        check.refresh_from_db()
        assert check.state == "withdrawn"
        user = factories.member(campaign)
        membership = Membership.objects.get(user=user)
        assert not WorkItem.everything.unused_checks(membership).exists()

    def test_the_reference_can_be_changed_by_who_may_see_it(self, campaign, scenario, expert, rule):
        with pytest.raises(RulingInvalid) as refused:
            rule("revise", changes={"reference": "Another."})
        assert list(refused.value.fields) == ["changes.reference"]
        assert states(campaign, scenario) == {"open"}
        for item in items(campaign, scenario):
            factories.rated_item([5, 5], item=item)
        with pytest.raises(RulingInvalid):  # who has not read it cannot mend it
            rule("revise", changes={"reference": "Another."})
        read_reference(campaign=campaign, scenario=scenario, expert=expert)
        assert rule("revise", changes={"reference": "Another."}).ruling.revised_to.reference == "Another."


class TestWithdrawn:
    def test_no_campaign_draws_it_and_its_items_are_out(self, campaign, scenario, rule):
        ruling = rule("withdraw").ruling
        scenario.refresh_from_db()
        assert scenario.withdrawn
        assert not scenario.superseded
        assert ruling.revised_to is None
        assert states(campaign, scenario) == {"withdrawn"}
        new = factories.campaign(data=campaign.dataset)
        assert set(new.items.values_list("scenario", flat=True)) == {
            pk for pk in Scenario.objects.values_list("pk", flat=True) if pk != scenario.pk
        }

    def test_nobody_is_given_an_item_of_it(self, campaign, scenario, rule):
        rule("withdraw")
        user = factories.member(campaign)
        seen = set()
        while assignment := lease_next(campaign=campaign, user=user):
            seen.add(assignment.work_item.scenario_id)
            factories.rating(assignment.work_item, user=user, assignment=assignment)
        assert seen
        assert scenario.pk not in seen

    def test_agreement_leaves_it_out(self, campaign, scenario, rule):
        for item in WorkItem.objects.filter(campaign=campaign):
            factories.rated_item([4, 5], item=item)
        before, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0))
        rule("withdraw")
        after, _new = compute_agreement(campaign=campaign, options=Options(bootstrap=0))
        assert [report.result["dimensions"]["empathy"]["units"] for report in (before, after)] == [8, 4]

    @pytest.mark.parametrize("verdict", ["revise", "withdraw"])
    def test_the_next_release_has_no_label_of_it_and_every_rating(self, campaign, scenario, rule, verdict):
        for item in WorkItem.objects.filter(campaign=campaign):
            factories.rated_item([4, 5], item=item)
        before = publish(campaign)
        assert len(rows(before, "gold.jsonl")) == 8 * 3
        rule(verdict)
        after = publish(campaign)
        assert after.number == before.number + 1
        labelled = {row["key"] for row in rows(after, "gold.jsonl")}
        assert len(rows(after, "gold.jsonl")) == 4 * 3
        assert scenario.key not in labelled
        assert len(rows(after, "ratings.jsonl")) == len(rows(before, "ratings.jsonl")) == 8 * 2 * 3
        assert len(rows(before, "gold.jsonl")) == 8 * 3

    def test_another_campaign_rules_for_itself(self, campaign, scenario, rule):
        other = factories.campaign(data=campaign.dataset)
        rule("withdraw")
        assert states(other, scenario) == {"open"}
        theirs = factories.member(other, "expert")
        with pytest.raises(RulingRefused, match="withdrawn"):
            rule("revise", campaign=other, expert=theirs)
        rule("withdraw", campaign=other, expert=theirs)
        assert states(other, scenario) == {"withdrawn"}

    def test_also_in_a_closed_campaign(self, campaign, scenario, rule):
        close_campaign(campaign=campaign)
        rule("withdraw")
        assert states(campaign, scenario) == {"withdrawn"}

    def test_late_work_on_it_is_kept_and_counts_for_nothing(self, campaign, scenario, rule):
        item = items(campaign, scenario)[0]
        late = factories.lease(item, factories.member(campaign))
        Assignment.objects.filter(pk=late.pk).update(state="expired")
        WorkItem.objects.filter(pk=item.pk).update(leased=0)
        rule("withdraw")
        assert factories.rating(item, user=late.annotator, assignment=late).status == "surplus"


class TestKept:
    def test_nothing_changes_but_the_flags_are_answered(self, campaign, scenario, rule):
        flagged_by_rater(campaign, scenario)
        rule("keep", fault="unsafe")
        scenario.refresh_from_db()
        assert not scenario.withdrawn
        assert states(campaign, scenario) == {"open"}
        assert ScenarioRuling.objects.get().fault == ""

    @pytest.mark.parametrize("later", ["keep", "revise", "withdraw"])
    def test_a_newer_ruling_may_follow(self, campaign, scenario, rule, later):
        rule("keep")
        rule(later, reason="Read again.")
        assert [ruling.verdict for ruling in ScenarioRuling.objects.all()] == ["keep", later]


@pytest.mark.parametrize("later", ["keep", "revise", "withdraw"])
@pytest.mark.parametrize("first", ["revise", "withdraw"])
def test_what_was_revised_or_withdrawn_is_not_brought_back(campaign, scenario, rule, first, later):
    rule(first)
    with pytest.raises(RulingRefused, match="not brought back"):
        rule(later, reason="On second thoughts.", expert=factories.member(campaign, "expert"))
    assert ScenarioRuling.objects.count() == 1
    assert Scenario.objects.filter(key=scenario.key).count() == (2 if first == "revise" else 1)


@pytest.mark.parametrize("verdict", ["keep", "revise", "withdraw"])
def test_sent_twice_it_is_one_ruling(campaign, scenario, rule, verdict):
    first, again = rule(verdict), rule(verdict)
    assert (first.created, again.created) == (True, False)
    assert first.ruling == again.ruling


def test_after_a_newer_flag_the_same_words_are_a_new_answer(campaign, scenario, rule):
    rule("keep")
    flagged_by_rater(campaign, scenario)
    assert rule("keep").created


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"verdict": "burn"}, ["verdict"]),
        ({"verdict": None}, ["verdict"]),
        ({"verdict": []}, ["verdict"]),
        ({"fault": ""}, ["fault"]),
        ({"fault": "dull"}, ["fault"]),
        ({"fault": None}, ["fault"]),
        ({"reason": "  "}, ["reason"]),
        ({"reason": None}, ["reason"]),
        ({"reason": "a\x00"}, ["reason"]),
        ({"reason": "x" * 2001}, ["reason"]),
        ({"changes": CHANGES}, ["changes"]),
        ({"verdict": "keep", "changes": CHANGES}, ["changes"]),
        ({"verdict": "revise", "changes": None}, ["changes"]),
        ({"verdict": "revise", "changes": {"key": "mine"}}, ["changes.key"]),
        ({"verdict": "revise", "changes": {"turns": 3}}, ["changes.turns"]),
        ({"verdict": "burn", "reason": ""}, ["reason", "verdict"]),
    ],
)
def test_what_is_not_complete_is_refused_by_its_field_and_changes_nothing(campaign, scenario, rule, given, fields):
    with pytest.raises(RulingInvalid) as refused:
        rule(**({"verdict": "withdraw"} | given))
    assert sorted(refused.value.fields) == fields
    assert states(campaign, scenario) == {"open"}
    assert not ScenarioRuling.objects.exists()
    assert Scenario.objects.current().filter(key=scenario.key).count() == 1
