"""How far a campaign's scenarios are refined: the table by task, the flags that wait, one scenario with its rulings.

The one place that turns a scenario into what leaves the server here: no key, companion, condition or name; the
reference as `policy.may_see_reference` allows.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, F, OuterRef, Q, Subquery

from annotation.models import Assignment, Campaign, ScenarioFlag, User, WorkItem
from annotation.models.flag import Flags
from annotation.showing import ItemShown, context_shown
from reviews import policy
from reviews.models import ScenarioRuling
from reviews.word_diff import Compared, compared_parts
from scenarios.benchmark import LANGUAGES, TASKS
from scenarios.models import Scenario
from scenarios.models.scenario import Fault

Verdict = ScenarioRuling.Verdict
FINAL = (Verdict.REVISE, Verdict.WITHDRAW)


@dataclass
class TaskRow:
    """Scenarios of one task: in the campaign, flagged by an annotator, and by the ruling that stands. faults: of those
    that were revised or withdrawn, {fault: scenarios}."""

    task: str
    scenarios: int = 0
    flagged: int = 0
    kept: int = 0
    revised: int = 0
    withdrawn: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return str(TASKS[self.task].name) if self.task in TASKS else ""

    @property
    def why(self) -> list[tuple[str, int]]:
        return by_fault(self.faults)


@dataclass(frozen=True)
class FlaggedRow:
    """A scenario with flags that no ruling answers. people, votes ({fault: people}), newest: null where they are not
    for this viewer before they open it."""

    scenario: int
    task: str
    language: str
    people: int | None
    votes: dict[str, int] | None
    newest: datetime | None

    @property
    def task_name(self) -> str:
        return str(TASKS[self.task].name)

    @property
    def language_name(self) -> str:
        return LANGUAGES.get(self.language, self.language)

    @property
    def why(self) -> list[tuple[str, int]]:
        return by_fault(self.votes or {})


@dataclass(frozen=True)
class Refinement:
    tasks: list[TaskRow]
    total: TaskRow
    waiting: list[FlaggedRow]


@dataclass(frozen=True)
class ShownFlag:
    fault: str
    note: str
    at: datetime


@dataclass(frozen=True)
class ShownRuling:
    """mine: the viewer's own. changes: old and new side by side, of a revision."""

    verdict: str
    words: str
    fault: str
    reason: str
    at: datetime
    mine: bool
    changes: list[Compared]


@dataclass(frozen=True)
class ShownScenario:
    """A scenario as this viewer may see it. final: the word of the ruling that cannot be followed by another, or "".

    replaced: another version has come since, by a file or another campaign's ruling: it can be kept or withdrawn here.
    reference: null where it is hidden from the viewer. may_read_reference: it is hidden only until they ask for it.
    """

    id: int
    item: ItemShown
    language_name: str
    flags: list[ShownFlag]
    rulings: list[ShownRuling]
    final: str
    replaced: bool
    reference: str | None
    may_read_reference: bool


def by_fault(counts: "Counter[str] | dict[str, int]") -> list[tuple[str, int]]:
    """By name, in the order in which faults are offered."""
    return [(str(fault.label), counts[fault.value]) for fault in Fault if counts.get(fault.value)]


def refinement_of(campaign: Campaign, viewer: User) -> Refinement:
    """The table and the flags that wait, the most people first. Ask `policy.may_see_cases` first."""
    flags = _readable(campaign, viewer)
    rows = {task: TaskRow(task) for task in TASKS}
    items = WorkItem.everything.filter(campaign=campaign).order_by()
    for task, n in items.values_list("task").annotate(n=Count("scenario", distinct=True)):
        rows[task].scenarios = n
    for task, _scenario in flags.order_by().values_list("scenario__task", "scenario").distinct():
        rows[task].flagged += 1
    for task, verdict, fault in _standing(campaign):
        row = rows[task]
        row.kept += verdict == Verdict.KEEP
        row.revised += verdict == Verdict.REVISE
        row.withdrawn += verdict == Verdict.WITHDRAW
        row.faults.update([fault] if fault else [])
    tasks = [row for row in rows.values() if row.scenarios]
    waiting = _waiting(campaign, flags, counted=policy.may_count_flags(viewer, campaign))
    return Refinement(tasks, _total(tasks), waiting)


def _total(tasks: list[TaskRow]) -> TaskRow:
    total = TaskRow("")
    for row in tasks:
        for name in ("scenarios", "flagged", "kept", "revised", "withdrawn"):
            setattr(total, name, getattr(total, name) + getattr(row, name))
        total.faults.update(row.faults)
    return total


def _standing(campaign: Campaign) -> list[tuple[str, str, str]]:
    """(task, verdict, fault) of the newest ruling on each scenario."""
    rulings = ScenarioRuling.objects.in_campaign(campaign).order_by("at", "pk")
    newest = {row[0]: row[1:] for row in rulings.values_list("scenario", "scenario__task", "verdict", "fault")}
    return list(newest.values())


def _readable(campaign: Campaign, viewer: User) -> Flags:
    """Flags on scenarios of which the viewer was given nothing to rate; of the others they hear nothing."""
    theirs = Assignment.objects.filter(annotator=viewer, work_item__campaign=campaign.pk)
    return ScenarioFlag.objects.in_campaign(campaign).exclude(scenario__in=theirs.values("work_item__scenario"))


def _waiting(campaign: Campaign, flags: Flags, *, counted: bool) -> list[FlaggedRow]:
    rulings = ScenarioRuling.objects.in_campaign(campaign).filter(scenario=OuterRef("scenario")).order_by("-at", "-pk")
    unanswered = flags.annotate(
        ruled_at=Subquery(rulings.values("at")[:1]), ruled=Subquery(rulings.values("verdict")[:1])
    ).filter(Q(ruled_at=None) | Q(at__gt=F("ruled_at"), ruled=Verdict.KEEP))
    waits = set(unanswered.values_list("scenario", flat=True))
    votes: dict[int, Counter[str]] = {}
    newest: dict[int, datetime] = {}
    about: dict[int, tuple[str, str]] = {}
    names = ("scenario", "fault", "at", "scenario__task", "scenario__language")
    for scenario, fault, at, task, language in flags.filter(scenario__in=waits).order_by("at").values_list(*names):
        votes.setdefault(scenario, Counter()).update([fault])
        newest[scenario], about[scenario] = at, (task, language)
    # Where the counts are not shown, the order must not tell them either.
    order = sorted(waits, key=lambda pk: (-votes[pk].total(), -newest[pk].timestamp(), pk) if counted else (pk,))
    return [
        FlaggedRow(
            scenario=pk,
            task=about[pk][0],
            language=about[pk][1],
            people=votes[pk].total() if counted else None,
            votes=dict(votes[pk]) if counted else None,
            newest=newest[pk] if counted else None,
        )
        for pk in order
    ]


def flags_on(scenario_id: int, campaign: Campaign, viewer: User) -> int | None:
    """How many flagged it; None where the count is not for the viewer."""
    if not policy.may_count_flags(viewer, campaign):
        return None
    return ScenarioFlag.objects.in_campaign(campaign).filter(scenario=scenario_id).count()


def shown_scenario(scenario: Scenario, campaign: Campaign, viewer: User) -> ShownScenario:
    """One scenario as the viewer may see it; ask `read_scenario` first, which bars them from rating it."""
    sees_reference = policy.may_see_reference(viewer, campaign, scenario.pk)
    flags = ScenarioFlag.objects.in_campaign(campaign).filter(scenario=scenario).order_by("-at", "-pk")
    rulings = ScenarioRuling.objects.in_campaign(campaign).filter(scenario=scenario).select_related("revised_to")
    newest_first = list(rulings.order_by("-at", "-pk"))
    last = newest_first[0] if newest_first else None
    return ShownScenario(
        id=scenario.pk,
        item=context_shown(scenario),
        language_name=LANGUAGES.get(scenario.language, scenario.language),
        flags=[ShownFlag(str(flag.get_fault_display()), flag.note, flag.at) for flag in flags],
        rulings=[_ruling(ruling, scenario, viewer, sees_reference) for ruling in newest_first],
        final=last.verdict if last is not None and last.verdict in FINAL else "",
        replaced=scenario.superseded or scenario.withdrawn,
        reference=scenario.reference if sees_reference else None,
        may_read_reference=not sees_reference and policy.may_read_reference(viewer, campaign, scenario.pk),
    )


def _ruling(ruling: ScenarioRuling, scenario: Scenario, viewer: User, sees_reference: bool) -> ShownRuling:
    new = ruling.revised_to
    return ShownRuling(
        verdict=ruling.verdict,
        words=str(ruling.get_verdict_display()),
        fault=str(ruling.get_fault_display()) if ruling.fault else "",
        reason=ruling.reason,
        at=ruling.at,
        mine=ruling.by_id == viewer.pk,
        changes=compared_parts(scenario, new, reference=sees_reference) if new else [],
    )


def as_json(found: Refinement) -> dict[str, Any]:
    """For the API."""
    counts = ("scenarios", "flagged", "kept", "revised", "withdrawn")

    def row(of: TaskRow) -> dict[str, Any]:
        return {name: getattr(of, name) for name in counts} | {"faults": dict(of.faults)}

    waiting = ("scenario", "task", "language", "people", "votes", "newest")
    return {
        "tasks": [{"task": of.task} | row(of) for of in found.tasks],
        "total": row(found.total),
        "flagged": [{name: getattr(one, name) for name in waiting} for one in found.waiting],
    }
