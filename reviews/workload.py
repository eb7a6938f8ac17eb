"""How the experts of a campaign get on: what waits, who has what, how much is decided a day, how long it may take.

For its managers, with names; an expert is given their own line alone (`Workload.of`).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from math import ceil
from statistics import median

from django.db.models import Count, F, Min, OuterRef, Q, Subquery
from django.utils import timezone

from annotation.bars import Bar, bars_of
from annotation.models import Campaign, Membership, User, WorkItem
from annotation.policy import Role
from reviews.models import Case, CaseEvent, Decision
from reviews.models.decision import Decisions
from reviews.shares import Share
from reviews.tally import Cell, tally_of

State = Case.State
DAYS, WEEK = 14, 7


@dataclass(frozen=True)
class Line:
    """One expert. waiting: in their share. decided: cases that they gave their word on, so many `lately` (a week).

    minutes: from taking a case to deciding it, the median of the last days; None where nothing was decided in them.
    twice: of the decided, those that more than one expert decides independently.
    """

    member: Membership
    share: Share
    waiting: int
    held: int = 0
    decided: int = 0
    lately: int = 0
    twice: int = 0
    minutes: float | None = None


@dataclass(frozen=True)
class Day:
    """Of the server's zone; cases that somebody gave their word on, without revisions."""

    day: date
    decided: int


@dataclass(frozen=True)
class Workload:
    """lines: in the order in which the experts came. waiting: cases that no expert holds, the oldest since `oldest`."""

    lines: list[Line]
    days: list[Day]
    waiting: int
    oldest: datetime | None
    since: date  # first day of the last ones on which anything could have been decided

    @property
    def decided(self) -> int:
        """In the last days."""
        return sum(day.decided for day in self.days)

    @property
    def span(self) -> int:
        """The last days, or fewer where the first decision is not that old."""
        return (self.days[-1].day - self.since).days + 1

    @property
    def a_day(self) -> float:
        """Decided a day, over the span."""
        return self.decided / self.span

    @property
    def forecast(self) -> float | None:
        """Days in which what waits is decided at this pace; None where there is no pace."""
        return self.waiting / self.a_day if self.a_day else None

    @property
    def whole_days(self) -> int:
        """The forecast, rounded up."""
        return ceil(self.forecast or 0)

    @property
    def bars(self) -> list[Bar]:
        return bars_of(self.days, [day.decided for day in self.days])


@dataclass(frozen=True)
class Told:
    """What experts said went wrong, where one dimension was disputed (empty: none in particular); {quick reason: n}."""

    dimension: str
    counts: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def workload_of(campaign: Campaign, expert: User | None = None) -> Workload:
    """Of all experts; or one's own, whose days and pace are then their own too. As many queries, whoever is there."""
    cells = [cell for cell in tally_of([campaign.pk]) if cell.state == State.WAITING]
    members = campaign.memberships.filter(role=Role.EXPERT).select_related("user").order_by("pk")
    decisions = Decision.objects.in_campaign(campaign)
    if expert is not None:
        members, decisions = members.filter(user=expert), decisions.of(expert)
    today = timezone.localdate()
    recent = _recent(decisions, today)
    lines = _lines(members, cells, decisions, recent, campaign)
    oldest = Case.objects.waiting().in_campaign(campaign).aggregate(oldest=Min("opened_at"))["oldest"]
    first = decisions.aggregate(first=Min("decided_at"))["first"]
    days = _days((at for _who, at, _taken in recent), today)
    since = max(days[0].day, timezone.localdate(first)) if first else days[0].day
    return Workload(lines, days, sum(cell.n for cell in cells), oldest, since)


def quick_reasons_of(campaign: Campaign) -> list[Told]:
    """By the dimension disputed, in the rubric's order; a case that disputes two counts in both. One query."""
    standing = Decision.objects.standing().in_campaign(campaign).exclude(quick_reason="")
    standing = standing.exclude(case__work_item__state=WorkItem.State.WITHDRAWN)
    counted = standing.values_list("case__dimensions", "quick_reason").annotate(n=Count("pk")).order_by()
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for dimensions, reason, n in counted:
        for key in dimensions.split() or [""]:
            told[key][reason] += n
    order = [dimension.key for dimension in campaign.rubric.dimensions]
    return [Told(key, dict(told[key])) for key in [*order, *sorted(told.keys() - {*order, ""}), ""] if key in told]


Recent = tuple[int, datetime, datetime | None]  # who decided, when, and when they had taken the case


def _recent(decisions: Decisions, today: date) -> list[Recent]:
    """Each expert's first word of the last days on each case; changing one's own decision does not count anew."""
    first = timezone.make_aware(datetime.combine(today - timedelta(days=DAYS - 1), time()))
    taken = CaseEvent.objects.filter(
        case=OuterRef("case"), kind="taken", by=OuterRef("expert"), at__lte=OuterRef("decided_at")
    )
    last = Subquery(taken.order_by("-at", "-pk").values("at")[:1])
    lately = decisions.filter(Q(supersedes=None) | ~Q(supersedes__expert=F("expert")), decided_at__gte=first)
    rows = lately.annotate(taken=last).order_by("decided_at", "pk")
    words: dict[tuple[int, int], Recent] = {}
    for case, expert, at, taken_at in rows.values_list("case", "expert", "decided_at", "taken"):
        words.setdefault((case, expert), (expert, at, taken_at))
    return list(words.values())


def _days(moments: Iterable[datetime], today: date) -> list[Day]:
    """The last ones up to today, the oldest first, those without a decision among them."""
    counted = Counter(timezone.localdate(moment) for moment in moments)
    return [Day(day, counted[day]) for day in (today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1))]


def _lines(
    members: Iterable[Membership],
    cells: Sequence[Cell],
    decisions: Decisions,
    recent: Sequence[Recent],
    campaign: Campaign,
) -> list[Line]:
    """Who was removed is there as long as something of theirs is."""
    week = timezone.now() - timedelta(days=WEEK)
    sums = decisions.order_by().values_list("expert").annotate(
        decided=Count("case", distinct=True),
        lately=Count("case", distinct=True, filter=Q(decided_at__gte=week)),
        twice=Count("case", distinct=True, filter=Q(case__opinions_needed__gt=1)),
    )  # fmt: skip
    done = {expert: dict(zip(("decided", "lately", "twice"), row, strict=True)) for expert, *row in sums}
    taken = Case.objects.in_campaign(campaign).filter(state=State.TAKEN).order_by()
    held: dict[int, int] = dict(taken.values_list("taken_by").annotate(n=Count("pk")))
    spans: dict[int, list[float]] = defaultdict(list)
    for who, decided_at, taken_at in recent:
        if taken_at is not None:
            spans[who].append((decided_at - taken_at).total_seconds() / 60)
    lines = []
    for member in members:
        share = Share.of(member)
        there = member.state == Membership.State.ACTIVE and member.user.is_active
        waiting = sum(cell.n for cell in cells if there and share.holds(cell.component, cell.language))
        line = Line(member, share, waiting, held.get(member.user_id, 0), **done.get(member.user_id, {}))
        spent = spans.get(member.user_id)
        lines.append(replace(line, minutes=median(spent)) if spent else line)
    return [line for line in lines if line.member.state != Membership.State.REMOVED or line.decided or line.held]
