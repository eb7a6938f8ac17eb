"""The refinement's pages, as an expert meets them without a script."""

import html
import re

import pytest
from django.urls import reverse

from annotation.models import WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.flags import flag_scenario
from reviews.models import Case, ScenarioRuling
from reviews.services.cases import take_case
from reviews.services.refinement import rule_on_scenario
from scenarios.models import Scenario
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db

CONTEXT = {
    "persona": "A warm friend.\r\nShe says <b>little</b>.",
    "turns": [{"role": "user", "text": "\nThe tide is out."}, {"role": "companion", "text": ""}],
    "memories": [{"text": "She sails.", "category": "sea", "importance": 2}],
    "schedule": [{"time": "07:30", "activity": "tea", "now": True}, {"time": "", "activity": "sleep"}],
}


@pytest.fixture
def campaign():
    data = factories.dataset(scenarios=3, tasks=["dialogue_emotion", "dialogue_schedule", "dialogue_emotion"])
    Scenario.objects.filter(dataset=data).update(**CONTEXT)
    return factories.campaign(data=data, overlap=2)


@pytest.fixture
def scenario(campaign):
    return Scenario.objects.filter(dataset=campaign.dataset).first()


@pytest.fixture
def expert(campaign, client):
    user = factories.member(campaign, "expert")
    client.force_login(user)
    return user


def flag(campaign, scenario, fault="unsafe", note=""):
    user = factories.member(campaign)
    given = factories.lease(WorkItem.objects.get(campaign=campaign, scenario=scenario), user)
    flag_scenario(assignment_id=given.pk, user=user, fault=fault, note=note)
    return user


def text_of(answer):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def form_of(client, campaign, scenario, **changed):
    """What a browser sends of the form as it came: line ends as CR LF, one newline at a text area's start dropped."""
    source = page(client, "scenario", campaign.slug, scenario.pk).content.decode()
    source = source[source.index('id="ruling"') :]
    sent = {}
    for name, content in re.findall(r'<textarea[^>]* name="([^"]+)"[^>]*>(.*?)</textarea>', source, re.DOTALL):
        typed = html.unescape(content.removeprefix("\n"))
        sent[name] = re.sub(r"\r\n|\r|\n", "\r\n", typed)
    for tag in re.findall(r"<input [^>]+>", source):
        if (
            'type="radio"' not in tag
            and 'type="hidden"' not in tag
            and ('type="checkbox"' not in tag or "checked" in tag)
        ):
            value = re.search(r'value="([^"]*)"', tag)
            sent[re.search(r'name="([^"]+)"', tag)[1]] = html.unescape(value[1]) if value else "on"
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', source, re.DOTALL):
        sent[name] = re.search(r'value="(\w+)" selected', options)[1]
    return sent | {key.replace("__", "."): value for key, value in changed.items()}


class TestTheTable:
    def test_it_says_first_how_things_stand(self, client, campaign, scenario, expert):
        said = text_of(page(client, "refinement", campaign.slug))
        assert (
            "This campaign has 3 scenarios; by the rulings so far, 0 kept, 0 revised, 0 withdrawn. No flag waits"
            in said
        )
        flag(campaign, scenario)
        assert "1 flagged scenario waits for a ruling." in text_of(page(client, "refinement", campaign.slug))

    def test_it_counts_by_task_and_says_why(self, client, campaign, expert):
        first, second, third = Scenario.objects.filter(dataset=campaign.dataset)
        flag(campaign, first)
        about = {"campaign": campaign, "expert": expert, "reason": "why"}
        rule_on_scenario(scenario=first, verdict="keep", **about)
        rule_on_scenario(scenario=first, verdict="withdraw", fault="unsafe", **about)
        rule_on_scenario(scenario=second, verdict="revise", fault="unnatural", changes={"persona": "B"}, **about)
        rule_on_scenario(scenario=third, verdict="keep", **about)
        answer = page(client, "refinement", campaign.slug)
        rows = {row.task: row for row in answer.context["found"].tasks}
        emotion, schedule = rows["dialogue_emotion"], rows["dialogue_schedule"]
        names = ("scenarios", "flagged", "kept", "revised", "withdrawn")
        assert [getattr(emotion, name) for name in names] == [2, 1, 1, 0, 1]
        assert [getattr(schedule, name) for name in names] == [1, 0, 0, 1, 0]
        assert (emotion.why, schedule.why) == ([("unsafe", 1)], [("unnatural", 1)])
        assert [getattr(answer.context["found"].total, name) for name in names] == [3, 1, 1, 1, 1]
        assert answer.context["found"].waiting == []

    def test_flags_wait_until_a_ruling_answers_them_and_newer_ones_wait_again(self, client, campaign, scenario, expert):
        other = Scenario.objects.filter(dataset=campaign.dataset).last()
        flag(campaign, other)
        flag(campaign, scenario)
        flag(campaign, scenario, "unnatural")
        waiting = page(client, "refinement", campaign.slug).context["found"].waiting
        assert [(row.scenario, row.people, row.votes) for row in waiting] == [
            (scenario.pk, 2, {"unsafe": 1, "unnatural": 1}),
            (other.pk, 1, {"unsafe": 1}),
        ]
        rule_on_scenario(campaign=campaign, scenario=scenario, expert=expert, verdict="keep", reason="It is sound.")
        assert [row.scenario for row in page(client, "refinement", campaign.slug).context["found"].waiting] == [
            other.pk
        ]
        WorkItem.objects.filter(scenario=scenario).update(needed=9)
        flag(campaign, scenario)
        waiting = page(client, "refinement", campaign.slug).context["found"].waiting
        assert [(row.scenario, row.people) for row in waiting] == [(scenario.pk, 3), (other.pk, 1)]

    def test_many_come_in_pages(self, client, django_assert_max_num_queries):
        campaign = factories.campaign(items=60, overlap=1)
        user = factories.member(campaign)
        for item in factories.items_of(campaign):
            flag_scenario(assignment_id=factories.lease(item, user).pk, user=user, fault="unsafe")
        client.force_login(factories.member(campaign, "expert"))
        with django_assert_max_num_queries(40):
            first = page(client, "refinement", campaign.slug)
        seen = [row.scenario for row in first.context["page"]]
        seen += [row.scenario for row in page(client, "refinement", campaign.slug, page=2).context["page"]]
        assert len(seen) == len(set(seen)) == 60

    def test_who_rates_here_too_sees_no_votes_and_nothing_of_what_they_were_given(self, client, campaign, scenario):
        both = flag(campaign, scenario, note="mine")
        factories.member(campaign, "expert", user=both)
        other = Scenario.objects.filter(dataset=campaign.dataset).last()
        flag(campaign, scenario)
        flag(campaign, other)
        client.force_login(both)
        (row,) = page(client, "refinement", campaign.slug).context["found"].waiting
        assert (row.scenario, row.people, row.votes, row.newest) == (other.pk, None, None, None)
        assert page(client, "scenario", campaign.slug, scenario.pk).status_code == 403


class TestOneScenario:
    def test_it_shows_the_context_the_flags_and_no_origin(self, client, campaign, scenario, expert):
        user = flag(campaign, scenario, note="Nobody <i>talks</i> so.")
        seen = page(client, "scenario", campaign.slug, scenario.pk).content.decode()
        assert "She sails." in seen
        assert "Nobody &lt;i&gt;talks&lt;/i&gt; so." in seen
        assert "an annotator" in seen
        for hidden in (user.username, scenario.key, "model-a", "no_sap", scenario.reference):
            assert hidden not in seen

    def test_a_scenario_of_no_item_here_is_not_there(self, client, campaign, expert):
        factories.dataset(scenarios=1)
        assert page(client, "scenario", campaign.slug, Scenario.objects.last().pk).status_code == 404

    def test_a_manager_looks_on_and_rules_nothing(self, client, campaign, scenario):
        client.force_login(factories.member(campaign, "manager"))
        answer = page(client, "scenario", campaign.slug, scenario.pk)
        assert "look on as a manager" in text_of(answer)
        assert 'id="ruling"' not in answer.content.decode()
        sent = {"verdict": "withdraw", "fault": "unsafe", "reason": "why"}
        assert post(client, "scenario", campaign.slug, scenario.pk, **sent).status_code == 403
        assert not ScenarioRuling.objects.exists()

    def test_the_form_as_it_came_changes_nothing(self, client, campaign, scenario, expert):
        """Line ends, a leading newline, an empty turn and a schedule's mark come back from a browser as they were."""
        sent = form_of(client, campaign, scenario, verdict="revise", fault="unsafe", reason="why")
        answer = post(client, "scenario", campaign.slug, scenario.pk, **sent)
        assert answer.status_code == 400
        assert "Nothing is changed." in text_of(answer)
        sent = form_of(client, campaign, scenario, verdict="keep", reason="It is sound.")
        assert post(client, "scenario", campaign.slug, scenario.pk, **sent).status_code == 302
        assert ScenarioRuling.objects.get().verdict == "keep"

    def test_what_is_changed_alone_changes(self, client, campaign, scenario, expert):
        changed = {
            "turns__0.text": "The tide is in.",
            "turns__2.text": "And then?",
            "turns__2.role": "companion",
            "memories__0.text": "She sails at night.",
            "schedule__1.activity": "",
        }
        sent = form_of(client, campaign, scenario, verdict="revise", fault="unnatural", reason="Odd.", **changed)
        answer = post(client, "scenario", campaign.slug, scenario.pk, **sent)
        assert answer.status_code == 302, text_of(answer)
        new = Scenario.objects.current().get(key=scenario.key)
        assert new.turns == [
            {"role": "user", "text": "The tide is in."},
            {"role": "companion", "text": ""},
            {"role": "companion", "text": "And then?"},
        ]
        assert new.memories == [{"text": "She sails at night.", "category": "sea", "importance": 2}]
        assert new.schedule == [CONTEXT["schedule"][0]]
        assert (new.persona, new.reference) == (CONTEXT["persona"], scenario.reference)

    def test_afterwards_old_and_new_stand_side_by_side_and_no_form(self, client, campaign, scenario, expert):
        sent = form_of(client, campaign, scenario, verdict="revise", fault="unsafe", reason="R", turns__0="")
        sent["turns.0.text"] = "The tide is in."
        post(client, "scenario", campaign.slug, scenario.pk, **sent)
        seen = page(client, "scenario", campaign.slug, scenario.pk).content.decode()
        assert "<del>out</del>" in seen
        assert "<ins>in</ins>" in seen
        assert 'id="ruling"' not in seen
        assert "Its old version" in seen or "its old version" in seen

    def test_what_was_typed_stands_beside_the_refusal(self, client, campaign, scenario, expert):
        sent = form_of(client, campaign, scenario, verdict="withdraw", fault="unsafe", reason="")
        sent |= {"persona": "Typed here.", "turns.2.text": "And typed there."}
        answer = post(client, "scenario", campaign.slug, scenario.pk, **sent)
        assert answer.status_code == 400
        said = text_of(answer)
        assert "A reason is needed." in said
        assert "choose “revise”" in said
        assert "Typed here." in said
        assert "And typed there." in said
        assert not ScenarioRuling.objects.exists()

    def test_the_reference_is_shown_and_changed_once_nothing_is_to_be_judged(self, client, campaign, scenario, expert):
        sent = form_of(client, campaign, scenario, verdict="revise", fault="reference_wrong", reason="R")
        assert "reference" not in sent
        answer = post(client, "scenario", campaign.slug, scenario.pk, **sent, reference="Mine.")
        assert "Nothing is changed." in text_of(answer)
        factories.rated_item([5, 5], item=WorkItem.objects.get(campaign=campaign, scenario=scenario))
        assert "reference" not in form_of(client, campaign, scenario)
        post(client, "reference", campaign.slug, scenario.pk)
        sent = form_of(client, campaign, scenario, verdict="revise", fault="reference_wrong", reason="R")
        assert sent["reference"] == scenario.reference
        post(client, "scenario", campaign.slug, scenario.pk, **sent | {"reference": "A better one."})
        assert Scenario.objects.current().get(key=scenario.key).reference == "A better one."

    def test_on_a_closed_campaign_a_ruling_may_still_come(self, client, campaign, scenario, expert):
        close_campaign(campaign=campaign)
        sent = form_of(client, campaign, scenario, verdict="withdraw", fault="unsafe", reason="R")
        assert post(client, "scenario", campaign.slug, scenario.pk, **sent).status_code == 302
        assert Scenario.objects.get(pk=scenario.pk).withdrawn


class TestFromACase:
    def test_a_case_leads_to_its_scenario_with_the_number_of_flags(self, client, campaign, scenario, expert):
        item = WorkItem.objects.get(campaign=campaign, scenario=scenario)
        flag(campaign, scenario)
        factories.rating(item, 1, user=item.assignments.get().annotator, assignment=item.assignments.get())
        factories.rating(item, 5)
        case = Case.objects.get(work_item=item)
        take_case(case_id=case.pk, expert=expert)
        answer = page(client, "case", case.pk)
        assert reverse("reviews:scenario", args=[campaign.slug, scenario.pk]) in answer.content.decode()
        assert "1 flag" in text_of(answer)

    def test_after_a_withdrawal_the_case_has_fallen(self, client, campaign, scenario, expert):
        item = factories.rated_item([1, 5], item=WorkItem.objects.get(campaign=campaign, scenario=scenario))
        case = Case.objects.get(work_item=item)
        take_case(case_id=case.pk, expert=expert)
        about = {"campaign": campaign, "scenario": scenario, "expert": expert}
        rule_on_scenario(verdict="withdraw", fault="unsafe", reason="R", **about)
        assert "This case fell away" in text_of(page(client, "case", case.pk))
