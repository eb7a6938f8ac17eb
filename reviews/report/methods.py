"""Section 9: a paragraph on methods for a paper, in English and Chinese whatever language the page is in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from reviews.figures import Figure, listed
from reviews.report.parts import Report
from reviews.report.verdicts import level_words

LANGUAGES = (("en", "English"), ("zh-hans", "简体中文"))
SOURCES = {
    "alpha": "Krippendorff, K. (2018). Content Analysis: An Introduction to Its Methodology (4th ed.). Sage.",
    "bca": "Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical Association, "
    "82(397), 171-185.",
    "cluster": "Cameron, A. C., Gelbach, J. B., & Miller, D. L. (2008). Bootstrap-based improvements for inference "
    "with clustered errors. Review of Economics and Statistics, 90(3), 414-427.",
    "ac2": "Gwet, K. L. (2014). Handbook of Inter-Rater Reliability (4th ed.). Advanced Analytics.",
    "icc": "McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. "
    "Psychological Methods, 1(1), 30-46.",
    "kappa": "Cohen, J. (1968). Weighted kappa. Psychological Bulletin, 70(4), 213-220.",
    "marks": "Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM "
    "algorithm. Applied Statistics, 28(1), 20-28.",
}


@dataclass(frozen=True)
class Methods:
    """language: its code; paragraph: to be copied; sources: what it cites."""

    language: str
    name: str
    paragraph: str
    sources: Sequence[str]


def methods(report: Report) -> list[Methods]:
    """In each language, the dimensions by their names there."""
    cited = _cited(report)
    found = []
    for code, name in LANGUAGES:
        with translation.override(code):
            paragraph = " ".join(_sentences(report))
        # Chinese sets no blank between sentences.
        paragraph = paragraph.replace("。 ", "。") if code.startswith("zh") else paragraph
        found.append(Methods(code, name, paragraph, [SOURCES[key] for key in cited]))
    return found


def _cited(report: Report) -> list[str]:
    shown = [entry for _key, _name, entry in report.dimensions]
    cited = ["alpha", "bca", "cluster"]
    cited += [
        key for key, field in (("ac2", "ac2"), ("icc", "icc2_1")) if any(e[field]["value"] is not None for e in shown)
    ]
    if any(entry["pairs"] for entry in shown):
        cited.append("kappa")
    types = (report.result.get("marks") or {}).get("types", {})
    if any(one["dawid_skene"]["prevalence"] is not None for one in types.values()):
        cited.append("marks")
    return cited


def _sentences(report: Report) -> list[str]:
    data, parameters = report.result["data"], report.result["parameters"]
    counts = {"units": f"{data['units']:,}", "ratings": f"{data['ratings']:,}", "raters": data["raters"]}
    shown = [(report.names.dimension(key), entry) for key, _name, entry in report.dimensions]
    clusters = max((entry["clusters"] for _name, entry in shown), default=0)
    dimensions = _listed([name for name, _entry in shown])
    said = [
        _(
            "%(units)s responses to %(clusters)s scenarios were rated on %(dimensions)s by %(raters)s annotators who "
            "worked independently and saw neither the model nor its condition (%(ratings)s ratings)."
        )
        % {**counts, "clusters": f"{clusters:,}", "dimensions": dimensions},
        *_chosen(parameters),
        _(
            "Agreement was computed from these ratings before any adjudication, with Krippendorff’s alpha at %(level)s "
            "level (Krippendorff, 2018)."
        )
        % {"level": level_words(parameters["level"])},
    ]
    if parameters["bootstrap"]:
        said.append(
            _(
                "Intervals are 95 %% BCa bootstrap intervals (Efron, 1987) from %(n)s replicates that resample whole "
                "scenarios, since responses to one scenario are not independent (Cameron et al., 2008; seed %(seed)s)."
            )
            % {"n": f"{parameters['bootstrap']:,}", "seed": parameters["seed"]}
        )
    said.append(_("Alpha was %(figures)s.") % {"figures": _listed([_alpha(name, entry) for name, entry in shown])})
    rare = [(name, entry) for name, entry in shown if _share(entry) > 0.7 and entry["ac2"]["value"] is not None]
    if rare:
        figures = _listed([_figure(name, Figure.of(entry["ac2"])) for name, entry in rare])
        said.append(
            _(
                "Where one level holds over 70 %% of the ratings, Gwet’s AC2 with quadratic weights (Gwet, 2014) is "
                "given beside it: %(figures)s."
            )
            % {"figures": figures}
        )
    versions = parameters["versions"]
    said.append(
        _(
            "Computed with Concord %(concord)s, krippendorff %(krippendorff)s, NumPy %(numpy)s and SciPy %(scipy)s; "
            "data version %(data)s."
        )
        % {**versions, "data": data["sha256"][:12]}
    )
    return said


def _chosen(parameters: Mapping[str, Any]) -> list[str]:
    """Whose ratings they are where others rated too; by their codes, since a paper names nobody."""
    raters = parameters.get("raters")
    if not raters:
        return []
    words = _("They are %(n)s of the %(all)s annotators who rated: %(raters)s.")
    return [words % {"n": len(raters), "all": parameters["raters_of"], "raters": _listed(raters)}]


def _share(entry: Mapping[str, Any]) -> float:
    counts = entry["distribution"].values()
    return max(counts, default=0) / (sum(counts) or 1)


def _alpha(name: str, entry: Mapping[str, Any]) -> str:
    return _figure(name, Figure.of(entry["alpha"]))


def _figure(name: str, found: Figure) -> str:
    if not found.text:
        return _("undefined for %(name)s (%(why)s)") % {"name": name, "why": found.why}
    if not found.low:
        return _("%(value)s for %(name)s") % {"name": name, "value": found.text}
    words = _("%(value)s for %(name)s [%(low)s, %(high)s]")
    return words % {"name": name, "value": found.text, "low": found.low, "high": found.high}


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    first = listed(parts[:-1])
    return _("%(first)s and %(last)s") % {"first": first, "last": parts[-1]}
