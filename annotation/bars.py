"""Days as bars, for the little charts of pace and throughput. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bar:
    """A day as a bar in a box of 100 by 100, the origin at its upper left."""

    of: Any
    x: float
    y: float
    width: float
    height: float


def bars_of(days: Sequence[Any], amounts: Sequence[float], *, least: float = 0.0) -> list[Bar]:
    """The tallest as high as the box, all equally wide. least: how high anything above nothing is drawn at least."""
    most = max(amounts, default=0)
    slot = 100 / max(1, len(days))
    width = round(slot * 0.7, 2)
    drawn = []
    for place, (day, amount) in enumerate(zip(days, amounts, strict=True)):
        height = max(least, round(100 * amount / most, 2)) if amount else 0.0
        drawn.append(Bar(day, x=round(slot * (place + 0.15), 2), y=round(100 - height, 2), width=width, height=height))
    return drawn
