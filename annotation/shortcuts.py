"""The single keys of a person (WCAG 2.1.4): the usual ones, others of their choice, or none at all."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.errors import KeysInvalid

OFF = "off"
# What each does, in the order in which the account page and the help show them.
DESK = {
    "mark": gettext_lazy("Mark a passage"),
    "rationale": gettext_lazy("Write a rationale"),
    "undo": gettext_lazy("Go back to the rating before"),
    "skip": gettext_lazy("Skip the item"),
    "guideline": gettext_lazy("Open the guideline"),
    "help": gettext_lazy("Show the keys"),
}
BENCH = {
    "confirm": gettext_lazy("Confirm the violation in hand"),
    "strike": gettext_lazy("Strike the violation in hand"),
    "undecidable": gettext_lazy("Say that the case cannot be decided"),
    "escalate": gettext_lazy("Ask other experts too"),
}
ACTIONS = DESK | BENCH
USUAL = {
    "mark": "v",
    "rationale": "r",
    "undo": "z",
    "skip": "s",
    "guideline": "g",
    "help": "?",
    "confirm": "c",
    "strike": "x",
    "undecidable": "n",
    "escalate": "e",
}


@dataclass(frozen=True)
class Keys:
    """`of`: {action: key}, each of one character. Where `on` is False no single key does anything, digits included."""

    on: bool
    of: Mapping[str, str]

    def of_action(self, action: str) -> str:
        """The key that does it; empty where single keys are off."""
        return self.of[action] if self.on else ""

    def as_json(self) -> dict[str, Any]:
        """For js/parts/keys.js: {"on": true, "of": {"mark": "v", ...}}."""
        return {"on": self.on, "of": dict(self.of)}


def keys_of(user: Any) -> Keys:
    """The person's keys, the usual ones where they chose no other; an anonymous visitor's are the usual ones."""
    kept = getattr(user, "keys", None) or {}
    chosen = {action: kept[action] for action in USUAL if isinstance(kept.get(action), str)}
    return Keys(on=not kept.get(OFF), of=USUAL | chosen)


def read_keys(given: Any) -> dict[str, Any]:
    """What is kept of the keys somebody chose: those that differ from the usual ones, and `off`.

    given: {action: key}, and {"off": true} for no single key at all; an action that is left out keeps its usual key.
    Raises KeysInvalid naming each fault by its action.
    """
    if not isinstance(given, dict):
        raise KeysInvalid
    faults: dict[str, list[str]] = {action: [_("There is no such action.")] for action in given.keys() - {OFF, *USUAL}}
    keys = dict(USUAL)
    for action in USUAL.keys() & given.keys():
        keys[action], fault = _read(given[action])
        if fault:
            faults[action] = [fault]
    for action in USUAL:
        others = [str(ACTIONS[other]) for other in USUAL if other != action and keys[other] == keys[action]]
        if others and action not in faults:
            faults[action] = [_("The same key as: %(other)s.") % {"other": others[0]}]
    if faults:
        raise KeysInvalid(fields=faults)
    kept: dict[str, Any] = {action: key for action, key in keys.items() if key != USUAL[action]}
    return kept | ({OFF: True} if given.get(OFF) is True else {})


def _read(given: Any) -> tuple[str, str]:
    """The key in the width and case that scripts compare with, and what is wrong with it."""
    key = unicodedata.normalize("NFKC", given).strip().lower() if isinstance(given, str) else ""
    if len(key) != 1 or not key.isprintable():
        return key, _("One letter or sign.")
    if key.isnumeric():
        return key, _("Digits set the scales.")
    return key, ""
