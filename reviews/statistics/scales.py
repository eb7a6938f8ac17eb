"""The declared scale: which values a rating may take, how far apart they are, and the weights that follow."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

LEVELS = ("nominal", "ordinal", "interval", "ratio")
MOST_LEVELS = 1001
SMALLEST, LARGEST = 1e-60, 1e60  # in size: fourth powers of values beyond are 0 or no finite numbers

_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"\s*({_NUMBER})\s*(?:-|–|\.\.)\s*({_NUMBER})\s*(?:/\s*(\d+(?:\.\d+)?))?\s*\Z", re.ASCII)


class ScaleRefused(ValueError):
    """A scale that cannot be read, or a level of measurement that does not exist."""


@dataclass(frozen=True)
class Scale:
    """The values a rating may take, in ascending order.

    levels: numbers, or texts at nominal level.
    declared: False where the levels were taken from what was seen.
    open: True where any number may occur, so that neighbouring levels mean nothing.
    """

    levels: tuple[Any, ...]
    declared: bool = True
    open: bool = False

    @property
    def labels(self) -> list[str]:
        """Each level as a person writes it."""
        return [label_of(level) for level in self.levels]

    @property
    def is_numeric(self) -> bool:
        """Whether the levels are numbers."""
        return not any(isinstance(level, str) for level in self.levels)

    def text(self) -> str:
        """The scale in the form `parse_scale` reads: "1-5", "1-5/0.5" or "a,b,c"."""
        labels = self.labels
        if self.is_numeric and len(labels) > 2:
            step = self.levels[1] - self.levels[0]
            if np.allclose(np.diff(self.levels), step, rtol=0, atol=1e-9):
                return f"{labels[0]}-{labels[-1]}" + ("" if step == 1 else f"/{label_of(round(step, 9))}")
        if self.is_numeric and len(labels) == 2 and self.levels[1] - self.levels[0] == 1:
            return f"{labels[0]}-{labels[1]}"
        return ",".join(labels)

    def codes(self, values: np.ndarray) -> np.ndarray:
        """Index of each value among the levels; -1 where it is none of them. values: floats, or texts."""
        if not len(self.levels):
            return np.full(len(values), -1)
        if not self.is_numeric:
            index = {level: at for at, level in enumerate(self.levels)}
            return np.fromiter((index.get(value, -1) for value in values), dtype=np.int64, count=len(values))
        levels = np.asarray(self.levels, dtype=float)
        near = 1e-9 * min(1.0, levels[-1] - levels[0])  # of levels that lie close together each is still itself
        at = np.clip(np.searchsorted(levels, values - near), 0, len(levels) - 1)
        return np.where(np.abs(levels[at] - values) <= near, at, -1)


def label_of(level: Any) -> str:
    """3.0 is "3", 2.5 is "2.5", a text is itself."""
    if isinstance(level, str):
        return level
    number = float(level)
    return str(int(number)) if number.is_integer() else repr(number)


def parse_scale(scale: str | Iterable[Any] | Scale, *, level: str = "ordinal") -> Scale:
    """Read "1-5", "0-3", "-2-2", "1-5/0.5" (half points), "1,2,5", or a sequence of levels.

    At nominal level a list may hold texts. Raises ScaleRefused.
    """
    if isinstance(scale, Scale):
        return scale
    found = _RANGE.match(scale) if isinstance(scale, str) else None
    if found:
        low, high, step = float(found[1]), float(found[2]), float(found[3] or 1)
        steps = (high - low) / step if step else 0.5  # a step of nothing is no whole number of steps
        if not 0.5 < steps < MOST_LEVELS or abs(steps - round(steps)) > 1e-9:
            raise ScaleRefused(f"scale {scale!r} must rise in whole steps, at most {MOST_LEVELS} levels")
        numbers = [round(low + step * at, 9) for at in range(round(steps) + 1)]
    else:
        parts = [part.strip() for part in scale.split(",")] if isinstance(scale, str) else list(scale)
        try:
            numbers = sorted(float(part) for part in parts)
        except (TypeError, ValueError):
            if level != "nominal" or "" in parts:
                raise ScaleRefused(f"scale {scale!r} is neither LOW-HIGH nor a list of numbers") from None
            return Scale(levels=tuple(dict.fromkeys(label_of(part) for part in parts)))
    if not numbers or len(set(numbers)) < len(numbers) or any(map(math.isnan, numbers)):
        raise ScaleRefused(f"scale {scale!r} has no levels, or one of them twice")
    if max(map(abs, numbers)) > LARGEST:
        raise ScaleRefused(f"scale {scale!r} has levels beyond {LARGEST:g}")
    return Scale(levels=tuple(int(number) if number.is_integer() else number for number in numbers))


def check_level(level: str) -> str:
    """The level of measurement, if it is one. Raises ScaleRefused."""
    if level not in LEVELS:
        raise ScaleRefused(f"level {level!r} is none of {', '.join(LEVELS)}")
    return level


def agreement_weights(kind: str, levels: Iterable[Any]) -> np.ndarray:
    """Weights of agreement, (K, K), 1 on the diagonal.

    kind: identity, linear, quadratic and radical use the distances of the declared levels; ordinal counts the
    pairs of levels between (Gwet 2014, chapter 3).
    """
    values = np.asarray(list(levels))
    count = len(values)
    if kind == "identity" or count < 2:
        return np.eye(count)
    if kind == "ordinal":
        steps = np.abs(np.subtract.outer(np.arange(count), np.arange(count))) + 1
        between = steps * (steps - 1) / 2
        return 1 - between / between.max()
    distance = np.abs(np.subtract.outer(values, values).astype(float)) / float(values.max() - values.min())
    powers = {"linear": 1.0, "quadratic": 2.0, "radical": 0.5}
    if kind not in powers:
        raise ScaleRefused(f"weights {kind!r} are none of identity, ordinal, {', '.join(powers)}")
    return 1 - distance ** powers[kind]
