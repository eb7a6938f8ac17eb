"""Whatever a test of this room does, the invariants hold after it."""

from collections.abc import Iterator

import pytest

from annotation.models import Campaign
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
