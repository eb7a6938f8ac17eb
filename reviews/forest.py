"""A forest plot as numbers for an SVG: points with their intervals on one axis. The template draws it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from reviews.figures import Figure, plain

LEFT, RIGHT, ROW, TOP = 200.0, 700.0, 34, 28
TENTATIVE, RELY = 0.667, 0.8


@dataclass(frozen=True)
class Row:
    name: str
    y: int
    x: float | None
    low: float | None
    high: float | None
    words: str


@dataclass(frozen=True)
class Tick:
    x: float
    label: str


@dataclass(frozen=True)
class Forest:
    """Everything in the viewBox 0 0 720 `height`; `axis` is the y of the axis, `zone` the tentative band (x, width)."""

    rows: list[Row]
    ticks: list[Tick]
    height: int
    axis: int
    zone: tuple[float, float]

    @property
    def label_y(self) -> int:
        return self.axis + 20


def forest_of(named: Sequence[tuple[str, Figure]]) -> Forest:
    """One row a named figure; the axis runs from 0, or lower where a number is, to 1."""
    numbers = [
        number for _name, figure in named for number in (figure.value, *(figure.ends or ())) if number is not None
    ]
    start = max(-1.0, floor(min([0.0, *numbers]) * 5) / 5)

    def x(number: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (max(number, start) - start) / (1 - start), 1)

    rows = [
        Row(
            name=name,
            y=TOP + place * ROW,
            x=None if figure.value is None else x(figure.value),
            low=x(figure.ends[0]) if figure.ends else None,
            high=x(figure.ends[1]) if figure.ends else None,
            words=figure.why if figure.value is None else "",
        )
        for place, (name, figure) in enumerate(named)
    ]
    axis = TOP + len(rows) * ROW - 8
    ticks = [Tick(x(number), plain(number, digits)) for number, digits in _ticks(start)]
    return Forest(rows, ticks, axis + 32, axis, (x(TENTATIVE), round(x(RELY) - x(TENTATIVE), 1)))


def _ticks(start: float) -> list[tuple[float, int]]:
    """The ends, the bounds of the bands, and something between; (number, digits)."""
    inner = [(0.0, 0)] if start < 0 else []
    return [(start, 1 if start else 0), *inner, (0.4, 1), (TENTATIVE, 3), (RELY, 1), (1.0, 0)]
