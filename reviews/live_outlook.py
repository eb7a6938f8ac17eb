"""What it takes until an interval is as narrow as asked for, from the stored live agreement; nothing is computed anew.

How many more items that is follows the law of the root: half as wide is four times the scenarios.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from reviews.models import LiveAgreement

WIDTH, LEAST_WIDTH, MOST_WIDTH = 0.05, 0.001, 0.5
FEWEST_SCENARIOS = 30  # an interval needs them


@dataclass(frozen=True)
class Outlook:
    """What it takes until the interval of one dimension is ± `width`; None where it cannot be told.

    half_width: of now. items_more, scenarios_more: at the present design. raters: an item at present, to the nearest
    whole number; with_raters: of half widths with more of them. raters_needed: the first of these that is enough.
    """

    width: float
    half_width: float | None = None
    items_more: int | None = None
    scenarios_more: int | None = None
    raters: int | None = None
    with_raters: tuple[tuple[int, float], ...] = ()
    raters_needed: int | None = None

    def to_json(self) -> dict[str, Any]:
        widths = [{"raters": raters, "half_width": width} for raters, width in self.with_raters]
        return asdict(self) | {"with_raters": widths}


def width_of(asked: str) -> float | None:
    """The width asked for, WIDTH where none is; None where it is none that can be planned for."""
    if not asked.strip():
        return WIDTH
    try:
        width = float(asked.strip().replace(",", "."))
    except ValueError:
        return None
    return width if LEAST_WIDTH <= width <= MOST_WIDTH else None


def outlook_of(entry: Mapping[str, Any], width: float) -> Outlook:
    """Of a dimension's stored entry."""
    last = entry["steps"][-1] if entry["steps"] else None
    if last is None or last["ci_low"] is None:
        return Outlook(width)
    half_width = (last["ci_high"] - last["ci_low"]) / 2
    if half_width <= 0:
        return Outlook(width)
    scenarios = max(FEWEST_SCENARIOS, math.ceil(last["scenarios"] * (half_width / width) ** 2))
    items = math.ceil(scenarios * last["items"] / last["scenarios"])
    more = entry["more_raters"] or {"raters": None, "narrower": []}
    shares = accumulate((one["share"] for one in more["narrower"]), min, initial=1.0)  # by chance alone one is wider
    with_raters = tuple(
        (one["raters"], half_width * share) for one, share in zip(more["narrower"], list(shares)[1:], strict=True)
    )
    return Outlook(
        width=width,
        half_width=half_width,
        items_more=max(0, items - last["items"]),
        scenarios_more=max(0, scenarios - last["scenarios"]),
        raters=more["raters"],
        with_raters=with_raters,
        raters_needed=next((raters for raters, narrower in with_raters if narrower <= width), None),
    )


def live_json(live: LiveAgreement, width: float) -> dict[str, Any]:
    """What the API gives: the stored result, with the outlook for a width."""
    result = live.result or {}
    dimensions = {
        name: {**entry, "outlook": outlook_of(entry, width).to_json()} for name, entry in result["dimensions"].items()
    }
    about = {"computed_at": live.computed_at, "data_version": live.data_version, "seconds": live.seconds}
    return {**about, **result, "width": width, "dimensions": dimensions}
