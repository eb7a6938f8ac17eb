from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from jobs.models import Job
from jobs.services import claim, enqueue

WORKERS = 8


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_at_once_one_gets_the_job(rings: list[str]) -> None:
    job = enqueue(kind="x", arguments={}, by=None)
    start = Barrier(WORKERS)

    def work() -> int | None:
        start.wait()
        try:
            return claim(job.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        attempts = [future.result() for future in [pool.submit(work) for _ in range(WORKERS)]]
    assert sorted(attempts, key=str) == [1, *[None] * (WORKERS - 1)]
    assert Job.objects.get(pk=job.pk).attempt == 1
