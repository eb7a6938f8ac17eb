import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scenarios.counts import responses_by_companion, scenarios_by_task, sizes
from scenarios.models import Dataset

pytestmark = pytest.mark.django_db


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL chooses by size: a small table is scanned")
def test_no_count_touches_a_text(harbour: str) -> None:
    dataset = Dataset.objects.get(slug=harbour)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        sizes([dataset])
        scenarios_by_task(dataset)
        responses_by_companion(dataset)
    assert len(asked) == 4
    for query in asked.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
            steps = [row[3] for row in cursor.fetchall()]
        big = [step for step in steps if "scenarios_scenario" in step or "scenarios_response" in step]
        assert big
        assert all("USING COVERING INDEX" in step for step in big), steps
