"""What a person is shown of an item, and nothing else: on the annotator's desk, on the expert's bench, by the API.

The one place that turns an item into what leaves the server: no companion, condition, key, reference or tag.
"""

from dataclasses import asdict, dataclass
from typing import Any

from annotation.models import Assignment, Campaign, WorkItem
from scenarios.benchmark import TASKS, Context


@dataclass(frozen=True)
class ItemShown:
    """The response and what its task needs beside it."""

    language: str
    task_name: str
    persona: str
    memories: list[dict[str, Any]]
    schedule: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    text: str

    @property
    def has_context(self) -> bool:
        """H2HTalk folders as released bring none; the page says so."""
        return bool(self.persona or self.memories or self.schedule or self.turns)


def item_shown(item: WorkItem) -> ItemShown:
    """What a person needs to judge this item. Reads `item.scenario` and `item.response`."""
    scenario, task = item.scenario, TASKS[item.task]
    return ItemShown(
        language=item.language,
        task_name=str(task.name),
        persona=scenario.persona if Context.PERSONA in task.shows else "",
        memories=scenario.memories if Context.MEMORIES in task.shows else [],
        schedule=scenario.schedule if Context.SCHEDULE in task.shows else [],
        turns=scenario.turns if Context.TURNS in task.shows else [],
        text=item.response.text,
    )


def item_sent(assignment: Assignment, campaign: Campaign) -> dict[str, Any]:
    """What the API sends of an assignment's item: the same as the desk shows."""
    item = WorkItem.objects.select_related("scenario", "response").get(pk=assignment.work_item_id)
    shown = asdict(item_shown(item))
    del shown["task_name"]
    return shown | {"task": item.task, "content_note": campaign.content_note}
