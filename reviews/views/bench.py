"""What the templates of a case are given."""

from collections.abc import Mapping
from typing import Any

from annotation.errors import ConcordError
from annotation.models import User
from reviews import policy
from reviews.models import Case, Decision
from reviews.panel import LARGEST_PANEL
from reviews.refinement import flags_on
from reviews.services.reading import read_case
from reviews.shown import ShownCase, ShownDecision
from reviews.views.lesson_forms import Form, lessons_of
from reviews.views.opinions import opinions_of
from reviews.views.verdict_form import Filled, RulingField, ScaleField, filled_with
from scenarios.benchmark import LANGUAGES, TASKS


def bench(
    case: Case,
    viewer: User,
    *,
    filled: Filled | None = None,
    error: ConcordError | None = None,
    lesson: Mapping[str, Form] | None = None,
) -> dict[str, Any]:
    """The case, and the form where the viewer may fill it; `lost` is what they wrote and can no longer send.

    lesson: of what a decided case teaches, the form that was refused.
    """
    shown = read_case(case, viewer)
    revisable = shown.standing if shown.state == Case.State.DECIDED and shown.standing and shown.standing.mine else None
    may_decide = policy.may_decide(viewer, case)
    context: dict[str, Any] = {
        "campaign": case.campaign,
        "shown": shown,
        "decisions": _decisions(case, shown),
        "opinions": opinions_of(shown, case.campaign.rubric),
        "may_talk": policy.may_talk(viewer, case),
        "task_name": TASKS[shown.task].name,
        "language_name": LANGUAGES.get(shown.language, shown.language),
        "read_reference": policy.has_read_reference(viewer, case.campaign, case.work_item.scenario_id),
        "judges": policy.is_expert(viewer, case.campaign),
        "may_reopen": policy.may_reopen(viewer, case),
        "error": error,
        "before": decided_before(case, viewer),
        "panels": range(2, LARGEST_PANEL + 1),
        "waiting": Case.objects.waiting().in_campaign(case.campaign).count(),
        "refine": _refine(case, viewer) if shown.item else None,
        "lessons": lessons_of(case, viewer, lesson),
    }
    if may_decide and (shown.mine or revisable):
        if filled is None and revisable is not None:
            filled = filled_with(revisable, Decision.objects.get(pk=revisable.id).quick_reason)
        return context | _form(case, viewer, shown, filled or Filled(), error)
    return context | {"lost": filled}


def _refine(case: Case, viewer: User) -> dict[str, Any] | None:
    """The way to the case's scenario, with the number of its flags where that may be told."""
    scenario = case.work_item.scenario_id
    if not policy.may_see_flags(viewer, case.campaign, scenario):
        return None
    return {"scenario": scenario, "flags": flags_on(scenario, case.campaign, viewer)}


def _form(case: Case, viewer: User, shown: ShownCase, filled: Filled, error: ConcordError | None) -> dict[str, Any]:
    faults = dict(error.fields) if error else {}

    def fault(name: str) -> str:
        return str(next(iter(faults.pop(name, [])), ""))

    marked = {violation.key for violation in shown.violations or []}
    kinds = case.campaign.rubric.violation_types
    unmarked = [(kind, filled.marks.get(kind.key) is True) for kind in kinds if kind.key not in marked]
    return {
        "filled": filled,
        "scales": [
            ScaleField(scale, filled.values.get(scale.key), fault(f"values.{scale.key}"))
            for scale in shown.scales or []
        ],
        "rulings": [
            RulingField(violation, filled.marks.get(violation.key), fault(f"marks.{violation.key}"))
            for violation in shown.violations or []
        ],
        "unmarked": unmarked,
        "any_set": any(is_set for _kind, is_set in unmarked),
        "quick_reasons": Decision.QuickReason.choices,
        "rationale_error": fault("rationale"),
        "faults": [sentence for found in faults.values() for sentence in found],
        "draft_key": draft_key(case, viewer, shown),
    }


def _decisions(case: Case, shown: ShownCase) -> list[tuple[ShownDecision, list[Any], list[Any]]]:
    """Each decision with its values and rulings by name, in the rubric's order."""
    rubric = case.campaign.rubric
    return [
        (
            decision,
            [(d.name, decision.values[d.key]) for d in rubric.dimensions if d.key in decision.values],
            [(kind.name, decision.marks[kind.key]) for kind in rubric.violation_types if kind.key in decision.marks],
        )
        for decision in shown.decisions or []
        if decision.kind == Decision.Kind.RULING
    ]


def decided_before(case: Case, viewer: User) -> Case | None:
    """The case that the viewer last judged in this campaign, other than this one."""
    said = Decision.objects.of(viewer).in_campaign(case.campaign).exclude(case=case).order_by("-pk")
    last = said.select_related("case").first()
    return last.case if last else None


def draft_key(case: Case, viewer: User, shown: ShownCase) -> str:
    """Under which the browser keeps what was typed: of this person, this case, and what was decided before."""
    return f"{viewer.pk}.{case.pk}.{len(shown.decisions or [])}"
