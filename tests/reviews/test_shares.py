"""Cases dealt among experts by component and language: what is next, and what is beyond a share."""

import pytest

from annotation.errors import ShareInvalid
from annotation.models import Assignment, CampaignEvent, Membership
from annotation.services.people import deal_share
from reviews.models import Case
from reviews.services.cases import give_back, take_case, take_next
from tests import factories
from tests.annotation.api import client_of
from tests.annotation.api import post as post_api
from tests.reviews.pages import page, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    """Two cases of dialogues, one of itineraries; that one comes first by the rule."""
    made = factories.campaign(
        data=factories.dataset(scenarios=3, tasks=("dialogue_base", "itinerary_basic")), overlap=2, slug="shared"
    )
    for item in factories.items_of(made):
        score = 1 if item.task == "itinerary_basic" else 2
        factories.rated_item([{"empathy": score}, 5], item=item)
    return made


@pytest.fixture
def expert(campaign):
    return factories.member(campaign, "expert")


@pytest.fixture
def as_expert(client, expert):
    client.force_login(expert)
    return client


def deal(campaign, expert, *components, languages=()):
    membership = campaign.memberships.get(user=expert, role="expert")
    return deal_share(membership=membership, components=components, languages=languages)


def itinerary():
    return Case.objects.get(component="itinerary")


def test_without_a_share_next_is_the_first_of_all(campaign, expert):
    assert take_next(expert=expert, campaign=campaign) == itinerary()


def test_next_is_of_the_share_until_it_is_empty_and_beyond_it_only_if_asked(campaign, expert):
    deal(campaign, expert, "dialogue")
    for _case in range(2):
        taken = take_next(expert=expert, campaign=campaign)
        assert taken.component == "dialogue"
        Case.objects.filter(pk=taken.pk).update(state="decided")
    assert take_next(expert=expert, campaign=campaign) is None
    assert take_next(expert=expert) is None
    assert take_next(expert=expert, campaign=campaign, beyond_share=True) == itinerary()


def test_a_language_that_is_not_there_leaves_nothing(campaign, expert):
    deal(campaign, expert, languages=["zh-Hans"])
    assert take_next(expert=expert) is None
    deal(campaign, expert, "itinerary", languages=["en", "zh-Hans"])
    assert take_next(expert=expert) == itinerary()


def test_a_share_of_one_campaign_says_nothing_of_another(campaign, expert):
    deal(campaign, expert, languages=["zh-Hans"])
    elsewhere = factories.rated_item([{"empathy": 1}, 5])
    factories.member(elsewhere.campaign, "expert", user=expert)
    assert take_next(expert=expert).work_item == elsewhere


def test_any_case_can_be_chosen_whatever_is_dealt(campaign, expert):
    deal(campaign, expert, "dialogue")
    assert take_case(case_id=itinerary().pk, expert=expert).taken_by == expert


def test_the_case_one_holds_comes_first_also_from_beyond_the_share(campaign, expert):
    deal(campaign, expert, "dialogue")
    held = take_case(case_id=itinerary().pk, expert=expert)
    assert take_next(expert=expert) == held
    give_back(case_id=held.pk, expert=expert)
    assert take_next(expert=expert) != held


def test_urgent_ones_beyond_the_share_do_not_break_it(campaign, expert):
    deal(campaign, expert, "dialogue")
    item = itinerary().work_item
    item.urgent_at = item.campaign.opened_at
    item.save()
    assert take_next(expert=expert).component == "dialogue"


def test_who_is_no_expert_is_dealt_nothing(campaign):
    member = Membership.objects.get(user=factories.member(campaign))
    with pytest.raises(ShareInvalid) as refused:
        deal_share(membership=member, components=["dialogue"], languages=[])
    assert list(refused.value.fields) == ["role"]


@pytest.mark.parametrize(("part", "value"), [("components", "weather"), ("languages", "!")])
def test_what_cannot_be_dealt_is_named(campaign, expert, part, value):
    membership = campaign.memberships.get(user=expert)
    with pytest.raises(ShareInvalid) as refused:
        deal_share(membership=membership, **{"components": [], "languages": [], part: [value]})
    assert refused.value.fields == {part: [value]}


def test_dealing_is_in_the_campaigns_log(campaign, expert):
    deal(campaign, expert, "itinerary", "dialogue", languages=["en"])
    detail = CampaignEvent.objects.get(campaign=campaign, kind="share dealt").detail
    assert detail == {"user": expert.username, "components": ["dialogue", "itinerary"], "languages": ["en"]}


def test_the_page_says_how_many_wait_in_the_share_and_beyond(as_expert, campaign, expert):
    deal(campaign, expert, "dialogue")
    body = page(as_expert, "cases", campaign.slug).content.decode()
    assert "2 cases wait in your share" in body
    assert "1 more waits outside it" in body
    assert "beyond_share" not in body


@pytest.mark.parametrize("over_all", [False, True])
def test_when_nothing_is_left_in_it_the_page_offers_the_next_beyond_it(as_expert, campaign, expert, over_all):
    deal(campaign, expert, languages=["zh-Hans"])
    next_name, arguments = ("take_next_of_all", []) if over_all else ("take_next_case", [campaign.slug])
    back = post(as_expert, next_name, *arguments)
    body = as_expert.get(back.url).content.decode()
    assert "Nothing is left in your share. 3 cases wait outside it." in body
    assert post(as_expert, next_name, *arguments, beyond_share="1").url == f"/cases/{itinerary().pk}/"


def test_what_one_was_given_to_rate_does_not_wait_for_one(client, campaign):
    rater = Assignment.objects.filter(work_item=itinerary().work_item).first().annotator
    factories.member(campaign, "expert", user=rater)
    deal(campaign, rater, "itinerary")
    client.force_login(rater)
    waiting = page(client, "cases", campaign.slug).context["waiting"]
    assert (waiting.inside, waiting.outside) == (0, 2)


def test_the_api_goes_beyond_the_share_only_if_asked(campaign, expert):
    deal(campaign, expert, languages=["zh-Hans"])
    api = client_of(expert)
    assert post_api(api, "cases/next/", {"campaign": campaign.slug}).status_code == 204
    assert post_api(api, "cases/next/", {"beyond_share": True}).json()["case"] == itinerary().pk
