"""How far a campaign is, from counters kept exactly: no page counts ratings of items."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, Sum

from annotation.check_items import answered_checks
from annotation.checks import rule_of
from annotation.models import Assignment, Campaign, Membership, Rating, User, WorkItem
from scenarios.benchmark import TASKS


@dataclass(frozen=True)
class Progress:
    """Items by state, and places (ratings) wanted, under way, got. `got` counts no more than an item needs."""

    items: int
    open: int
    complete: int
    in_review: int
    settled: int
    withdrawn: int
    places: int
    under_way: int
    got: int
    urgent: int

    @property
    def share(self) -> float:
        """Got of wanted, 0 to 1."""
        return self.got / self.places if self.places else 0.0

    @property
    def left(self) -> int:
        return self.places - self.got

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def progress_of(campaign: Campaign) -> Progress:
    """One pass over the campaign's items."""
    return progress_by_campaign([campaign.pk])[campaign.pk]


def progress_by_campaign(ids: Iterable[int]) -> dict[int, Progress]:
    """Of each campaign, in one query."""
    ids = list(ids)
    found = _grouped(WorkItem.objects.filter(campaign__in=ids), "campaign")
    return {pk: _progress(found.get((pk,), {})) for pk in ids}


def progress_by_task(campaign: Campaign) -> list[tuple[str, str, Progress]]:
    """Of each task and language that the campaign holds items of, in the order of the benchmark's tasks."""
    found = _grouped(WorkItem.objects.filter(campaign=campaign), "task", "language")
    order = {task: place for place, task in enumerate(TASKS)}
    keys = sorted(found, key=lambda key: (order.get(key[0], len(order)), key))
    return [(task, language, _progress(found[task, language])) for task, language in keys]


def _grouped(items: Any, *by: str) -> dict[tuple[Any, ...], dict[str, dict[str, int]]]:
    """What each state of each group counts."""
    rows = (
        items.values(*by, "state")
        .annotate(
            n=Count("pk"), wanted=Sum("needed"), has=Sum("counted"), leases=Sum("leased"), urgent=Count("urgent_at")
        )
        .order_by()
    )
    groups: dict[tuple[Any, ...], dict[str, dict[str, int]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in by), {})[row["state"]] = row
    return groups


def _progress(rows: dict[str, dict[str, int]]) -> Progress:
    live = [row for state, row in rows.items() if state != WorkItem.State.WITHDRAWN]
    open_row = rows.get(WorkItem.State.OPEN, {"wanted": 0, "has": 0})
    places = sum(row["wanted"] for row in live)
    return Progress(
        items=sum(row["n"] for row in rows.values()),
        **{state: rows[state]["n"] if state in rows else 0 for state in WorkItem.State.values},
        places=places,
        under_way=sum(row["leases"] for row in live),
        got=places - (open_row["wanted"] - open_row["has"]),
        urgent=sum(row["urgent"] for row in live),
    )


@dataclass(frozen=True)
class Doing:
    """What one person has done in a campaign. `seconds` is active time, that spent on check items included.

    `hits` of `checks` answered; both are 0 where the campaign has no rule on checks.
    """

    user: User
    membership: Membership | None
    ratings: int
    surplus: int
    skipped: int
    under_way: int
    seconds: int
    last: datetime | None
    checks: int
    hits: int


def who_did_what(campaign: Campaign) -> list[Doing]:
    """Everyone who rates or has rated here, members first; at most seven queries, however many there are."""
    ratings = {
        row["annotator"]: row
        for row in Rating.objects.given_in(campaign)
        .values("annotator")
        .annotate(
            counted=Count("pk", filter=Q(status=Rating.Status.COUNTED)),
            surplus=Count("pk", filter=Q(status=Rating.Status.SURPLUS)),
            seconds=Sum("seconds", filter=~Q(status=Rating.Status.SUPERSEDED)),
            last=Max("submitted_at"),
        )
        .order_by()
    }
    assignments = {
        row["annotator"]: row
        for row in Assignment.objects.filter(campaign=campaign, work_item__purpose=WorkItem.Purpose.RATING)
        .values("annotator")
        .annotate(
            # Nobody is held to have skipped what was announced as heavy.
            skipped=Count("pk", filter=Q(state=Assignment.State.SKIPPED, work_item__heavy=False)),
            leased=Count("pk", filter=Q(state=Assignment.State.LEASED)),
        )
        .order_by()
    }
    members = {
        membership.user_id: membership
        for membership in campaign.memberships.filter(role=Membership.Role.ANNOTATOR).select_related("user")
    }
    rule = rule_of(campaign.checks)
    checks = answered_checks(campaign, rule) if rule else {}
    others = User.objects.in_bulk(set(ratings) - set(members))
    people = [(m.user, m) for m in members.values()] + [(user, None) for user in others.values()]
    nothing: dict[str, Any] = {"counted": 0, "surplus": 0, "seconds": 0, "last": None, "skipped": 0, "leased": 0}
    done = []
    for user, membership in people:
        row: dict[str, Any] = {**nothing, **ratings.get(user.pk, {}), **assignments.get(user.pk, {})}
        done.append(
            Doing(
                user=user,
                membership=membership,
                ratings=row["counted"],
                surplus=row["surplus"],
                skipped=row["skipped"],
                under_way=row["leased"],
                seconds=row["seconds"] or 0,
                last=row["last"],
                checks=len(checks.get(user.pk, [])),
                hits=sum(check.hit for check in checks.get(user.pk, [])),
            )
        )
    return sorted(done, key=lambda doing: (doing.membership is None, str(doing.user)))
