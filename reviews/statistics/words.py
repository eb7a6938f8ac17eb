"""The plain sentences that stand beside the numbers: a code with its parameters, and the English of each.

A page translates by the code; the command and the JSON print the English.
"""

from dataclasses import dataclass
from typing import Any

from .bands import judge
from .results import DimensionAgreement

FEW_UNITS = 10
NEARLY_ALL = 0.7
SEVERE = 0.5


@dataclass(frozen=True)
class Word:
    """One remark: its code, and what its sentence is filled with (numbers as numbers)."""

    code: str
    params: dict[str, Any]


ENGLISH = {
    "too_few": "too few: only {units} units can be paired",
    "alpha_undefined": "alpha is undefined: {reason}",
    "no_interval": "alpha has no interval: {reason}",
    "verdict": "by its interval alpha says: {band} ({source})",
    "verdict_open": "by its interval alpha lies between {low!r} and {high!r} ({source})",
    "nearly_all": "{exact:.0%} exact, alpha {alpha:.2f}: nearly everything is a {level} ({share:.0%}); "
    "alpha measures the rare rest",
    "alpha_rare": "alpha {alpha:.2f} is right although {exact:.0%} of the pairs are equal: expected disagreement is as "
    "rare as the observed",
    "no_better_than_chance": "alpha {alpha:.2f}: the raters agree no better than by chance",
    "missing": "{missing} missing values are counted and left out",
    "one_by_one": "each unit is its own cluster: the interval is too short if units belong together",
    "blocks": "raters fall into {blocks} groups that share no unit; severities compare within a group only",
    "severe": "{rater} rates {levels:.2f} levels lower than the others",
    "lenient": "{rater} rates {levels:.2f} levels higher than the others",
}


def in_english(word: Word) -> str:
    """The sentence of a remark."""
    return ENGLISH[word.code].format(**word.params)


def plain_words(result: DimensionAgreement) -> list[Word]:
    """What a reader should know beside the numbers of one dimension, the most important first."""
    return [*_on_alpha(result), *_on_data(result), *_on_raters(result)]


def _on_alpha(result: DimensionAgreement) -> list[Word]:
    alpha, words = result.alpha, []
    if result.pairable_units < FEW_UNITS:
        words.append(Word("too_few", {"units": result.pairable_units}))
    if alpha.value is None:
        return [*words, Word("alpha_undefined", {"reason": alpha.reason})]
    verdict = judge("alpha", alpha.ci_low, alpha.ci_high)
    if verdict is None:
        words.append(Word("no_interval", {"reason": alpha.reason}))
    elif verdict.is_certain:
        words.append(Word("verdict", {"band": verdict.low, "source": verdict.source}))
    else:
        words.append(Word("verdict_open", {"low": verdict.low, "high": verdict.high, "source": verdict.source}))
    exact, ratings = result.percent.pair_exact, max(result.ratings, 1)
    level, most = max(result.distribution.items(), key=lambda entry: entry[1], default=("", 0))
    if exact is not None and most / ratings > NEARLY_ALL:
        params = {"exact": exact, "alpha": alpha.value, "level": level, "share": most / ratings}
        words.append(Word("nearly_all", params))
        if alpha.value < 0.1:
            words.append(Word("alpha_rare", {"alpha": alpha.value, "exact": exact}))
    elif alpha.value <= 0:
        words.append(Word("no_better_than_chance", {"alpha": alpha.value}))
    return words


def _on_data(result: DimensionAgreement) -> list[Word]:
    words = []
    if result.missing:
        words.append(Word("missing", {"missing": result.missing}))
    if result.own_clusters and result.alpha.ci_low is not None:
        words.append(Word("one_by_one", {}))
    return words


def _on_raters(result: DimensionAgreement) -> list[Word]:
    words = []
    if result.blocks > 1:
        words.append(Word("blocks", {"blocks": result.blocks}))
    for detail in result.raters_detail:
        severity = detail.severity
        if severity.value is None or severity.ci_low is None or severity.ci_high is None:
            continue
        if abs(severity.value) >= SEVERE and (severity.ci_low > 0 or severity.ci_high < 0):
            code = "severe" if severity.value > 0 else "lenient"
            words.append(Word(code, {"rater": detail.rater, "levels": abs(severity.value)}))
    return words
