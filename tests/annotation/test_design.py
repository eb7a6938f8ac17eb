"""The manager sees whether the raters can be compared: what each two share, and who hangs together with nobody."""

import pytest

from annotation.design import connected, design_of
from annotation.services.items import locked_item, withdraw_item
from tests import factories
from tests.annotation.pages import page, signed_in


def test_those_who_share_an_item_hang_together_also_through_others():
    shared = {(1, 2): 4, (2, 3): 1, (4, 5): 7, (1, 6): 0}
    groups = connected([1, 2, 3, 4, 5, 6], shared)
    assert sorted(map(sorted, groups)) == [[1, 2, 3], [4, 5], [6]]


@pytest.fixture
def campaign(db):
    return factories.campaign(items=8, overlap=3)


@pytest.fixture
def raters(campaign):
    return [factories.member(campaign, user=factories.person(name)) for name in ("ana", "bo", "chen", "dara")]


def rated(campaign, *raters_of_items):
    for item, raters in zip(factories.items_of(campaign), raters_of_items, strict=False):
        for user in raters:
            factories.rating(item, 4, user=user)


def test_it_counts_what_each_two_share(campaign, raters):
    ana, bo, chen, _dara = raters
    rated(campaign, (ana, bo, chen), (ana, bo), (ana, bo), (bo, chen))
    design = design_of(campaign)
    assert (design.raters, design.pairs) == (3, 3)
    assert (design.least, design.middle, design.most, design.apart) == (1, 2, 3, 0)
    assert design.connected
    assert design.lonely == []


def test_who_shares_nothing_is_named(campaign, raters):
    ana, bo, chen, dara = raters
    rated(campaign, (ana, bo), (chen,), (chen,), (bo, ana), (dara,))
    design = design_of(campaign)
    assert not design.connected
    assert design.groups == [[ana, bo], [chen], [dara]]
    assert design.apart == 5


def test_a_pair_without_an_item_is_counted_where_others_join_them(campaign, raters):
    ana, bo, chen, _dara = raters
    rated(campaign, (ana, bo), (bo, chen))
    design = design_of(campaign)
    assert design.connected
    assert (design.least, design.apart) == (0, 1)


def test_only_counted_ratings_of_items_that_are_in_the_campaign_count(campaign, raters):
    ana, bo, _chen, _dara = raters
    rated(campaign, (ana, bo), (ana, bo))
    factories.edit(factories.items_of(campaign)[0].ratings.first(), 2)
    withdraw_item(locked_item(factories.items_of(campaign)[1].pk))
    assert design_of(campaign).most == 1


def test_nobody_yet_is_no_fault(campaign):
    design = design_of(campaign)
    assert (design.raters, design.least, design.most, design.connected) == (0, 0, 0, True)


def test_it_asks_three_questions_however_many_they_are(campaign, raters, django_assert_num_queries):
    rated(campaign, *[raters[:3]] * 8)
    with django_assert_num_queries(3):
        design_of(campaign)


def test_the_managers_page_says_it_in_words(campaign, raters):
    ana, bo, chen, dara = raters
    manager = signed_in(factories.member(campaign, "manager"))
    address = page("campaign", campaign.slug)
    assert "What raters share" not in manager.get(address).content.decode()
    rated(campaign, (ana, bo, chen), (ana, bo, chen))
    assert "Every two of the 3 raters share at least 2 items" in manager.get(address).content.decode()
    factories.rating(factories.items_of(campaign)[2], 4, user=dara)
    body = manager.get(address).content.decode()
    assert "not connected" in body
    assert "<li>dara</li>" in body


def test_a_site_manager_who_is_no_member_does_not_see_it(campaign, raters):
    rated(campaign, raters[:3])
    body = signed_in(factories.site_manager()).get(page("campaign", campaign.slug)).content.decode()
    assert "What raters share" not in body
