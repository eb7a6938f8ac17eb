"""The desk without a browser: what the page may hold, and that everything works as a plain form."""

import json
import re
import uuid

import pytest
from django.test import Client

from annotation.models import Assignment, Campaign, Membership, Rating, User
from annotation.services.campaigns import close_campaign, pause_campaign
from annotation.services.people import change_membership
from tests import factories as f
from tests.annotation.desk import BY_SCRIPT, address, form, leased, submit
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    data = f.dataset(
        scenarios=2,
        companions=("Secretive-7B",),
        conditions=("sap",),
        texts=["I hear you\r\n👍 <b>friend</b>."],
        reference="The reference nobody may read.",
    )
    return f.campaign(data=data, overlap=2)


@pytest.fixture
def user(campaign: Campaign) -> User:
    return f.member(campaign)


@pytest.fixture
def client(user: User) -> Client:
    return signed_in(user)


def test_the_page_holds_the_text_to_the_code_point_and_escaped(client: Client, campaign: Campaign) -> None:
    _assignment, page = leased(client, campaign)
    assert "I hear you&#13;\n👍 &lt;b&gt;friend&lt;/b&gt;." in page
    assert 'lang="en"' in page


def test_the_page_and_its_headers_betray_nothing(client: Client, campaign: Campaign, user: User) -> None:
    answer = client.get(address("rate", campaign))
    assignment = Assignment.objects.live().get()
    said = answer.content.decode() + str(dict(answer.items()))
    item = assignment.work_item
    for secret in ("Secretive-7B", "no_sap", '"sap"', item.scenario.key, "nobody may read", campaign.dataset.slug):
        assert secret not in said
    answer = submit(client, campaign, assignment, headers=BY_SCRIPT, have="").json()
    assert "Secretive-7B" not in json.dumps(answer)
    assert set(answer) == {"status", "said", "location", "next"}
    assert set(answer["next"]) == {"work", "items", "none"}
    assert [set(each) for each in answer["next"]["items"]] == [{"assignment", "expires_at", "main"}]


def test_it_rates_as_a_plain_form(client: Client, campaign: Campaign, user: User) -> None:
    assignment, page = leased(client, campaign)
    assert f'action="{address("item", campaign, assignment.pk)}"' in page
    answer = submit(
        client,
        campaign,
        assignment,
        rationale="two\r\nlines",
        needs_expert="on",
        plain="1",
        mark=["dependence", "other"],
        **{"note.other": "a note"},
    )
    assert answer.status_code == 302
    assert answer.headers["Location"] == address("rate", campaign)
    rating = Rating.objects.get()
    assert {s.dimension: s.value for s in rating.scores.all()} == {"empathy": 4, "fluency": 5, "safety": 3}
    assert (rating.rationale, rating.needs_expert) == ("two\nlines", True)
    assert [(m.type, m.note) for m in rating.marks.all()] == [("dependence", ""), ("other", "a note")]
    assert "Saved." in client.get(address("rate", campaign)).content.decode()


@pytest.mark.parametrize("marks", ['[{"type": "dependence", "quote": "\\ud83d"}]', "[[", "[" * 200_000, "[1]", "{}"])
@pytest.mark.parametrize("headers", [{}, BY_SCRIPT])
def test_marks_that_are_damaged_are_said_to_be(
    client: Client, campaign: Campaign, marks: str, headers: dict[str, str]
) -> None:
    assignment, _page = leased(client, campaign)
    answer = submit(client, campaign, assignment, marks=marks, headers=headers)
    assert answer.status_code == 400
    assert "damaged" in answer.content.decode()


def test_a_plain_form_that_misses_a_scale_comes_back_filled(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    answer = submit(client, campaign, assignment, **{"score.safety": "", "rationale": "kept words"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "Not rated yet: Safety" in page
    assert "kept words" in page
    assert re.search(r'name="score.empathy" value="4"[^>]*checked', page)
    assert not Rating.objects.exists()


@pytest.mark.parametrize("level", ["6", "0", "good", "3.5", "３", "9" * 30])
def test_a_level_off_the_scale_is_refused(client: Client, campaign: Campaign, level: str) -> None:
    assignment, _page = leased(client, campaign)
    answer = submit(client, campaign, assignment, headers=BY_SCRIPT, **{"score.safety": level})
    assert answer.status_code == 400
    assert "scores.safety" in json.loads(answer.content)["fields"]
    assert not Rating.objects.exists()


@pytest.mark.parametrize("sent", ["{", "3", "[3]", "null", '[{"type": []}]', "[" * 100_000])
def test_damaged_marks_are_refused(client: Client, campaign: Campaign, sent: str) -> None:
    assignment, _page = leased(client, campaign)
    for headers in (BY_SCRIPT, None):
        assert submit(client, campaign, assignment, marks=sent, headers=headers).status_code == 400
    assert not Rating.objects.exists()


def test_a_damaged_client_id_is_refused(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    answer = submit(client, campaign, assignment, client_id="x", headers=BY_SCRIPT)
    assert (answer.status_code, list(json.loads(answer.content)["fields"])) == (400, ["client_id"])


def test_sent_twice_it_is_saved_once_and_answered_the_same(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    client_id = str(uuid.uuid4())
    answers = [
        submit(client, campaign, assignment, client_id=client_id, headers=BY_SCRIPT).json()["status"] for _ in range(2)
    ]
    assert answers == ["counted", "counted"]
    assert Rating.objects.count() == 1


def test_an_edit_goes_back_to_the_list(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    submit(client, campaign, assignment)
    page = client.get(address("edit", campaign, assignment.pk)).content.decode()
    standing = Rating.objects.get()
    assert f'name="supersedes" value="{standing.pk}"' in page
    answer = submit(client, campaign, assignment, supersedes=str(standing.pk), **{"score.safety": "1"})
    assert answer.headers["Location"] == address("mine", campaign)
    assert sorted(Rating.objects.values_list("status", flat=True)) == ["counted", "superseded"]


def test_an_edit_without_a_script_keeps_the_passages_of_marks(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    quoted = [{"type": "dependence", "start": 0, "end": 6, "quote": "I hear", "note": ""}, {"type": "privacy"}]
    submit(client, campaign, assignment, marks=json.dumps(quoted))
    sent = {"plain": "1", "mark": ["dependence"], "note.dependence": "new"}
    submit(client, campaign, assignment, marks=json.dumps(quoted), supersedes=str(Rating.objects.get().pk), **sent)
    (mark,) = Rating.objects.counted().get().marks.all()
    assert (mark.quote, mark.note) == ("I hear", "new")


def test_a_final_rating_is_not_opened_for_editing(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    submit(client, campaign, assignment)
    assignment.work_item.locked = True
    assignment.work_item.save()
    answer = client.get(address("edit", campaign, assignment.pk), follow=True)
    assert "This rating is final" in answer.content.decode()
    assert "final: an expert has taken it" in answer.content.decode()


def test_a_skip_works_as_a_plain_form(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    url = address("skip", campaign, assignment.pk)
    assert "I cannot judge this" in client.get(url).content.decode()
    assert client.post(url, {"reason": "", "note": "unsure words"}).status_code == 400
    assert client.post(url, {"reason": "unsure"}).status_code == 302
    assignment.refresh_from_db()
    assert assignment.state == "skipped"


def test_a_skip_that_cannot_be_taken_back_says_why(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    client.post(address("skip", campaign, assignment.pk), {"reason": "unsure"})
    for _rater in range(2):
        f.rating(assignment.work_item, 5)
    answer = client.post(address("take_back", campaign, assignment.pk), follow=True)
    assert "all the raters it needs by now" in answer.content.decode()


def test_an_assignment_is_at_the_address_of_its_own_campaign(campaign: Campaign, client: Client, user: User) -> None:
    assignment, _page = leased(client, campaign)
    other = f.campaign()
    f.member(other, user=user)
    for name in ("item", "skip", "renew"):
        assert client.post(address(name, other, assignment.pk), form(reason="unsure")).status_code == 404
    assert Assignment.objects.get() == assignment
    assert Assignment.objects.get().state == Assignment.State.LEASED


def test_nobody_opens_or_submits_anothers_assignment(campaign: Campaign, client: Client) -> None:
    assignment, _page = leased(client, campaign)
    other = Client()
    other.force_login(f.member(campaign))
    assert other.get(address("item", campaign, assignment.pk)).status_code == 404
    assert submit(other, campaign, assignment, headers=BY_SCRIPT).status_code == 404
    assert other.post(address("renew", campaign, assignment.pk)).status_code == 404
    assert other.post(address("take_back", campaign, assignment.pk)).status_code == 404


@pytest.mark.parametrize("role", [Membership.Role.MANAGER, Membership.Role.EXPERT])
def test_only_annotators_find_a_desk(campaign: Campaign, role: str) -> None:
    other = Client()
    other.force_login(f.member(campaign, role))
    for name in ("rate", "mine", "guideline"):
        assert other.get(address(name, campaign)).status_code == 404


def test_what_is_left_says_why_it_is_nothing(client: Client, campaign: Campaign, user: User) -> None:
    membership = Membership.objects.get(user=user)
    pause_campaign(campaign=campaign)
    assert "The campaign is paused" in client.get(address("rate", campaign)).content.decode()
    close_campaign(campaign=campaign)
    assert "The campaign is closed" in client.get(address("rate", campaign)).content.decode()
    change_membership(membership=membership, state=Membership.State.PAUSED)
    assert "You are paused in this campaign" in client.get(address("rate", campaign)).content.decode()
    change_membership(membership=membership, state=Membership.State.REMOVED)
    assert client.get(address("rate", campaign)).status_code == 404


def test_a_share_that_is_reached_is_said(client: Client, campaign: Campaign) -> None:
    Membership.objects.update(share=1)
    assignment, page = leased(client, campaign)
    assert "0 / 1 rated" in page
    answer = submit(client, campaign, assignment, headers=BY_SCRIPT, have="")
    assert "Your share is done" in answer.json()["next"]["none"]


def test_a_draft_is_not_open_yet(client: Client, user: User) -> None:
    made = f.campaign(opened=False)
    f.member(made, user=user)
    assert "not open yet" in client.get(address("rate", made)).content.decode()
