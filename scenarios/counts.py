"""What a dataset holds, in numbers. Each is one query over an index; none reads a text."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F

from scenarios.benchmark import CONDITIONS, TASKS, Task
from scenarios.models import Dataset, Response, Scenario


@dataclass(frozen=True)
class Size:
    scenarios: int
    responses: int


def sizes(datasets: Iterable[Dataset]) -> dict[int, Size]:
    """Scenarios and responses of each dataset, by its id."""
    ids = [dataset.pk for dataset in datasets]
    scenarios = Scenario.objects.current().filter(dataset__in=ids).order_by().values("dataset").annotate(n=Count("pk"))
    responses = (
        Response.objects.current()
        .filter(arrival__dataset__in=ids)
        .order_by()
        .values(dataset=F("arrival__dataset"))
        .annotate(n=Count("pk"))
    )
    of_scenarios = {row["dataset"]: row["n"] for row in scenarios}
    of_responses = {row["dataset"]: row["n"] for row in responses}
    return {pk: Size(of_scenarios.get(pk, 0), of_responses.get(pk, 0)) for pk in ids}


def scenarios_by_task(dataset: Dataset) -> tuple[list[str], list[tuple[Task, list[int], int]]]:
    """The languages, and for each task that has scenarios its count a language and in all."""
    counted = (
        Scenario.objects.current()
        .filter(dataset=dataset)
        .order_by()
        .values_list("task", "language")
        .annotate(n=Count("pk"))
    )
    found = {(task, language): n for task, language, n in counted}
    languages = sorted({language for _task, language in found})
    rows = []
    for key, task in TASKS.items():
        counts = [found.get((key, language), 0) for language in languages]
        if any(counts):
            rows.append((task, counts, sum(counts)))
    return languages, rows


def responses_by_companion(dataset: Dataset) -> list[tuple[str, list[int], int]]:
    """For each companion its count of responses a condition (in the order of CONDITIONS) and in all."""
    counted = (
        Response.objects.current()
        .filter(arrival__dataset=dataset)
        .order_by()
        .values_list("companion__name", "condition")
        .annotate(n=Count("pk"))
    )
    found = {(companion, condition): n for companion, condition, n in counted}
    rows = []
    for companion in sorted({companion for companion, _condition in found}):
        counts = [found.get((companion, condition), 0) for condition in CONDITIONS]
        rows.append((companion, counts, sum(counts)))
    return rows
