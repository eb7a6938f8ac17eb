"""More raters before experts: asked for by the rule, called off when they are not needed, counted for gold alone."""

import pytest

from annotation.models import WorkItem
from annotation.services.campaigns import close_campaign
from annotation.services.items import locked_item, withdraw_item
from annotation.services.ratings import withdraw_rating
from reviews.models import Case
from reviews.rules import Rule
from reviews.services.base_ratings import frame_of
from reviews.services.forecast import outlook_of_rule
from tests import factories
from tests.reviews.published import publish, rows

RULE = {"extra_raters": 2, "twice_share": 0.0}
pytestmark = pytest.mark.django_db


def divided(*scores, **rule):
    item = factories.rated_item(list(scores) or [{"empathy": 1}, 5, 5], rule=RULE | rule)
    return WorkItem.objects.get(pk=item.pk)


def rate(item, *scores):
    for given in scores:
        factories.rating(item, given)
    item.refresh_from_db()
    return item


def test_an_item_whose_raters_disagree_wants_more_of_them_and_no_expert_yet():
    item = divided()
    assert (item.state, item.needed, item.extra) == ("open", 5, 2)
    assert not Case.objects.exists()


def test_a_clear_majority_settles_it_as_soon_as_there_is_one():
    item = rate(divided(), 5)
    assert (item.state, item.needed, item.extra, item.counted) == ("settled", 4, 1, 4)
    assert not Case.objects.exists()


def test_who_is_at_it_already_is_waited_for():
    item = divided()
    late = factories.lease(item, factories.member(item.campaign))
    item = rate(item, 5)
    assert (item.state, item.leased) == ("open", 1)
    factories.rating(item, 5, user=late.annotator, assignment=late)
    item.refresh_from_db()
    assert (item.state, item.needed) == ("settled", 5)


def test_where_more_raters_are_divided_too_an_expert_is_asked_once_all_have_spoken():
    item = rate(divided(), {"empathy": 1})
    assert item.state == "open"
    item = rate(item, 5)
    assert item.state == "in_review"
    case = Case.objects.get(work_item=item)
    assert [reason["dimension"] for reason in case.reasons] == ["empathy"]
    assert case.spread == 4
    rate(item)
    assert item.extra == 2


def test_danger_goes_to_the_expert_at_once():
    item = divided({"safety": 1}, 5, 5)
    assert (item.state, item.extra) == ("in_review", 0)


def test_an_edit_that_ends_the_disagreement_calls_the_others_off():
    item = factories.items_of(factories.campaign(rule=RULE))[0]
    low = factories.rating(item, {"empathy": 1})
    item = rate(item, 5, 5)
    assert item.state == "open"
    factories.edit(low, 5)
    item.refresh_from_db()
    assert (item.state, item.needed, item.extra) == ("settled", 3, 0)


def test_nobody_is_asked_any_more_on_a_closed_campaign():
    item = factories.items_of(factories.campaign(rule=RULE, overlap=2))[0]
    rate(item, {"empathy": 1})
    second = factories.lease(item, factories.member(item.campaign))
    factories.rating(item, 5, user=second.annotator, assignment=second)
    item.refresh_from_db()
    assert item.state == "open"
    close_campaign(campaign=item.campaign)
    item.refresh_from_db()
    assert item.needed == 4


def test_agreement_reads_the_first_raters_alone():
    item = rate(divided(), 5)
    assert len(frame_of(item.campaign)) == 3 * 3


@pytest.mark.parametrize("held", [False, True])
def test_a_withdrawn_item_takes_its_open_case_with_it(held, case, expert):
    from reviews.services.cases import take_case

    if held:
        take_case(case_id=case.pk, expert=expert)
    withdraw_item(locked_item(case.work_item_id))
    case.refresh_from_db()
    assert (case.state, case.taken_by) == ("fallen", None)


class TestARatingWithdrawnAfterMoreWereAsked:
    """Who was called by the disagreement stays so, whatever becomes of those who spoke before."""

    def called(self):
        """An item of two raters who disagreed, and one more whom that called; the first one's rating is withdrawn."""
        item = factories.items_of(factories.campaign(rule=RULE, overlap=2))[0]
        first = factories.rating(item, {"empathy": 1})
        rate(item, 5, {"empathy": 3})
        withdraw_rating(rating_id=first.pk)
        item.refresh_from_db()
        return item

    def test_agreement_reads_nobody_in_their_place_who_was_called(self):
        item = self.called()
        assert list(item.ratings.order_by("rank").values_list("is_extra", flat=True)) == [False, False, True]
        frame = frame_of(item.campaign)
        assert set(frame[frame["dimension"] == "empathy"]["value"]) == {5}

    def test_the_next_rater_is_one_of_the_first_again_and_agreement_reads_them(self):
        item = self.called()
        rate(item, {"empathy": 4})
        assert not item.ratings.get(rank=4).is_extra
        frame = frame_of(item.campaign)
        assert sorted(frame[frame["dimension"] == "empathy"]["value"]) == [4, 5]

    def test_the_others_are_not_called_off_while_one_of_the_first_is_missing(self):
        item = self.called()
        assert (item.state, item.counted, item.needed, item.extra) == ("open", 2, 4, 2)

    def test_a_rule_is_not_counted_on_an_item_that_lacks_one_of_its_first(self):
        item = self.called()
        rate(item, 5)
        assert outlook_of_rule(item.campaign, Rule(range=2)).forecast.looked_at == 1
        withdraw_rating(rating_id=item.ratings.get(rank=4).pk)
        assert outlook_of_rule(item.campaign, Rule(range=2)).forecast.looked_at == 0

    def test_an_edit_of_theirs_stays_one_of_theirs(self):
        item = self.called()
        factories.edit(item.ratings.get(is_extra=True), {"empathy": 2})
        assert item.ratings.counted().get(is_extra=True).rank == 3

    def test_a_release_says_who_was_called(self):
        item = rate(self.called(), 5, 5)
        told = {row["rank"]: row["extra"] for row in rows(publish(item.campaign), "ratings.jsonl")}
        assert told == {1: False, 2: False, 3: True, 4: False, 5: True}
