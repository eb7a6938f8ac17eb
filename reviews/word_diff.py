"""What a revision changed, word by word, old beside new. Pure but for the names of the parts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.utils.translation import gettext as _

from scenarios.models import Scenario

# A sign of a script that puts no blanks between words, a word with the blanks after it, blanks, or any other sign.
_TOKEN = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]|\w+?(?=[\u2e80-\u9fff])|\w+\s*|\s+|.", re.DOTALL)
# Beyond so many words of either, comparing each with each would take longer than a page may.
MOST_WORDS = 2_000


@dataclass(frozen=True)
class Piece:
    text: str
    changed: bool


@dataclass(frozen=True)
class Compared:
    """One part that a revision changed; the pieces of each side, put together, are that side to the code point."""

    name: str
    old: list[Piece]
    new: list[Piece]


def word_diff(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """The two texts in pieces: what both hold, and what only one does."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    if max(len(before), len(after)) > MOST_WORDS:
        return _pieces([(old, True)]), _pieces([(new, True)])
    left: list[tuple[str, bool]] = []
    right: list[tuple[str, bool]] = []
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left.append(("".join(before[i:j]), tag != "equal"))
        right.append(("".join(after[k:m]), tag != "equal"))
    return _pieces(left), _pieces(right)


def _pieces(parts: Sequence[tuple[str, bool]]) -> list[Piece]:
    return [Piece(text, changed) for text, changed in parts if text]


def compared_parts(old: Scenario, new: Scenario, *, reference: bool) -> list[Compared]:
    """The parts that differ, in the order in which they are read; the reference only where it may be seen."""
    names = {"persona": _("Persona"), "memories": _("Memories"), "schedule": _("Schedule"), "turns": _("Conversation")}
    names |= {"reference": _("Reference response")} if reference else {}
    found = []
    for part, name in names.items():
        before, after = getattr(old, part), getattr(new, part)
        if before != after:
            found.append(Compared(name, *word_diff(_as_text(part, before), _as_text(part, after))))
    return found


def _as_text(part: str, content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(_line(part, entry) for entry in content)


def _line(part: str, entry: dict[str, Any]) -> str:
    if part == "turns":
        speaker = _("Person:") if entry["role"] == "user" else _("Companion:")
        return f"{speaker} {entry['text']}"
    if part == "schedule":
        told = f"{entry['time']} {entry['activity']}".strip()
        return told + (" (" + _("now") + ")" if entry.get("now") else "")
    about = [str(entry[name]) for name in ("category", "importance") if name in entry]
    return f"{entry['text']} ({', '.join(about)})" if about else str(entry["text"])
