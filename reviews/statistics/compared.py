"""What a comparison of two groups of ratings holds, its JSON, and the plain sentences beside its numbers."""

from dataclasses import dataclass, field
from typing import Any

from .reasons import Reason
from .results import Estimate, plain, rounded
from .slices import Slice
from .words import Word

QUANTITIES = {"alpha": "alpha", "mean": "the mean value", "exact": "the share of equal pairs"}
_OUTCOMES = {
    "higher": "{what} is higher in {{b}} than in {{a}}: the difference is {{value:.3f}} ({{low:.3f}} to {{high:.3f}})",
    "lower": "{what} is lower in {{b}} than in {{a}}: the difference is {{value:.3f}} ({{low:.3f}} to {{high:.3f}})",
    "cannot_tell": "the ratings cannot tell whether {what} is higher in {{a}} or in {{b}}: the difference lies "
    "between {{low:.3f}} and {{high:.3f}}",
    "no_interval": "the ratings cannot tell whether {what} is higher in {{a}} or in {{b}}: {{reason}}",
    "undefined": "the difference of {what} is undefined: {{reason}}",
}
ENGLISH = {
    f"{name}_{code}": text.format(what=what) for name, what in QUANTITIES.items() for code, text in _OUTCOMES.items()
}


@dataclass(frozen=True)
class Difference(Estimate):
    """A statistic of group b minus that of group a, with its 95 % interval."""

    @property
    def outcome(self) -> str:
        """Whether b is higher, lower, cannot_tell (its interval holds 0, or there is none), or undefined."""
        if self.value is None:
            return "undefined"
        low, high = rounded(self.ci_low), rounded(self.ci_high)  # a rest of rounding is no difference
        if low is not None and low > 0:
            return "higher"
        return "lower" if high is not None and high < 0 else "cannot_tell"

    def to_json(self) -> dict[str, Any]:
        return super().to_json() | {"outcome": self.outcome}


@dataclass(frozen=True)
class DimensionComparison:
    """Two groups of ratings of one dimension.

    a, b: each group by itself, as in a table of slices: their intervals are those of a report on the group alone.
    shared_clusters: clusters that both groups rate. mean_a, mean_b: mean of all ratings, in levels of the scale.
    difference: of alpha. exact_difference: of the share of pairs of ratings that are equal.
    `reasons` names why a mean is not there.
    """

    name: str
    names: tuple[str, str]
    a: Slice
    b: Slice
    shared_clusters: int
    difference: Difference
    mean_a: float | None
    mean_b: float | None
    mean_difference: Difference
    exact_difference: Difference
    reasons: dict[str, Reason] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "shared_clusters": self.shared_clusters,
            "difference": self.difference.to_json(),
            "mean_a": rounded(self.mean_a),
            "mean_b": rounded(self.mean_b),
            "mean_difference": self.mean_difference.to_json(),
            "exact_difference": self.exact_difference.to_json(),
            "reasons": {name: plain(reason) for name, reason in self.reasons.items()},
            "words": [in_english(word) for word in plain_words(self)],
        }


@dataclass(frozen=True)
class Comparison:
    """The comparison of two groups, by dimension. names: what the groups are called."""

    names: tuple[str, str]
    dimensions: dict[str, DimensionComparison]

    def to_json(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "dimensions": {name: dimension.to_json() for name, dimension in self.dimensions.items()},
        }


def plain_words(result: DimensionComparison) -> list[Word]:
    """One remark for alpha, one for the mean value, one for the share of equal pairs."""
    words = []
    for name, found in (
        ("alpha", result.difference),
        ("mean", result.mean_difference),
        ("exact", result.exact_difference),
    ):
        params: dict[str, Any] = {"a": result.names[0], "b": result.names[1]}
        outcome = found.outcome
        if found.value is None:
            params["reason"] = plain(found.reason)
        elif found.ci_low is None:
            outcome = "no_interval"
            params |= {"value": found.value, "reason": plain(found.reason)}
        else:
            params |= {"value": found.value, "low": found.ci_low, "high": found.ci_high}
        words.append(Word(f"{name}_{outcome}", params))
    return words


def in_english(word: Word) -> str:
    """The sentence of a remark of this module."""
    return ENGLISH[word.code].format(**word.params)
