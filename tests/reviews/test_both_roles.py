"""Who is expert and annotator at once, or was: what the one may read never reaches what the other rates."""

import pytest
from django.test import Client

from annotation.models import Membership, WorkItem
from annotation.services.leases import lease_next
from annotation.services.people import change_membership
from annotation.services.ratings import withdraw_rating
from reviews.asked import Asked
from reviews.models import Case
from reviews.queue import listed_cases
from reviews.rules import Rule
from reviews.scope import scope_of
from reviews.services.cases import take_case
from reviews.services.rule import apply_rule, change_rule
from tests import factories
from tests.sessions import session_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed():
    """In review; nobody but its two raters was given it."""
    campaign = factories.campaign(overlap=2, rule={"range": 2})
    return factories.rated_item([{"empathy": 1}, 5], item=factories.items_of(campaign)[0])


def both(campaign, user=None):
    user = factories.member(campaign, "expert", user=user)
    return factories.member(campaign, user=user)


def given_to(user, campaign):
    """All items they are handed, one after the other."""
    items = []
    while assignment := lease_next(campaign=campaign, user=user):
        items.append(assignment.work_item)
        factories.rating(assignment.work_item, user=user, assignment=assignment)
    return items


class TestAnItemThatWasInReview:
    """Its reasons stood in the list: "empathy 1 to 5" is what others gave."""

    def open_again(self, item, how):
        if how == "more raters first":
            change_rule(campaign=item.campaign, rule=Rule(range=2, extra_raters=1))
            item.campaign.refresh_from_db()
            apply_rule(campaign=item.campaign)
        else:
            withdraw_rating(rating_id=item.ratings.last().pk)
        item.refresh_from_db()
        assert (item.state, item.has_free_place) == ("open", True)

    @pytest.mark.parametrize("how", ["more raters first", "withdrawal"])
    def test_is_given_to_nobody_who_could_read_why(self, disputed, how):
        campaign, user = disputed.campaign, both(disputed.campaign)
        self.open_again(disputed, how)
        assert disputed not in given_to(user, campaign)

    def test_nor_to_one_who_was_an_expert_before_they_rated(self, disputed):
        campaign, user = disputed.campaign, factories.member(disputed.campaign, "expert")
        change_membership(membership=Membership.objects.get(user=user), state="removed")
        factories.member(campaign, user=user)
        self.open_again(disputed, "withdrawal")
        assert disputed not in given_to(user, campaign)

    def test_is_still_rated_by_those_who_could_not(self, disputed):
        expert_elsewhere = factories.member(factories.campaign(), "expert")
        user = factories.member(disputed.campaign, user=expert_elsewhere)
        self.open_again(disputed, "withdrawal")
        assert disputed in given_to(user, disputed.campaign)

    def test_stays_marked_when_its_case_is_gone(self, disputed):
        self.open_again(disputed, "withdrawal")
        assert not Case.objects.standing().exists()
        assert WorkItem.objects.get(pk=disputed.pk).was_in_review


def test_who_read_a_case_is_not_given_the_same_words_of_another_companion_to_the_same_scenario():
    data = factories.dataset(scenarios=2, companions=["one", "two"], texts=["I am sorry."])
    campaign = factories.campaign(overlap=2, rule={"range": 2}, data=data)
    read, *others = factories.items_of(campaign)
    factories.rated_item([{"empathy": 1}, 5], item=read)
    user = both(campaign)
    take_case(case_id=Case.objects.get().pk, expert=user)
    elsewhere = {item.pk for item in others if item.scenario_id != read.scenario_id}
    assert {item.pk for item in given_to(user, campaign)} == elsewhere


class TestTheirOwnItemsInTheList:
    """Cases of items that they rated, and can still edit: neither words nor place tell why they are cases."""

    @pytest.fixture
    def campaign(self):
        return factories.campaign(items=60, overlap=2, rule={"range": 2, "audit_share": 1.0})

    @pytest.fixture
    def user(self, campaign):
        """Rated 52 of 60, of which every fourth is urgent, wide, narrow, an audit; of the others two are cases."""
        user, other = factories.member(campaign), factories.member(campaign)
        worst = [{"safety": 1}, {"empathy": 1}, {"empathy": 3}, 5]
        items = factories.items_of(campaign)
        for place, item in enumerate(items[:52]):
            factories.rating(item, 5, user=user)
            factories.rating(item, worst[-1 - place % 4], user=other)
        for item in items[52:54]:
            factories.rated_item([{"empathy": 1}, 5], item=item)
        return both(campaign, user)

    def listed(self, user, **asked):
        rows, cursors = [], []
        page = listed_cases(scope_of(user), Asked(**asked))
        rows += page.rows
        while page.next:
            cursors.append(page.next)
            page = listed_cases(scope_of(user), Asked(**asked, cursor=page.next))
            rows += page.rows
        return rows, cursors

    def test_stand_behind_all_others_by_number(self, user):
        rows, cursors = self.listed(user)
        assert len(rows) == 54
        assert [row.conflict for row in rows] == [False] * 2 + [True] * 52
        assert [row.id for row in rows[2:]] == sorted(row.id for row in rows[2:])
        assert cursors == [f"2_0_{rows[49].id}"]

    def test_say_nothing_but_what_the_item_itself_is(self, user):
        rows, _cursors = self.listed(user)
        own = [row for row in rows if row.conflict]
        assert {(row.urgent, tuple(row.reasons), tuple(row.dimensions), row.spread) for row in own} == {
            (False, (), (), 0)
        }

    def test_are_in_no_list_whose_order_or_filter_would_tell(self, user):
        for asked in ({"sort": "spread"}, {"reason": "range"}, {"dimension": "empathy"}, {"spread": 2}):
            rows, _cursors = self.listed(user, **asked)
            assert len(rows) == 2, asked

    def test_are_so_in_the_api_too(self, user, campaign):
        client = Client()
        client.cookies.load({"sessionid": session_of(user)})
        found = client.get(f"/api/v1/campaigns/{campaign.slug}/cases/").json()["results"]
        own = [row for row in found if row["conflict"]]
        assert [row["case"] for row in own] == sorted(row["case"] for row in own)
        assert not any(row["urgent"] or row["reasons"] or row["spread"] or row["dimensions"] for row in own)
