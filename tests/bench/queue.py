"""The list of cases at 100,000 cases over three campaigns, on both databases: counts, pages, search, next, workload.

    ./run bench queue [CASES]

Each figure is the median of several calls of what the pages and the API call, in milliseconds, in one process beside
the database. An expert of all three campaigns asks, who rated one item in forty of them; one in fifty items is urgent,
two in five cases are decided.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.bench._databases import on_both, prepare

CASES, CAMPAIGNS, ROUNDS = 100_000, 3, 7
TASKS = ("dialogue_base", "dialogue_emotion", "recollection_refine", "itinerary_basic")
WORDS = "I hear you and I am with you in this evening while the rain goes on and nothing has to be decided today"
STATES = ("waiting", "waiting", "decided", "waiting", "decided")


def ask(make: Callable[[], Any]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        make()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def fill(size: int) -> Any:
    """The expert. Rows as they are, for the services would take hours."""
    from django.db import connection
    from django.utils import timezone

    from annotation.models import Assignment, WorkItem
    from reviews.models import Case
    from tests import factories

    factories.default_rubric()
    expert, now, each = factories.person("expert"), timezone.now(), size // CAMPAIGNS
    for place in range(CAMPAIGNS):
        language = "zh-Hans" if place == 2 else "en"
        texts = [f"{WORDS} {WORDS} {number} lanterns" for number in range(997)]
        companions = [f"m{number}" for number in range(10)]
        data = factories.dataset(
            scenarios=each // 10, companions=companions, tasks=TASKS, texts=texts, language=language
        )
        campaign = factories.campaign(data=data, slug=f"round-{place}")
        factories.member(campaign, "expert", user=expert)
        items = list(campaign.items.order_by("pk").select_related("scenario"))
        for number, item in enumerate(items):
            item.urgent_at = now if number % 50 == 0 else None
        WorkItem.objects.bulk_update(items[::50], ["urgent_at"], batch_size=500)
        made = Case.objects.bulk_create(
            [_case(item, number, expert, now) for number, item in enumerate(items)], batch_size=2000
        )
        _decide([case for case in made if case.decided_at])
        # They rated here before: one item in forty, and what others said in the same words, is not theirs to judge.
        Assignment.objects.bulk_create(
            [
                Assignment(campaign=campaign, work_item=item, annotator=expert, state="submitted", expires_at=now)
                for item in items[7::40]
            ],
            batch_size=2000,
        )
    with connection.cursor() as cursor:  # as autovacuum does, and the nightly PRAGMA optimize
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return expert


def _case(item: Any, number: int, expert: Any, now: Any) -> Any:
    from reviews.models import Case

    state, spread = STATES[number % len(STATES)], 2 + number % 3
    dimension = ("empathy", "fluency", "safety")[number % 3]
    decided = state == "decided"
    return Case(
        work_item=item,
        campaign_id=item.campaign_id,
        state=state,
        reasons=[{"kind": "range", "dimension": dimension, "detail": {"low": 5 - spread, "high": 5}}],
        kinds=" range ",
        rule_version=1,
        priority=50 - spread,
        task=item.task,
        component=item.scenario.component,
        language=item.language,
        dimensions=f" {dimension} ",
        spread=spread,
        opened_at=now - timedelta(minutes=number % 20_000),
        taken_by=expert if decided else None,
        decided_at=now - timedelta(minutes=number % 9_000) if decided else None,
    )


def _decide(cases: list[Any]) -> None:
    from reviews.models import CaseEvent, Decision

    given = [
        Decision(case=c, expert=c.taken_by, client_id=uuid.uuid4(), quick_reason="slip", decided_at=c.decided_at)
        for c in cases
    ]
    Decision.objects.bulk_create(given, batch_size=2000)
    taken = [CaseEvent(case=c, kind="taken", by=c.taken_by, at=c.decided_at - timedelta(minutes=4)) for c in cases]
    CaseEvent.objects.bulk_create(taken, batch_size=2000)


def figures(expert: Any) -> dict[str, float]:
    from django.db import transaction

    from annotation.models import Campaign
    from reviews.asked import Asked
    from reviews.queue import counts_of, listed_cases
    from reviews.scope import scope_of
    from reviews.services.cases import take_next
    from reviews.tally import tally_of, waiting_for
    from reviews.workload import quick_reasons_of, workload_of

    scope = scope_of(expert)
    one = Campaign.objects.get(slug="round-0")

    def counts(query: dict[str, str]) -> Any:
        asked, cells = Asked.of(query), tally_of(scope.campaigns)
        return counts_of(scope, asked, cells), waiting_for(scope, cells)

    def second(query: dict[str, str]) -> Callable[[], Any]:
        following = listed_cases(scope, Asked.of(query)).next
        return lambda: listed_cases(scope, Asked.of(query | {"cursor": following}))

    def take(campaign: Campaign | None) -> None:
        with transaction.atomic():
            assert take_next(expert=expert, campaign=campaign)
            transaction.set_rollback(True)

    found = {
        "counts": ask(lambda: counts({})),
        "counts of one language": ask(lambda: counts({"language": "en"})),
        "counts of a dimension and a spread": ask(lambda: counts({"dimension": "safety", "spread": "3"})),
    }
    for sort in ("priority", "oldest", "newest", "spread"):
        found[f"first page, {sort}"] = ask(lambda: listed_cases(scope, Asked.of({"sort": sort})))  # noqa: B023
    found["second page, priority"] = ask(second({}))
    found["second page, oldest"] = ask(second({"sort": "oldest"}))
    found["first page, waiting"] = ask(lambda: listed_cases(scope, Asked.of({"state": "waiting"})))
    found["first page, decided"] = ask(lambda: listed_cases(scope, Asked.of({"state": "decided"})))
    found["first page, one campaign"] = ask(lambda: listed_cases(scope_of(expert, one), Asked()))
    several = {"dimension": "safety", "spread": "4", "task": "itinerary_basic", "language": "zh-Hans"}
    found["first page, four filters"] = ask(lambda: listed_cases(scope, Asked.of(several)))
    found["search, a common word"] = ask(lambda: listed_cases(scope, Asked.of({"q": "evening"})))
    found["search, two rare words"] = ask(lambda: listed_cases(scope, Asked.of({"q": "731 lanterns"})))
    found["search, nothing"] = ask(lambda: listed_cases(scope, Asked.of({"q": "volcano"})))
    found["take next, one campaign"] = ask(lambda: take(one))
    found["take next, all campaigns"] = ask(lambda: take(None))
    found["experts' page, one campaign"] = ask(lambda: (workload_of(one), quick_reasons_of(one)))
    expert.memberships.update(components=["itinerary"], languages=["en"])
    found["take next, a share"] = ask(lambda: take(None))
    return found


def main(size: int) -> None:
    columns = on_both("tests.bench.queue", size)
    print(f"{size:,} cases over {CAMPAIGNS} campaigns; medians of {ROUNDS}, ms; {os.cpu_count()} cores\n")
    print(" " * 36 + "".join(f"{name:>12}" for name in columns))
    for name in columns["SQLite"]:
        print(f"{name:36}" + "".join(f"{found[name]:12.1f}" for found in columns.values()))


if __name__ == "__main__":
    if "--inside" in sys.argv:
        prepare()
        print(json.dumps(figures(fill(int(sys.argv[-1])))))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else CASES)
