"""The comparison of two releases as a page shows it: counts, reasons and labels in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from annotation.models import Campaign
from reviews.comparing import Pair, window
from reviews.release.compare import Change, Counts, Kind
from reviews.release.reasons import Why

PER_PAGE = 100


@dataclass(frozen=True)
class Tile:
    """One kind of change with its number; `current` where the list below holds only these."""

    kind: str
    words: str
    count: int
    current: bool


@dataclass(frozen=True)
class ShownLabel:
    """value: empty where the label is that it cannot be decided."""

    value: str
    method: str


@dataclass(frozen=True)
class ShownChange:
    item_id: str
    dimension: str
    kind: str
    before: ShownLabel | None
    after: ShownLabel | None
    why: list[str]


@dataclass(frozen=True)
class ComparisonPage:
    """all: labels of either release. kept: those that are as they were. shown: changes of this page. facts: what else
    the two say of the campaign."""

    all: int
    different: int
    kept: int
    tiles: list[Tile]
    dimensions: list[tuple[str, list[int]]]
    why: list[tuple[str, int]]
    facts: list[str]
    shown: list[ShownChange]
    page: Page[int]


def comparison_page(pair: Pair, campaign: Campaign, *, kind: str, number: str) -> ComparisonPage:
    """kind: only changes of this kind, all for any other text. number: of the page; the last where there are fewer."""
    names = {dimension.key: dimension.name for dimension in campaign.rubric.dimensions}
    only = Kind(kind) if kind in set(Kind) - {Kind.UNCHANGED} else None
    asked = int(number) if number.isdecimal() and len(number) < 9 else 1
    comparison = pair.comparison()
    kept, total = window(comparison, start=(max(asked, 1) - 1) * PER_PAGE, size=PER_PAGE, kind=only)
    page = Paginator(range(total), PER_PAGE).get_page(max(asked, 1))
    counts = comparison.counts
    if page.number != max(asked, 1):
        kept, _all = window(pair.comparison(), start=page.start_index() - 1, size=PER_PAGE, kind=only)
    return ComparisonPage(
        all=counts.labels.total(),
        different=counts.different,
        kept=counts.labels[Kind.UNCHANGED],
        tiles=_tiles(counts, only),
        dimensions=[
            (names.get(name, name), [counts.dimensions[name][kind] for kind in Kind])
            for name in [
                *(key for key in names if key in counts.dimensions),
                *(counts.dimensions.keys() - names.keys()),
            ]
        ],
        why=[(why_words(why), counts.why[why]) for why, _labels in counts.why.most_common()],
        facts=list(_facts(comparison.facts())),
        shown=[_shown(change, names) for change in kept],
        page=page,
    )


def _tiles(counts: Counts, only: Kind | None) -> list[Tile]:
    words = {Kind.CHANGED: _("Changed"), Kind.ADDED: _("Added"), Kind.REMOVED: _("Removed")}
    return [Tile(kind, words[kind], counts.labels[kind], kind == only) for kind in words]


def _shown(change: Change, names: Mapping[str, str]) -> ShownChange:
    return ShownChange(
        item_id=change.item_id,
        dimension=names.get(change.dimension, change.dimension),
        kind=change.kind,
        before=_label(change.before),
        after=_label(change.after),
        why=[why_words(why) for why in change.why],
    )


def _label(row: Mapping[str, Any] | None) -> ShownLabel | None:
    if row is None:
        return None
    value = row["value"]
    text = "" if value is None else f"{value:g}"
    return ShownLabel(text, method_words(row["method"]))


def method_words(method: str) -> str:
    words = {"consensus": _("consensus"), "adjudicated": _("adjudicated"), "ambiguous": _("not decidable")}
    return words.get(method, method)


def why_words(why: str) -> str:
    return {
        Why.ITEM_WITHDRAWN: _("the item was withdrawn"),
        Why.ITEM_NEW: _("the item is new in the campaign"),
        Why.ITEM_GONE: _("the item is no longer in the campaign"),
        Why.CASE_OPENED: _("a case was opened: an expert has still to decide"),
        Why.CASE_REOPENED: _("its case was opened again"),
        Why.CASE_DROPPED: _("its case needed no decision any more"),
        Why.DECIDED: _("an expert decided"),
        Why.DECIDED_ANEW: _("an expert decided anew"),
        Why.MORE_RATINGS: _("more ratings came in"),
        Why.RATINGS_EDITED: _("a rating was edited"),
        Why.RATINGS_WITHDRAWN: _("a rating was withdrawn"),
        Why.RATINGS_BACK: _("a rating counts again"),
        Why.NEEDS_MORE: _("more raters were asked for"),
        Why.NEEDS_FEWER: _("fewer raters are needed"),
        Why.CAMPAIGN_CLOSED: _("the campaign was closed: fewer raters are enough"),
        Why.CAMPAIGN_REOPENED: _("the campaign was opened again"),
        Why.RUBRIC_CHANGED: _("the rubric changed"),
        Why.RULE_CHANGED: _("the campaign's rule changed"),
        Why.CODE_CHANGED: _("the two were made by different versions of Concord"),
        Why.UNKNOWN: _("the files do not tell"),
    }[Why(why)]


def _facts(found: Mapping[str, tuple[Any, Any]]) -> list[str]:
    """What the campaign was and is, a sentence each; versions of the code say nothing to read."""
    said = []
    if "closed" in found:
        was_closed = found["closed"][0]
        said.append(_("The campaign was opened again.") if was_closed else _("The campaign was closed."))
    if "rubric" in found:
        said.append(_("The rubric is another one."))
    if "rule_version" in found:
        was, now = found["rule_version"]
        said.append(_("The rule went from version %(was)s to version %(now)s.") % {"was": was, "now": now})
    if "code_version" in found:
        said.append(_("The two were made by different versions of Concord."))
    return said
