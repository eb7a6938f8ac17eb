"""The H2HTalk benchmark's fixed table: eleven tasks in three components, two conditions."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class Component(models.TextChoices):
    DIALOGUE = "dialogue", _("dialogue")
    RECOLLECTION = "recollection", _("recollection")
    ITINERARY = "itinerary", _("itinerary")


class Condition(models.TextChoices):
    SAP = "sap", _("with the Secure Attachment Persona")
    NO_SAP = "no_sap", _("without the Secure Attachment Persona")


class Context(models.TextChoices):
    """What a rater must see beside the response, in this order."""

    PERSONA = "persona", _("persona")
    MEMORIES = "memories", _("memories")
    SCHEDULE = "schedule", _("schedule")
    TURNS = "turns", _("conversation")


@dataclass(frozen=True)
class Task:
    """One task of the benchmark; `shows` is what a rater must see to judge a response to it."""

    key: str
    component: str
    shows: tuple[str, ...]
    name: "str | StrPromise"


_PERSONA, _MEMORIES, _SCHEDULE, _TURNS = Context.PERSONA, Context.MEMORIES, Context.SCHEDULE, Context.TURNS
_DAY = (_PERSONA, _SCHEDULE, _TURNS)

TASKS: dict[str, Task] = {
    task.key: task
    for task in (
        Task("dialogue_base", Component.DIALOGUE, (_PERSONA, _TURNS), _("Everyday dialogue")),
        Task("dialogue_emotion", Component.DIALOGUE, (_PERSONA, _TURNS), _("Comfort in distress")),
        Task("dialogue_schedule", Component.DIALOGUE, _DAY, _("Dialogue within a schedule")),
        Task("recollection_synthesize", Component.RECOLLECTION, (_TURNS,), _("Memory from a conversation")),
        Task("recollection_refine", Component.RECOLLECTION, (_MEMORIES,), _("Memory rewritten")),
        Task("recollection_initialize", Component.RECOLLECTION, (_PERSONA, _MEMORIES), _("Opening from a memory")),
        Task("itinerary_basic", Component.ITINERARY, _DAY, _("Plan of a day, basic")),
        Task("itinerary_middle", Component.ITINERARY, _DAY, _("Plan of a day, middle")),
        Task("itinerary_advanced", Component.ITINERARY, _DAY, _("Plan of a day, advanced")),
        Task("itinerary_feedback", Component.ITINERARY, _DAY, _("Answer to a comment on the plan")),
        Task("itinerary_initialize", Component.ITINERARY, (_PERSONA, _SCHEDULE), _("Opening from a schedule")),
    )
}

CONDITIONS: tuple[str, ...] = tuple(Condition.values)

# Languages the bench is made for; a dataset may hold others, by their BCP 47 tag.
LANGUAGES: dict[str, str] = {"en": "English", "zh-Hans": "简体中文"}
LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
