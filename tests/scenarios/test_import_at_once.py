from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection

from scenarios.models import Dataset, Import, Scenario
from scenarios.services import ImportBusy, ImportReport, import_scenarios
from tests.scenarios.samples import scenario, write_lines

AT_ONCE = 4


@pytest.mark.django_db(transaction=True)
def test_the_same_file_from_several_sides_comes_in_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", [scenario(number) for number in range(1200)])
    start = Barrier(AT_ONCE)

    def work() -> ImportReport | None:
        start.wait()
        try:
            return import_scenarios(path, dataset="harbour")
        except ImportBusy:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        reports = [future.result() for future in [pool.submit(work) for _ in range(AT_ONCE)]]
    done = [report for report in reports if report]
    assert sum(report.created for report in done) == 1200
    assert sum(report.unchanged for report in done) == 1200 * (len(done) - 1)
    assert Scenario.objects.current().count() == Scenario.objects.count() == 1200
    assert (Dataset.objects.count(), Import.objects.count()) == (1, 1)
