"""Whatever a test of this room does, the invariants hold after it."""

from collections.abc import Iterator

import pytest

from annotation.models import Campaign
from tests import factories
from tests.annotation.api import client_of
from tests.invariants import breaches


@pytest.fixture(autouse=True)
def _nothing_is_broken(request: pytest.FixtureRequest) -> Iterator[None]:
    """The counters are exact, no item is over its overlap, no person twice on one (tests/invariants.py)."""
    with_database = request.node.get_closest_marker("django_db") is not None
    if with_database:
        request.getfixturevalue("db")  # asked for before the yield, so that it is undone after the check
    yield
    if with_database:
        assert [breach for campaign in Campaign.objects.all() for breach in breaches(campaign)] == []


@pytest.fixture
def campaign():
    return factories.campaign(items=3, overlap=2, slug="c")


@pytest.fixture
def annotator(campaign):
    return factories.member(campaign)


@pytest.fixture
def api(annotator):
    return client_of(annotator)


@pytest.fixture
def leased(api):
    return api.post("/api/v1/campaigns/c/next/").json()
