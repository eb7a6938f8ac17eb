"""Passages that raters marked or remarked on, laid over the text they stand in. Pure; offsets are code points."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise


@dataclass(frozen=True)
class Passage:
    """What one rater points at: text[start:end]. remark: with a note, which is no violation."""

    start: int
    end: int
    rater: str
    remark: bool = False


@dataclass(frozen=True)
class Segment:
    """A piece of the text that the same raters point at all through.

    remark: no violation is marked here, only notes are written.
    ends: those whose passage ends with it, and who do not go on pointing at what follows.
    """

    text: str
    raters: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    remark: bool = False


def segments_of(text: str, passages: Iterable[Passage]) -> list[Segment]:
    """The text cut where a passage begins or ends; the pieces put together are the text, whatever overlaps.

    A passage that reaches past the text is cut at its end; an empty one points at nothing and is left out.
    """
    inside = [replace(p, end=min(p.end, len(text))) for p in passages if 0 <= p.start < min(p.end, len(text))]
    cuts = sorted({0, len(text)}.union(*({passage.start, passage.end} for passage in inside)))
    return [_segment(text, inside, start, end) for start, end in pairwise(cuts)]


def _segment(text: str, passages: list[Passage], start: int, end: int) -> Segment:
    here = [p for p in passages if p.start <= start and end <= p.end]
    ended = _raters(p for p in passages if p.end == end)
    going_on = {p.rater for p in passages if p.start <= end < p.end}
    return Segment(
        text[start:end],
        raters=_raters(here),
        ends=tuple(rater for rater in ended if rater not in going_on),
        remark=bool(here) and all(p.remark for p in here),
    )


def _raters(passages: Iterable[Passage]) -> tuple[str, ...]:
    return tuple(sorted({passage.rater for passage in passages}, key=lambda rater: (len(rater), rater)))
