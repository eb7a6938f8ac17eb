"""The list of cases over one campaign or all of a person's, filtered and paged, for the page and the API alike."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce

from django.db.models import Count, Exists, OuterRef, Q

from annotation.models import Campaign, WorkItem
from reviews.asked import Asked
from reviews.errors import ListInvalid
from reviews.models import Case
from reviews.models.case import Cases, has_spoken
from reviews.models.reading import items_with_reference_read_by
from reviews.orders import page_of
from reviews.scope import Scope
from reviews.shares import dealt
from reviews.tally import Cell
from reviews.wording import ShownReason, age_words, shown_reasons, state_words
from scenarios.benchmark import LANGUAGES, TASKS

State = Case.State
PAGE = 50
WITH_EXPERTS = {"taken": State.TAKEN, "several": State.SECOND_OPINION}


@dataclass(frozen=True)
class Row:
    """One case in the list. state: waiting, mine, taken (by another), several (experts are to judge it) or decided.

    turn: of a case with several experts, what the viewer may do: "opinion", "settle", or nothing.
    conflict: the viewer was given its words to rate; they cannot take it, and nothing here tells why it is a case.
    knows_reference: the viewer has read its scenario's reference response; they cannot take it.
    dimensions: the names of those that a reason names. spread: in levels, 0 where nobody differs.
    """

    id: int
    campaign: Campaign
    state: str
    component: str
    task: str
    language: str
    opened_at: datetime
    urgent: bool
    reasons: list[ShownReason]
    dimensions: list[tuple[str, str]]
    spread: int
    conflict: bool
    knows_reference: bool
    may_take: bool
    turn: str
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


def listed_cases(scope: Scope, asked: Asked) -> Listed:
    """A page of the cases that fit, in the order asked for. Four queries, however many cases there are.

    Raises ListInvalid for a campaign or a dimension that is none here, and a cursor that this list did not give.
    """
    _refuse_unknown(scope, asked)
    ids, following = page_of(
        _in_state(_fitting(scope, asked), scope, asked.state),
        campaigns=list(scope.campaigns),
        last=_conflicts(scope),
        order=asked.order,
        cursor=asked.cursor,
        size=PAGE,
    )
    given = WorkItem.objects.given_to(scope.viewer).filter(pk=OuterRef("work_item"))
    read = items_with_reference_read_by(scope.viewer).filter(pk=OuterRef("work_item"))
    found = Case.objects.filter(pk__in=ids).select_related("work_item")
    found = found.annotate(conflict=Exists(given), knows_reference=Exists(read), spoke=has_spoken(scope.viewer))
    by_id = {case.pk: case for case in found}
    return Listed([_row(by_id[pk], scope) for pk in ids if pk in by_id], following)


def counts_of(scope: Scope, asked: Asked, cells: list[Cell]) -> dict[str, int]:
    """How many cases there are in each state a person may ask for, as the other filters say; the search does not.

    Counted from the tally where it can be. Two queries.
    """
    asked = replace(asked, words="")
    if asked.tells_why:
        cases = _fitting(scope, asked)
        n = cases.aggregate(**{state: Count("pk", filter=Q(state=state)) for state in State.values})
    else:
        fitting = [cell for cell in cells if _fits(cell, scope, asked)]
        n = {state.value: sum(cell.n for cell in fitting if cell.state == state) for state in State}
        gone = Q(state=State.SECOND_OPINION, work_item__state=WorkItem.State.WITHDRAWN)
        # in_play() leaves them out; the index that is counted knows nothing of items
        n[State.SECOND_OPINION] -= _plainly(Case.objects.filter(gone), scope, asked).count()
    held = list(_fitting(scope, asked).held_by(scope.viewer).values_list("state", flat=True))
    return {
        "open": n[State.WAITING] + n[State.TAKEN] + n[State.SECOND_OPINION],
        "waiting": n[State.WAITING],
        "mine": len(held),
        "several": n[State.SECOND_OPINION] - held.count(State.SECOND_OPINION),
        "taken": n[State.TAKEN] - held.count(State.TAKEN),
        "decided": n[State.DECIDED],
    }


def _refuse_unknown(scope: Scope, asked: Asked) -> None:
    faults = {}
    if asked.campaign and asked.campaign not in scope.by_slug:
        faults["campaign"] = [asked.campaign]
    if asked.dimension and asked.dimension not in scope.dimensions:
        faults["dimension"] = [asked.dimension]
    if faults:
        raise ListInvalid(fields=faults)


def _fits(cell: Cell, scope: Scope, asked: Asked) -> bool:
    """Of a cell what `_plainly` asks of cases."""
    share = scope.shares.get(cell.campaign_id)
    return (
        (not asked.campaign or cell.campaign_id == scope.by_slug[asked.campaign].pk)
        and (not asked.component or cell.component == asked.component)
        and (not asked.task or cell.task == asked.task)
        and (not asked.language or cell.language == asked.language)
        and (not asked.share or (share is not None and share.holds(cell.component, cell.language)))
    )


def _plainly(cases: Cases, scope: Scope, asked: Asked) -> Cases:
    """The scope's cases that fit in what a case is copied from its item: this tells nothing of its ratings."""
    campaigns = [scope.by_slug[asked.campaign].pk] if asked.campaign else list(scope.campaigns)
    cases = cases.filter(campaign__in=campaigns)
    if asked.share:
        cases = cases.filter(dealt(scope.shares.values()))
    for name in ("component", "task", "language"):
        if value := getattr(asked, name):
            cases = cases.filter(**{name: value})
    return cases


def _fitting(scope: Scope, asked: Asked) -> Cases:
    """All that fit, in any state; without conflicts where being found would tell what the row does not."""
    cases = _plainly(Case.objects.in_play(), scope, asked)
    if asked.tells_why:
        cases = cases.exclude(_conflicts(scope))
    if asked.reason:
        cases = cases.with_reason(asked.reason)
    if asked.dimension:
        cases = cases.filter(dimensions__contains=f" {asked.dimension} ")
    if asked.spread:
        cases = cases.filter(spread__gte=asked.spread)
    if asked.number is not None:
        return cases.filter(pk=asked.number)
    text = "work_item__response__text__icontains"
    return reduce(lambda found, word: found.filter(**{text: word}), asked.words.split(), cases)


def _conflicts(scope: Scope) -> Q:
    """Cases of words that the viewer was given to rate, where they are as blind as an expert."""
    given = WorkItem.objects.given_to(scope.viewer).values("pk")
    return Q(campaign__in=list(scope.shares), work_item__in=given)


def _in_state(cases: Cases, scope: Scope, state: str) -> Cases:
    if state == "mine":
        return cases.held_by(scope.viewer)
    if state in WITH_EXPERTS:
        return cases.filter(~Q(taken_by=scope.viewer) | Q(taken_by=None), state=WITH_EXPERTS[state])
    return cases.open() if state == "open" else cases.filter(state=state)


def _row(case: Case, scope: Scope) -> Row:
    campaign = scope.campaigns[case.campaign_id]
    # Who manages and judges at once is as blind here as an expert.
    judges = case.campaign_id in scope.shares
    conflict = judges and case.conflict  # type: ignore[attr-defined]
    knows_reference = judges and case.knows_reference  # type: ignore[attr-defined]
    mine = case.state in Case.HELD_IN and case.taken_by_id == scope.viewer.pk
    turn = _turn(case) if judges and not conflict and not knows_reference and not mine else ""
    is_free = case.state == State.WAITING or turn == "opinion"
    named = [] if conflict else case.dimensions.split()
    return Row(
        id=case.pk,
        campaign=campaign,
        state="mine" if mine else "several" if case.state == State.SECOND_OPINION else case.state,
        component=case.component,
        task=case.task,
        language=case.language,
        opened_at=case.opened_at,
        urgent=case.is_urgent and not conflict,
        reasons=[] if conflict else shown_reasons(case.reasons, campaign.rubric),
        dimensions=[(d.key, d.name) for d in campaign.rubric.dimensions if d.key in named],
        spread=0 if conflict else case.spread,
        conflict=conflict,
        knows_reference=knows_reference,
        may_take=judges and not conflict and not knows_reference and is_free,
        turn=turn,
        lease_until=case.lease_expires_at,
    )


def _turn(case: Case) -> str:
    """What the viewer may do on a case that several experts judge; no more opinion while somebody is at one."""
    turn = case.turn_of(spoke=case.spoke)  # type: ignore[attr-defined]
    return "" if turn == "opinion" and case.taken_by_id is not None else turn
