"""The parts of a scenario's context: turns, memories, schedule, tags."""

import re
from typing import Any

from django.utils.translation import gettext as _

from scenarios.reading.faults import BadLine, quoted

USER, COMPANION = "user", "companion"
_ROLES = {"user": USER, "human": USER, "companion": COMPANION, "assistant": COMPANION, "gpt": COMPANION}
_TIMED = re.compile(r"([0-2]?\d[:：][0-5]\d)[ \t　]+(\S.*)", re.DOTALL)
DEEPEST_TAG = 8


def role_of(value: object) -> str:
    """user or companion, also by the names that chat formats give them."""
    role = _ROLES.get(value) if isinstance(value, str) else None
    if role is None:
        raise BadLine(_("unknown role %(role)s: user or companion") % {"role": quoted(value)})
    return role


def turn_of(value: object) -> dict[str, Any]:
    entry = _entry(value, "turns")
    if not isinstance(entry.get("text"), str):
        raise BadLine(_("a turn needs “role” and “text”"))
    return {"role": role_of(entry.get("role")), "text": entry["text"]}


def memory_of(value: object) -> dict[str, Any]:
    """A memory is a text, or an object with text and perhaps category and importance."""
    if isinstance(value, str):
        return {"text": value}
    entry = _entry(value, "memories")
    if not isinstance(entry.get("text"), str):
        raise BadLine(_("a memory needs a “text”"))
    memory: dict[str, Any] = {"text": entry["text"]}
    if (category := entry.get("category")) is not None:
        if not isinstance(category, str):
            raise BadLine(_("the category of a memory must be a text"))
        memory["category"] = category
    if (importance := entry.get("importance")) is not None:
        if isinstance(importance, bool) or not isinstance(importance, int | float | str):
            raise BadLine(_("the importance of a memory must be a number or a text"))
        memory["importance"] = importance
    return memory


def schedule_entry_of(value: object) -> dict[str, Any]:
    """An entry is "HH:MM activity", or an object with time and activity. Without a plain time the whole is activity.

    Nothing is sorted or judged: a plan may well go on past midnight.
    """
    if isinstance(value, str):
        timed = _TIMED.fullmatch(value)
        return {"time": timed[1], "activity": timed[2]} if timed else {"time": "", "activity": value}
    entry = _entry(value, "schedule")
    time, activity, now = entry.get("time") or "", entry.get("activity"), entry.get("now") or False
    if not isinstance(time, str) or not isinstance(activity, str) or not isinstance(now, bool):
        raise BadLine(_("a schedule entry needs “time” and “activity”, and “now” is true or false"))
    return {"time": time, "activity": activity} | ({"now": True} if now else {})


def tags_of(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadLine(_("%(name)s must be an object") % {"name": quoted("tags")})
    level: list[Any] = [value]
    for _depth in range(DEEPEST_TAG):
        level = [part for entry in level for part in _parts(entry)]
        if not level:
            return value
    raise BadLine(_("%(name)s is nested too deeply") % {"name": quoted("tags")})


def _parts(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _entry(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadLine(_("an entry of %(name)s has the wrong form") % {"name": quoted(name)})
    return value
