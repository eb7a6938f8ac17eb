"""What spares the people who rate: a note before the first item, heavy items announced, a contact."""

from typing import Any

import pytest
from django.test import Client

from annotation.errors import RatingInvalid, SettingsInvalid
from annotation.heavy import skipped_as_heavy
from annotation.models import Assignment, Campaign, CampaignEvent, Membership, User, WorkItem
from annotation.progress import who_did_what
from annotation.qualification import Rule
from annotation.services.care import flag_heavy, read_note, set_desk
from annotation.services.leases import lease_next, skip_item, take_back_skip
from annotation.services.training import begin_attempt
from scenarios.models import Scenario
from tests import factories as f
from tests.annotation.training import campaign_with_training, training_items_of

pytestmark = pytest.mark.django_db
NOTE = "You may read of self-harm."
SETTINGS: dict[str, Any] = {"content_note": "", "support_contact": "", "break_minutes": 45, "ahead": 1}


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(client: Client, campaign: Campaign, name: str = "rate") -> str:
    return client.get(f"/campaigns/{campaign.slug}/{name}/").content.decode()


def test_nothing_is_leased_or_shown_before_the_note_is_read() -> None:
    campaign = f.campaign(content_note=NOTE)
    user = f.member(campaign)
    client = client_of(user)
    assert NOTE in page(client, campaign)
    assert "Rate this response" not in page(client, campaign)
    script = {"Accept": "application/json"}
    ahead = client.post(f"/campaigns/{campaign.slug}/rate/ahead/", headers=script).json()
    assert ahead["items"] == []
    assert NOTE in ahead["none"]
    assert not Assignment.objects.exists()
    answer = client.post(f"/campaigns/{campaign.slug}/note/")
    assert answer.headers["Location"] == f"/campaigns/{campaign.slug}/rate/"
    assert "Rate this response" in page(client, campaign)


def test_an_item_held_already_is_not_shown_before_the_note_either() -> None:
    campaign = f.campaign()
    user = f.member(campaign)
    assignment = lease_next(campaign=campaign, user=user)
    assert assignment is not None
    set_desk(campaign=campaign, **SETTINGS | {"content_note": NOTE})
    answer = client_of(user).get(f"/campaigns/{campaign.slug}/rate/{assignment.pk}/", follow=True)
    assert NOTE in answer.content.decode()


def test_the_note_comes_before_the_training_too() -> None:
    campaign = campaign_with_training(known=2, rule=Rule(items=2), content_note=NOTE)
    user = f.member(campaign)
    begin_attempt(campaign=campaign, user=user)
    client = client_of(user)
    address = f"/campaigns/{campaign.slug}/practice/{training_items_of(campaign)[0].pk}/"
    assert "I have read this" in client.get(address, follow=True).content.decode()
    client.post(f"/campaigns/{campaign.slug}/note/")
    assert "Rate this response" in client.get(address, follow=True).content.decode()


def test_the_note_is_read_once_and_by_each_person() -> None:
    campaign = f.campaign(content_note=NOTE)
    membership = Membership.objects.get(user=f.member(campaign))
    read_note(membership=membership)
    first = membership.note_read_at
    read_note(membership=membership)
    assert membership.note_read_at == first is not None
    assert NOTE in page(client_of(f.member(campaign)), campaign)


def test_a_note_that_changed_is_read_again() -> None:
    campaign = f.campaign(content_note=NOTE)
    user = f.member(campaign)
    read_note(membership=Membership.objects.get(user=user))
    set_desk(campaign=campaign, **SETTINGS | {"content_note": NOTE, "ahead": 2})
    assert "Rate this response" in page(client_of(user), campaign)
    set_desk(campaign=campaign, **SETTINGS | {"content_note": "Something else."})
    assert "Something else." in page(client_of(user), campaign)


def test_a_campaign_without_a_note_asks_for_nothing() -> None:
    campaign = f.campaign()
    assert "Rate this response" in page(client_of(f.member(campaign)), campaign)


def test_who_is_paused_is_told_so_and_not_asked_to_read() -> None:
    campaign = f.campaign(content_note=NOTE)
    user = f.member(campaign)
    Membership.objects.filter(user=user).update(state=Membership.State.PAUSED)
    assert "You are paused in this campaign" in page(client_of(user), campaign)


def test_items_over_scenarios_with_the_tag_are_heavy() -> None:
    data = f.dataset(scenarios=3)
    tags: list[dict[str, Any]] = [{"heavy": True}, {"heavy": "yes"}, {}]
    for scenario, tag in zip(Scenario.objects.filter(dataset=data).order_by("pk"), tags, strict=True):
        scenario.tags = tag
        scenario.save()
    items = WorkItem.objects.filter(campaign=f.campaign(data=data)).order_by("scenario")
    assert [item.heavy for item in items] == [True, False, False]


@pytest.fixture
def heavy() -> WorkItem:
    return flag_heavy(item=f.items_of(f.campaign(overlap=1))[0], heavy=True)


def test_a_heavy_item_is_folded_behind_its_announcement(heavy: WorkItem) -> None:
    user = f.member(heavy.campaign)
    shown = page(client_of(user), heavy.campaign)
    veil, text = shown.index('<details class="veil" id="veil">'), shown.index(heavy.response.text)
    assert shown.index("The next text is hard to read.") < veil < text < shown.index("</details>\n<p", text)
    for words in [turn["text"] for turn in heavy.scenario.turns]:
        assert shown.index(words) > veil


def test_what_was_rated_before_is_not_folded_when_it_is_edited(heavy: WorkItem) -> None:
    rating = f.rating(heavy)
    shown = page(client_of(rating.annotator), heavy.campaign, f"mine/{rating.assignment_id}")
    assert "veil" not in shown
    assert heavy.response.text in shown


def test_a_heavy_item_is_skipped_without_a_reason_and_without_penalty(heavy: WorkItem) -> None:
    user = f.member(heavy.campaign)
    assignment = lease_next(campaign=heavy.campaign, user=user)
    assert assignment is not None
    client_of(user).post(f"/campaigns/{heavy.campaign.slug}/rate/{assignment.pk}/skip/")
    assignment.refresh_from_db()
    assert (assignment.state, assignment.skip_reason) == ("skipped", "heavy")
    assert [doing.skipped for doing in who_did_what(heavy.campaign)] == [0]
    take_back_skip(assignment_id=assignment.pk, user=user)
    assignment.refresh_from_db()
    assert assignment.state == "leased"


def test_another_item_is_not_skipped_without_a_reason() -> None:
    campaign = f.campaign()
    user = f.member(campaign)
    assignment = lease_next(campaign=campaign, user=user)
    assert assignment is not None
    with pytest.raises(RatingInvalid):
        skip_item(assignment_id=assignment.pk, user=user, reason="")
    skip_item(assignment_id=assignment.pk, user=user, reason="heavy")
    assert [doing.skipped for doing in who_did_what(campaign)] == [1]
    assert list(skipped_as_heavy(campaign).values_list("times", flat=True)) == [1]


def test_a_flag_is_logged_and_taken_away_again(heavy: WorkItem) -> None:
    by = f.member(heavy.campaign, "manager")
    flag_heavy(item=heavy, heavy=True, by=by)
    flag_heavy(item=heavy, heavy=False, by=by)
    heavy.refresh_from_db()
    assert heavy.heavy is False
    kinds = CampaignEvent.objects.filter(campaign=heavy.campaign, kind__contains="heavy").values_list("kind", flat=True)
    assert list(kinds) == ["no longer heavy", "flagged heavy"]


def test_the_desk_is_set_and_logged() -> None:
    campaign = f.campaign()
    manager = f.member(campaign, "manager")
    client = client_of(manager)
    assert "Offer a break" in page(client, campaign, "desk")
    sent = {"content_note": "a\r\nb ", "support_contact": "Ana, 555-0101", "break_minutes": "0", "ahead": "5"}
    assert client.post(f"/campaigns/{campaign.slug}/desk/", sent).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.content_note, campaign.support_contact) == ("a\nb", "Ana, 555-0101")
    assert (campaign.break_minutes, campaign.ahead) == (0, 5)
    event = CampaignEvent.objects.get(kind="desk settings")
    assert (event.by, event.detail["ahead"]) == (manager, 5)
    client.post(f"/campaigns/{campaign.slug}/desk/", sent)
    assert CampaignEvent.objects.filter(kind="desk settings").count() == 1


@pytest.mark.parametrize("wrong", [{"ahead": 6}, {"break_minutes": -1}, {"content_note": "\x00"}, {"ahead": -1}])
def test_settings_outside_their_range_are_refused_by_field(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsInvalid) as refused:
        set_desk(campaign=f.campaign(), **SETTINGS | wrong)
    assert list(refused.value.fields) == list(wrong)


def test_a_form_that_is_not_valid_says_so() -> None:
    campaign = f.campaign()
    client = client_of(f.member(campaign, "manager"))
    answer = client.post(f"/campaigns/{campaign.slug}/desk/", SETTINGS | {"ahead": "6"})
    assert answer.status_code == 422


def test_an_item_skipped_as_too_heavy_is_announced_from_the_desks_page() -> None:
    campaign = f.campaign()
    user = f.member(campaign)
    assignment = lease_next(campaign=campaign, user=user)
    assert assignment is not None
    skip_item(assignment_id=assignment.pk, user=user, reason="heavy")
    client = client_of(f.member(campaign, "manager"))
    assert "Skipped as too heavy, not announced yet" in page(client, campaign, "desk")
    client.post(f"/campaigns/{campaign.slug}/desk/heavy/{assignment.work_item_id}/", {"heavy": "1"})
    assert "Announced, the next ones first" in page(client, campaign, "desk")
    assert "Skipped as too heavy" not in page(client, campaign, "desk")


def test_the_support_contact_is_one_click_from_desk_and_home() -> None:
    campaign = f.campaign()
    set_desk(campaign=campaign, **SETTINGS | {"support_contact": "Ana <b>, https://example.org/help, ana@example.org"})
    client = client_of(f.member(campaign))
    address = f"/campaigns/{campaign.slug}/support/"
    assert address in page(client, campaign)
    assert address in client.get("/").content.decode()
    shown = page(client, campaign, "support")
    assert "Ana &lt;b&gt;" in shown
    assert 'href="https://example.org/help"' in shown
    assert 'href="mailto:ana@example.org"' in shown
    assert address not in page(client_of(f.member(f.campaign(slug="other"))), Campaign.objects.get(slug="other"))
