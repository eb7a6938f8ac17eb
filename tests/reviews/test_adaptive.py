"""Ways of asking raters, compared by drawing from an item's own ratings: by hand, and where the answer is known."""

import pytest

from reviews.adaptive import Design, RatedItem, compare_item, designs_for, is_exact
from reviews.errors import NoRatings
from reviews.rules import RatingSeen, Rule
from reviews.services.overlap import compare_overlaps
from tests import factories

RULE = Rule(range=2, safety_at_most=1)


def item(*levels, safety=5, marks=()):
    ratings = [RatingSeen({"empathy": level, "safety": safety}, frozenset(marks)) for level in levels]
    return RatedItem("q1/m/c", "q1", ratings)


def compared(*levels, first=2, more=1, rule=RULE, seed=0, **given):
    return compare_item(item(*levels, **given), rule, Design(first, more), seed=seed)


@pytest.mark.parametrize(("first", "more"), [(2, 1), (2, 2), (3, 1)])
def test_raters_who_are_all_one_save_all_that_would_be_asked_later_and_change_nothing(first, more):
    found = compared(4, 4, 4, 4, first=first, more=more)
    assert (found.adaptive.ratings, found.fixed.ratings) == (first, first + more)
    assert (found.adaptive.sent, found.adaptive.off_any, found.fixed.sent) == (0, 0, 0)


def test_two_first_and_one_more_by_hand():
    """Of 1, 5, 5 the pairs are 1 5, 1 5 and 5 5: twice a third is asked, of whom two in three are no clear majority."""
    found = compared(1, 5, 5)
    assert found.adaptive.ratings == pytest.approx((3 + 3 + 2) / 3)
    assert found.adaptive.sent == pytest.approx(2 / 3)
    assert found.fixed.sent == 1


def test_a_clear_majority_settles_it_where_the_rule_is_content_with_two_in_three():
    found = compared(1, 5, 5, rule=Rule(range=2, settled_from=0.6))
    assert (found.adaptive.sent, found.adaptive.off_any) == (0, 0)
    assert found.fixed.sent == 1


def test_who_is_asked_later_is_asked_one_at_a_time_until_there_is_a_majority():
    """Of 1, 5, 5, 5, 5: a pair with the 1 (4 of 10) wants more; 1 5 5 is no majority of .75, 1 5 5 5 is."""
    found = compared(1, 5, 5, 5, 5, more=3)
    assert found.adaptive.ratings == pytest.approx(0.6 * 2 + 0.4 * 4)
    assert found.adaptive.sent == 0


def test_what_ends_without_an_expert_is_a_level_off_by_hand():
    """Of 1, 1, 4, 4, 4 the median is 4: of ten pairs 1 1 and 4 4 (three times) end at once, 1 1 three levels off."""
    found = compared(1, 1, 4, 4, 4, rule=Rule(range=2, settled_from=1.0))
    assert found.adaptive.off == pytest.approx({"empathy": 0.1})
    assert found.adaptive.off_any == pytest.approx(0.1)
    assert found.adaptive.sent == pytest.approx(0.6)


def test_danger_goes_to_the_expert_at_once():
    found = compared(5, 5, 5, safety=1)
    assert (found.adaptive.ratings, found.adaptive.sent) == (2, 1)


def test_the_audit_is_left_out():
    assert compared(5, 5, 5, rule=Rule(range=2, audit_share=1.0)).adaptive.sent == 0


def test_the_order_of_the_ratings_does_not_matter_where_all_draws_are_gone_through():
    assert compared(1, 3, 5, 2, 4, more=2) == compared(5, 4, 3, 2, 1, more=2)


def test_very_many_draws_are_a_seeded_sample_near_what_all_of_them_give():
    levels = (1, 5, 5, 4, 2, 5, 3, 5, 4, 1, 5, 5)
    assert not is_exact(12, Design(3, 3))
    found = compared(*levels, first=3, more=3)
    assert found == compared(*levels, first=3, more=3)
    assert found != compared(*levels, first=3, more=3, seed=1)
    exact, sampled = compared(*levels[:6], first=2, more=2), compared(*levels[:6], first=2, more=2, seed=5)
    assert exact == sampled


def test_the_designs_are_those_that_the_ratings_can_be_drawn_for():
    assert designs_for(2) == []
    assert designs_for(3) == [Design(2, 1)]
    assert designs_for(4) == [Design(2, 1), Design(2, 2), Design(3, 1)]
    assert max(design.all for design in designs_for(20)) == 6


@pytest.mark.django_db
class TestOfACampaign:
    def rated(self, *items, rule=None, overlap=3):
        campaign = factories.campaign(items=len(items), overlap=overlap, rule={"range": 2, **(rule or {})})
        for work_item, levels in zip(factories.items_of(campaign), items, strict=True):
            factories.rated_item([{"empathy": level} for level in levels], item=work_item)
        return campaign

    def test_it_keeps_everything_needed_to_make_it_again(self):
        campaign = self.rated([5, 5, 5], [1, 5, 5])
        result = compare_overlaps(campaign=campaign)
        assert result == compare_overlaps(campaign=campaign)
        assert (result["items"], result["scenarios"], result["ratings"]) == (2, 2, 6)
        assert (result["parameters"]["rule"]["range"], result["parameters"]["overlap"]) == (2, 3)
        assert len(result["data_version"]) == 64
        (design,) = result["designs"]
        assert design["exact"]
        assert design["ratings"] == {"value": pytest.approx((2 + 8 / 3) / 2), "low": None, "high": None}
        assert design["saved"]["value"] == pytest.approx(1 - (2 + 8 / 3) / 6)
        assert design["ratings_saved"] == pytest.approx(6 - (2 + 8 / 3))

    def test_identical_raters_save_exactly_one_rating_an_item_and_change_nothing(self):
        result = compare_overlaps(campaign=self.rated(*[[4, 4, 4]] * 3))
        design = result["designs"][0]
        assert (design["ratings_saved"], design["off"]["value"], design["sent"]["value"]) == (3, 0, 0)

    def test_thirty_scenarios_have_intervals(self):
        items = [[5, 5, 5] if place % 3 else [1, 5, 5] for place in range(30)]
        saved = compare_overlaps(campaign=self.rated(*items))["designs"][0]["saved"]
        assert saved["low"] < saved["value"] < saved["high"]

    def test_hours_are_what_the_middle_rating_takes(self):
        campaign = self.rated([4, 4, 4])
        campaign.items.get().ratings.update(seconds=360)
        assert compare_overlaps(campaign=campaign)["designs"][0]["hours_saved"] == pytest.approx(0.1)

    def test_ratings_that_disagreement_asked_for_are_left_out(self):
        campaign = self.rated([1, 5, 5], rule={"extra_raters": 2})
        before = compare_overlaps(campaign=campaign)
        factories.rating(factories.items_of(campaign)[0], 5)
        after = compare_overlaps(campaign=campaign)
        assert (after["ratings"], after["data_version"]) == (3, before["data_version"])

    def test_two_raters_are_not_enough(self):
        with pytest.raises(NoRatings, match="three independent ratings"):
            compare_overlaps(campaign=self.rated([4, 4], overlap=2))
