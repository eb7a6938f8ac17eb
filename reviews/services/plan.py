"""A plan worked out: from what is stated, or from a pilot, a file or a campaign under way.

Imports pandas: for the worker and the commands, never for what serves pages.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from annotation.models import Campaign
from reviews.code_version import code_version
from reviews.plan_reading import COSTS, UNNAMED, PlanOptions
from reviews.plan_refusals import as_plan_invalid
from reviews.rules import SAFETY
from reviews.services.agreement import scales_of
from reviews.services.base_ratings import base_ratings
from reviews.services.coded_ratings import coded
from reviews.services.snapshot import snapshot
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.patterns import dimension_of
from reviews.statistics.planning import Assumptions, Costs, ExpertRule, assume, designs_of, plan
from reviews.statistics.planning_pilot import Stated, assumptions_from
from reviews.statistics.planning_refusals import PlanRefused, Refusal
from reviews.statistics.scales import ScaleRefused
from reviews.statistics.tidy import Ratings

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Pilot:
    """about: what is kept beside the plan of where its ratings come from."""

    ratings: Ratings
    about: dict[str, Any]


def pilot_of(campaign: Campaign, *, pulse: Callable[[], None] = lambda: None) -> Pilot:
    """The campaign's independent ratings, as its agreement reads them. Raises PlanInvalid."""
    with snapshot() as outside:
        base = base_ratings(campaign, pulse=lambda: outside(pulse))
    with _refusing():
        if not len(base):
            raise PlanRefused(Refusal.NO_RATINGS)
        try:
            ratings = coded(base, scale=scales_of(campaign))
        except (RatingsRefused, ScaleRefused) as error:
            raise PlanRefused(Refusal.OFF_SCALE, why=str(error)) from error
    return Pilot(ratings, {"campaign": campaign.slug, "data_version": base.data_version})


def make_plan(
    *, options: PlanOptions, pilot: Pilot | None = None, progress: Progress = lambda done, total: None
) -> dict[str, Any]:
    """What `plan --json` prints. What the options state takes the place of what the pilot would say.

    Raises PlanInvalid for what only the estimates or the model can refuse.
    """
    with _refusing():
        dimensions, said = _of_pilot(pilot.ratings, options) if pilot else _as_stated(options)
        made = plan(
            dimensions,
            designs_of(options.scenarios, options.responses, options.raters),
            rule=ExpertRule(options.range, _cuts(options.cut, list(dimensions)), options.audit),
            costs=Costs(**{name: getattr(options, name) for name in COSTS}),
            width=options.width,
            seed=options.seed,
            simulations=options.simulations,
            said=said,
            progress=progress,
        )
    return made.to_json()


def kept_plan(made: dict[str, Any], *, options: PlanOptions, pilot: Pilot | None) -> dict[str, Any]:
    """As a job keeps it: with what it was made from, so that it can be made again."""
    about = pilot.about if pilot else None
    return {**made, "options": options.as_json(), "pilot": about, "code_version": code_version()}


@contextmanager
def _refusing() -> Iterator[None]:
    """Raises PlanInvalid in the place of what the working out refuses."""
    try:
        yield
    except PlanRefused as refused:
        raise as_plan_invalid(refused) from refused


def _as_stated(options: PlanOptions) -> tuple[dict[str, Assumptions], list[str]]:
    if options.distribution is None or options.alpha is None or options.scenario_share is None:
        raise PlanRefused(Refusal.NOT_STATED)
    shares = {"alpha": options.alpha, "scenario_share": options.scenario_share}
    try:
        stated = assume(options.distribution, **shares, scale=options.scale)
    except ScaleRefused as error:
        raise PlanRefused(Refusal.SCALE_UNREADABLE, scale=options.scale or "") from error
    return {UNNAMED: stated}, ["assumptions as stated"]


def _of_pilot(ratings: Ratings, options: PlanOptions) -> tuple[dict[str, Assumptions], list[str]]:
    only = options.dimension
    if only and only not in ratings.dimension_names:
        raise PlanRefused(Refusal.NO_SUCH_DIMENSION, names=", ".join(ratings.dimension_names), name=only)
    stated = Stated(options.distribution, options.alpha, options.scenario_share)
    dimensions, said = {}, []
    for at, name in enumerate(ratings.dimension_names):
        if only in (None, name):
            one = dimension_of(ratings, at, "ordinal")
            dimensions[name] = assumptions_from(one, stated)
            said.append(f"{name}: from {len(one.unit)} ratings of {one.units} items in {one.clusters} scenarios")
    return dimensions, said


def _cuts(cut: float | None, dimensions: list[str]) -> dict[str, float]:
    """The cut is of safety, as in the rule of a campaign; of the one dimension, where there is but one.

    Raises PlanRefused where there are several, and none is safety.
    """
    if cut is None:
        return {}
    if len(dimensions) > 1 and SAFETY not in dimensions:
        raise PlanRefused(Refusal.CUT_WITHOUT_SAFETY)
    return {dimensions[0] if len(dimensions) == 1 else SAFETY: cut}
