"""What one design of a study would come to: precision, error of consensus, experts' cases, hours and cost."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from .planning_consensus import ConsensusError, consensus_error, disputed_share
from .planning_model import Model
from .planning_widths import Design, ExpectedAlpha, expected_alpha_of
from .reasons import Reason
from .results import plain, rounded


@dataclass(frozen=True)
class ExpertRule:
    """The parts of the default rule that depend on scores; marks and wishes of raters are not foreseen.

    spread: highest minus lowest score from which a dimension is disputed. cuts: {dimension: score that is sent at it
    or below}. audit_share: of the items that nothing else sends. None, or absent, is off.
    """

    spread: float | None = 2
    cuts: Mapping[str, float] = field(default_factory=dict)
    audit_share: float = 0.05


@dataclass(frozen=True)
class Costs:
    """seconds: for one rating, of all dimensions of an item. case_minutes: for one item by an expert. wages an hour."""

    seconds: float = 60
    case_minutes: float = 4
    wage: float = 12
    expert_wage: float = 40


@dataclass(frozen=True)
class DimensionForecast:
    """What a design comes to on one dimension. disputed: share of the items that the rule sends because of it."""

    alpha: ExpectedAlpha
    consensus: ConsensusError
    disputed: float

    def to_json(self) -> dict[str, Any]:
        return {
            "alpha": rounded(self.alpha.alpha),
            "half_width": rounded(self.alpha.half_width),
            "reason": plain(self.alpha.reason),
            "consensus_error": rounded(self.consensus.error),
            "consensus_off": rounded(self.consensus.off_by_one),
            "disputed": rounded(self.disputed),
        }


@dataclass(frozen=True)
class Forecast:
    """What a design comes to. dimensions by name; sent: share of the items that an expert sees, audit included."""

    design: Design
    dimensions: Mapping[str, DimensionForecast]
    sent: float
    hours_rating: float
    hours_expert: float
    cost: float

    @property
    def half_width(self) -> float | None:
        """The widest of all dimensions; None where one has no interval."""
        widths = [one.alpha.half_width for one in self.dimensions.values()]
        return None if None in widths else max(width for width in widths if width is not None)

    @property
    def reason(self) -> Reason | None:
        """Why there is no half width."""
        return next((one.alpha.reason for one in self.dimensions.values() if one.alpha.reason), None)

    def to_json(self) -> dict[str, Any]:
        """The worst of the dimensions stands beside the design; each by itself is below `dimensions`."""
        dimensions = {name: one.to_json() for name, one in self.dimensions.items()}
        alphas = [one["alpha"] for one in dimensions.values()]
        return {
            **asdict(self.design),
            "items": self.design.items,
            "ratings": self.design.ratings,
            "alpha": None if None in alphas else min(alphas),
            "half_width": rounded(self.half_width),
            "reason": plain(self.reason),
            "consensus_error": max(one["consensus_error"] for one in dimensions.values()),
            "consensus_off": max(one["consensus_off"] for one in dimensions.values()),
            "sent": rounded(self.sent),
            "cases": rounded(self.sent * self.design.items),
            "hours_rating": rounded(self.hours_rating),
            "hours_expert": rounded(self.hours_expert),
            "hours": rounded(self.hours_rating + self.hours_expert),
            "cost": rounded(self.cost),
            "dimensions": dimensions,
        }


def forecast_of(
    models: Mapping[str, Model], design: Design, *, rule: ExpertRule, costs: Costs, seed: int, simulations: int
) -> Forecast:
    """The forecast of one design. models: of each dimension by name.

    Dimensions are taken to be disputed independently of each other; where they are disputed together fewer items are
    sent than said here.
    """
    dimensions = {
        name: DimensionForecast(
            alpha=expected_alpha_of(model, design, simulations=simulations, seed=seed),
            consensus=consensus_error(model, design.raters),
            disputed=disputed_share(model, design.raters, spread=rule.spread, cut=rule.cuts.get(name)),
        )
        for name, model in models.items()
    }
    agreed = math.prod(1 - one.disputed for one in dimensions.values())
    sent = 1 - agreed * (1 - rule.audit_share)
    hours_rating = design.ratings * costs.seconds / 3600
    hours_expert = design.items * sent * costs.case_minutes / 60
    return Forecast(
        design=design,
        dimensions=dimensions,
        sent=sent,
        hours_rating=hours_rating,
        hours_expert=hours_expert,
        cost=hours_rating * costs.wage + hours_expert * costs.expert_wage,
    )
