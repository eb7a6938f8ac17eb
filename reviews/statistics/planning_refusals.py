"""What a plan is refused for. Imports nothing: pages read refusals without what computes plans."""

from enum import Enum


class Refusal(Enum):
    """(option, sentence): the option of a plan that it is about, and the English sentence with what is told in it.

    The name is the code a page translates by.
    """

    NOT_LEVEL_WEIGHT = ("distribution", "distribution: {part} is not LEVEL:WEIGHT")
    LEVEL_TWICE = ("distribution", "distribution: level {level} stands twice")
    LEVEL_NO_NUMBER = ("distribution", "distribution: a level is no number")
    WEIGHT_BELOW_ZERO = ("distribution", "distribution: weights are numbers from 0 on")
    ONE_LEVEL = ("distribution", "distribution: two levels at least must have a weight, or alpha is undefined")
    NOT_ON_SCALE = ("distribution", "distribution: level {level} is not on the scale {scale}")
    NO_WHOLE_LEVELS = ("distribution", "distribution: levels that are no whole numbers need a declared scale")
    LEVELS_FAR_APART = ("distribution", "distribution: levels from {low} to {high} need a declared scale")
    MANY_LEVELS = ("distribution", "distribution: a plan is made for at most {most} levels in use")
    NOT_STATED = (
        "distribution",
        "distribution, alpha and scenario share must be stated, or there must be a pilot",
    )
    ALPHA_OUT = (
        "alpha",
        "alpha {alpha} cannot be reached: raters whose noise is independent have one from 0 to below 1",
    )
    ALPHA_TOO_HIGH = ("alpha", "alpha {alpha} cannot be reached with rater noise: at most {most}")
    ALPHA_UNDEFINED = ("alpha", "alpha is undefined ({why}): state it")
    SHARE_OUT = ("scenario_share", "scenario share {share} is not a share from 0 to 1")
    NO_CLUSTERS = ("scenario_share", "no cluster column tells the scenarios: state the scenario share")
    ALPHA_TOO_LOW = (
        "scenario_share",
        "alpha is not above 0, so that the scenario share cannot be estimated: state it",
    )
    NO_TWO_ITEMS = ("scenario_share", "no scenario has two items by two raters: state the scenario share")
    SCALE_UNREADABLE = ("scale", "scale {scale} cannot be read")
    NOT_NUMBERS = ("pilot", "a plan needs levels that are numbers")
    NO_RATINGS = ("pilot", "the pilot has no rating that counts")
    OFF_SCALE = ("pilot", "the pilot's ratings do not lie on their scale: {why}")
    NO_DIMENSION = ("pilot", "no dimension to plan for")
    NO_SUCH_DIMENSION = ("dimension", "the pilot has {names}, not {name}")
    NONE_NAMED = ("scenarios", "{size}: none is named")
    SIZE_OUT = ("scenarios", "{size}: {number} is not from 1 to {most}")
    MANY_DESIGNS = ("scenarios", "{designs} designs are too many: at most {most} stand side by side")
    WIDTH_OUT = ("width", "width {width} is not between 0 and 1")
    RANGE_OUT = ("range", "range {range} is not above 0")
    CUT_OF_NOTHING = ("cut", "cut: there is no dimension {name}")
    CUT_NO_NUMBER = ("cut", "cut: no number")
    CUT_WITHOUT_SAFETY = ("cut", "a low score is one of safety, which the pilot has not")
    AUDIT_OUT = ("audit", "audit share {share} is not a share from 0 to 1")
    COST_OUT = ("wage", "{cost} {number} is not a number from 0 on")
    SIMULATIONS_OUT = ("simulations", "simulations: {number} is not from {lowest} to {highest}")

    def __init__(self, option: str, sentence: str) -> None:
        self.option = option
        self.sentence = sentence


class PlanRefused(ValueError):
    """Assumptions or designs that cannot be planned with; the sentence says which and why.

    option: the one it is about, where that is not the refusal's own. dimension: whose assumptions they are, where they
    have a name. told: what the sentence names, as text.
    """

    def __init__(self, refusal: Refusal, *, option: str = "", dimension: str | None = None, **told: str) -> None:
        sentence = refusal.sentence.format(**told)
        super().__init__(sentence if dimension is None else f"{dimension}: {sentence}")
        self.refusal, self.option = refusal, option or refusal.option
        self.dimension, self.told = dimension, told

    def of(self, dimension: str) -> "PlanRefused":
        """The same, of one dimension."""
        return PlanRefused(self.refusal, option=self.option, dimension=dimension, **self.told)
