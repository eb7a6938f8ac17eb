"""Wilson's interval of a share. Without numpy: pages show it too."""

from math import sqrt

Z = 1.959963984540054  # of 95 %


def wilson(share: float, n: float) -> tuple[float, float]:
    """The ends of the 95 % score interval of a share (Wilson 1927, JASA 22, equation of p. 209).

    share: 0..1. n: observations, above 0; may be an effective number of them, and then no whole number.
    An end is exactly 0 or 1 where the share is: the formula gives that but for rounding.
    """
    middle = (share + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return (0.0 if share == 0 else max(0.0, middle - half)), (1.0 if share == 1 else min(1.0, middle + half))
