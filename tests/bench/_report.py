"""The agreement report of one campaign of 232,500 responses read by three people each, from the database to the end.

Called by `./run bench agreement`.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench._databases import prepare

RATERS, POOL, BATCH = 3, 30, 5_000
TASKS = ("dialogue_base", "dialogue_emotion", "recollection_refine", "itinerary_basic")


def fill(scenarios: int, companions: int) -> Any:
    """The campaign. Rows as they are, for the services would take days."""
    import numpy as np
    from django.db import connection
    from django.utils import timezone

    from annotation.models import Assignment, Mark, Rating, Score
    from tests import factories

    factories.default_rubric()
    data = factories.dataset(
        scenarios=scenarios, companions=[f"m{n:02d}" for n in range(companions)], tasks=TASKS, texts=["I hear you."]
    )
    made = factories.campaign(data=data, overlap=RATERS)
    people = [factories.member(made) for _ in range(POOL)]
    rng, now = np.random.default_rng(7), timezone.now()
    items = list(made.items.order_by("pk").values_list("pk", "scenario"))
    true = dict(zip(sorted({scenario for _pk, scenario in items}), rng.normal(3.2, 0.6, scenarios), strict=True))
    given = np.repeat([true[scenario] for _pk, scenario in items], 3).reshape(-1, 3) + rng.normal(
        0, 0.7, (len(items), 3)
    )
    for start in range(0, len(items), BATCH):
        assignments = Assignment.objects.bulk_create(
            Assignment(
                campaign=made,
                work_item_id=pk,
                annotator=people[(pk + 7 * k) % POOL],
                state="submitted",
                expires_at=now,
                leased_at=now,
            )
            for pk, _scenario in items[start : start + BATCH]
            for k in range(RATERS)
        )
        ratings = Rating.objects.bulk_create(
            Rating(
                assignment=one,
                work_item_id=one.work_item_id,
                annotator=one.annotator,
                rubric=made.rubric,
                client_id=uuid.uuid4(),
                status="counted",
                rank=at % RATERS + 1,
                seconds=40,
                submitted_at=now + timedelta(seconds=start * RATERS + at),
            )
            for at, one in enumerate(assignments)
        )
        values = np.repeat(given[start : start + BATCH], RATERS, axis=0) + rng.normal(0, 0.7, (len(ratings), 3))
        levels = np.clip(np.round(values), 1, 5).astype(int).tolist()
        Score.objects.bulk_create(
            Score(rating=rating, dimension=name, value=value)
            for rating, row in zip(ratings, levels, strict=True)
            for name, value in zip(factories.DIMENSIONS, row, strict=True)
        )
        marked = [rating for rating, odd in zip(ratings, rng.random(len(ratings)), strict=True) if odd < 0.03]
        Mark.objects.bulk_create(Mark(rating=rating, type="dependence") for rating in marked)
    with connection.cursor() as cursor:  # as autovacuum does, and the nightly PRAGMA optimize
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return made


def figures(campaign: Any) -> dict[str, float]:
    """Seconds, and the peak memory of this process in MB."""
    from reviews.services.agreement import compute_agreement
    from reviews.services.base_ratings import frame_of

    begun = time.perf_counter()
    frame = frame_of(campaign)
    loaded = time.perf_counter()
    assert len(frame) == campaign.items.count() * RATERS * 3
    del frame
    start = time.perf_counter()
    compute_agreement(campaign=campaign)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"load": loaded - begun, "report": done - start, "peak": peak}


def main(scenarios: int, companions: int) -> None:
    prepare()
    made = fill(scenarios, companions)
    # In a process of its own, whose memory is the report's alone.
    command = [sys.executable, "-m", "tests.bench._report", "--figures", made.slug]
    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


if __name__ == "__main__":
    if sys.argv[1] == "--figures":
        prepare()
        from annotation.models import Campaign

        print(json.dumps(figures(Campaign.objects.get(slug=sys.argv[2]))))
    else:
        main(*map(int, sys.argv[-2:]))
