"""Two groups of a campaign's ratings compared: read at one moment, both resampled together.

Imports pandas: for the worker, never for what serves pages.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

from annotation.models import Campaign
from reviews.agreement_split import PERIODS, RATERS, RUBRICS, Split
from reviews.code_version import code_version
from reviews.errors import NoRatings, SplitInvalid
from reviews.services.agreement import REPLICATES, refusing, scales_of, seed_of
from reviews.services.base_ratings import BaseRatings, base_ratings, rubric_names
from reviews.services.coded_ratings import coded
from reviews.services.snapshot import snapshot
from reviews.statistics.comparison import compare

LEVEL = "ordinal"


def compare_agreement(
    *,
    campaign: Campaign,
    split: Split,
    bootstrap: int = REPLICATES,
    seed: int | None = None,
    pulse: Callable[[], None] = lambda: None,
) -> dict[str, Any]:
    """Both groups of every dimension, as the job keeps it. seed: None takes it from the data's hash.

    Raises NoRatings, and SplitInvalid where a group is empty.
    """
    with snapshot() as outside:
        base = base_ratings(campaign, pulse=lambda: outside(pulse))
        a, b = groups_of(base, split)
    if not len(base):
        raise NoRatings
    if not a.any() or not b.any():
        raise SplitInvalid(_("One of the two groups has no rating."))
    with refusing():
        ratings = coded(base, level=LEVEL, scale=scales_of(campaign))
    pulse()
    data_version = base.data_version
    seed = seed_of(data_version) if seed is None else seed
    in_a, in_b = (np.repeat(group, len(base.dimensions))[ratings.kept] for group in (a, b))
    found = compare(ratings, in_a, in_b, level=LEVEL, bootstrap=bootstrap, seed=seed, pulse=pulse)
    return {
        **found.to_json(),
        "groups": [_about(base, group) for group in (a, b)],
        "parameters": {"split": split.as_json(), "level": LEVEL, "bootstrap": bootstrap, "seed": seed},
        "data_version": data_version,
        "code_version": code_version(),
    }


def groups_of(base: BaseRatings, split: Split) -> tuple[np.ndarray, np.ndarray]:
    """(N,) bool each: which ratings are in the first group, and which in the second."""
    if split.by == RUBRICS:
        codes, names = rubric_names(base.rubric)
        called = np.asarray(names, dtype=object)[codes]
        return np.isin(called, split.a), np.isin(called, split.b)
    called = np.asarray(base.names, dtype=object)[base.rater]
    if split.by == RATERS:
        return np.isin(called, split.a), np.isin(called, split.b)
    assert split.since is not None
    later = base.moment >= round(split.since.timestamp() * 1_000_000)
    if split.by == PERIODS:
        return ~later, later
    own = called == split.rater  # the others' ratings of the same items are who the rater agrees with
    return np.isin(base.item, base.item[own & ~later]), np.isin(base.item, base.item[own & later])


def _about(base: BaseRatings, group: np.ndarray) -> dict[str, int]:
    """How much a group holds."""
    items = np.unique(base.item[group])
    scenarios = np.unique(base.items.tags["key"].codes[items])
    raters = np.unique(base.rater[group])
    return {"ratings": int(group.sum()), "items": len(items), "scenarios": len(scenarios), "raters": len(raters)}
