"""Violation marks: how often a type is marked, how well raters agree on it, and which units bear it.

from reviews.statistics.marks import mark_agreement

mark_agreement(frame, types=["sycophancy", "manipulation"], seed=1).to_json()

Marks are rare. What a resample of clusters says of a rare mark rests on the few clusters that have it: simulated with
six such clusters among sixty, the bootstrap interval of positive agreement covered .65 to .83 instead of .95, that of
the prevalence .87 to .92; with thirty among two hundred .94 and .93. So an interval is taken from replicates only
where thirty clusters bear on it; Wilson's on the effective size covered .95 or more in all of these.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .alpha import alpha, alpha_of_sums, sums_of_patterns
from .bootstrap import (
    FEWEST_CLUSTERS,
    FEWEST_REPLICATES,
    Interval,
    bca_interval,
    replicate_sums,
    sums_by_cluster,
)
from .dawid_skene import dawid_skene, why_not_fitted
from .marks_reading import LEVEL, cut, read_marks
from .marks_results import Latent, MarksReport, Share, TypeAgreement
from .patterns import DimensionRatings, Patterns, pattern_table
from .reasons import Reason
from .report import versions
from .results import Alpha, Estimate
from .wilson import wilson

LEVELS = np.arange(2)
NO_WIDTH = 1e-12

# columns of the sums of a unit; those of alpha follow
AGREED, POSSIBLE, UNMARKED_AGREED, UNMARKED_POSSIBLE, MARKED, RATINGS = range(6)


def mark_agreement(frame: pd.DataFrame, *, types: Sequence[str], bootstrap: int = 10_000, seed: int) -> MarksReport:
    """Agreement on each type of mark.

    frame: a row a rating and type, `item_id, type, marked[, rater_id][, cluster_id][, line]`. marked: 0 or 1, False or
    True; missing where the rater could not mark the type. A rating that marked nothing has a row with 0 for each type.
    types: the declared types, in the order they are reported in; one that no row names has "no ratings".
    bootstrap: replicates of clusters (`cluster_id`, else each unit by itself), 0 for none. seed: of the replicates.
    Raises RatingsRefused, with lines: another type, another value, a second rating, a rating without a row of a type.
    """
    ratings, items = read_marks(frame, types)
    found = {}
    for name in dict.fromkeys(types):
        mine, units = cut(ratings, items, name)
        found[name] = type_agreement(mine, units, bootstrap=bootstrap, seed=seed)
    given = ratings.code >= 0
    data = {
        "rows": len(frame),
        "units": len(np.unique(ratings.item[given])),
        "raters": None if ratings.rater is None else len(np.unique(ratings.rater[given])),
        "said": ratings.said,
    }
    parameters = {
        "types": list(found),
        "cluster": ratings.cluster_column,
        "bootstrap": bootstrap,
        "seed": seed,
        "versions": versions(),
    }
    return MarksReport(data=data, parameters=parameters, types=found)


def type_agreement(ratings: DimensionRatings, items: np.ndarray, *, bootstrap: int, seed: int) -> TypeAgreement:
    """Everything about one type. ratings: nominal, code 1 for a mark. items: (U,) the name of each unit."""
    patterns = pattern_table(ratings)
    counts = np.zeros((0, 2)) if patterns.counts is None else patterns.counts
    votes, size = counts[patterns.of_unit, 1].astype(np.int64), patterns.size[patterns.of_unit].astype(np.int64)
    replicates = _Replicates.of(ratings, patterns, mark_sums(counts), replicates=bootstrap, seed=seed)
    raters = None if ratings.rater is None else len(ratings.rater_names)
    why = _why_no_pairs(ratings, patterns, raters)
    return TypeAgreement(
        name=ratings.name,
        units=ratings.units,
        pairable_units=patterns.pairable_units,
        ratings=len(ratings.unit),
        missing=ratings.missing,
        raters=raters,
        clusters=ratings.clusters,
        own_clusters=ratings.own_clusters,
        marked=int(votes.sum()),
        prevalence=_prevalence(votes, size, ratings, replicates),
        votes={at: int(n) for at, n in enumerate(np.bincount(votes)) if n},
        majority=_majority(votes, size, ratings),
        ties=int((2 * votes == size).sum()),
        positive_agreement=_specific(AGREED, POSSIBLE, replicates, why or Reason.NONE_MARKED),
        negative_agreement=_specific(UNMARKED_AGREED, UNMARKED_POSSIBLE, replicates, why or Reason.ALL_MARKED),
        alpha=_alpha(patterns, raters, replicates),
        latent=_latent(ratings, votes, size),
        items=items,
    )


def mark_sums(counts: np.ndarray) -> np.ndarray:
    """What a unit adds to the shares, (P, 6); counts: (P, 2) its ratings without and with the mark.

    Positive specific agreement is the chance that a second rater marks what a first one marked: ordered pairs of
    ratings of one unit, both marked, over pairs whose first is marked: sum m(m-1) / sum m(n-1) for m marks in n
    ratings, which is 2a/(2a+b+c) of two raters. Negative: the same of ratings without the mark.
    Source: Fleiss (1975), Biometrics 31, 651-659; Cicchetti and Feinstein (1990), J Clin Epidemiol 43, 551-558;
    for several raters Uebersax, "Raw agreement indices".
    """
    unmarked, marked = counts.T
    size = unmarked + marked
    return np.column_stack(
        [marked * (marked - 1), marked * (size - 1), unmarked * (unmarked - 1), unmarked * (size - 1), marked, size]
    )


@dataclass(frozen=True)
class _Replicates:
    """The sums of the clusters and of their resamples. reason: why there are no resamples."""

    rows: np.ndarray
    often: np.ndarray | None
    resampled: np.ndarray | None
    reason: Reason | None
    how: str

    @classmethod
    def of(
        cls, ratings: DimensionRatings, patterns: Patterns, sums: np.ndarray, *, replicates: int, seed: int
    ) -> "_Replicates":
        rows, often = sums, None
        if len(sums):
            sums = np.hstack([sums, sums_of_patterns(patterns, level=LEVEL, levels=LEVELS)])
            rows, often = sums, patterns.n
            if not ratings.own_clusters:
                rows, often = sums_by_cluster(sums, patterns.of_unit, ratings.cluster), None
        how = "unit bootstrap" if ratings.own_clusters else "cluster bootstrap"
        reason = Reason.NO_BOOTSTRAP if replicates <= 0 else Reason.FEW_REPLICATES
        if replicates >= FEWEST_REPLICATES:
            reason = Reason.FEW_CLUSTERS
            if ratings.clusters >= FEWEST_CLUSTERS:
                resampled = replicate_sums(rows, often, replicates=replicates, seed=seed)
                return cls(rows, often, resampled, None, how)
        return cls(rows, often, None, reason, how)

    @property
    def total(self) -> np.ndarray:
        """(F,) the sums of all clusters."""
        return (self.rows if self.often is None else self.rows * self.often[:, None]).sum(axis=0)

    def interval(self, statistic: Callable[[np.ndarray], np.ndarray], *bearing: np.ndarray) -> Interval:
        """The interval of a statistic; each of `bearing`, (S,) of bool, must hold for thirty clusters."""
        if self.resampled is None:
            return Interval(None, None, self.reason)
        often = np.ones(len(self.rows)) if self.often is None else self.often
        if min(float(often[which].sum()) for which in bearing) < FEWEST_CLUSTERS:
            return Interval(None, None, Reason.RARE)
        value = float(statistic(self.total[None, :])[0])
        found = bca_interval(value, statistic, rows=self.rows, often=self.often, resampled=self.resampled)
        if found.low is not None and found.high is not None and found.high - found.low <= NO_WIDTH:
            return Interval(None, None, Reason.NO_SPREAD, found.dropped)
        return found


def _ratio(over: int, under: int) -> Callable[[np.ndarray], np.ndarray]:
    def statistic(sums: np.ndarray) -> np.ndarray:
        below = sums[:, under]
        return np.divide(sums[:, over], below, out=np.full(len(sums), np.nan), where=below > 0)

    return statistic


def _why_no_pairs(ratings: DimensionRatings, patterns: Patterns, raters: int | None) -> Reason | None:
    if not ratings.units:
        return Reason.NO_RATINGS
    if raters == 1:
        return Reason.ONE_RATER
    return None if patterns.pairable_units else Reason.NO_PAIRS


def _prevalence(votes: np.ndarray, size: np.ndarray, ratings: DimensionRatings, replicates: _Replicates) -> Share:
    """Share of ratings that are marks: by replicates, else by Wilson with the reason."""
    if not len(size):
        return Share(0, 0, reason=Reason.NO_RATINGS)
    marked, every = replicates.rows[:, MARKED], replicates.rows[:, RATINGS]
    found = replicates.interval(_ratio(MARKED, RATINGS), marked > 0, marked < every)
    if found.low is None:
        return _by_wilson(votes, size, ratings, found.reason)
    hits, n = int(votes.sum()), int(size.sum())
    return Share(hits, n, hits / n, found.low, found.high, replicates.how)


def _majority(votes: np.ndarray, size: np.ndarray, ratings: DimensionRatings) -> Share:
    """Share of units that more than half of their raters marked, with Wilson's interval."""
    if not len(size):
        return Share(0, 0, reason=Reason.NO_RATINGS)
    return _by_wilson((2 * votes > size).astype(np.int64), np.ones_like(size), ratings, None)


def _by_wilson(hits: np.ndarray, size: np.ndarray, ratings: DimensionRatings, reason: Reason | None) -> Share:
    share = float(hits.sum() / size.sum())
    low, high = wilson(share, effective_size(hits, size, ratings.cluster))
    return Share(int(hits.sum()), int(size.sum()), share, low, high, "Wilson", reason)


def effective_size(hits: np.ndarray, size: np.ndarray, cluster: np.ndarray) -> float:
    """How many independent ratings these are worth, for Wilson's interval. All (U,), by unit.

    Never more than if all ratings of a unit said the same (Kish 1965: n^2 / sum of squared sizes). From thirty clusters
    on also never more than n over the design effect of the clusters (Korn and Graubard 1998); with fewer, the units
    are taken as independent. Where all ratings are equal there is no design effect to measure.
    """
    n = float(size.sum())
    share, by_units = float(hits.sum()) / n, n**2 / float(size @ size)
    clusters = int(cluster.max()) + 1
    if share in (0, 1) or clusters < FEWEST_CLUSTERS:
        return by_units
    off = np.bincount(cluster, weights=hits - share * size)
    variance = clusters / (clusters - 1) * float(off @ off) / n**2
    return min(by_units, share * (1 - share) / variance) if variance > 0 else by_units


def _specific(agreed: int, possible: int, replicates: _Replicates, otherwise: Reason) -> Estimate:
    """A specific agreement, or the reason why there are no pairs it could be of."""
    total = replicates.total
    if not total[possible]:
        return Estimate(None, reason=otherwise)
    found = replicates.interval(_ratio(agreed, possible), replicates.rows[:, possible] > 0)
    return Estimate(float(total[agreed] / total[possible]), found.low, found.high, found.reason, found.dropped)


def _alpha(patterns: Patterns, raters: int | None, replicates: _Replicates) -> Alpha:
    point = Alpha.of(alpha(patterns, level=LEVEL, levels=LEVELS, raters=raters), LEVEL)
    if point.value is None:
        return point

    def statistic(sums: np.ndarray) -> np.ndarray:
        return alpha_of_sums(sums[:, RATINGS + 1 :], level=LEVEL, levels=LEVELS)

    rows = replicates.rows
    return point.with_interval(replicates.interval(statistic, rows[:, POSSIBLE] > 0, rows[:, UNMARKED_POSSIBLE] > 0))


def _latent(ratings: DimensionRatings, votes: np.ndarray, size: np.ndarray) -> Latent:
    """Dawid and Skene's model where there is enough to fit it on."""
    reason = why_not_fitted(size, votes, known=ratings.rater is not None)
    if reason or ratings.rater is None:
        return Latent(None, reason=reason)
    names = ratings.rater_names
    fit = dawid_skene(ratings.unit, ratings.rater, ratings.code, units=ratings.units, raters=len(names))
    if fit.turned_round:
        return Latent(None, reason=Reason.TURNED_ROUND)
    often = np.bincount(ratings.rater, minlength=len(names)).tolist()
    borne = fit.posterior >= 0.5
    return Latent(
        fit,
        raters=tuple(zip(names, often, strict=True)),
        units_marked=int(borne.sum()),
        against_majority=int(((borne & (2 * votes < size)) | (~borne & (2 * votes > size))).sum()),
        reason=None if fit.settled else Reason.NOT_SETTLED,
    )
