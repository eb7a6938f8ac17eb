"""What the desk's script is answered: the items to go on with, undo, and who it speaks for."""

import json

import pytest
from django.test import Client

from annotation.models import Assignment, Campaign, Rating, User, WorkItem
from annotation.sign_in import person_key
from tests import factories as f
from tests.annotation.desk import BY_SCRIPT, address, leased, submit
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(items=2, overlap=2)


@pytest.fixture
def user(campaign: Campaign) -> User:
    return f.member(campaign)


@pytest.fixture
def client(user: User) -> Client:
    return signed_in(user)


def test_a_script_is_told_that_the_session_is_over(campaign: Campaign, client: Client) -> None:
    assignment, _page = leased(client, campaign)
    stranger = Client()
    for name in ("item", "skip", "renew"):
        url = address(name, campaign, assignment.pk)
        assert stranger.post(url, headers=BY_SCRIPT).status_code == 401
        assert stranger.post(url).status_code == 302


def test_the_items_to_go_on_with_come_once_and_in_order(client: Client, user: User) -> None:
    made = f.campaign(items=4, overlap=2)
    Campaign.objects.filter(pk=made.pk).update(ahead=2)
    f.member(made, user=user)
    first = client.post(address("ahead", made)).json()
    held = [each["assignment"] for each in first["items"]]
    assert held == list(Assignment.objects.of(user).order_by("pk").values_list("pk", flat=True))
    assert len(held) == 3
    assert first["work"] == {"done": 0, "total": 4}
    assert all('id="rating"' in each["main"] for each in first["items"])
    have = f"{held[0]},{held[2]},x,-1,{'9' * 40}"
    again = client.post(address("ahead", made), {"have": have}).json()
    assert [each["main"] is None for each in again["items"]] == [True, False, True]
    assignment = Assignment.objects.get(pk=held[0])
    answer = submit(client, made, assignment, headers=BY_SCRIPT, have=f"{held[1]},{held[2]}").json()
    assert [each["main"] is None for each in answer["next"]["items"]] == [True, True, False]
    assert answer["next"]["work"] == {"done": 1, "total": 4}
    # A page that only sends what waited, home say, leases nothing.
    before = Assignment.objects.count()
    answer = submit(client, made, Assignment.objects.get(pk=held[1]), headers=BY_SCRIPT).json()
    assert set(answer) == {"status", "said", "location"}
    assert Assignment.objects.count() == before


def test_a_script_of_anothers_page_is_told_so(client: Client, campaign: Campaign) -> None:
    assignment, _page = leased(client, campaign)
    headers = BY_SCRIPT | {"Concord-Person": "another"}
    answer = submit(client, campaign, assignment, headers=headers)
    assert (answer.status_code, json.loads(answer.content)["someone_else"]) == (401, True)
    assert not Rating.objects.exists()
    headers["Concord-Person"] = person_key(assignment.annotator)
    assert submit(client, campaign, assignment, headers=headers).status_code == 200


def test_undo_leads_to_the_latest_rating_that_may_still_be_changed(client: Client, campaign: Campaign) -> None:
    last = address("last", campaign)
    assert client.get(last, headers=BY_SCRIPT).status_code == 404
    assert "no rating of yours here that can still be changed" in client.get(last, follow=True).content.decode()
    done = []
    for _item in range(2):
        assignment = leased(client, campaign)[0]
        submit(client, campaign, assignment)
        done.append(assignment)
    assert client.get(last).headers["Location"] == address("edit", campaign, done[1].pk)
    WorkItem.objects.filter(pk=done[1].work_item_id).update(locked=True)
    assert client.get(last).headers["Location"] == address("edit", campaign, done[0].pk)
    answer = client.get(last, headers=BY_SCRIPT).json()
    assert (answer["assignment"], answer["expires_at"]) == (done[0].pk, None)
    assert f'name="supersedes" value="{done[0].ratings.get().pk}"' in answer["main"]
