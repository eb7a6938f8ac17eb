"""The list of a campaign's cases, filtered and paged, for the page and the API alike."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case as Choose
from django.db.models import Count, Exists, OuterRef, Q, Value, When
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotation.models import Assignment, Campaign, User, WorkItem
from reviews import policy
from reviews.errors import ListInvalid
from reviews.models import Case
from reviews.models.case import Cases
from reviews.rules import Kind
from reviews.wording import ShownReason, age_words, shown_reasons, state_words
from scenarios.benchmark import LANGUAGES, TASKS

State = Case.State
PAGE = 50
# What a person may ask for; "open" is everything that is not decided.
STATES = ("open", "waiting", "mine", "taken", "decided")


@dataclass(frozen=True)
class Asked:
    """A filter as it was asked for; empty is no filter, the state is "open" unless another is named."""

    state: str = "open"
    reason: str = ""
    task: str = ""
    cursor: str = ""

    @classmethod
    def of(cls, query: Any) -> "Asked":
        """Reads a query string; raises ListInvalid naming what cannot be read."""
        asked = cls(
            state=query.get("state") or "open",
            reason=query.get("reason") or "",
            task=query.get("task") or "",
            cursor=query.get("cursor") or "",
        )
        known: dict[str, Any] = {"state": STATES, "reason": ("", *Kind), "task": ("", *TASKS)}
        faults = {name: [getattr(asked, name)] for name in known if getattr(asked, name) not in known[name]}
        if faults:
            raise ListInvalid(fields=faults)
        return asked


@dataclass(frozen=True)
class Row:
    """One case in the list. state: waiting, mine, taken (by another) or decided.

    conflict: the viewer was given the item to rate; they cannot take it, and are not told why it is a case.
    """

    id: int
    state: str
    task: str
    language: str
    opened_at: datetime
    urgent: bool
    reasons: list[ShownReason]
    conflict: bool
    lease_until: datetime | None

    @property
    def age(self) -> str:
        return age_words(self.opened_at)

    @property
    def language_name(self) -> str:
        return LANGUAGES.get(self.language, self.language)

    @property
    def task_name(self) -> str:
        return str(TASKS[self.task].name)

    @property
    def state_name(self) -> str:
        return state_words(self.state)


@dataclass(frozen=True)
class Listed:
    rows: list[Row]
    next: str | None  # cursor of the next page


def listed_cases(*, campaign: Campaign, viewer: User, asked: Asked) -> Listed:
    """A page of the campaign's cases: urgent ones first, then by the rule's priority; decided ones newest first.

    Ask `policy.may_see_cases` first. Raises ListInvalid for a cursor that this list did not give.
    """
    cases = _asked_for(_visible(campaign, viewer), viewer, asked).select_related("work_item")
    newest_first = asked.state == State.DECIDED
    cases = _after_decided(cases, asked.cursor) if newest_first else _after(cases, asked.cursor)
    page = list(cases[: PAGE + 1])
    # Who manages and judges at once is as blind here as an expert.
    blind = policy.is_expert(viewer, campaign)
    rows = [_row(case, campaign, viewer, blind) for case in page[:PAGE]]
    if len(page) <= PAGE:
        return Listed(rows, None)
    last = page[PAGE - 1]
    if newest_first:
        assert last.decided_at is not None
        return Listed(rows, f"{last.decided_at.isoformat()}_{last.pk}")
    return Listed(rows, f"{last.calm}_{last.priority}_{last.pk}")  # type: ignore[attr-defined]


def counts_of(*, campaign: Campaign, viewer: User) -> dict[str, int]:
    """How many cases there are in each state a person may ask for."""
    mine = Q(state=State.TAKEN, taken_by=viewer)
    return _standing(campaign).aggregate(
        open=Count("pk", filter=~Q(state=State.DECIDED)),
        waiting=Count("pk", filter=Q(state=State.WAITING)),
        mine=Count("pk", filter=mine),
        taken=Count("pk", filter=Q(state__in=[State.TAKEN, State.SECOND_OPINION]) & ~mine),
        decided=Count("pk", filter=Q(state=State.DECIDED)),
    )


def tasks_of(campaign: Campaign) -> list[tuple[str, str]]:
    """The tasks in which this campaign has cases, by key and name, in the benchmark's order."""
    there = set(_standing(campaign).order_by().values_list("task", flat=True).distinct())
    return [(task.key, str(task.name)) for task in TASKS.values() if task.key in there]


def _standing(campaign: Campaign) -> Cases:
    withdrawn = Q(state=State.WAITING, work_item__state=WorkItem.State.WITHDRAWN)
    return Case.objects.in_campaign(campaign).standing().exclude(withdrawn)


def _visible(campaign: Campaign, viewer: User) -> Cases:
    given = Assignment.objects.filter(work_item=OuterRef("work_item"), annotator=viewer)
    return _standing(campaign).annotate(conflict=Exists(given))


def _asked_for(cases: Cases, viewer: User, asked: Asked) -> Cases:
    mine = Q(state=State.TAKEN, taken_by=viewer)
    states = {
        "open": ~Q(state=State.DECIDED),
        "waiting": Q(state=State.WAITING),
        "mine": mine,
        "taken": Q(state__in=[State.TAKEN, State.SECOND_OPINION]) & ~mine,
        "decided": Q(state=State.DECIDED),
    }
    cases = cases.filter(states[asked.state])
    if asked.reason:
        cases = cases.with_reason(asked.reason).without_conflict(viewer)
    return cases.filter(task=asked.task) if asked.task else cases


def _after(cases: Cases, cursor: str) -> Cases:
    calm = Choose(When(work_item__urgent_at__isnull=True, then=Value(1)), default=Value(0))
    cases = cases.annotate(calm=calm).order_by("calm", "priority", "pk")
    if not cursor:
        return cases
    try:
        last_calm, priority, pk = (int(part) for part in cursor.split("_"))
        if not all(0 <= part < 2**31 for part in (last_calm, priority)) or not 0 <= pk < 2**63:
            raise ValueError
    except ValueError as error:
        raise _bad_cursor(cursor) from error
    return cases.filter(
        Q(calm__gt=last_calm)
        | Q(calm=last_calm, priority__gt=priority)
        | Q(calm=last_calm, priority=priority, pk__gt=pk)
    )


def _after_decided(cases: Cases, cursor: str) -> Cases:
    cases = cases.order_by("-decided_at", "-pk")
    if not cursor:
        return cases
    moment, _sep, pk = cursor.partition("_")
    try:
        decided_at = parse_datetime(moment)
        if decided_at is None or decided_at.tzinfo is None or not 0 <= int(pk) < 2**63:
            raise ValueError
    except ValueError as error:
        raise _bad_cursor(cursor) from error
    return cases.filter(Q(decided_at__lt=decided_at) | Q(decided_at=decided_at, pk__lt=int(pk)))


def _bad_cursor(cursor: str) -> ListInvalid:
    return ListInvalid(_("The cursor is not one this list gave."), fields={"cursor": [cursor]})


def _row(case: Case, campaign: Campaign, viewer: User, blind: bool) -> Row:
    mine = case.state == State.TAKEN and case.taken_by_id == viewer.pk
    conflict = blind and case.conflict  # type: ignore[attr-defined]
    return Row(
        id=case.pk,
        state="mine" if mine else "taken" if case.state == State.SECOND_OPINION else case.state,
        task=case.task,
        language=case.work_item.language,
        opened_at=case.opened_at,
        urgent=case.is_urgent,
        reasons=[] if conflict else shown_reasons(case.reasons, campaign.rubric),
        conflict=conflict,
        lease_until=case.lease_expires_at if case.state == State.TAKEN else None,
    )
