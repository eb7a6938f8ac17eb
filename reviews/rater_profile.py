"""One rater of a campaign in numbers: read live from the ratings, in a number of queries that does not grow with them.

The others of an item are those that agreement reads: counted ratings up to the base overlap, in order of rank.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from annotation.check_items import answered_checks
from annotation.checks import rule_of
from annotation.models import Campaign, Membership, Rating, Score, User, WorkItem
from reviews.models import AgreementReport, Case
from reviews.rater_codes import rater_codes

Status = Rating.Status


@dataclass(frozen=True)
class Totals:
    """Of items rated for real. median_seconds: of what stands and was not imported; None without any. `hits` of
    `checks` answered; both are 0 where the campaign has no rule on checks."""

    counted: int
    surplus: int
    withdrawn: int
    median_seconds: float | None
    last: Any
    checks: int
    hits: int

    @property
    def ratings(self) -> int:
        return self.counted + self.surplus


@dataclass(frozen=True)
class Given:
    """{level: how often}, of one dimension: theirs, and the others' of the same items."""

    dimension: str
    own: Mapping[int, int]
    others: Mapping[int, int]


@dataclass(frozen=True)
class Apart:
    """One item on one dimension: their own value less the mean of the others'."""

    item: int
    dimension: str
    own: int
    mean: float

    @property
    def difference(self) -> float:
        return self.own - self.mean


@dataclass(frozen=True)
class ItemApart:
    """The same with what a page shows of it. others: their values from low to high, nobody's name on them."""

    apart: Apart
    item: WorkItem
    others: Sequence[int]
    case: int | None


def rater_of(campaign: Campaign, user_id: int) -> User | None:
    """Who rates here, or has rated here; nobody else has a page."""
    person = User.objects.filter(pk=user_id).first()
    if person is None:
        return None
    rates = campaign.memberships.filter(user=person, role=Membership.Role.ANNOTATOR)
    return person if rates.exists() or Rating.objects.of(person).given_in(campaign).exists() else None


def totals_of(campaign: Campaign, person: User) -> Totals:
    theirs = Rating.objects.of(person).in_campaign(campaign)
    counts = theirs.aggregate(
        last=Max("submitted_at"),
        **{str(name): Count("pk", filter=Q(status=name)) for name in ("counted", "surplus", "withdrawn")},
    )
    rule = rule_of(campaign.checks)
    checks = answered_checks(campaign, rule, user=person).get(person.pk, []) if rule else []
    return Totals(**counts, median_seconds=_median(theirs), checks=len(checks), hits=sum(check.hit for check in checks))


def _median(theirs: QuerySet[Rating]) -> float | None:
    """Found in the database, which sorts: a rater has thousands."""
    standing = theirs.filter(status__in=[Status.COUNTED, Status.SURPLUS], assignment__imported=False)
    n = standing.count()
    if not n:
        return None
    middle = list(standing.order_by("seconds").values_list("seconds", flat=True)[(n - 1) // 2 : n // 2 + 1])
    return sum(middle) / len(middle)


def given_by(campaign: Campaign, person: User) -> list[Given]:
    """What they gave, beside what the others gave on the same items; a row a dimension of the rubric."""
    own, others = _own(campaign, person), _others(campaign, person)
    counted = [_levels(own), _levels(others)]
    return [
        Given(dimension.key, *(each[dimension.key] for each in counted)) for dimension in campaign.rubric.dimensions
    ]


def _levels(scores: QuerySet[Score]) -> dict[str, dict[int, int]]:
    found: dict[str, dict[int, int]] = defaultdict(dict)
    rows = scores.order_by().values_list("dimension", "value").annotate(n=Count("pk"))
    for dimension, value, n in rows:
        found[dimension][value] = n
    return found


def most_apart(campaign: Campaign, person: User) -> list[Apart]:
    """Where they differ from the others of the item, most first; what is equal is not among it. Two queries."""
    rows = _others(campaign, person).order_by().values_list("rating__work_item", "dimension")
    means = {(item, key): total / n for item, key, total, n in rows.annotate(total=Sum("value"), n=Count("pk"))}
    order = {dimension.key: place for place, dimension in enumerate(campaign.rubric.dimensions)}
    own = _own(campaign, person).values_list("rating__work_item", "dimension", "value")
    apart = [
        Apart(item, dimension, value, means[item, dimension])
        for item, dimension, value in own
        if (item, dimension) in means and dimension in order
    ]
    differing = [one for one in apart if one.difference]
    return sorted(differing, key=lambda one: (-abs(one.difference), one.item, order[one.dimension]))


def with_items(campaign: Campaign, person: User, found: Sequence[Apart]) -> list[ItemApart]:
    """What a page of them shows; three queries."""
    pks = {one.item for one in found}
    items = WorkItem.objects.select_related("response", "scenario").in_bulk(pks)
    cases = dict(Case.objects.standing().filter(work_item__in=pks).values_list("work_item", "pk"))
    values: dict[tuple[int, str], list[int]] = defaultdict(list)
    scores = _others(campaign, person).filter(rating__work_item__in=pks)
    for item, dimension, value in scores.order_by("value").values_list("rating__work_item", "dimension", "value"):
        values[item, dimension].append(value)
    return [ItemApart(one, items[one.item], values[one.item, one.dimension], cases.get(one.item)) for one in found]


def _own(campaign: Campaign, person: User) -> QuerySet[Score]:
    theirs = Rating.objects.counted().of(person).in_campaign(campaign)
    return Score.objects.filter(rating__in=theirs.exclude(work_item__state=WorkItem.State.WITHDRAWN))


def _others(campaign: Campaign, person: User) -> QuerySet[Score]:
    """Of the items that they rated, the base ratings of the others."""
    counted = Rating.objects.counted().in_campaign(campaign).exclude(work_item__state=WorkItem.State.WITHDRAWN)
    first = counted.base().filter(work_item__in=counted.of(person).values("work_item"))
    place = Window(RowNumber(), partition_by=F("work_item"), order_by=("rank", "pk"))
    base = first.alias(at=place).filter(at__lte=campaign.overlap)
    return Score.objects.filter(rating__in=base.values("pk")).exclude(rating__annotator=person)


def measured(campaign: Campaign, person: User) -> tuple[AgreementReport | None, dict[str, Mapping[str, Any]]]:
    """The latest report, and what it says of this rater: {dimension: an entry of `raters_detail`}."""
    report = AgreementReport.objects.latest_of(campaign)
    code = rater_codes(campaign).get(person.pk)
    if report is None or code is None:
        return report, {}
    found = {}
    for dimension, entry in (report.result.get("dimensions") or {}).items():
        for detail in entry.get("raters_detail") or ():
            if detail.get("rater") == code:
                found[dimension] = detail
    return report, found
