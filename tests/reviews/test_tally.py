"""What lists of cases are counted by."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reviews.tally import tally_of
from tests import factories

pytestmark = pytest.mark.django_db


def test_counts_are_read_from_one_index():
    if connection.vendor != "sqlite":
        pytest.skip("the plan of SQLite")
    campaign = factories.campaign()
    with CaptureQueriesContext(connection) as asked:
        tally_of([campaign.pk])
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked[0]['sql']}")
        plan = " ".join(row[3] for row in cursor.fetchall())
    assert "COVERING INDEX case_tally" in plan
