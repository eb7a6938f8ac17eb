"""A case on which several experts speak, as each of them meets it without a script, and by the API."""

import uuid

import pytest
from django.test import Client

from reviews.models import Case, CaseRemark, Decision
from reviews.services.cases import take_case
from tests import factories
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(case, expert):
    return factories.member(case.campaign, "expert")


def as_(user):
    client = Client()
    client.force_login(user)
    return client


def decide(client, case, value="2", **fields):
    given = {"client_id": str(uuid.uuid4()), "value.empathy": value, "rationale": f"I say {value}.", "then": "next"}
    post(client, "take_case", case.pk)
    return client.post(f"/cases/{case.pk}/decision/", given | fields, follow=True)


def test_the_form_offers_to_ask_others_only_where_there_are_others(case, expert):
    take_case(case_id=case.pk, expert=expert)
    assert 'id="escalate"' not in page(as_(expert), "case", case.pk).content.decode()
    factories.member(case.campaign, "expert")
    assert 'id="escalate"' in page(as_(expert), "case", case.pk).content.decode()


def test_an_opinion_is_kept_and_the_next_expert_reads_nothing_of_it(case, expert, second):
    answer = decide(as_(expert), case, then="escalate", panel="2")
    assert "The case now waits for another expert" in answer.content.decode()
    waiting = page(as_(second), "case", case.pk).content.decode()
    assert "waits for one more opinion" in waiting
    post(as_(second), "take_case", case.pk)
    held = page(as_(second), "case", case.pk).content.decode()
    assert "Your opinion" in held
    assert "I say 2." not in waiting + held


def test_who_has_spoken_reads_their_own_opinion_while_they_wait(case, expert, second):
    decide(as_(expert), case, then="escalate", panel="2")
    seen = page(as_(expert), "case", case.pk).content.decode()
    assert "Your opinion is in" in seen
    assert "I say 2." in seen


def test_those_who_differ_read_each_other_talk_and_one_decides(case, expert, second):
    decide(as_(expert), case, then="escalate", panel="2")
    answer = decide(as_(second), case, "4")
    assert "It differs from the others" in answer.content.decode()
    for user in (expert, second):
        seen = page(as_(user), "case", case.pk).content.decode()
        assert "I say 2." in seen
        assert "I say 4." in seen
        assert "differs" in seen
    post(as_(expert), "talk_about_case", case.pk, text="Third line!")
    assert "Third line!" in page(as_(second), "case", case.pk).content.decode()
    decide(as_(second), case, "3", rationale="In the middle.")
    seen = page(as_(expert), "case", case.pk).content.decode()
    assert "In the middle." in seen
    assert "Third line!" in seen
    case.refresh_from_db()
    assert case.state == "decided"


def test_those_who_say_the_same_are_done(case, expert, second):
    decide(as_(expert), case, then="escalate", panel="2")
    assert "you and the others said the same" in decide(as_(second), case, "2").content.decode()


def test_a_panel_that_cannot_be_is_said_in_place_and_nothing_typed_is_lost(case, expert, second):
    answer = decide(as_(expert), case, then="escalate", panel="5")
    assert answer.status_code == 409
    assert "No other expert of the campaign could judge this case" in answer.content.decode()
    assert "I say 2." in answer.content.decode()
    assert not Decision.objects.exists()


def test_not_decidable_leaves_open_what_has_no_level(case, expert):
    decide(as_(expert), case, "", then="undecidable")
    assert [given.ambiguous for given in Decision.objects.get().values.all()] == [True]


def test_not_decidable_keeps_a_level_that_was_chosen(case, expert):
    decide(as_(expert), case, "3", then="undecidable")
    assert [given.value for given in Decision.objects.get().values.all()] == [3]


def test_the_case_before_is_one_link_away_to_be_revised(expert):
    campaign = factories.campaign(items=2, overlap=2)
    for item in factories.items_of(campaign):
        factories.rated_item([{"empathy": 1}, 5], item=item)
    factories.member(campaign, "expert", user=expert)
    first, then = Case.objects.filter(campaign=campaign).order_by("priority", "pk")
    seen = decide(as_(expert), first).content.decode()
    assert f"/cases/{first.pk}/?revise" in seen
    revising = as_(expert).get(f"/cases/{first.pk}/?revise").content.decode()
    assert "Revise your decision" in revising
    assert then.pk != first.pk


class TestByTheApi:
    def test_a_panel_the_talk_and_one_expert_more(self, case, expert, second):
        third = factories.member(case.campaign, "expert")
        api = {user: as_(user) for user in (expert, second, third)}

        def call(user, verb, **body):
            url = f"/api/v1/cases/{case.pk}/{verb}/"
            return api[user].post(url, body, content_type="application/json")

        def judge(user, value, **more):
            call(user, "take")
            given = {"client_id": str(uuid.uuid4()), "values": {"empathy": value}, "rationale": "So."}
            return call(user, "decision", **given, **more).json()

        assert judge(expert, 2, panel=2)["kind"] == "opinion"
        assert api[second].get(f"/api/v1/cases/{case.pk}/").json()["decisions"] is None
        taken = call(second, "take").json()
        assert (taken["stage"], taken["decisions"], taken["talk"]) == ("awaited", [], None)
        assert judge(second, 4)["kind"] == "opinion"
        assert call(third, "talk", text="I?").status_code == 403
        assert call(expert, "talk", text="Look again.").status_code == 201
        seen = api[second].get(f"/api/v1/cases/{case.pk}/").json()
        assert (seen["stage"], len(seen["decisions"]), seen["talk"][0]["text"]) == ("to_settle", 2, "Look again.")
        assert call(expert, "another").json()["state"] == "second_opinion"
        assert judge(third, 4)["kind"] == "opinion"
        assert judge(expert, 4)["kind"] == "ruling"
        assert CaseRemark.objects.count() == 1

    @pytest.mark.parametrize("panel", ["2", 1, 9, True])
    def test_a_panel_that_is_none_is_named(self, case, expert, second, panel):
        take_case(case_id=case.pk, expert=expert)
        body = {"client_id": str(uuid.uuid4()), "values": {"empathy": 2}, "panel": panel}
        answer = as_(expert).post(f"/api/v1/cases/{case.pk}/decision/", body, content_type="application/json")
        assert (answer.status_code, list(answer.json()["fields"])) == (400, ["panel"])
