"""What a rule would do: to a campaign whose ratings came in under it, and to the items as they stand now. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from reviews.intervals import Proportion, proportion
from reviews.rules import Kind, RatingSeen, Reason, Rule, after_extra, is_drawn, reasons_of, wants_more_raters


@dataclass(frozen=True)
class CaseSeen:
    """The standing case of an item. is_free: it waits, and no expert has said anything yet."""

    is_free: bool
    rule_version: int
    reopened: bool = False


@dataclass(frozen=True)
class ItemSeen:
    """One item as the rule and its moves read it; ratings: the counted ones in order of rank. cluster: the scenario."""

    pk: int
    item_id: str
    cluster: str
    state: str
    needed: int
    extra: int
    leased: int
    ratings: Sequence[RatingSeen] = ()
    case: CaseSeen | None = None
    seconds: Sequence[int] = field(default=())

    @property
    def base(self) -> Sequence[RatingSeen]:
        """What was said before raters were asked for because of disagreement."""
        first = [rating for rating in self.ratings if not rating.is_extra]
        return first[: self.needed - self.extra] if self.extra else first

    @property
    def has_base(self) -> bool:
        return len(self.base) >= self.needed - self.extra


@dataclass(frozen=True)
class Caught:
    """Items that have this reason; alone: those that have no other."""

    items: int = 0
    alone: int = 0


@dataclass(frozen=True)
class Forecast:
    """looked_at: items with all their first ratings that were evaluated. sent: to an expert at once, with its interval.

    extra: those that more raters are asked for first. kinds, dimensions: of sent and extra together.
    """

    looked_at: int
    sent: Proportion
    extra: int
    kinds: dict[str, Caught]
    dimensions: dict[str, Caught]

    @property
    def caught(self) -> int:
        return self.sent.hits + self.extra


class Fate(StrEnum):
    """What becomes of an item as it stands when the rule changes."""

    LEFT = "left"  # nothing: agreed still, or an expert's already
    OPENED = "opened"  # a case opens
    FALLEN = "fallen"  # its waiting case falls
    REFRESHED = "refreshed"  # its waiting case stays, for the reasons of the new version
    EXTRA = "extra"  # more raters are asked first
    SETTLED = "settled"  # more raters were asked for and are called off


def forecast_of(items: Iterable[ItemSeen], rule: Rule, *, seed: int) -> Forecast:
    """What the rule does as the first ratings of these items come in; items that want some of them are left out."""
    sent: list[tuple[str, bool]] = []
    extra = 0
    kinds: Counter[str] = Counter()
    dimensions: Counter[str] = Counter()
    only_kind: Counter[str] = Counter()
    only_dimension: Counter[str] = Counter()
    for item in items:
        if not item.has_base:
            continue
        reasons = reasons_of(item.base, rule, audit_drawn=_drawn(item, rule, seed))
        first = wants_more_raters(reasons, rule)
        extra += first
        sent.append((item.cluster, bool(reasons) and not first))
        _count(kinds, only_kind, {str(reason.kind) for reason in reasons})
        _count(dimensions, only_dimension, {reason.dimension for reason in reasons if reason.dimension})
    return Forecast(
        looked_at=len(sent),
        sent=proportion(sent),
        extra=extra,
        kinds={kind: Caught(kinds[kind], only_kind[kind]) for kind in Kind if kinds[kind]},
        dimensions={key: Caught(n, only_dimension[key]) for key, n in dimensions.items()},
    )


def fate_of(item: ItemSeen, rule: Rule, *, seed: int, version: int | None, closed: bool) -> Fate:
    """What the rule makes of the item as it stands. version: of the rule; None: one that no case has yet.

    As `reviews.services.review_item` does it: a case that an expert holds or has decided is theirs.
    """
    if item.state == "withdrawn" or (item.case is not None and not item.case.is_free):
        return Fate.LEFT
    if item.state == "open":
        return _fate_of_asked(item, rule, seed=seed, closed=closed)
    reasons = _reasons(item, rule, seed)
    if item.case is not None and item.case.reopened:
        reasons = [*reasons, Reason(Kind.REOPENED)]
    if not item.extra and not closed and wants_more_raters(reasons, rule):
        return Fate.EXTRA
    if item.case is None:
        return Fate.OPENED if reasons else Fate.LEFT
    if not reasons:
        return Fate.FALLEN
    return Fate.LEFT if item.case.rule_version == version else Fate.REFRESHED


def _fate_of_asked(item: ItemSeen, rule: Rule, *, seed: int, closed: bool) -> Fate:
    """Open: either raters are still to come, or more were asked for, and the rule may no longer want them."""
    if not item.extra or item.leased or item.case is not None or closed or not item.has_base:
        return Fate.LEFT
    reasons = _reasons(item, rule, seed)
    if wants_more_raters(reasons, rule):
        return Fate.LEFT
    return Fate.OPENED if reasons else Fate.SETTLED


def _reasons(item: ItemSeen, rule: Rule, seed: int) -> list[Reason]:
    return reasons_of(item.ratings, rule, after_extra=after_extra(item.ratings), audit_drawn=_drawn(item, rule, seed))


def _drawn(item: ItemSeen, rule: Rule, seed: int) -> Callable[[], bool]:
    share = rule.audit_share
    return lambda: share > 0 and is_drawn(item.item_id, seed=seed, share=share)


def _count(all_of: Counter[str], only: Counter[str], found: set[str]) -> None:
    all_of.update(found)
    if len(found) == 1:
        only.update(found)
