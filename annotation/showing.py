"""What a person is shown of an item, and nothing else: on the annotator's desk, on the expert's bench, by the API.

The one place that turns an item into what leaves the server: no companion, condition, key, reference or tag.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any

from annotation.models import Assignment, Campaign, WorkItem
from scenarios.benchmark import TASKS
from scenarios.models import Scenario


@dataclass(frozen=True)
class ItemShown:
    """The response and all the context that came with its scenario; `needed` names what its task must have in sight."""

    language: str
    task_name: str
    needed: tuple[str, ...]
    persona: str
    memories: list[dict[str, Any]]
    schedule: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    text: str
    heavy: bool = False  # announced before it is shown

    @property
    def has_context(self) -> bool:
        """H2HTalk folders as released bring none; the page says so."""
        return bool(self.persona or self.memories or self.schedule or self.turns)


def item_shown(item: WorkItem) -> ItemShown:
    """What a person reads of this item. Reads `item.scenario` and `item.response`.

    Nothing of the context is kept back: a rater could not see that a memory was forgotten. What the task does not
    need in sight is folded on the page.
    """
    return replace(context_shown(item.scenario), text=item.response.text, heavy=item.heavy)


def context_shown(scenario: Scenario) -> ItemShown:
    """What a rater reads before any response to this scenario; `text` is empty."""
    task = TASKS[scenario.task]
    return ItemShown(
        language=scenario.language,
        task_name=str(task.name),
        needed=tuple(task.shows),
        persona=scenario.persona,
        memories=scenario.memories,
        schedule=scenario.schedule,
        turns=scenario.turns,
        text="",
    )


def item_sent(assignment: Assignment, campaign: Campaign) -> dict[str, Any]:
    """What the API sends of an assignment's item: the texts that the desk shows."""
    found = WorkItem.everything.select_related("scenario", "response")
    return texts_sent(found.get(pk=assignment.work_item_id), campaign)


def texts_sent(item: WorkItem, campaign: Campaign) -> dict[str, Any]:
    """The same of an item that is no assignment. Reads `item.scenario` and `item.response`."""
    shown = asdict(item_shown(item))
    del shown["task_name"], shown["needed"]
    return shown | {"task": item.task, "content_note": campaign.content_note}
