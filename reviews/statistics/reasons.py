"""Why a number is not there. Undefined is a value here: null, and one of these beside it."""

from enum import StrEnum


class Reason(StrEnum):
    """The value is the English sentence; the name is the code a page translates by."""

    NO_RATINGS = "no ratings"
    ONE_RATER = "one rater"
    ONE_UNIT = "one unit"
    NO_PAIRS = "no unit with two ratings"
    ALL_EQUAL = "all ratings equal"
    UNITS_ALIKE = "the units do not differ"
    NO_ERROR = "no error variance"
    NO_RATER_IDS = "no rater ids"
    NO_PANEL = "not every rater rated every unit"
    NO_COMMON_ITEM = "no item in common"
    NOT_NOMINAL = "nominal values have no order"
    NO_SCALE = "no scale of levels declared"
    ONE_LEVEL = "the scale has one level"
    TOO_MANY_LEVELS = "too many different values"
    TOO_MANY_RATERS = "too many raters"
    TOO_FEW_RATINGS = "too few ratings"
    FEW_CLUSTERS = "too few clusters for an interval: 30 are needed"
    NO_BOOTSTRAP = "no bootstrap was asked for"
    FEW_REPLICATES = "too few replicates for an interval: 40 are needed"
    MANY_DROPPED = "no interval: undefined in more than 5 % of the replicates"
