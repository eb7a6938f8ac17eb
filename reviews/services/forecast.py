"""What a rule would do to a campaign, counted from its ratings so far. Reads only."""

from collections import Counter
from dataclasses import dataclass

from annotation.models import Campaign, WorkItem
from reviews.alternatives import alternatives_of
from reviews.forecast import Fate, Forecast, ItemSeen, fate_of, forecast_of
from reviews.rules import Rule
from reviews.services.seen import rated_items, seen_of

SAMPLE = 5_000


@dataclass(frozen=True)
class Outlook:
    """items: of the campaign, without the withdrawn; rated: those with all their first ratings.

    Where there are more rated items than are looked at, they are the first of the campaign's random order: a sample.
    changes: what becomes of the items that were looked at as they stand now.
    """

    items: int
    rated: int
    forecast: Forecast
    changes: dict[str, int]
    others: list[tuple[str, Forecast]]

    @property
    def is_sample(self) -> bool:
        return self.forecast.looked_at < self.rated


def outlook_of_rule(campaign: Campaign, rule: Rule, *, compare: bool = False) -> Outlook:
    """compare: with the rules beside it too. The number of queries does not grow with the items."""
    rated = rated_items(campaign)
    places = list(rated.order_by("priority").values_list("priority", flat=True)[:SAMPLE])
    seen: list[ItemSeen] = []
    if places:
        seen = seen_of(campaign, first=places[0], last=places[-1], hurried=rule.hurried)
    closed = campaign.state == Campaign.State.CLOSED
    fates = Counter(fate_of(item, rule, seed=campaign.seed, version=None, closed=closed) for item in seen)
    others = alternatives_of(rule) if compare and seen else []
    return Outlook(
        items=WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN).count(),
        rated=rated.count() if len(places) == SAMPLE else len(places),
        forecast=forecast_of(seen, rule, seed=campaign.seed),
        changes={str(fate): fates[fate] for fate in Fate if fate != Fate.LEFT},
        others=[(words, forecast_of(seen, other, seed=campaign.seed)) for words, other in others],
    )
