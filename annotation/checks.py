"""Hidden checks: where they come in a person's work, what is a hit, when the rule pauses. Pure.

A person's work goes in blocks of `one_in` items, one of them a check. Where in its block it comes is drawn from the
campaign's seed, the person and the block; never first or last where there is room, so that two checks are not near each
other and one that must wait for another scenario stays in its block. A check that is handed back or runs out comes
again, as any item does, also when its block has gone by: what is left must not fall by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.order import draw
from annotation.qualification import compare


@dataclass(frozen=True)
class Rule:
    """one_in: items of a block; max_difference: levels that a hit may be off; pause_after: misses within the last
    `window` checks that pause a person, 0 for never."""

    one_in: int
    max_difference: int
    pause_after: int
    window: int


def rule_of(kept: Mapping[str, Any]) -> Rule | None:
    """The rule as a campaign keeps it; None where it has no checks."""
    return Rule(**{name: kept[name] for name in Rule.__dataclass_fields__}) if kept else None


@dataclass(frozen=True)
class Course:
    """How far a person is. real: items held, rated or skipped, the checks apart; given: the blocks whose check they
    hold, answered or skipped; back: those whose check was handed back or ran out. `seed` is the campaign's."""

    seed: int
    person: str
    real: int
    given: frozenset[int] = frozenset()
    back: frozenset[int] = frozenset()

    def owed(self, now: int) -> set[int]:
        """Blocks gone by whose check came back and is still to be given."""
        return {block for block in self.back - self.given if block < now}


def to_come(course: Course, *, left: int, unused: int, rule: Rule) -> int:
    """Checks among what is still to be given, where `left` real items are left to give and `unused` checks.

    Falls by one with each check given, rises by one with each that comes back, stays with each real item given: so
    nobody can tell one from the other by what is left.
    """
    reals = rule.one_in - 1
    now, end = course.real // reals, course.real + left
    last = end // reals  # the block that the end lies in: those before it have their check before the end

    def is_reached(block: int) -> bool:
        return block < last or (block == last and _place(course, block, reals) < end)

    had = sum(block >= now and is_reached(block) for block in course.given)
    return min(last - now + is_reached(last) - had + len(course.owed(now)), unused)


def block_due(course: Course, *, left: int, rule: Rule) -> int | None:
    """The block whose check is to be the next item, if there is one; `left` is any number above 0 where there are more.

    None where a real item is to come.
    """
    reals = rule.one_in - 1
    now = course.real // reals
    if owed := course.owed(now):
        return min(owed)
    if now in course.given:
        return None
    place = _place(course, now, reals)
    return now if place <= course.real and place < course.real + left else None


def _place(course: Course, block: int, reals: int) -> int:
    """How many real items come before the check of this block."""
    first = min(1, reals - 1)
    room = max(1, reals - 1 - first)
    return block * reals + first + draw(course.seed, course.person, "check", block) % room


@dataclass(frozen=True)
class Known:
    """The known answer to a check: {dimension: level}, and marks of which the types are read."""

    scores: Mapping[str, int]
    marks: Sequence[Mapping[str, Any]]


def is_hit(known: Known, *, scores: Mapping[str, int], marks: Iterable[Mapping[str, Any]], rule: Rule) -> bool:
    """Every dimension within `max_difference` levels of the known answer, and none of its violations missed."""
    compared = compare(scores=scores, marks=marks, known_scores=known.scores, known_marks=known.marks)
    near = all(abs(difference) <= rule.max_difference for difference in compared.differences.values())
    return near and len(compared.differences) == len(known.scores) and not compared.missed


def pauses(hits: Sequence[bool], rule: Rule) -> bool:
    """hits: the person's checks since they were last let in, in the order answered."""
    return rule.pause_after > 0 and hits[-rule.window :].count(False) >= rule.pause_after
