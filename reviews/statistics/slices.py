"""Agreement of slices: each task, companion, period or rubric version by itself, in one pass.

A slice's numbers are those that `dimension_agreement` gives on its ratings alone, with the same seed and the same
scale. Slices with equally many clusters share their draws, so that their columns stand side by side in one product.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from .alpha import alpha, alpha_of_sums, fits, sums_of_patterns
from .bootstrap import FEWEST_CLUSTERS, FEWEST_REPLICATES, Interval, bca_interval, replicate_sums, sums_by_cluster
from .chance import gwet_ac
from .columns import Tag
from .icc import twoway_sums
from .parts import part_of
from .patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from .percent import Percent, percent_agreement
from .reasons import Reason
from .resampling import intervals
from .results import Alpha, plain, rounded
from .tidy import Ratings

CELLS_AT_ONCE = 5_000_000  # of replicates x columns: 40 MB


@dataclass(frozen=True)
class Slice:
    """The agreement of one slice: the ratings whose tag `by` is `key` ("" where they have none).

    ac2: Gwet's AC2 (AC1 at nominal level). pair_exact: share of the pairs of ratings that are equal.
    modal_level, modal_share: the level most ratings are at (the lowest of several), and their share of all.
    `reasons` names why a field that is a bare number is not there.
    """

    by: str
    key: str
    units: int
    pairable_units: int
    ratings: int
    clusters: int
    alpha: Alpha
    ac2: float | None
    pair_exact: float | None
    modal_level: str | None
    modal_share: float | None
    reasons: dict[str, Reason] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "key": self.key,
            "units": self.units,
            "pairable_units": self.pairable_units,
            "ratings": self.ratings,
            "clusters": self.clusters,
            "alpha": self.alpha.to_json(),
            "ac2": rounded(self.ac2),
            "pair_exact": rounded(self.pair_exact),
            "modal_level": self.modal_level,
            "modal_share": rounded(self.modal_share),
            "reasons": {name: plain(reason) for name, reason in self.reasons.items()},
        }


class Part(NamedTuple):
    """The ratings of one slice."""

    by: str
    key: str
    ratings: DimensionRatings


def slice_table(
    ratings: Ratings,
    at: int,
    *,
    level: str,
    unit_tags: Mapping[str, Tag],
    rating_tags: Mapping[str, Tag],
    bootstrap: int,
    seed: int,
) -> list[Slice]:
    """The slices of one dimension by each tag in turn, first those of units, each in the order of its keys.

    at: the dimension's code. unit_tags: a Tag by item code each, (I,). rating_tags: a Tag of each rating, (N,); a
    unit is in each slice that holds one of its ratings, with these ratings only. See `unit_tag` and `rating_tag`.
    bootstrap: replicates, 0 for no intervals. A key that has no rating in this dimension is there with 0 units.
    Raises ValueError where a tag is not as long as what it tags, or tags of units and ratings have one name.
    """
    return slices_of(
        _parts(ratings, at, level=level, unit_tags=unit_tags, rating_tags=rating_tags), bootstrap=bootstrap, seed=seed
    )


def _parts(
    ratings: Ratings, at: int, *, level: str, unit_tags: Mapping[str, Tag], rating_tags: Mapping[str, Tag]
) -> Iterator[Part]:
    items = int(ratings.item.max()) + 1 if len(ratings.item) else 0
    for tags, length in ((unit_tags, items), (rating_tags, len(ratings.item))):
        for by, tag in tags.items():
            if len(tag.code) != length:
                raise ValueError(f"tag {by!r} has {len(tag.code)} codes, {length} are needed")
    if both := unit_tags.keys() & rating_tags.keys():
        raise ValueError(f"tag {min(both)!r} is of units and of ratings")
    whole = dimension_of(ratings, at, level)
    here = ratings.dimension == at
    given, absent = np.flatnonzero(here & (ratings.code >= 0)), np.flatnonzero(here & (ratings.code < 0))
    for by, tag in [*unit_tags.items(), *rating_tags.items()]:
        rated, missing = (ratings.item[given], ratings.item[absent]) if by in unit_tags else (given, absent)
        code = tag.code[rated].astype(np.min_scalar_type(len(tag.keys)))  # few bits sort fast
        order = np.argsort(code, kind="stable")
        ends = np.cumsum(np.bincount(code, minlength=len(tag.keys)))
        without = np.bincount(tag.code[missing], minlength=len(tag.keys))
        for key, start, end, lost in zip(tag.keys, [0, *ends[:-1]], ends, without, strict=True):
            yield Part(by, key, part_of(whole, order[start:end], int(lost)))


def slices_of(parts: Iterable[Part], *, bootstrap: int, seed: int) -> list[Slice]:
    """The agreement of each part, with intervals from `bootstrap` replicates. The parts are of one dimension."""
    slices: list[Slice] = []
    found: dict[int, Interval] = {}
    waiting: dict[int, list[_Rows]] = defaultdict(list)
    statistic: Callable[[np.ndarray], np.ndarray] | None = None
    for place, part in enumerate(parts):
        patterns = pattern_table(part.ratings)
        slices.append(_points(part, patterns))
        if slices[-1].alpha.value is None:
            continue
        level, levels = part.ratings.level, part.ratings.values
        why = why_no_interval(part.ratings, patterns, bootstrap)
        if why:
            found[place] = Interval(None, None, why)
        elif part.ratings.own_clusters:
            found[place] = _interval_of_units(part.ratings, patterns, bootstrap=bootstrap, seed=seed)
        else:
            sums = sums_of_patterns(patterns, level=level, levels=levels)
            rows = sums_by_cluster(sums, patterns.of_unit, part.ratings.cluster)
            waiting[len(rows)].append(_Rows(place, rows))
            statistic = statistic or alpha_statistic(level, levels)
    for alike in waiting.values():
        assert statistic is not None
        found |= _intervals(alike, statistic, bootstrap=bootstrap, seed=seed)
    return [
        replace(one, alpha=one.alpha.with_interval(found[place])) if place in found else one
        for place, one in enumerate(slices)
    ]


class _Rows(NamedTuple):
    """What each cluster of the slice at a place of the list adds to alpha, (S, F)."""

    place: int
    rows: np.ndarray


def _intervals(
    alike: list[_Rows], statistic: Callable[[np.ndarray], np.ndarray], *, bootstrap: int, seed: int
) -> dict[int, Interval]:
    """The intervals of slices that have equally many clusters, from one set of draws."""
    found = {}
    clusters, columns = alike[0].rows.shape
    together = max(1, CELLS_AT_ONCE // (columns * max(bootstrap, clusters)))
    for start in range(0, len(alike), together):
        batch = alike[start : start + together]
        resampled = replicate_sums(np.hstack([one.rows for one in batch]), None, replicates=bootstrap, seed=seed)
        for at, one in enumerate(batch):
            value = float(statistic(one.rows.sum(axis=0)[None, :])[0])
            mine = np.ascontiguousarray(resampled[:, at * columns : (at + 1) * columns])
            found[one.place] = bca_interval(value, statistic, rows=one.rows, often=None, resampled=mine)
    return found


def _interval_of_units(ratings: DimensionRatings, patterns: Patterns, *, bootstrap: int, seed: int) -> Interval:
    """Alpha's interval where each unit is its own cluster: patterns are drawn, so that no slices share draws."""
    levels = ratings.values
    panel = None if ratings.level == "nominal" else twoway_sums(ratings)
    weights = ratings.weights
    every = intervals(ratings, patterns, levels=levels, weights=weights, panel=panel, replicates=bootstrap, seed=seed)
    return every["alpha"]


def why_no_interval(ratings: DimensionRatings, patterns: Patterns, bootstrap: int) -> Reason | None:
    """Why an alpha that is defined gets no interval, if so: too few replicates, or too few clusters with a pair."""
    if bootstrap <= 0:
        return Reason.NO_BOOTSTRAP
    if bootstrap < FEWEST_REPLICATES:
        return Reason.FEW_REPLICATES
    if len(np.unique(ratings.cluster[patterns.size[patterns.of_unit] >= 2])) < FEWEST_CLUSTERS:
        return Reason.FEW_CLUSTERS
    rows = max(len(patterns.n), 1 if ratings.own_clusters else ratings.clusters)
    return None if fits(rows, level=ratings.level, levels=ratings.values) else Reason.TOO_MANY_LEVELS


def _points(part: Part, patterns: Patterns) -> Slice:
    """A slice without an interval."""
    ratings = part.ratings
    raters = None if ratings.rater is None else len(ratings.rater_names)
    pairs = bool(patterns.pairable_units) and raters != 1
    value = alpha(patterns, level=ratings.level, levels=ratings.values, raters=raters)
    ac2 = Reason.ONE_RATER if raters == 1 else gwet_ac(patterns, ratings.weights)
    exact = (percent_agreement(ratings, patterns) if pairs else Percent()).pair_exact
    often = np.bincount(ratings.code, minlength=1)
    reasons: dict[str, Reason] = {}
    if isinstance(ac2, Reason):
        reasons["ac2"] = ac2
    if exact is None:
        none = Reason.NO_PAIRS if ratings.units else Reason.NO_RATINGS
        reasons["pair_exact"] = Reason.ONE_RATER if raters == 1 else none
    if not ratings.units:
        reasons |= dict.fromkeys(("modal_level", "modal_share"), Reason.NO_RATINGS)
    return Slice(
        by=part.by,
        key=part.key,
        units=ratings.units,
        pairable_units=patterns.pairable_units,
        ratings=len(ratings.unit),
        clusters=ratings.clusters,
        alpha=Alpha.of(value, ratings.level),
        ac2=None if isinstance(ac2, Reason) else ac2.value,
        pair_exact=exact,
        modal_level=ratings.scale.labels[int(often.argmax())] if ratings.units else None,
        modal_share=float(often.max() / len(ratings.unit)) if ratings.units else None,
        reasons=reasons,
    )


def alpha_statistic(level: str, levels: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Alpha as a function of rows of sums, (B, F) -> (B,)."""
    return lambda rows: alpha_of_sums(rows, level=level, levels=levels)
