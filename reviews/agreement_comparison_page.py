"""A comparison of two groups of ratings as its page shows it: a sentence a question, then pictures and tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.templatetags.concord import moment
from reviews.agreement_split import PERIODS, RETRAINING, RUBRICS, Split
from reviews.figures import Figure, listed, plain, reason_words
from reviews.report.parts import Chart, Names, Part
from reviews.report.slices import forest_chart
from reviews.report.tables import Cell, Table, count, figure, number, text

QUANTITIES = ("difference", "mean_difference", "exact_difference")
Entries = Sequence[tuple[str, Mapping[str, Any]]]  # name and numbers of each dimension
HIGHER, LOWER, CANNOT_TELL = "higher", "lower", "cannot_tell"


@dataclass(frozen=True)
class DimensionSaid:
    """sentences: of alpha, of the mean value, of the share of equal pairs."""

    name: str
    sentences: list[str]


@dataclass(frozen=True)
class ShownComparison:
    """groups: what each is, and how much it holds."""

    groups: list[tuple[str, str]]
    said: list[DimensionSaid]
    parts: list[Part]


def shown_comparison(result: Mapping[str, Any], names: Names) -> ShownComparison:
    split = Split.of(result["parameters"]["split"])
    called = group_names(split)
    groups = [
        (told, _holds(about)) for told, about in zip(_groups_told(split, names.rater), result["groups"], strict=True)
    ]
    entries = _entries(result, names)
    said = [DimensionSaid(name, list(sentences_of(entry, called))) for name, entry in entries]
    return ShownComparison(groups, said, _parts(entries, called))


def tables_of_comparison(result: Mapping[str, Any], names: Names) -> dict[str, Table]:
    """By name: each can be had as CSV."""
    called = group_names(Split.of(result["parameters"]["split"]))
    return {part.table.name: part.table for part in _parts(_entries(result, names), called)}


def _entries(result: Mapping[str, Any], names: Names) -> Entries:
    return [(names.dimension(key), entry) for key, entry in result["dimensions"].items()]


def _parts(entries: Entries, called: tuple[str, str]) -> list[Part]:
    return [_alpha(entries, called), _mean(entries, called), _exact(entries, called)]


def group_names(split: Split) -> tuple[str, str]:
    """As sentences call them."""
    if split.by in (PERIODS, RETRAINING):
        return _("before"), _("after")
    if split.by == RUBRICS:
        told = [_("on %(version)s") % {"version": listed(group)} for group in (split.a, split.b)]
        return told[0], told[1]
    return _("in the first group"), _("in the second group")


def _groups_told(split: Split, rater_name: Callable[[str], str]) -> list[str]:
    """Fit for HTML: moments are shown in the reader's zone."""
    told = {"moment": moment(split.since), "rater": rater_name(split.rater or "")}
    if split.by == PERIODS:
        before, after = _("Before: submitted before {moment}"), _("After: submitted from then on")
    elif split.by == RETRAINING:
        before = _("Before: all ratings of the items that {rater} rated before {moment}")
        after = _("After: all ratings of the items that {rater} rated from then on")
    elif split.by == RUBRICS:
        return [format_html(_("Rated on {versions}"), versions=listed(group)) for group in (split.a, split.b)]
    else:
        groups = [listed(map(rater_name, group)) for group in (split.a, split.b)]
        before, after = _("First group: {first}"), _("Second group: {second}")
        told |= {"first": groups[0], "second": groups[1]}
    return [format_html(before, **told), format_html(after, **told)]


def _holds(about: Mapping[str, int]) -> str:
    told = {name: intcomma(n) for name, n in about.items()}
    said = ngettext(
        "%(ratings)s ratings of %(items)s items by %(raters)s rater",
        "%(ratings)s ratings of %(items)s items by %(raters)s raters",
        about["raters"],
    )
    return said % told


def sentences_of(entry: Mapping[str, Any], called: tuple[str, str]) -> Iterator[str]:
    """Of one dimension: whether each number is higher or lower in the second group, or the ratings cannot tell."""
    words = {
        "difference": {
            HIGHER: _("Alpha is higher %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            LOWER: _("Alpha is lower %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            CANNOT_TELL: _("The ratings cannot tell whether alpha is higher %(a)s or %(b)s: %(why)s."),
            "undefined": _("The difference of alpha is undefined: %(why)s."),
        },
        "mean_difference": {
            HIGHER: _("The mean value is higher %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            LOWER: _("The mean value is lower %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            CANNOT_TELL: _("The ratings cannot tell whether the mean value is higher %(a)s or %(b)s: %(why)s."),
            "undefined": _("The difference of the mean values is undefined: %(why)s."),
        },
        "exact_difference": {
            HIGHER: _("More pairs are equal %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            LOWER: _("Fewer pairs are equal %(b)s than %(a)s: by %(value)s (%(low)s to %(high)s)."),
            CANNOT_TELL: _("The ratings cannot tell whether more pairs are equal %(a)s or %(b)s: %(why)s."),
            "undefined": _("The difference of equal pairs is undefined: %(why)s."),
        },
    }
    for quantity in QUANTITIES:
        yield _sentence(words[quantity], entry[quantity], called)


def _sentence(words: Mapping[str, str], found: Mapping[str, Any], called: tuple[str, str]) -> str:
    a, b = called
    told: dict[str, str] = {"a": a, "b": b}
    ends = [found["ci_low"], found["ci_high"]]
    if found["outcome"] == CANNOT_TELL:
        lies = {"low": plain(ends[0]), "high": plain(ends[1])}
        between = _("the difference lies between %(low)s and %(high)s") % lies
        told["why"] = reason_words(found["reason"]) if found["ci_low"] is None else between
    elif found["value"] is None:
        told["why"] = reason_words(found["reason"])
    else:
        low, high = sorted(map(abs, ends))
        told |= {"value": plain(abs(found["value"])), "low": plain(low), "high": plain(high)}
    return words[found["outcome"]] % told


def _alpha(entries: Entries, called: tuple[str, str]) -> Part:
    title = _("Alpha of both groups")
    rows: list[Sequence[Cell]] = []
    points: list[tuple[str, str, Figure]] = []
    for name, entry in entries:
        both = [Figure.of(entry[side]["alpha"]) for side in "ab"]
        rows.append([name, *both, Figure.of(entry["difference"]), entry["shared_clusters"]])
        points += [(name, group, found) for group, found in zip(called, both, strict=True)]
    columns = [
        text("dimension", _("Dimension")),
        figure("alpha_a", _("Alpha %(group)s") % {"group": called[0]}),
        figure("alpha_b", _("Alpha %(group)s") % {"group": called[1]}),
        figure("difference", _("Difference")),
        count("shared_scenarios", _("Scenarios in both")),
    ]
    return Part(Table("alpha", title, columns, rows), Chart("alpha", title, forest_chart(points, title)))


def _mean(entries: Entries, called: tuple[str, str]) -> Part:
    def of(entry: Mapping[str, Any], side: str) -> Figure:
        return Figure.number(entry[f"mean_{side}"], entry["reasons"].get(f"mean_{side}"))

    words = _("Mean %(group)s"), _("Difference")
    return _beside("mean", _("Mean value of all ratings, in levels"), entries, called, words, of)


def _exact(entries: Entries, called: tuple[str, str]) -> Part:
    def of(entry: Mapping[str, Any], side: str) -> Figure:
        return Figure.share(entry[side]["pair_exact"], entry[side]["reasons"].get("pair_exact"))

    words = _("Equal %(group)s"), _("Difference, as a share of 1")
    return _beside("exact", _("Share of the pairs of ratings that are equal"), entries, called, words, of)


def _beside(
    key: str,
    title: str,
    entries: Entries,
    called: tuple[str, str],
    words: tuple[str, str],
    of: Callable[[Mapping[str, Any], str], Figure],
) -> Part:
    """A figure of each group, and their difference. words: of a group, with its name to come; of the difference."""
    rows: list[Sequence[Cell]] = [
        [name, of(entry, "a"), of(entry, "b"), Figure.of(entry[f"{key}_difference"])] for name, entry in entries
    ]
    columns = [
        text("dimension", _("Dimension")),
        *(number(f"{key}_{side}", words[0] % {"group": group}) for side, group in zip("ab", called, strict=True)),
        figure("difference", words[1]),
    ]
    return Part(Table(key, title, columns, rows))
