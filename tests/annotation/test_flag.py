"""An annotator says that a scenario itself is defective: apart from the rating, unseen by others."""

import re

import pytest

from annotation.errors import FlagInvalid, NotYourLease
from annotation.models import Assignment, Membership, ScenarioFlag
from annotation.services.campaigns import close_campaign
from annotation.services.flags import flag_scenario, take_back_flag
from annotation.services.leases import lease_next, skip_item
from annotation.services.people import change_membership
from tests import factories
from tests.annotation.api import assert_problem, client_of, post
from tests.annotation.desk import BY_SCRIPT, address, submit
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def given():
    """An assignment and its annotator; the scenario has two responses in the campaign."""
    data = factories.dataset(scenarios=1, companions=["model-a", "model-b"])
    campaign = factories.campaign(data=data)
    user = factories.member(campaign)
    return lease_next(campaign=campaign, user=user), user


def flags():
    return list(ScenarioFlag.objects.order_by("pk").values_list("by", "fault", "note"))


def test_it_is_kept_with_its_fault_and_note(given):
    assignment, user = given
    flag = flag_scenario(assignment_id=assignment.pk, user=user, fault="unnatural", note="  Nobody talks so. ")
    assert (flag.campaign, flag.scenario) == (assignment.campaign, assignment.work_item.scenario)
    assert flags() == [(user.pk, "unnatural", "Nobody talks so.")]


def test_another_word_replaces_it_also_from_another_item_of_the_scenario(given):
    assignment, user = given
    flag_scenario(assignment_id=assignment.pk, user=user, fault="unnatural")
    factories.rating(assignment.work_item, user=user, assignment=assignment)
    other = lease_next(campaign=assignment.campaign, user=user)
    assert other.work_item.scenario == assignment.work_item.scenario
    flag_scenario(assignment_id=other.pk, user=user, fault="unsafe", note="It names a dose.")
    assert flags() == [(user.pk, "unsafe", "It names a dose.")]


def test_the_same_word_again_is_no_newer_word(given):
    assignment, user = given
    first = flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe", note="why")
    again = flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe", note="why ")
    assert (again.pk, again.at) == (first.pk, first.at)


def test_it_can_be_taken_back_and_where_there_is_none_nothing_happens(given):
    assignment, user = given
    flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe")
    for _twice in range(2):
        take_back_flag(assignment_id=assignment.pk, user=user)
        assert flags() == []


def test_two_people_say_it_each_for_themselves(given):
    assignment, user = given
    other = factories.member(assignment.campaign)
    theirs = lease_next(campaign=assignment.campaign, user=other)
    flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe")
    flag_scenario(assignment_id=theirs.pk, user=other, fault="unnatural")
    take_back_flag(assignment_id=theirs.pk, user=other)
    assert flags() == [(user.pk, "unsafe", "")]


def test_whoever_skipped_the_item_or_rated_it_may_still_say_it(given):
    assignment, user = given
    skip_item(assignment_id=assignment.pk, user=user, reason="broken")
    flag_scenario(assignment_id=assignment.pk, user=user, fault="context_missing")
    close_campaign(campaign=assignment.campaign)
    flag_scenario(assignment_id=assignment.pk, user=user, fault="personal_data")
    assert flags() == [(user.pk, "personal_data", "")]


def test_nobody_says_it_of_what_they_were_not_given(given):
    assignment, _user = given
    for other in (factories.person(), factories.member(assignment.campaign)):
        for call in (flag_scenario, take_back_flag):
            more = {"fault": "unsafe"} if call is flag_scenario else {}
            with pytest.raises(NotYourLease):
                call(assignment_id=assignment.pk, user=other, **more)
    assert flags() == []


def test_whoever_was_removed_says_nothing_more(given):
    assignment, user = given
    change_membership(membership=Membership.objects.get(user=user), state="removed")
    with pytest.raises(NotYourLease):
        flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe")


@pytest.mark.parametrize("fault", ["", "bored", None, 3, [], {}, "unsafe\x00"])
def test_it_needs_a_fault_of_the_list(given, fault):
    assignment, user = given
    with pytest.raises(FlagInvalid) as refused:
        flag_scenario(assignment_id=assignment.pk, user=user, fault=fault)
    assert list(refused.value.fields) == ["fault"]
    assert flags() == []


@pytest.mark.parametrize("note", ["a\x00b", "\ud83d", "x" * 2001, 5, None])
def test_a_note_that_cannot_be_stored_is_refused(given, note):
    assignment, user = given
    with pytest.raises(FlagInvalid) as refused:
        flag_scenario(assignment_id=assignment.pk, user=user, fault="unsafe", note=note)
    assert list(refused.value.fields) == ["note"]


class TestByTheApi:
    def test_it_is_said_and_taken_back(self, given):
        assignment, user = given
        api, path = client_of(user), f"assignments/{assignment.pk}/flag/"
        answer = post(api, path, {"fault": "unsafe", "note": "why"})
        assert (answer.status_code, answer.json()) == (200, {"flagged": True, "fault": "unsafe", "note": "why"})
        answer = post(api, path, {"take_back": True})
        assert answer.json() == {"flagged": False, "fault": None, "note": ""}
        assert flags() == []

    def test_a_fault_it_does_not_know_is_named(self, given):
        assignment, user = given
        answer = post(client_of(user), f"assignments/{assignment.pk}/flag/", {"fault": "dull"})
        assert_problem(answer, 400, "fault")

    def test_of_anothers_assignment_there_is_nothing_here(self, given):
        assignment, _user = given
        other = client_of(factories.member(assignment.campaign))
        assert_problem(post(other, f"assignments/{assignment.pk}/flag/", {"fault": "unsafe"}), 404)


class TestAtTheDesk:
    @pytest.fixture
    def seated(self, given):
        assignment, user = given
        return assignment, signed_in(user)

    def test_a_plain_form_says_it_and_leads_back_to_the_item(self, seated):
        assignment, client = seated
        url = address("flag", assignment.campaign, assignment.pk)
        assert "Take it back" not in client.get(url).content.decode()
        page = client.post(url, {"fault": "unsafe", "note": "why"}, follow=True).content.decode()
        assert "Told to the experts" in page
        assert "Take it back" in page
        assert address("item", assignment.campaign, assignment.pk) in page
        client.post(url, {"take_back": "1"})
        assert flags() == []

    def test_what_was_typed_stands_beside_the_refusal(self, seated):
        assignment, client = seated
        answer = client.post(address("flag", assignment.campaign, assignment.pk), {"fault": "", "note": "It is odd."})
        assert answer.status_code == 400
        assert "It is odd." in answer.content.decode()

    def test_a_script_is_answered_in_words(self, seated):
        assignment, client = seated
        url = address("flag", assignment.campaign, assignment.pk)
        answer = client.post(url, {"fault": "unsafe", "note": ""}, headers=BY_SCRIPT)
        assert "Told to the experts" in answer.json()["said"]
        assert_problem(client.post(url, {"fault": "x", "note": ""}, headers=BY_SCRIPT), 400, "fault")

    def test_it_shows_ones_own_flag_alone(self, seated):
        assignment, client = seated
        campaign, url = assignment.campaign, address("flag", assignment.campaign, assignment.pk)
        other = factories.member(campaign)
        theirs = lease_next(campaign=campaign, user=other)
        desk, form = address("rate", campaign), client.get(url, headers=BY_SCRIPT).json()["form"]
        before = seen_by(client, desk)
        flag_scenario(assignment_id=theirs.pk, user=other, fault="unsafe", note="CANARY")
        assert seen_by(client, desk) == before
        assert without_tokens(client.get(url, headers=BY_SCRIPT).json()["form"]) == without_tokens(form)
        flag_scenario(assignment_id=assignment.pk, user=assignment.annotator, fault="unnatural", note="mine")
        mine = client.get(url, headers=BY_SCRIPT).json()["form"]
        assert 'value="unnatural" checked' in mine
        assert "mine</textarea>" in mine
        assert "CANARY" not in mine

    def test_faults_that_a_rater_cannot_see_are_not_offered(self, seated):
        assignment, client = seated
        page = client.get(address("flag", assignment.campaign, assignment.pk)).content.decode()
        assert 'value="unnatural"' in page
        assert "reference" not in page.lower()

    def test_the_rating_counts_as_before(self, seated):
        assignment, client = seated
        client.post(address("flag", assignment.campaign, assignment.pk), {"fault": "unsafe", "note": ""})
        assert submit(client, assignment.campaign, assignment).status_code == 302
        assignment.refresh_from_db()
        assert assignment.state == Assignment.State.SUBMITTED
        assert assignment.work_item.ratings.get().status == "counted"


def without_tokens(page):
    return re.sub(r'value="[^"]{20,}"', "", page)


def seen_by(client, url):
    return without_tokens(client.get(url).content.decode())
