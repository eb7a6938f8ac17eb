"""Who passes a training round: plain functions over numbers; no database, no request.

An answer is compared with the known one dimension by dimension. An attempt passes where the mean absolute difference
over all dimensions of all its items, and the number of violations it missed, stay within the rule.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

# 0.7 asked for and 0.7 reached is a pass, whatever binary fractions make of it.
SLACK = 1e-9


@dataclass(frozen=True)
class Rule:
    """items: of one attempt; max_mean_difference: in levels; max_missed: violations; attempts: how many one has."""

    items: int = 20
    max_mean_difference: float = 0.7
    max_missed: int = 0
    attempts: int = 3

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def rule_of(kept: Mapping[str, Any]) -> Rule | None:
    """The rule as a campaign or an attempt keeps it; None where it is empty: no training."""
    return Rule(**{name: kept[name] for name in Rule.__dataclass_fields__ if name in kept}) if kept else None


@dataclass(frozen=True)
class Compared:
    """differences: {dimension: given minus known}; missed and extra: types of violations, each once."""

    differences: dict[str, int]
    missed: tuple[str, ...]
    extra: tuple[str, ...]


def compare(
    *,
    scores: Mapping[str, int],
    marks: Iterable[Mapping[str, Any]],
    known_scores: Mapping[str, int],
    known_marks: Iterable[Mapping[str, Any]],
) -> Compared:
    """One answer against the known one. A violation counts by its type: where it was marked is shown, not measured."""
    given, known = _types(marks), _types(known_marks)
    return Compared(
        differences={key: scores[key] - level for key, level in known_scores.items() if key in scores},
        missed=tuple(kind for kind in known if kind not in given),
        extra=tuple(kind for kind in given if kind not in known),
    )


def _types(marks: Iterable[Mapping[str, Any]]) -> dict[str, None]:
    """The types of the marks in their order, each once; a remark is no violation."""
    return dict.fromkeys(mark["type"] for mark in marks if mark["type"] != "note")


@dataclass(frozen=True)
class OfDimension:
    """mean_difference: of the absolute differences; leaning: of the signed ones, above 0 where levels are too high."""

    mean_difference: float
    leaning: float


@dataclass(frozen=True)
class Result:
    mean_difference: float
    missed: int
    passed: bool
    by_dimension: dict[str, OfDimension]
    missed_types: dict[str, int]


def judge(rule: Rule, compared: Sequence[Compared]) -> Result:
    """What an attempt comes to. `compared` holds one entry an item and is not empty."""
    by_dimension: dict[str, list[int]] = {}
    for one in compared:
        for key, difference in one.differences.items():
            by_dimension.setdefault(key, []).append(difference)
    everything = [abs(difference) for differences in by_dimension.values() for difference in differences]
    mean = fmean(everything)
    missed = Counter(kind for one in compared for kind in one.missed)
    return Result(
        mean_difference=mean,
        missed=missed.total(),
        passed=mean <= rule.max_mean_difference + SLACK and missed.total() <= rule.max_missed,
        by_dimension={
            key: OfDimension(fmean(map(abs, differences)), fmean(differences))
            for key, differences in by_dimension.items()
        },
        missed_types=dict(missed),
    )


def draw_items(
    candidates: Iterable[int], *, before: Sequence[Iterable[int]], items: int, seed: int, person: int, number: int
) -> list[int]:
    """The items of attempt `number`, in its order: those seldom drawn before come first, then chance.

    before: the items of each earlier attempt. The same seed, person and number draw the same. Gives fewer than `items`
    only where there are fewer candidates.
    """
    met = Counter(item for drawn in before for item in drawn)
    draw = random.Random(f"{seed}:{person}:{number}")
    pool = sorted(candidates)
    draw.shuffle(pool)
    chosen = sorted(pool, key=lambda item: met[item])[:items]
    draw.shuffle(chosen)
    return chosen
