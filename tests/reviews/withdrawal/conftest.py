import pytest

from tests import factories
from tests.reviews.withdrawing import rate_on


@pytest.fixture
def campaign():
    return factories.campaign(items=4, overlap=2, slug="study")


@pytest.fixture
def anna(campaign):
    return factories.member(campaign)


@pytest.fixture
def rated(campaign, anna):
    """Anna's ratings of days 1 to 4, an item a day; the others' on day 5."""
    items = factories.items_of(campaign)
    given = [rate_on(n, item, user=anna) for n, item in enumerate(items, 1)]
    for item in items:
        rate_on(5, item)
    return given
