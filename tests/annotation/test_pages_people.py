import re

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Campaign, Membership, User
from tests import factories as f
from tests.annotation.pages import signed_in

pytestmark = pytest.mark.django_db
Role = Membership.Role


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign()


@pytest.fixture
def manager(campaign: Campaign) -> Client:
    return signed_in(f.member(campaign, Role.MANAGER))


def url(campaign: Campaign) -> str:
    return reverse("annotation:people", args=[campaign.slug])


def add(
    client: Client, campaign: Campaign, username: str = "anna", role: str = Role.ANNOTATOR, **more: object
) -> HttpResponse:
    return client.post(url(campaign), {"username": username, "role": role, **more})  # type: ignore[return-value]


def link_in(answer: HttpResponse) -> str | None:
    found = re.search(r"https?://[^/]+(/welcome/[^<\s]+)", answer.content.decode())
    return found and found[1]


def change(client: Client, campaign: Campaign, member: Membership, state: str) -> HttpResponse:
    return client.post(reverse("annotation:change_member", args=[campaign.slug, member.pk]), {"state": state})  # type: ignore[return-value]


def new_link(client: Client, campaign: Campaign, member: Membership) -> HttpResponse:
    return client.post(reverse("annotation:new_link", args=[campaign.slug, member.pk]))  # type: ignore[return-value]


def test_it_is_for_those_who_run_the_campaign(campaign: Campaign) -> None:
    assert signed_in(f.site_manager()).get(url(campaign)).status_code == 200
    assert signed_in(f.member(campaign)).get(url(campaign)).status_code == 403
    assert signed_in(f.member(campaign, Role.EXPERT)).get(url(campaign)).status_code == 403
    assert signed_in(f.person()).get(url(campaign)).status_code == 404
    assert add(signed_in(f.member(campaign)), campaign).status_code == 403


def test_a_new_person_gets_a_link_that_is_shown_once_and_works(campaign: Campaign, manager: Client) -> None:
    answer = add(manager, campaign, display_name="Anna", email="anna@example.org", languages="en", share="20")
    link = link_in(answer)
    assert link
    assert "no-store" in answer["Cache-Control"]
    assert link_in(manager.get(url(campaign))) is None  # type: ignore[arg-type]
    member = campaign.memberships.get(user__username="anna")
    assert (member.role, member.languages, member.share) == (Role.ANNOTATOR, ["en"], 20)
    assert (member.user.display_name, member.user.email) == ("Anna", "anna@example.org")
    visitor = Client()
    assert visitor.get(link).status_code == 200
    assert visitor.post(link, {"password": "a-long-and-strange-one"}).status_code == 302
    assert visitor.get(reverse("annotation:home")).status_code == 200


def test_someone_who_signs_in_already_gets_no_link(campaign: Campaign, manager: Client) -> None:
    f.person("anna", password="a-long-and-strange-one")
    answer = add(manager, campaign)
    assert answer.status_code == 302
    assert campaign.memberships.filter(user__username="anna").exists()


def test_a_manager_makes_no_link_for_someone_of_other_campaigns(campaign: Campaign, manager: Client) -> None:
    f.member(f.campaign(), Role.MANAGER, user=f.person("anna"))
    assert link_in(add(manager, campaign)) is None
    member = campaign.memberships.get(user__username="anna")
    assert "New link for anna" not in manager.get(url(campaign)).content.decode()
    assert new_link(manager, campaign, member).status_code == 403
    assert link_in(new_link(signed_in(f.site_manager()), campaign, member))


def test_a_manager_makes_no_link_for_a_site_manager(campaign: Campaign, manager: Client) -> None:
    f.site_manager("boss")
    assert link_in(add(manager, campaign, "boss", Role.EXPERT)) is None


def test_a_new_link_ends_the_one_before(campaign: Campaign, manager: Client) -> None:
    first = link_in(add(manager, campaign))
    second = link_in(new_link(manager, campaign, campaign.memberships.get(user__username="anna")))
    assert second
    assert Client().get(str(first)).status_code == 410
    assert Client().get(second).status_code == 200


def test_a_manager_cannot_become_annotator(campaign: Campaign, manager: Client) -> None:
    f.member(campaign, Role.MANAGER, user=f.person("anna"))
    answer = add(manager, campaign)
    assert answer.status_code == 422
    assert "A manager does not rate in their own campaign" in answer.content.decode()
    assert not campaign.memberships.filter(user__username="anna", role=Role.ANNOTATOR).exists()


def test_where_the_role_is_refused_nobody_is_made(campaign: Campaign, manager: Client) -> None:
    assert add(manager, campaign, "not a name!").status_code == 422
    assert add(manager, campaign, "anna", "boss").status_code == 422
    assert not User.objects.filter(username__in=["anna", "not a name!"]).exists()


def test_pausing_removing_and_taking_back(campaign: Campaign, manager: Client) -> None:
    anna = f.member(campaign, user=f.person("anna"))
    member = campaign.memberships.get(user=anna)
    item = f.items_of(campaign)[0]
    f.lease(item, anna)
    for state in ("paused", "active", "removed", "active"):
        assert change(manager, campaign, member, state).status_code == 302
        member.refresh_from_db()
        assert member.state == state
    item.refresh_from_db()
    assert item.leased == 0


def test_a_removed_annotator_who_manages_now_is_not_taken_back(campaign: Campaign, manager: Client) -> None:
    anna = f.member(campaign, user=f.person("anna"))
    member = campaign.memberships.get(user=anna)
    change(manager, campaign, member, "removed")
    f.member(campaign, Role.MANAGER, user=anna)
    change(manager, campaign, member, "active")
    member.refresh_from_db()
    assert member.state == "removed"
    assert "A manager does not rate" in manager.get(url(campaign)).content.decode()


def test_a_member_of_another_campaign_is_not_found(campaign: Campaign, manager: Client) -> None:
    other = f.campaign()
    member = other.memberships.get(user=f.member(other))
    assert change(manager, campaign, member, "removed").status_code == 404
    assert new_link(manager, campaign, member).status_code == 404


def test_an_unknown_state_is_a_bad_request(campaign: Campaign, manager: Client) -> None:
    member = campaign.memberships.get(user=f.member(campaign))
    assert change(manager, campaign, member, "king").status_code == 400


def test_one_does_not_send_oneself_away(campaign: Campaign, manager: Client) -> None:
    text = manager.get(url(campaign)).content.decode()
    assert "Remove person" not in text


def test_its_queries_do_not_grow_with_people(campaign: Campaign, manager: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            manager.get(url(campaign))
        return len(captured)

    f.member(campaign)
    before = queries()
    for _ in range(4):
        f.member(campaign)
        f.member(campaign, Role.EXPERT)
    assert queries() == before
