"""An item as people read it: on the annotator's desk and, later, on the expert's bench. Blind by construction."""

from dataclasses import dataclass
from typing import Any

from annotation.models import WorkItem
from scenarios.benchmark import TASKS, Context


@dataclass(frozen=True)
class ItemShown:
    """The response and what its task needs beside it; no companion, condition, key, reference or tag."""

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
