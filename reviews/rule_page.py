"""What the page of a rule says: the count in a sentence, its reasons in rows, what a change would do, the versions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Campaign, CampaignEvent, Rubric, User
from reviews.forecast import Caught, Fate, Forecast
from reviews.rule_words import ChangeWords, changed_words, words_of
from reviews.rules import Rule
from reviews.services.forecast import Outlook
from reviews.services.rule import CHANGED
from reviews.wording import kind_words


@dataclass(frozen=True)
class Row:
    """A reason, or a rule, with its counts as the page shows them."""

    name: str
    items: int
    alone: int


@dataclass(frozen=True)
class OtherRule:
    """A rule beside the one that is counted."""

    name: str
    sent: int
    share: str
    extra: int


@dataclass(frozen=True)
class ShownCount:
    sentences: list[str]
    kinds: list[Row]
    dimensions: list[Row]
    changes: list[str]
    others: list[OtherRule]
    any: bool


@dataclass(frozen=True)
class Version:
    """words: all of the first version; of the others what is new and what is gone."""

    number: int
    at: datetime
    by: User | None
    words: ChangeWords
    reason: str = ""


def shown_count(outlook: Outlook, rubric: Rubric) -> ShownCount:
    names = {dimension.key: dimension.name for dimension in rubric.dimensions}
    forecast = outlook.forecast
    return ShownCount(
        sentences=count_sentences(outlook),
        kinds=_rows(forecast.kinds, {kind: kind_words(kind) for kind in forecast.kinds}),
        dimensions=_rows(forecast.dimensions, names),
        changes=change_sentences(outlook),
        others=[_other(name, other) for name, other in outlook.others],
        any=forecast.looked_at > 0,
    )


def count_sentences(outlook: Outlook) -> list[str]:
    """ "On the ratings so far this rule would send 212 of 1,500 items to an expert.\""""
    forecast = outlook.forecast
    sent, n = forecast.sent.hits, forecast.looked_at
    if not n:
        return [_("No item has all its ratings yet, so that nothing can be counted.")]
    counts = {"sent": intcomma(sent), "n": intcomma(n), "percent": _percent(forecast.sent.share)}
    said = ngettext(
        "On the ratings so far this rule would send %(sent)s of %(n)s item to an expert: %(percent)s %%.",
        "On the ratings so far this rule would send %(sent)s of %(n)s items to an expert: %(percent)s %%.",
        n,
    )
    sentences = [said % counts]
    if forecast.extra:
        said = ngettext(
            "Of %(n)s item more raters would be asked first.",
            "Of %(n)s items more raters would be asked first.",
            forecast.extra,
        )
        sentences.append(said % {"n": intcomma(forecast.extra)})
    if outlook.is_sample:
        ends = {"low": _percent(forecast.sent.low), "high": _percent(forecast.sent.high)}
        said = _(
            "These are drawn at random from %(rated)s rated items; of all of them it would be %(low)s to %(high)s %% "
            "(95 %% interval, Wilson)."
        )
        sentences.append(said % {"rated": intcomma(outlook.rated), **ends})
    elif outlook.rated < outlook.items:
        wanting = outlook.items - outlook.rated
        said = ngettext(
            "%(n)s item still wants its first ratings and is not counted.",
            "%(n)s items still want their first ratings and are not counted.",
            wanting,
        )
        sentences.append(said % {"n": intcomma(wanting)})
    return sentences


def change_sentences(outlook: Outlook) -> list[str]:
    """What becomes of the items as they stand, if the rule is saved."""
    changes = outlook.changes
    said = {
        Fate.OPENED: ngettext("%(n)s new case opens.", "%(n)s new cases open.", changes[Fate.OPENED]),
        Fate.EXTRA: ngettext(
            "%(n)s item is open to more raters again.",
            "%(n)s items are open to more raters again.",
            changes[Fate.EXTRA],
        ),
        Fate.FALLEN: ngettext("%(n)s waiting case falls.", "%(n)s waiting cases fall.", changes[Fate.FALLEN]),
        Fate.REFRESHED: ngettext(
            "%(n)s waiting case stays, for the reasons of the new rule.",
            "%(n)s waiting cases stay, for the reasons of the new rule.",
            changes[Fate.REFRESHED],
        ),
        Fate.SETTLED: ngettext(
            "For %(n)s item the raters that were still asked for are called off.",
            "For %(n)s items the raters that were still asked for are called off.",
            changes[Fate.SETTLED],
        ),
    }
    return [words % {"n": intcomma(changes[fate])} for fate, words in said.items() if changes[fate]]


def applied_sentences(result: Mapping[str, Any]) -> list[str]:
    """What the last going over the items came to."""
    n = result["looked_at"]
    looked = ngettext("%(n)s item was looked at.", "%(n)s items were looked at.", n) % {"n": intcomma(n)}
    said = {
        Fate.OPENED: ngettext("%(n)s case was opened.", "%(n)s cases were opened.", result["opened"]),
        Fate.EXTRA: ngettext(
            "%(n)s item was opened to more raters.", "%(n)s items were opened to more raters.", result["extra"]
        ),
        Fate.FALLEN: ngettext("%(n)s waiting case fell.", "%(n)s waiting cases fell.", result["fallen"]),
        Fate.REFRESHED: ngettext("%(n)s waiting case stayed.", "%(n)s waiting cases stayed.", result["refreshed"]),
        Fate.SETTLED: ngettext(
            "For %(n)s item raters were called off.", "For %(n)s items raters were called off.", result["settled"]
        ),
    }
    return [looked, *(words % {"n": intcomma(result[fate])} for fate, words in said.items() if result[fate])]


def versions_of(campaign: Campaign) -> list[Version]:
    """The latest first."""
    events = CampaignEvent.objects.filter(campaign=campaign, kind=CHANGED).select_related("by").order_by("at", "id")
    changes = list(events)
    first = Rule.of(changes[0].detail["old"] if changes else campaign.rule)
    said = ChangeWords(new=words_of(first, campaign.rubric).sentences, gone=[])
    versions = [Version(1, campaign.created_at, campaign.created_by, said)]
    for event in changes:
        detail = event.detail
        words = changed_words(Rule.of(detail["old"]), Rule.of(detail["new"]), campaign.rubric)
        versions.append(Version(detail["version"], event.at, event.by, words, detail.get("reason", "")))
    return versions[::-1]


def _rows(counted: Mapping[str, Caught], names: Mapping[str, str]) -> list[Row]:
    return [Row(names.get(key, key), found.items, found.alone) for key, found in counted.items()]


def _other(name: str, forecast: Forecast) -> OtherRule:
    return OtherRule(name, forecast.sent.hits, _percent(forecast.sent.share), forecast.extra)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share * 100:.1f}"
