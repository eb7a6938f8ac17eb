"""The plain sentences that stand beside the numbers: a code with its parameters, and the English of each.

A page translates by the code; the command and the JSON print the English.
"""

from dataclasses import dataclass
from typing import Any

from .bands import judge
from .monotony import BY_RUN, BY_SHARE
from .results import DimensionAgreement, RaterDetail

FEW_UNITS = 10
NEARLY_ALL = 0.7
SEVERE = 0.5
DRIFTING = 0.5
MATTERS = 0.02  # of alpha, without one rater


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
    "drifts_up": "{rater} rates {levels:.2f} levels higher in the second half than in the first, beside the others",
    "drifts_down": "{rater} rates {levels:.2f} levels lower in the second half than in the first, beside the others",
    "constant": "{rater} gave one level to all {n} ratings",
    "straight_share": "{rater} gives one level nearly always: {share:.0%} of {n} ratings",
    "straight_run": "{rater} gave one level {run} times in a row, where the others vary",
    "higher_without": "without {rater} alpha would be {difference:.3f} higher",
    "lower_without": "without {rater} alpha would be {difference:.3f} lower",
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
        words += _on_moving(detail)
        words += _on_monotony(result, detail)
        change = detail.alpha_change
        if change.value is not None and change.is_off_zero and abs(change.value) >= MATTERS:
            code = "higher_without" if change.value > 0 else "lower_without"
            words.append(Word(code, {"rater": detail.rater, "difference": abs(change.value)}))
    return words


def _on_moving(detail: RaterDetail) -> list[Word]:
    """Severity and drift: half a level or more, with an interval off 0."""
    severity, drift, words = detail.severity, detail.drift, []
    if severity.value is not None and severity.is_off_zero and abs(severity.value) >= SEVERE:
        code = "severe" if severity.value > 0 else "lenient"
        words.append(Word(code, {"rater": detail.rater, "levels": abs(severity.value)}))
    if drift.value is not None and drift.is_off_zero and abs(drift.value) >= DRIFTING:
        code = "drifts_up" if drift.value > 0 else "drifts_down"
        words.append(Word(code, {"rater": detail.rater, "levels": abs(drift.value)}))
    return words


def _on_monotony(result: DimensionAgreement, detail: RaterDetail) -> list[Word]:
    """Nothing where nearly every rating of the dimension is at one level: everybody gives it again and again."""
    most = max(result.distribution.values(), default=0)
    if most > NEARLY_ALL * result.ratings:
        return []
    if detail.constant:
        return [Word("constant", {"rater": detail.rater, "n": detail.n})] if detail.n >= FEW_UNITS else []
    words = []
    if BY_SHARE in detail.straight_lining:
        words.append(Word("straight_share", {"rater": detail.rater, "share": detail.modal_share, "n": detail.n}))
    if BY_RUN in detail.straight_lining:
        words.append(Word("straight_run", {"rater": detail.rater, "run": detail.longest_run}))
    return words
