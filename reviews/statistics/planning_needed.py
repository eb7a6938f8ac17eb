"""With ratings under way: how many more scenarios, or raters an item, until alpha is known to a given width."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from .alpha import alpha
from .bootstrap import FEWEST_CLUSTERS, Interval
from .icc import twoway_sums
from .patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from .planning_model import Model, fit
from .planning_pilot import Stated, assumptions_from
from .planning_refusals import PlanRefused, Refusal
from .planning_widths import Design, expected_alpha_of
from .reasons import Reason
from .resampling import intervals
from .results import rounded
from .tidy import code_ratings

SIMULATIONS = 100
NO_WIDTH = "the interval has no width to start from"


@dataclass(frozen=True)
class Needed:
    """How far one dimension is from a half width, and what would bring it there.

    alpha, half_width: at present, from the cluster interval. scenarios, items: with two ratings or more at present;
    responses, raters: means a scenario and an item (a scenario is an item where clusters are unknown).
    scenarios_needed: in all, of the same make; the interval narrows with the root of their number.
    scenarios_more, items_needed, items_more: that minus the present ones, and in items.
    half_width_then, half_width_one_more_rater: by the model fitted to the data, scaled so that it gives the present
    half width at present; model_half_width: what it gives unscaled, for a look at how well it fits.
    reasons: why a field is None.
    """

    width: float
    scenarios: int
    items: int
    responses: float | None
    raters: float | None
    alpha: float | None = None
    half_width: float | None = None
    scenarios_needed: int | None = None
    scenarios_more: int | None = None
    items_needed: int | None = None
    items_more: int | None = None
    half_width_then: float | None = None
    half_width_one_more_rater: float | None = None
    model_half_width: float | None = None
    reasons: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: rounded(value) if isinstance(value, float) else value for name, value in found.items()}


def needed(
    frame: pd.DataFrame,
    *,
    width: float,
    scale: Any = None,
    cluster: str | None = None,
    bootstrap: int = 10_000,
    seed: int = 0,
    simulations: int = SIMULATIONS,
) -> dict[str, Needed]:
    """`needed_of` every dimension of a tidy frame (see `agreement`), at ordinal level.

    Raises RatingsRefused, ScaleRefused and PlanRefused.
    """
    ratings = code_ratings(frame, level="ordinal", scale=scale, cluster=cluster)
    return {
        name: needed_of(
            dimension_of(ratings, at, "ordinal"), width=width, bootstrap=bootstrap, seed=seed, simulations=simulations
        )
        for at, name in enumerate(ratings.dimension_names)
    }


def needed_of(
    ratings: DimensionRatings,
    *,
    width: float,
    bootstrap: int = 10_000,
    seed: int = 0,
    simulations: int = SIMULATIONS,
) -> Needed:
    """What is needed until ordinal alpha of one dimension is known to ± `width`.

    bootstrap, seed: as in `agreement`, so that the present half width is the one printed there.
    Raises PlanRefused for a width that is not between 0 and 1.
    """
    if not 0 < width < 1:
        raise PlanRefused(Refusal.WIDTH_OUT, width=f"{width:g}")
    patterns = pattern_table(ratings)
    paired = patterns.size[patterns.of_unit] >= 2
    items, scenarios = int(paired.sum()), len(np.unique(ratings.cluster[paired]))
    start = Needed(
        width=width,
        scenarios=scenarios,
        items=items,
        responses=items / scenarios if items else None,
        raters=float(patterns.size[patterns.of_unit][paired].mean()) if items else None,
    )
    raters = None if ratings.rater is None else len(ratings.rater_names)
    value = alpha(patterns, level="ordinal", levels=ratings.values, raters=raters)
    if isinstance(value, Reason):
        return replace(start, reasons=_all_none(value.value, "alpha"))
    found = _interval(ratings, patterns, bootstrap, seed)
    if found.low is None or found.high is None:
        why = (found.reason or Reason.NO_BOOTSTRAP).value
        return replace(start, alpha=value, reasons=_all_none(why))
    half_width = (found.high - found.low) / 2
    start = replace(start, alpha=value, half_width=half_width)
    if half_width <= 0:
        return replace(start, reasons={name: NO_WIDTH for name in _all_none("") if name != "half_width"})
    in_all = max(FEWEST_CLUSTERS, math.ceil(scenarios * (half_width / width) ** 2))
    items_in_all = math.ceil(in_all * items / scenarios)
    start = replace(
        start,
        scenarios_needed=in_all,
        scenarios_more=max(0, in_all - scenarios),
        items_needed=items_in_all,
        items_more=max(0, items_in_all - items),
    )
    return _by_model(start, ratings, seed=seed, simulations=simulations)


def present_design(ratings: DimensionRatings) -> Design:
    """Of the items with two ratings or more: scenarios, and the nearest whole numbers of responses and raters."""
    size = np.bincount(ratings.unit, minlength=ratings.units)
    paired = size >= 2
    scenarios = len(np.unique(ratings.cluster[paired]))
    return Design(scenarios, max(1, round(paired.sum() / scenarios)), max(2, round(size[paired].mean())))


def model_of(ratings: DimensionRatings, design: Design) -> Model:
    """The model fitted to the ratings of this design. Raises PlanRefused."""
    # one response a scenario: nothing is shared, whatever the scenario's part is
    return fit(assumptions_from(ratings, Stated(scenario_share=0.0) if design.responses == 1 else None))


def _by_model(present: Needed, ratings: DimensionRatings, *, seed: int, simulations: int) -> Needed:
    """The half widths that take a model: of designs of the nearest whole numbers of responses and raters."""
    assert present.half_width is not None
    assert present.scenarios_needed is not None
    at_present = present_design(ratings)
    try:
        model = model_of(ratings, at_present)
    except PlanRefused as error:
        return replace(present, reasons=dict.fromkeys(_MODELLED, str(error)))

    def width_of(design: Design) -> float | None:
        return expected_alpha_of(model, design, simulations=simulations, seed=seed).half_width

    now = width_of(at_present)
    if not now:
        return replace(present, reasons=dict.fromkeys(_MODELLED, NO_WIDTH))
    then = width_of(replace(at_present, scenarios=present.scenarios_needed))
    more = width_of(replace(at_present, raters=at_present.raters + 1))
    scaled = present.half_width / now
    return replace(
        present,
        model_half_width=now,
        half_width_then=None if then is None else then * scaled,
        half_width_one_more_rater=None if more is None else more * scaled,
        reasons={
            name: NO_WIDTH
            for name, width in (("half_width_then", then), ("half_width_one_more_rater", more))
            if width is None
        },
    )


_MODELLED = ("half_width_then", "half_width_one_more_rater", "model_half_width")


def _interval(ratings: DimensionRatings, patterns: Patterns, bootstrap: int, seed: int) -> Interval:
    """Alpha's interval, from the very replicates that the agreement table draws."""
    found = intervals(
        ratings,
        patterns,
        levels=ratings.values,
        weights=ratings.weights,
        panel=twoway_sums(ratings),
        replicates=bootstrap,
        seed=seed,
    )
    return found.get("alpha", Interval(None, None, Reason.ALL_EQUAL))


def _all_none(why: str, *more: str) -> dict[str, str]:
    names = ("half_width", "scenarios_needed", "scenarios_more", "items_needed", "items_more", *_MODELLED)
    return dict.fromkeys((*more, *names), why)
