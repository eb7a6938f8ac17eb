"""A number about one rater, with its 95 % interval or why there is none."""

from dataclasses import dataclass

from .reasons import Reason

ROUNDING = 1e-12  # squares about a mean that add up to less than this share of the raw ones are rounding


@dataclass(frozen=True)
class Measured:
    """A value and its 95 % interval; `reason` says why one or the other is not there."""

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    reason: Reason | None = None

    @property
    def is_off_zero(self) -> bool:
        """Whether there is an interval and it does not hold 0."""
        return self.ci_low is not None and self.ci_high is not None and (self.ci_low > 0 or self.ci_high < 0)
