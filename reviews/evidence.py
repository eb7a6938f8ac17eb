"""Passages that raters marked, laid over the text they stand in. Pure; offsets are code points."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Passage:
    """What one rater points at: text[start:end]."""

    start: int
    end: int
    rater: str


@dataclass(frozen=True)
class Segment:
    """A piece of the text that the same raters point at all through.

    ends: those whose passage ends with it, and who do not go on pointing at what follows.
    """

    text: str
    raters: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


def segments_of(text: str, passages: Iterable[Passage]) -> list[Segment]:
    """The text cut where a passage begins or ends; the pieces put together are the text, whatever overlaps.

    A passage that reaches past the text is cut at its end; an empty one points at nothing and is left out.
    """
    inside = [
        Passage(p.start, min(p.end, len(text)), p.rater) for p in passages if 0 <= p.start < min(p.end, len(text))
    ]
    cuts = sorted({0, len(text)}.union(*({passage.start, passage.end} for passage in inside)))
    return [
        Segment(
            text[start:end],
            raters=_raters(p for p in inside if p.start <= start and end <= p.end),
            ends=tuple(
                rater
                for rater in _raters(p for p in inside if p.end == end)
                if not any(p.rater == rater and p.start <= end < p.end for p in inside)
            ),
        )
        for start, end in pairwise(cuts)
    ]


def _raters(passages: Iterable[Passage]) -> tuple[str, ...]:
    return tuple(sorted({passage.rater for passage in passages}, key=lambda rater: (len(rater), rater)))
