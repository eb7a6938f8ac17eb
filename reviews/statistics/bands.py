"""Bands with their sources. A band is read off the interval, never off the point alone."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Bands:
    """What is said of a measure: the band whose floor is the highest one reached, and who says so."""

    source: str
    steps: tuple[tuple[float, str], ...]  # (floor, band), descending; the last one has no floor

    def at(self, value: float) -> str:
        """The band of one value."""
        return next(band for floor, band in self.steps if value >= floor)


@dataclass(frozen=True)
class Verdict:
    """The bands of both ends of an interval. Where they differ, the lower one is what can be relied on."""

    low: str
    high: str
    source: str

    @property
    def is_certain(self) -> bool:
        """Whether the whole interval lies in one band."""
        return self.low == self.high


LOWEST = float("-inf")
_LANDIS_KOCH = (
    (0.81, "almost perfect"),
    (0.61, "substantial"),
    (0.41, "moderate"),
    (0.21, "fair"),
    (0.0, "slight"),
    (LOWEST, "poor"),
)

BANDS: Mapping[str, Bands] = {
    "alpha": Bands("Krippendorff 2018", ((0.8, "rely"), (0.667, "tentative"), (LOWEST, "do not use"))),
    "icc": Bands("Koo and Li 2016", ((0.9, "excellent"), (0.75, "good"), (0.5, "moderate"), (LOWEST, "poor"))),
    "kappa": Bands("Landis and Koch 1977", _LANDIS_KOCH),
    "ac2": Bands("Landis and Koch 1977, Gwet 2014", _LANDIS_KOCH),
}


def judge(measure: str, low: float | None, high: float | None, *, bands: Mapping[str, Bands] = BANDS) -> Verdict | None:
    """The verdict on an interval; None without one.

    measure: a key of `bands`. bands: other bands than the usual ones, where a project has its own.
    """
    if low is None or high is None:
        return None
    scale = bands[measure]
    return Verdict(scale.at(low), scale.at(high), scale.source)
