"""With ratings under way: how much narrower alpha's interval would be if each item had more raters."""

from dataclasses import dataclass, replace
from typing import Any

from .patterns import DimensionRatings
from .planning_needed import NO_WIDTH, model_of, present_design
from .planning_refusals import PlanRefused
from .planning_widths import Design, expected_alpha_of
from .results import rounded

MOST_MORE = 3
SIMULATIONS = 40


@dataclass(frozen=True)
class MoreRaters:
    """design: scenarios, responses, raters at present. narrower: {raters an item: half width then to that of now}.

    Shares within about 5 % of 1 are no more than the chance of the simulation. reason: why there is none.
    """

    design: Design
    narrower: dict[int, float]
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        shares = [{"raters": raters, "share": rounded(share)} for raters, share in self.narrower.items()]
        design = {"scenarios": self.design.scenarios, "responses": self.design.responses, "raters": self.design.raters}
        return {**design, "narrower": shares, "reason": self.reason}


def more_raters(
    ratings: DimensionRatings, *, most: int = MOST_MORE, simulations: int = SIMULATIONS, seed: int = 0
) -> MoreRaters:
    """Of one dimension with pairs of ratings, for one to `most` raters more than an item has now, on the same items.

    By the model fitted to the ratings, as in `needed_of`: its `half_width_one_more_rater` is the first share times the
    half width of now.
    """
    design = present_design(ratings)
    try:
        model = model_of(ratings, design)
    except PlanRefused as error:
        return MoreRaters(design, {}, str(error))

    def width_of(raters: int) -> float | None:
        asked = replace(design, raters=raters)
        return expected_alpha_of(model, asked, simulations=simulations, seed=seed).half_width

    now = width_of(design.raters)
    if not now:
        return MoreRaters(design, {}, NO_WIDTH)
    then = {raters: width_of(raters) for raters in range(design.raters + 1, design.raters + most + 1)}
    return MoreRaters(design, {raters: width / now for raters, width in then.items() if width is not None})
