"""What a report holds, as frozen dataclasses, and the JSON that `agreement --json`, the API and a release give."""

from dataclasses import dataclass, field, replace
from typing import Any

from .bootstrap import Interval
from .kappa import Pair
from .measured import Measured
from .misfit import Misfit, MisfitItem
from .percent import Percent
from .reasons import Reason

DIGITS = 12  # below what the order of additions changes from one machine to another


@dataclass(frozen=True)
class Estimate:
    """A statistic with its 95 % cluster-bootstrap interval; `reason` says why one or the other is not there."""

    value: float | None
    ci_low: float | None = None
    ci_high: float | None = None
    reason: Reason | None = None
    dropped: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "value": rounded(self.value),
            "ci_low": rounded(self.ci_low),
            "ci_high": rounded(self.ci_high),
            "reason": plain(self.reason),
            "dropped": self.dropped,
        }


@dataclass(frozen=True)
class Alpha(Estimate):
    """Krippendorff's alpha; p_ge_667 and p_ge_800 are the shares of the replicates that reach .667 and .800."""

    level: str = "ordinal"
    p_ge_667: float | None = None
    p_ge_800: float | None = None

    @classmethod
    def of(cls, value: float | Reason, level: str) -> "Alpha":
        """The point, or why there is none."""
        return cls(None, reason=value, level=level) if isinstance(value, Reason) else cls(value, level=level)

    def with_interval(self, found: Interval) -> "Alpha":
        """The same with its interval; where it is undefined there is nothing to add."""
        if self.value is None:
            return self
        return replace(
            self,
            ci_low=found.low,
            ci_high=found.high,
            reason=found.reason,
            dropped=found.dropped,
            p_ge_667=found.share_at_least(0.667),
            p_ge_800=found.share_at_least(0.8),
        )

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {
            "level": self.level,
            "p_ge_667": rounded(self.p_ge_667),
            "p_ge_800": rounded(self.p_ge_800),
        }


@dataclass(frozen=True)
class Gwet(Estimate):
    """Gwet's AC2 with quadratic weights (AC1, with identity weights, at nominal level), and his standard error."""

    se: float | None = None

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"se": rounded(self.se)}


@dataclass(frozen=True)
class Icc(Estimate):
    """An intraclass correlation; ci_f is the F-based interval of McGraw and Wong (1996)."""

    ci_f: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"ci_f": None if self.ci_f is None else [rounded(end) for end in self.ci_f]}


@dataclass(frozen=True)
class RaterDetail:
    """One rater of one dimension; see `raters`, `drift`, `monotony` and `leave_one_out`.

    severity, in levels. drift: own value minus the others', second half of the sequence minus the first; slope: of
    the same, in levels per 100 ratings. alpha_change: alpha without the rater minus alpha.
    straight_lining: by what it is seen, of "modal_share" and "run". constant: all ratings are equal.
    """

    rater: str
    n: int
    severity: Measured
    block: int
    drift: Measured
    slope: Measured
    modal_share: float
    longest_run: int
    straight_lining: tuple[str, ...]
    constant: bool
    rest_correlation: Measured
    alpha_without: float | None
    alpha_change: Measured

    @property
    def reasons(self) -> dict[str, Reason]:
        """Why a bare number is not there."""
        found = {}
        if self.drift.reason is not None:
            found["drift" if self.drift.value is None else "drift_ci"] = self.drift.reason
        if self.alpha_without is None and self.alpha_change.reason is not None:
            found["alpha_without"] = self.alpha_change.reason
        return found

    def to_json(self) -> dict[str, Any]:
        drift, correlation = self.drift, self.rest_correlation
        return {
            "rater": self.rater,
            "n": self.n,
            "severity": _measured_json(self.severity),
            "block": self.block,
            "drift": rounded(drift.value),
            "drift_ci": None if drift.ci_low is None else [rounded(drift.ci_low), rounded(drift.ci_high)],
            "slope": _measured_json(self.slope),
            "modal_share": rounded(self.modal_share),
            "longest_run": self.longest_run,
            "straight_lining": list(self.straight_lining),
            "constant": self.constant,
            "rest_correlation": {"value": rounded(correlation.value), "reason": plain(correlation.reason)},
            "alpha_without": rounded(self.alpha_without),
            "alpha_change": _measured_json(self.alpha_change),
            "reasons": {name: plain(reason) for name, reason in self.reasons.items()},
        }


@dataclass(frozen=True)
class DimensionAgreement:
    """Everything about one dimension. `reasons` names why a field that is a bare number or list is not there."""

    name: str
    scale: str
    units: int
    pairable_units: int
    ratings: int
    missing: int
    raters: int | None
    clusters: int
    own_clusters: bool
    blocks: int
    alpha: Alpha
    ac2: Gwet
    icc1_1: Icc
    icc2_1: Icc
    icc2_k: Icc
    percent: Percent
    distribution: dict[str, int]
    pairs: tuple[Pair, ...]
    raters_detail: tuple[RaterDetail, ...]
    misfit: Misfit
    misfit_items: tuple[MisfitItem, ...]
    reasons: dict[str, Reason] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        from .words import in_english, plain_words

        return {
            "scale": self.scale,
            "units": self.units,
            "pairable_units": self.pairable_units,
            "ratings": self.ratings,
            "missing": self.missing,
            "raters": self.raters,
            "clusters": self.clusters,
            "alpha": self.alpha.to_json(),
            "ac2": self.ac2.to_json(),
            "icc1_1": self.icc1_1.to_json(),
            "icc2_1": self.icc2_1.to_json(),
            "icc2_k": self.icc2_k.to_json(),
            "pair_exact": rounded(self.percent.pair_exact),
            "pair_adjacent": rounded(self.percent.pair_adjacent),
            "all_exact": rounded(self.percent.all_exact),
            "all_adjacent": rounded(self.percent.all_adjacent),
            "distribution": dict(self.distribution),
            "pairs": [_pair_json(pair, nominal=self.alpha.level == "nominal") for pair in self.pairs],
            "raters_detail": [detail.to_json() for detail in self.raters_detail],
            "misfit": {
                "items": [_item_json(item) for item in self.misfit_items],
                "mean": rounded(self.misfit.mean),
                "reason": plain(self.misfit.reason),
            },
            "reasons": {name: plain(reason) for name, reason in self.reasons.items()},
            "words": [in_english(word) for word in plain_words(self)],
        }


@dataclass(frozen=True)
class AgreementReport:
    """The agreement of one data version. data, parameters: as in the JSON; dimensions by name."""

    data: dict[str, Any]
    parameters: dict[str, Any]
    dimensions: dict[str, DimensionAgreement]

    def to_json(self) -> dict[str, Any]:
        """The dictionary that `agreement --json` prints; the same data and parameters give the same one."""
        return {
            "data": self.data,
            "parameters": self.parameters,
            "dimensions": {name: dimension.to_json() for name, dimension in self.dimensions.items()},
        }


def rounded(value: float | None) -> float | None:
    """A float fit for JSON that is equal on every machine: twelve digits, no NaN, no negative zero."""
    return None if value is None else round(float(value), DIGITS) + 0.0


def plain(reason: Reason | None) -> str | None:
    """A reason as its English sentence."""
    return None if reason is None else reason.value


def _measured_json(measured: Measured) -> dict[str, Any]:
    return {
        "value": rounded(measured.value),
        "ci_low": rounded(measured.ci_low),
        "ci_high": rounded(measured.ci_high),
        "reason": plain(measured.reason),
    }


def _item_json(item: MisfitItem) -> dict[str, Any]:
    return {"item": item.item, "value": rounded(item.value), "raters": item.raters, "range": rounded(item.range)}


def _pair_json(pair: Pair, *, nominal: bool) -> dict[str, Any]:
    found = {
        "a": pair.a,
        "b": pair.b,
        "n": pair.n,
        "qwk": rounded(pair.qwk),
        "exact": rounded(pair.exact),
        "adjacent": rounded(pair.adjacent),
        "mean_difference": rounded(pair.mean_difference),
        "reason": plain(pair.reason),
    }
    return found | {"kappa": rounded(pair.kappa)} if nominal else found
