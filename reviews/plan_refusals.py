"""What only the working out of a plan can refuse: kept by its job as a code, told in the language of whoever reads."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from jobs.models import Job
from reviews.errors import PlanInvalid
from reviews.figures import reason_words
from reviews.plan_reading import UNNAMED
from reviews.statistics.planning_refusals import PlanRefused, Refusal

NameOf = Callable[[str], str]


def as_plan_invalid(refused: PlanRefused, *, dimension_name: NameOf = str) -> PlanInvalid:
    """With the sentence at its option, and what the job is to keep."""
    told = refusal_words(refused, dimension_name=dimension_name)
    return PlanInvalid(told, fields={refused.option: [told]}, refused=_kept(refused))


def refusal_of(job: Job) -> PlanRefused | None:
    """Why the working out of a plan was refused, where the job has failed by that."""
    kept: Mapping[str, Any] | None = (job.result or {}).get("refused") if job.state == Job.State.FAILED else None
    if kept is None:
        return None
    return PlanRefused(Refusal[kept["why"]], option=kept["option"], dimension=kept["dimension"], **kept["told"])


def _kept(refused: PlanRefused) -> dict[str, Any]:
    return {
        "why": refused.refusal.name,
        "option": refused.option,
        "dimension": refused.dimension,
        "told": refused.told,
    }


def refusal_words(refused: PlanRefused, *, dimension_name: NameOf = str) -> str:
    """In the reader's language, with the dimension where the refusal is of one."""
    told = {**refused.told, "why": reason_words(refused.told.get("why"))}
    words = _words()[refused.refusal] % told
    if refused.dimension in (None, UNNAMED):
        return words
    return _("%(dimension)s: %(words)s") % {"dimension": dimension_name(refused.dimension), "words": words}


def _words() -> Mapping[Refusal, str]:
    share, number = _("Must be a share from 0 to 1."), _("Levels are numbers, and weights are numbers from 0 on.")
    return {
        Refusal.NOT_LEVEL_WEIGHT: _("%(part)s is not LEVEL:WEIGHT."),
        Refusal.LEVEL_TWICE: _("Level %(level)s stands twice."),
        Refusal.LEVEL_NO_NUMBER: number,
        Refusal.WEIGHT_BELOW_ZERO: number,
        Refusal.ONE_LEVEL: _("At least two levels must have a weight, or alpha is undefined."),
        Refusal.NOT_ON_SCALE: _("Level %(level)s is not on the scale %(scale)s."),
        Refusal.NO_WHOLE_LEVELS: _("Levels that are no whole numbers need a declared scale."),
        Refusal.LEVELS_FAR_APART: _("Levels from %(low)s to %(high)s need a declared scale."),
        Refusal.MANY_LEVELS: _("At most %(most)s levels can have a weight."),
        Refusal.NOT_STATED: _("Without a pilot this must be stated."),
        Refusal.ALPHA_OUT: _("Must be from 0 to below 1."),
        Refusal.ALPHA_TOO_HIGH: _(
            "Alpha %(alpha)s cannot be reached: raters who differ by chance alone come to at most %(most)s."
        ),
        Refusal.ALPHA_UNDEFINED: _("Alpha of the pilot is undefined (%(why)s): state it."),
        Refusal.SHARE_OUT: share,
        Refusal.NO_CLUSTERS: _("The pilot does not say which items are of one scenario: state the scenarios’ share."),
        Refusal.ALPHA_TOO_LOW: _(
            "Alpha of the pilot is not above 0, so that the scenarios’ share cannot be estimated: state it."
        ),
        Refusal.NO_TWO_ITEMS: _(
            "No scenario of the pilot has two items by two raters, so that the scenarios’ share cannot be estimated: "
            "state it."
        ),
        Refusal.SCALE_UNREADABLE: _(
            "The scale %(scale)s cannot be read: it is written 1-5, 1-5/0.5 or 1,2,5, each level once."
        ),
        Refusal.NOT_NUMBERS: _("A plan needs levels that are numbers."),
        Refusal.NO_RATINGS: _("No rating counts yet."),
        Refusal.OFF_SCALE: _("The pilot’s ratings do not lie on their scale: %(why)s."),
        Refusal.NO_DIMENSION: _("There is no dimension to plan for."),
        Refusal.NO_SUCH_DIMENSION: _("The pilot has %(names)s, not %(name)s."),
        Refusal.NONE_NAMED: _("Must be whole numbers with commas between."),
        Refusal.SIZE_OUT: _("%(number)s is not from 1 to %(most)s."),
        Refusal.MANY_DESIGNS: _("These are %(designs)s designs; at most %(most)s stand side by side."),
        Refusal.WIDTH_OUT: _("Must be between 0 and 1."),
        Refusal.RANGE_OUT: _("Must be a number above 0."),
        Refusal.CUT_OF_NOTHING: _("There is no dimension %(name)s."),
        Refusal.CUT_NO_NUMBER: _("Must be a number."),
        Refusal.CUT_WITHOUT_SAFETY: _(
            "A low score is one of safety, which the pilot has not: leave it out, or name one dimension."
        ),
        Refusal.AUDIT_OUT: share,
        Refusal.COST_OUT: _("Must be a number from 0 on."),
        Refusal.SIMULATIONS_OUT: _("Must be a whole number from %(lowest)s to %(highest)s."),
    }
