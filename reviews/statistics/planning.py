"""Plan before spending: what designs of a study would come to, side by side, and the cheapest that is precise enough.

from reviews.statistics.planning import Costs, ExpertRule, assume, designs_of, plan

supposed = assume({1: 2, 2: 5, 3: 13, 4: 45, 5: 35}, alpha=0.6, scenario_share=0.3, scale="1-5")
plan({"empathy": supposed}, designs_of([60, 120], [5], [2, 3]), width=0.05).to_json()
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from .bootstrap import FEWEST_CLUSTERS
from .planning_forecast import Costs, ExpertRule, Forecast, forecast_of
from .planning_limits import (
    FEWEST_SIMULATIONS,
    MOST_DESIGNS,
    MOST_RATERS,
    MOST_RESPONSES,
    MOST_SCENARIOS,
    MOST_SIMULATIONS,
)
from .planning_model import Assumptions, assume, fit, parse_distribution
from .planning_refusals import PlanRefused, Refusal
from .planning_widths import Design

__all__ = [
    "Assumptions",
    "Costs",
    "Design",
    "ExpertRule",
    "Forecast",
    "Plan",
    "PlanRefused",
    "assume",
    "cheapest",
    "designs_of",
    "parse_distribution",
    "plan",
]

SIMULATIONS = 100


@dataclass(frozen=True)
class Nearest:
    """design: position of the one with the narrowest interval. scenarios: with so many it would meet the width."""

    design: int
    scenarios: int


@dataclass(frozen=True)
class Plan:
    """Designs side by side. recommended: position of the cheapest that meets the width, or None; why: a sentence.

    nearest: where none meets it, which comes nearest and how many scenarios it would take.
    """

    assumptions: dict[str, Any]
    designs: tuple[Forecast, ...]
    recommended: int | None
    nearest: Nearest | None
    why: str

    def to_json(self) -> dict[str, Any]:
        return {
            "assumptions": self.assumptions,
            "designs": [forecast.to_json() for forecast in self.designs],
            "recommended": self.recommended,
            "nearest": None if self.nearest is None else asdict(self.nearest),
            "why": self.why,
        }


def designs_of(scenarios: Iterable[int], responses: Iterable[int], raters: Iterable[int]) -> list[Design]:
    """Every combination, in the order given. Raises PlanRefused where a number is below 1 or too large to plan for."""
    numbers = {
        "scenarios": (list(scenarios), MOST_SCENARIOS),
        "responses": (list(responses), MOST_RESPONSES),
        "raters": (list(raters), MOST_RATERS),
    }
    for size, (given, most) in numbers.items():
        if not given:
            raise PlanRefused(Refusal.NONE_NAMED, option=size, size=size)
        for number in given:
            if not 1 <= number <= most:
                raise PlanRefused(Refusal.SIZE_OUT, option=size, size=size, number=str(number), most=f"{most:,}")
    found = [Design(*one) for one in product(*(dict.fromkeys(given) for given, _most in numbers.values()))]
    if len(found) > MOST_DESIGNS:
        raise PlanRefused(Refusal.MANY_DESIGNS, designs=str(len(found)), most=str(MOST_DESIGNS))
    return found


def plan(
    dimensions: Mapping[str, Assumptions],
    designs: Sequence[Design],
    *,
    rule: ExpertRule | None = None,
    costs: Costs | None = None,
    width: float | None = None,
    seed: int = 0,
    simulations: int = SIMULATIONS,
    said: Sequence[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Plan:
    """What each design would come to, and the cheapest whose interval of alpha is ± `width` or narrower.

    dimensions: assumptions by name; a design must meet the width on each. designs: see `designs_of`.
    simulations: studies a design; the half width is known to about 2 % from a hundred. said: where the assumptions
    come from. progress: called with the designs done and all of them. The same arguments give the same numbers.
    Raises PlanRefused.
    """
    rule, costs = rule or ExpertRule(), costs or Costs()
    _check(dimensions, rule, costs, width, simulations)
    models = {}
    for name, assumptions in dimensions.items():
        try:
            models[name] = fit(assumptions)
        except PlanRefused as error:
            raise error.of(name) from None
    forecasts = []
    for done, design in enumerate(designs, 1):
        forecasts.append(forecast_of(models, design, rule=rule, costs=costs, seed=seed, simulations=simulations))
        progress(done, len(designs))
    recommended = cheapest(forecasts, width)
    nearest = None if width is None or recommended is not None else _nearest(forecasts, width)
    return Plan(
        assumptions={
            "dimensions": {name: one.to_json() for name, one in dimensions.items()},
            "rule": {"range": rule.spread, "cuts": dict(rule.cuts), "audit_share": rule.audit_share},
            "costs": asdict(costs),
            "width": width,
            "seed": seed,
            "simulations": simulations,
            "said": [*said, *_said(len(dimensions))],
        },
        designs=tuple(forecasts),
        recommended=recommended,
        nearest=nearest,
        why=_why(forecasts, recommended, nearest, width),
    )


def _check(
    dimensions: Mapping[str, Assumptions], rule: ExpertRule, costs: Costs, width: float | None, simulations: int
) -> None:
    if not dimensions:
        raise PlanRefused(Refusal.NO_DIMENSION)
    if width is not None and not 0 < width < 1:
        raise PlanRefused(Refusal.WIDTH_OUT, width=f"{width:g}")
    if rule.spread is not None and not 0 < rule.spread < math.inf:
        raise PlanRefused(Refusal.RANGE_OUT, range=f"{rule.spread:g}")
    if not 0 <= rule.audit_share <= 1:
        raise PlanRefused(Refusal.AUDIT_OUT, share=f"{rule.audit_share:g}")
    for name, cut in rule.cuts.items():
        if name not in dimensions:
            raise PlanRefused(Refusal.CUT_OF_NOTHING, name=repr(name))
        if not math.isfinite(cut):
            raise PlanRefused(Refusal.CUT_NO_NUMBER)
    for name, number in asdict(costs).items():
        if not 0 <= number < math.inf:
            raise PlanRefused(Refusal.COST_OUT, option=name, cost=name.replace("_", " "), number=f"{number:g}")
    if not FEWEST_SIMULATIONS <= simulations <= MOST_SIMULATIONS:
        ends = {"lowest": str(FEWEST_SIMULATIONS), "highest": f"{MOST_SIMULATIONS:,}"}
        raise PlanRefused(Refusal.SIMULATIONS_OUT, number=str(simulations), **ends)


def cheapest(forecasts: Sequence[Forecast], width: float | None) -> int | None:
    """Position of the cheapest design that meets the width, the one with fewer hours and ratings of two alike."""
    if width is None:
        return None

    def price(at: int) -> tuple[float, float, int]:
        one = forecasts[at]
        return one.cost, one.hours_rating + one.hours_expert, one.design.ratings

    enough = [at for at, one in enumerate(forecasts) if one.half_width is not None and one.half_width <= width]
    return min(enough, key=price, default=None)


def _nearest(forecasts: Sequence[Forecast], width: float) -> Nearest | None:
    known = [(one.half_width, at) for at, one in enumerate(forecasts) if one.half_width is not None]
    if not known:
        return None
    narrowest, at = min(known)
    needed = math.ceil(forecasts[at].design.scenarios * (narrowest / width) ** 2)
    return Nearest(at, max(FEWEST_CLUSTERS, needed))


def _why(forecasts: Sequence[Forecast], recommended: int | None, nearest: Nearest | None, width: float | None) -> str:
    if width is None:
        return "No width was asked for, so that no design is recommended."
    if recommended is not None:
        return f"The cheapest design with alpha to ± {width:g} or better is {_named(forecasts[recommended])}."
    if nearest is None:
        return f"No design has an interval of alpha: {forecasts[0].reason}." if forecasts else "There is no design."
    return (
        f"No design gives alpha to ± {width:g}; the nearest is {_named(forecasts[nearest.design])}. "
        f"With otherwise the same design it would take about {nearest.scenarios:,} scenarios."
    )


def _named(forecast: Forecast) -> str:
    design = forecast.design
    counts = (
        (design.scenarios, "scenario", ""),
        (design.responses, "response", " each"),
        (design.raters, "rater", " an item"),
    )
    words = ", ".join(f"{n:,} {noun}{'' if n == 1 else 's'}{after}" for n, noun, after in counts)
    return f"{words} (± {forecast.half_width:.3f}, cost {forecast.cost:,.0f})"


def _said(dimensions: int) -> list[str]:
    """What is supposed besides the numbers, for the reader of a plan."""
    sentences = [
        "ratings follow an ordered probit: scenario + item + independent noise of the rater",
        "half_width: half the 95 % cluster interval of alpha that a study would print, the median of simulated studies",
        "consensus_error: mean distance of the median of the raters to the median of very many",
        "consensus_off: share of the items where it is a point or more; the half points of an even number are less",
        "sent: by range, cut and audit; marks and raters' wishes are not foreseen",
    ]
    if dimensions > 1:
        sentences.append("sent: as if dimensions were disputed independently; fewer if they are disputed together")
        sentences.append("beside each design stands the worst of its dimensions")
    return sentences
