"""The agreement table of a tidy frame: the one entry for the command, the pages, the API and a release."""

import hashlib
import platform
import tomllib
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .additive import additive_model
from .alpha import alpha
from .bootstrap import Interval
from .chance import gwet_ac
from .icc import MeanSquares, icc_interval_f, icc_of, oneway, oneway_sums, twoway, twoway_sums, why_no_icc
from .kappa import pair_table
from .misfit import item_misfit, worst_items
from .monotony import equal_across_dimensions
from .patterns import DimensionRatings, Patterns, dimension_of, pattern_table
from .percent import Percent, percent_agreement
from .raters import rater_details
from .reasons import Reason
from .resampling import intervals
from .results import AgreementReport, Alpha, DimensionAgreement, Gwet, Icc, rounded
from .tidy import Ratings, code_ratings

PACKAGES = ("numpy", "scipy", "pandas", "krippendorff")
NO_INTERVAL = Interval(None, None)


def agreement(
    frame: pd.DataFrame,
    *,
    level: str = "ordinal",
    scale: Any = None,
    cluster: str | None = None,
    bootstrap: int = 10_000,
    seed: int | None = None,
) -> AgreementReport:
    """Agreement of every dimension of a tidy frame.

    frame: a row a rating, `item_id, value[, rater_id][, dimension][, cluster_id][, order]`; from `read_ratings`, or
    from anywhere. `frame.attrs` may hold source, sha256, rows and said (see `read_ratings`).
    level: nominal, ordinal, interval or ratio. scale: "1-5", "1-5/0.5", a list of levels, or a mapping of dimension
    to one; None takes the whole numbers from the lowest to the highest value seen.
    cluster: column whose values are resampled; None takes `cluster_id`, else each unit by itself.
    bootstrap: replicates, 0 for no intervals. seed: None takes it from the hash of the data.
    Raises RatingsRefused and ScaleRefused.
    """
    ratings = code_ratings(frame, level=level, scale=scale, cluster=cluster)
    about: dict[str, Any] = {"rows": len(frame), **{str(name): value for name, value in frame.attrs.items()}}
    about["sha256"] = about.get("sha256") or _hash(frame, ratings)
    return agreement_of(ratings, about, level=level, bootstrap=bootstrap, seed=seed)


def agreement_of(
    ratings: Ratings, about: Mapping[str, Any], *, level: str, bootstrap: int, seed: int | None
) -> AgreementReport:
    """The same where the frame is coded already.

    ratings: what `code_ratings` made of it, at this level. about: sha256 and rows, and what else `frame.attrs` holds;
    raters and raters_of where the ratings of some raters were taken (see `of_raters`).
    """
    sha256 = about["sha256"]
    seed = int(sha256[:8], 16) if seed is None else seed
    given = ratings.code >= 0
    said = [*about.get("said", []), *ratings.said]
    if level == "nominal":
        said.append("at nominal level ac2 has identity weights, which is Gwet's AC1")
    data = {
        "source": about.get("source"),
        "rows": about["rows"],
        "ratings": int(given.sum()),
        "missing": int((~given).sum()),
        "raters": None if ratings.rater is None else len(np.unique(ratings.rater[given])),
        "units": len(np.unique(ratings.item[given])),
        "sha256": sha256,
        "said": said,
        "equal_across_dimensions": [
            {"rater": ratings.rater_names[j], "share": rounded(one.share), "n": one.n}
            for j, one in enumerate(equal_across_dimensions(ratings))
        ],
    }
    parameters = {
        "level": level,
        "scale": _scale_text(ratings),
        "cluster": ratings.cluster_column,
        "bootstrap": bootstrap,
        "seed": seed,
        "versions": versions(),
        **{name: about[name] for name in ("raters", "raters_of") if name in about},
    }
    dimensions = {
        name: dimension_agreement(
            dimension_of(ratings, at, level), bootstrap=bootstrap, seed=seed, item_of=_item_of(ratings, at)
        )
        for at, name in enumerate(ratings.dimension_names)
    }
    return AgreementReport(data=data, parameters=parameters, dimensions=dimensions)


def dimension_agreement(
    ratings: DimensionRatings, *, bootstrap: int, seed: int, item_of: Callable[[int], str] = str
) -> DimensionAgreement:
    """The agreement table of one dimension. item_of: the item id of unit 0..U-1, else its number."""
    patterns = pattern_table(ratings)
    raters = None if ratings.rater is None else len(ratings.rater_names)
    levels, weights = ratings.values, ratings.weights
    panel = None if ratings.level == "nominal" or not ratings.units else twoway_sums(ratings)
    # one rater, or no pair of ratings, leaves nothing to resample
    pairs = bool(patterns.pairable_units) and raters != 1
    resampled = (
        intervals(ratings, patterns, levels=levels, weights=weights, panel=panel, replicates=bootstrap, seed=seed)
        if pairs
        else {}
    )
    percent = percent_agreement(ratings, patterns) if pairs else Percent()
    point = Alpha.of(alpha(patterns, level=ratings.level, levels=levels, raters=raters), ratings.level)
    known = ratings.rater is not None and ratings.units > 0
    model = additive_model(ratings) if known else None
    misfit = item_misfit(ratings, model)
    details = (
        () if model is None else rater_details(ratings, patterns, model, levels=levels, replicates=bootstrap, seed=seed)
    )
    return DimensionAgreement(
        name=ratings.name,
        scale=ratings.scale.text(),
        units=ratings.units,
        pairable_units=patterns.pairable_units,
        ratings=len(ratings.unit),
        missing=ratings.missing,
        raters=raters,
        clusters=ratings.clusters,
        own_clusters=ratings.own_clusters,
        blocks=0 if model is None else model.together,
        alpha=point.with_interval(resampled.get("alpha", NO_INTERVAL)),
        ac2=_ac2(patterns, weights, raters, resampled.get("ac2", NO_INTERVAL)),
        icc1_1=_icc1(ratings, patterns, raters, resampled.get("icc1_1", NO_INTERVAL)),
        icc2_1=_icc2(ratings, panel, raters, "ICC(2,1)", resampled.get("icc2_1", NO_INTERVAL)),
        icc2_k=_icc2(ratings, panel, raters, "ICC(2,k)", resampled.get("icc2_k", NO_INTERVAL)),
        percent=percent,
        distribution=_distribution(ratings),
        pairs=tuple(pair_table(ratings)),
        raters_detail=details,
        misfit=misfit,
        misfit_items=worst_items(misfit, item_of),
        reasons=_reasons(ratings, patterns, percent, raters),
    )


def _ac2(patterns: Patterns, weights: np.ndarray, raters: int | None, found: Interval) -> Gwet:
    value = Reason.ONE_RATER if raters == 1 else gwet_ac(patterns, weights)
    if isinstance(value, Reason):
        return Gwet(None, reason=value)
    return Gwet(value.value, found.low, found.high, found.reason, found.dropped, se=value.se)


def _icc1(ratings: DimensionRatings, patterns: Patterns, raters: int | None, found: Interval) -> Icc:
    if ratings.level == "nominal":
        return Icc(None, reason=Reason.NOT_NOMINAL)
    if not ratings.units or raters == 1:
        return Icc(None, reason=Reason.ONE_RATER if ratings.units else Reason.NO_RATINGS)
    return _icc(oneway(patterns.n[None, :] @ oneway_sums(patterns)), "ICC(1,1)", found)


def _icc2(ratings: DimensionRatings, panel: np.ndarray | None, raters: int | None, kind: str, found: Interval) -> Icc:
    if panel is not None:
        return _icc(twoway(panel.sum(axis=0)[None, :]), kind, found)
    if ratings.level == "nominal":
        return Icc(None, reason=Reason.NOT_NOMINAL)
    if not ratings.units:
        return Icc(None, reason=Reason.NO_RATINGS)
    return Icc(None, reason={None: Reason.NO_RATER_IDS, 1: Reason.ONE_RATER}.get(raters, Reason.NO_PANEL))


def _icc(squares: MeanSquares, kind: str, found: Interval) -> Icc:
    value = float(icc_of(squares, kind)[0])
    if np.isnan(value):
        return Icc(None, reason=why_no_icc(squares))
    return Icc(value, found.low, found.high, found.reason, found.dropped, ci_f=icc_interval_f(squares, kind))


def _item_of(ratings: Ratings, dimension: int) -> Callable[[int], str]:
    """The item id of a unit of a dimension; units are numbered in the order of their items' codes."""
    items = np.unique(ratings.item[(ratings.dimension == dimension) & (ratings.code >= 0)])
    return lambda unit: ratings.item_names[items[unit]]


def _distribution(ratings: DimensionRatings) -> dict[str, int]:
    labels = ratings.scale.labels
    counts = np.bincount(ratings.code, minlength=len(labels)).tolist()
    return {label: n for label, n in zip(labels, counts, strict=True) if n or not ratings.scale.open}


def _reasons(ratings: DimensionRatings, patterns: Patterns, percent: Percent, raters: int | None) -> dict[str, Reason]:
    """Why a bare number or list of the table is not there."""
    none = Reason.NO_PAIRS if ratings.units else Reason.NO_RATINGS
    none = Reason.ONE_RATER if raters == 1 else none
    order = Reason.NOT_NOMINAL if ratings.level == "nominal" else Reason.NO_SCALE
    found = {}
    for name in ("pair_exact", "pair_adjacent", "all_exact", "all_adjacent"):
        if getattr(percent, name) is None:
            found[name] = order if percent.pairs else none
    if raters is None:
        found |= dict.fromkeys(("raters", "pairs", "raters_detail"), Reason.NO_RATER_IDS)
    elif raters < 2:
        found["pairs"] = none
    return found


def _scale_text(ratings: Ratings) -> str | dict[str, str]:
    """The scale in the form the parameter takes, one for all dimensions where they agree."""
    texts = {name: scale.text() for name, scale in ratings.scales.items() if not scale.open}
    return next(iter(texts.values())) if len(set(texts.values())) == 1 else texts


def _hash(frame: pd.DataFrame, ratings: Ratings) -> str:
    """SHA-256 of the ratings themselves, whatever the order of the rows."""
    columns = ["item_id", "rater_id", "dimension", "value", ratings.cluster_column, "order"]
    used = [name for name in columns if name and name in frame.columns]
    rows = sorted("\x1f".join(map(str, row)) for row in frame[used].itertuples(index=False, name=None))
    return hashlib.sha256("\n".join(["\x1f".join(used), *rows]).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Versions of what a number depends on."""
    found = {name: metadata.version(name) for name in PACKAGES}
    return {"concord": _own_version(), "python": platform.python_version(), **found}


def _own_version() -> str:
    """Concord's version, from the project file beside the code."""
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    try:
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        return "unknown"
