"""What a list of cases was asked for: read from a query string, checked, and written back as one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from annotation.validation import can_be_stored
from reviews.errors import ListInvalid
from reviews.rules import Kind
from scenarios.benchmark import LANGUAGE_TAG, TASKS, Component

# What a person may ask for; "open" is everything that is not decided.
STATES = ("open", "waiting", "mine", "several", "taken", "decided")
# Without one: by the rule's priority, urgent ones first; what is decided, the latest decision first.
SORTS = ("priority", "oldest", "newest", "spread")
WIDEST = 100
LONGEST_WORDS = 200
# Field of Asked: its name behind the question mark, where that is another.
NAMES = {"words": "q"}


@dataclass(frozen=True)
class Asked:
    """A filter as it was asked for; empty is no filter, the state is "open" unless another is named.

    campaign: a slug. spread: at least so many levels apart. share: only what is dealt to the viewer.
    words: the number of a case, or words that all stand in the response's text.
    """

    state: str = "open"
    campaign: str = ""
    reason: str = ""
    dimension: str = ""
    spread: int = 0
    component: str = ""
    task: str = ""
    language: str = ""
    share: bool = False
    words: str = ""
    sort: str = ""
    cursor: str = ""

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> "Asked":
        """Reads a query string; raises ListInvalid naming what cannot be read."""
        given = {name: str(query.get(NAMES.get(name, name)) or "").strip() for name in cls.__dataclass_fields__}
        faults = {NAMES.get(name, name): [value] for name, value in given.items() if not _is_read(name, value)}
        if faults:
            raise ListInvalid(fields=faults)
        spread, share = int(given.pop("spread") or 0), bool(given.pop("share"))
        given["state"] = given["state"] or "open"
        return cls(**given, spread=spread, share=share)

    @property
    def order(self) -> str:
        """By what the list is sorted: one of SORTS, or "decided"."""
        return self.sort or ("decided" if self.state == "decided" else "priority")

    @property
    def number(self) -> int | None:
        """Of the case that is searched for; None where words are."""
        digits = self.words.removeprefix("#")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None

    @property
    def tells_why(self) -> bool:
        """Being found, or where, tells why it is a case or what its text says: not for whom it is a conflict."""
        by_words = self.words and self.number is None
        return bool(self.reason or self.dimension or self.spread or self.sort == "spread" or by_words)

    @property
    def narrowed(self) -> int:
        """How many of the further filters are set: those beside state, search, reason, task and order."""
        further = (self.campaign, self.dimension, self.spread, self.component, self.language, self.share)
        return sum(map(bool, further))

    @property
    def is_all(self) -> bool:
        """Everything that is to decide, from its first page."""
        return replace(self, sort="") == Asked()

    def as_query(self) -> str:
        """As behind the question mark, in one order, without a cursor; empty where everything is as it comes."""
        plain = Asked()
        set_ones = {
            NAMES.get(name, name): int(value) if isinstance(value, bool) else value
            for name in self.__dataclass_fields__
            if name != "cursor" and (value := getattr(self, name)) != getattr(plain, name)
        }
        return urlencode(set_ones)


def _is_read(name: str, value: str) -> bool:
    if not can_be_stored(value):
        return False
    known: dict[str, tuple[str, ...]] = {
        "state": ("", *STATES),
        "reason": ("", *Kind),
        "component": ("", *Component.values),
        "task": ("", *TASKS),
        "share": ("", "1"),
        "sort": ("", *SORTS),
    }
    if name in known:
        return value in known[name]
    if name == "spread":
        return not value or (len(value) < 4 and value.isascii() and value.isdigit() and int(value) <= WIDEST)
    if name == "language":
        return not value or LANGUAGE_TAG.fullmatch(value) is not None
    return name != "words" or len(value) <= LONGEST_WORDS


def bad_cursor(cursor: str) -> ListInvalid:
    return ListInvalid(_("The cursor is not one this list gave."), fields={"cursor": [cursor]})
