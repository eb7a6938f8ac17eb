import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Membership, Rating, User
from annotation.own_ratings import SHOW, own_ratings, why_final
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.leases import skip_item
from annotation.services.ratings import withdraw_rating
from tests import factories as f
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return f.campaign(items=6, overlap=2, slug="c")


@pytest.fixture
def anna(campaign: Campaign) -> User:
    return f.member(campaign)


@pytest.fixture
def client(anna: User) -> Client:
    return signed_in(anna)


def shown(client: Client, show: str = "", q: str = "") -> str:
    return client.get(page("mine", "c"), {"show": show, "q": q}).text


def rated(campaign: Campaign, anna: User, item: int, **given: object) -> Rating:
    return f.rating(f.items_of(campaign)[item], user=anna, **given)  # type: ignore[arg-type]


def fresh(rating: Rating) -> Rating:
    return Rating.objects.select_related("work_item__campaign", "annotator").get(pk=rating.pk)


class TestItSaysWhichAreFinalAndWhy:
    def test_an_open_one_can_be_edited(self, campaign: Campaign, anna: User, client: Client) -> None:
        rating = rated(campaign, anna, 0)
        assert why_final(rating) == ""
        assert page("edit", "c", rating.assignment_id) in shown(client)
        assert "final:" not in shown(client)

    def test_an_expert_has_taken_it(self, campaign: Campaign, anna: User, client: Client) -> None:
        rating = rated(campaign, anna, 0)
        rating.work_item.locked = True
        rating.work_item.save()
        assert "final: an expert has taken it" in shown(client)

    def test_a_manager_withdrew_it(self, campaign: Campaign, anna: User, client: Client) -> None:
        withdraw_rating(rating_id=rated(campaign, anna, 0).pk)
        assert "final: withdrawn by a manager" in shown(client)

    def test_the_item_was_taken_out(self, campaign: Campaign, anna: User, client: Client) -> None:
        rating = rated(campaign, anna, 0)
        withdraw_item(locked_item(rating.work_item_id))
        assert "final: the item was taken out of the campaign" in shown(client)

    def test_the_campaign_is_closed(self, campaign: Campaign, anna: User, client: Client) -> None:
        rated(campaign, anna, 0)
        close_campaign(campaign=campaign)
        assert "final: the campaign is closed" in shown(client)

    def test_an_edit_has_replaced_it(self, campaign: Campaign, anna: User, client: Client) -> None:
        f.edit(rated(campaign, anna, 0), 2)
        assert "final:" not in shown(client)
        assert "final: replaced by your edit" in shown(client, "superseded")

    def test_the_filters_and_the_page_agree(self, campaign: Campaign, anna: User) -> None:
        """Of every kind of rating one: what the filter calls editable is what the page offers to edit."""
        ratings = [rated(campaign, anna, place) for place in range(5)]
        locked, withdrawn, gone, edited, _open = ratings
        locked.work_item.locked = True
        locked.work_item.save()
        withdraw_rating(rating_id=withdrawn.pk)
        withdraw_item(locked_item(gone.work_item_id))
        f.edit(edited, 3)
        membership = Membership.objects.get(user=anna)
        for show, final in (("editable", False), ("final", True)):
            assert {bool(why_final(fresh(rating))) for rating in own_ratings(membership, show=show)} == {final}
        both = own_ratings(membership, show="editable").count() + own_ratings(membership, show="final").count()
        assert both == own_ratings(membership).count() == 5


@pytest.mark.parametrize("words", ["lantern", "owlish", "thistle", "bramble", "harbour"])
def test_it_finds_by_the_text_and_by_all_that_one_wrote(words: str) -> None:
    campaign = f.campaign(slug="c", data=f.dataset(scenarios=2, texts=["a lantern in the dark", "nothing"]))
    anna = f.member(campaign)
    first, second = sorted(f.items_of(campaign), key=lambda item: item.response.text)
    notes = [{"type": "note", "start": 0, "end": 1, "quote": "a", "note": "a bramble"}]
    f.rating(first, user=anna, rationale="an owlish way", marks=[{"type": "other", "note": "thistle"}, *notes])
    f.rating(second, user=anna)
    held = f.rating(first, user=f.member(campaign), rationale="harbour")  # another's words are not found
    found = list(own_ratings(Membership.objects.get(user=anna), q=words))
    assert [rating.work_item_id for rating in found] == ([] if words == "harbour" else [held.work_item_id])


def test_skips_are_found_by_what_was_said_of_them(campaign: Campaign, anna: User, client: Client) -> None:
    skip_item(assignment_id=f.lease(f.items_of(campaign)[0], anna).pk, user=anna, reason="other", note="a riddle")
    assert "a riddle" in shown(client, "skipped", "riddle")
    assert "Nothing found" in shown(client, "skipped", "lantern")


def without_numbers(text: str) -> str:
    """The page without what differs between any two ratings: numbers of rows, tokens, moments, which text it was."""
    return re.sub(r'csrfmiddlewaretoken" value="\w+"|/mine/\d+/|<time.*?</time>|\(dial[^<”]*', "·", text)


@pytest.mark.parametrize("show", [show for show in SHOW if show != "skipped"])
@pytest.mark.parametrize("edited", [False, True])
def test_a_hidden_check_looks_as_any_other(show: str, *, edited: bool) -> None:
    """The same person's list after one real rating, and after one rating of a check: byte for byte the same."""
    lists = []
    for kind in ("real", "check"):
        campaign = f.campaign(slug=f"c-{kind}", title="Winter", items=2, overlap=1)
        anna = f.member(campaign, user=f.person(f"anna-{kind}", display_name="Anna"))
        item = f.check_item(campaign, 5) if kind == "check" else f.items_of(campaign)[0]
        rating = f.rating(item, user=anna)
        if edited:
            f.edit(rating, 4)
        text = signed_in(anna).get(page("mine", campaign.slug), {"show": show}).text
        lists.append(without_numbers(text.replace(campaign.slug, "c")).split("<main")[1])
    assert lists[0] == lists[1]


def test_it_takes_as_many_queries_of_much_as_of_little(campaign: Campaign, anna: User, client: Client) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as captured:
            shown(client)
        return len(captured)

    rated(campaign, anna, 0, marks=[{"type": "other", "note": "n"}])
    asked()
    few = asked()
    for place in range(1, 6):
        rated(campaign, anna, place, marks=[{"type": "other", "note": "n"}])
    assert asked() == few
