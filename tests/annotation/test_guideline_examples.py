"""Examples in a campaign's guideline: a new version of its own, and an item that nobody is given any more."""

import copy
import uuid

import pytest
from django.utils import translation

from annotation.errors import CampaignNotOpen, ExampleInvalid, ExampleRefused, ReferenceRefused
from annotation.guideline import versions_of
from annotation.models import Assignment, Rating, Rubric, WorkItem
from annotation.own_ratings import own_ratings, why_final
from annotation.services.campaigns import Selection, create_campaign, latest_rubric
from annotation.services.leases import lease_next
from annotation.services.ratings import withdraw_rating
from annotation.services.references import add_reference
from annotation.services.rubrics import MOST_EXAMPLES, add_example
from annotation.standing import stuck_items
from scenarios.models import Response
from tests import factories as f
from tests.annotation.api import client_of

pytestmark = pytest.mark.django_db
TEXT = "I hear you.\r\nStay with me; you need nobody else."


@pytest.fixture
def item():
    """Rated by all it needs, who agree."""
    campaign = f.campaign(slug="c", overlap=2, data=f.dataset(scenarios=1, texts=[TEXT]))
    return f.rated_item([5, 5], item=f.items_of(campaign)[0])


def example(**given):
    whole = {"text": "I hear you.", "dimension": "empathy", "level": 4, "violation": "", "why": {"en": "It mirrors."}}
    return whole | given


def add(item, **given):
    item.refresh_from_db()
    item = WorkItem.objects.select_related("response", "campaign").get(pk=item.pk)
    return add_example(item=item, example=example(**given))


class TestTheVersion:
    def test_it_is_the_next_of_the_campaign_s_own_line_and_else_the_same(self, item):
        before = item.campaign.rubric
        after = add(item).rubric
        assert (after.key, after.version) == ("guideline-c", 2)
        said = copy.deepcopy(after.content)
        assert [one["text"] for one in said.pop("examples")] == ["I hear you."]
        assert said.pop("campaign") == "c"
        assert said == before.content
        item.campaign.refresh_from_db()
        assert item.campaign.rubric == after

    def test_each_example_is_one_more_and_none_gets_lost(self, item):
        for place, passage in enumerate(["I hear you.", "Stay with me", "nobody else."], 2):
            assert add(item, text=passage).rubric.version == place
        item.campaign.refresh_from_db()
        assert [one.text for one in item.campaign.rubric.examples] == ["I hear you.", "Stay with me", "nobody else."]

    def test_no_other_study_learns_of_it(self, item):
        other = f.campaign(slug="other", data=item.campaign.dataset)
        before = latest_rubric("default")
        add(item)
        other.refresh_from_db()
        assert other.rubric == latest_rubric("default") == before
        assert create_campaign(slug="later", dataset=item.campaign.dataset).rubric == before

    def test_a_campaign_that_is_called_as_the_rubric_has_a_line_of_its_own_too(self):
        campaign = f.campaign(slug="default", overlap=1)
        item = f.rated_item([5], item=f.items_of(campaign)[0])
        before = latest_rubric("default")
        add(item, text=item.response.text)
        assert latest_rubric("default") == before

    def test_the_same_example_in_two_studies_is_two_versions(self, item):
        other = f.campaign(slug="other", overlap=1, data=item.campaign.dataset)
        twin = f.rated_item([5], item=f.items_of(other)[0])
        first, second = add(item).rubric, add(twin).rubric
        assert first.examples == second.examples
        assert first.hash != second.hash

    def test_the_longest_name_of_a_campaign_has_room(self):
        campaign = f.campaign(slug="x" * 60, overlap=1)
        item = f.rated_item([5], item=f.items_of(campaign)[0])
        key = add(item, text=item.response.text).rubric.key
        assert len(key) <= Rubric._meta.get_field("key").max_length

    def test_old_ratings_keep_theirs_and_new_ones_stand_on_the_new(self):
        campaign = f.campaign(items=2, overlap=1)
        settled, other = f.items_of(campaign)
        old = f.rating(settled, 5)
        first = campaign.rubric
        second = add(settled, text=settled.response.text).rubric
        new = f.rating(other, 4)
        old.refresh_from_db()
        assert (old.rubric, new.rubric) == (first, second)
        campaign.refresh_from_db()
        shown = versions_of(campaign, Rating.objects.counted().given_in(campaign))
        assert [(one.number, one.ratings, one.present, len(one.examples)) for one in shown] == [
            (2, 1, True, 1),
            (1, 1, False, 0),
        ]

    def test_the_log_says_what_changed(self, item):
        before = item.campaign.rubric
        after = add(item).rubric
        detail = item.campaign.events.get(kind="rubric").detail
        assert detail == {"version": 2, "item": item.pk, "was": before.hash, "now": after.hash}

    def test_it_has_an_end(self, item):
        for place in range(MOST_EXAMPLES):
            add(item, why={"en": f"Reason {place}."})
        with pytest.raises(ExampleRefused, match=str(MOST_EXAMPLES)):
            add(item, why={"en": "One more."})


class TestWhatIsRead:
    def test_a_passage_over_a_line_break_as_a_form_sends_it(self, item):
        assert add(item, text="you.\nStay").created

    @pytest.mark.parametrize(
        ("given", "field"),
        [
            ({"level": 6}, "level"),
            ({"level": "4"}, "level"),
            ({"dimension": "", "violation": "other"}, "level"),
            ({"dimension": "wit"}, "dimension"),
            ({"violation": "gossip"}, "violation"),
            ({"text": "i hear you."}, "text"),
            ({"text": "x" * 601}, "text"),
            ({"why": {"en": "a\x00b"}}, "why"),
        ],
    )
    def test_what_is_wrong_is_named(self, item, given, field):
        with pytest.raises(ExampleInvalid) as error:
            add(item, **given)
        assert field in error.value.fields
        assert Rubric.objects.count() == 1

    def test_a_reason_comes_in_the_reader_s_language_else_in_the_one_there_is(self, item):
        add(item, why={"en": "It mirrors.", "zh-Hans": "它回应了感受。"})
        add(item, why={"zh-Hans": "只有中文。"})
        item.campaign.refresh_from_db()
        both, chinese = item.campaign.rubric.examples
        with translation.override("en"):
            assert (both.why, chinese.why, chinese.why_language) == ("It mirrors.", "只有中文。", "zh-Hans")
        with translation.override("zh-hans"):
            assert both.why == "它回应了感受。"


class TestTheItem:
    """Whoever could be given it has read its verdict."""

    def test_is_given_to_nobody_when_it_opens_again(self, item):
        add(item)
        withdraw_rating(rating_id=item.ratings.get(rank=1).pk)
        item.refresh_from_db()
        assert item.state == WorkItem.State.OPEN
        assert lease_next(campaign=item.campaign, user=f.member(item.campaign)) is None

    def test_and_the_manager_is_told_that_nobody_is_left_for_it(self, item):
        f.member(item.campaign)
        add(item)
        withdraw_rating(rating_id=item.ratings.get(rank=1).pk)
        assert list(stuck_items(item.campaign)) == [item]

    def test_late_work_on_it_is_kept_and_does_not_count(self):
        campaign = f.campaign(overlap=2)
        item = f.items_of(campaign)[0]
        late = f.lease(item, f.member(campaign))
        Assignment.objects.filter(pk=late.pk).update(state=Assignment.State.EXPIRED)
        WorkItem.objects.filter(pk=item.pk).update(leased=0)
        f.rated_item([5, 5], item=item)
        add(item, text=item.response.text)
        withdraw_rating(rating_id=item.ratings.get(rank=1).pk)
        late.refresh_from_db()
        given = f.rating(item, 1, user=late.annotator, assignment=late)
        assert given.status == Rating.Status.SURPLUS

    def test_its_ratings_are_final_and_say_why(self, item):
        rating = item.ratings.get(rank=1)
        membership = item.campaign.memberships.get(user=rating.annotator)
        assert list(own_ratings(membership, show="editable")) == [rating]
        add(item)
        rating = Rating.objects.select_related("work_item__campaign").get(pk=rating.pk)
        assert why_final(rating) == "it stands in the guideline as an example"
        assert not own_ratings(membership, show="editable").exists()
        with pytest.raises(Exception, match="seen since"):
            f.edit(rating, 3, client_id=uuid.uuid4())

    def test_must_be_settled(self):
        campaign = f.campaign(overlap=2)
        item = f.items_of(campaign)[0]
        f.rating(item, 5)
        with pytest.raises(ExampleRefused, match="not settled"):
            add(item, text=item.response.text)

    @pytest.mark.parametrize("words", [TEXT, TEXT.replace("\r\n", "\n"), "I hear you."])
    def test_words_that_others_said_too_are_not_given_away_while_they_are_rated(self, words):
        """The whole response, or the very passage that is to be the example."""
        campaign = f.campaign(overlap=2, data=f.dataset(scenarios=2, texts=[TEXT, words]))
        item, same = sorted(f.items_of(campaign), key=lambda one: one.response.text != TEXT)
        f.rated_item([5, 5], item=item)
        with pytest.raises(ExampleRefused, match="1 other response"):
            add(item)
        f.rated_item([5, 5], item=same)
        assert add(item).created

    def test_the_same_words_are_given_to_nobody_when_they_open_again(self, django_capture_on_commit_callbacks):
        campaign = f.campaign(overlap=2, data=f.dataset(scenarios=2, texts=[TEXT, TEXT]))
        items = f.items_of(campaign)
        for one in items:
            f.rated_item([5, 5], item=one)
        with django_capture_on_commit_callbacks(execute=True):
            add(items[0])
        withdraw_rating(rating_id=items[1].ratings.get(rank=1).pk)
        assert lease_next(campaign=campaign, user=f.member(campaign)) is None

    def test_that_holds_too_where_the_first_try_was_cut_off_before_its_end(self, django_capture_on_commit_callbacks):
        """Sent again, the example stands there already; the other items are marked all the same."""
        campaign = f.campaign(overlap=2, data=f.dataset(scenarios=2, texts=[TEXT, TEXT]))
        first, other = (f.rated_item([5, 5], item=one) for one in f.items_of(campaign))
        add(first)
        other.refresh_from_db()
        assert not other.in_guideline
        with django_capture_on_commit_callbacks(execute=True):
            assert not add(first).created
        other.refresh_from_db()
        assert other.in_guideline

    @pytest.mark.parametrize("purpose", ["training", "check"])
    def test_an_answer_that_people_are_asked_for_is_not_given_away(self, item, purpose):
        add_reference(campaign=item.campaign, response=item.response, purpose=purpose, scores=f.full_scores(4))
        with pytest.raises(ExampleRefused):
            add(item)

    @pytest.mark.parametrize("purpose", ["training", "check"])
    def test_nor_asked_for_once_it_is_given(self, item, purpose):
        add(item)
        with pytest.raises(ReferenceRefused, match="guideline"):
            add_reference(campaign=item.campaign, response=item.response, purpose=purpose, scores=f.full_scores(4))

    @pytest.mark.parametrize("words", [TEXT, TEXT.replace("\r\n", "\n"), "I hear you."])
    @pytest.mark.parametrize("purpose", ["training", "check"])
    def test_nor_are_its_words_where_a_response_has_no_item_of_its_own(self, purpose, words):
        data = f.dataset(scenarios=2, companions=["one", "two"], texts=[TEXT, words])
        campaign = f.campaign(overlap=2, data=data, selection=Selection(companions=["one"]))
        item = next(one for one in f.items_of(campaign) if one.response.text == TEXT)
        for one in f.items_of(campaign):
            f.rated_item([5, 5], item=one)
        add(item)
        response = Response.objects.filter(companion__name="two", text=words).first()
        assert response
        with pytest.raises(ReferenceRefused, match="guideline"):
            add_reference(campaign=campaign, response=response, purpose=purpose, scores=f.full_scores(4))

    def test_a_closed_campaign_keeps_its_guideline(self, item):
        item.campaign.state = "closed"
        item.campaign.save()
        with pytest.raises(CampaignNotOpen):
            add(item)


class TestByApi:
    def test_the_examples_are_for_people_of_the_campaign(self, item):
        rubric = add(item).rubric
        url = f"/api/v1/rubrics/{rubric.hash}/"
        assert client_of(f.member(item.campaign)).get(url).json()["content"]["examples"][0]["text"] == "I hear you."
        for person in (f.person(), f.member(f.campaign())):
            content = client_of(person).get(url).json()["content"]
            assert "examples" not in content
            assert content["dimensions"]


def test_only_responses_of_its_own_campaign_are_touched(item):
    other = f.campaign(slug="other", overlap=1, data=item.campaign.dataset)
    add(item)
    twin = f.items_of(other)[0]
    assert Response.objects.count() == 1
    assert not twin.in_guideline
    assert lease_next(campaign=other, user=f.member(other)).work_item == twin
