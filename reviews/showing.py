"""What an expert is shown of a case, and nothing else: on the page and by the API alike.

The one place that turns a case into what leaves the server. No rater's name, no companion, condition, key, reference or
item id, until the campaign is closed; ratings only as `policy.may_see_ratings_of` allows. All plain data.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from django.db.models import Q
from django.utils import timezone

from annotation.models import Rating, User
from annotation.showing import item_shown
from reviews import policy
from reviews.models import Case, Decision
from reviews.models.decision import Decisions
from reviews.pace import is_hurried
from reviews.panel import others_able
from reviews.pseudonyms import pseudonyms_of
from reviews.shown import (
    Remark,
    ShownCase,
    ShownDecision,
    ShownLevel,
    ShownOrigin,
    ShownRemark,
    ShownScale,
    ShownViolation,
    Sighting,
    Voice,
)
from reviews.verdict import AMBIGUOUS, required_values
from reviews.wording import shown_reasons

State = Case.State


def shown_case(case: Case, viewer: User) -> ShownCase:
    """The case as the viewer may see it; ask `policy.may_see_case` first. Reads `Cases.with_item`."""
    seen: dict[str, Any] = {}
    mine = case.state in Case.HELD_IN and case.taken_by_id == viewer.pk
    if policy.may_see_ratings_of(viewer, case):
        ratings = _ratings(case)
        voices = _voices(case, ratings)
        seen = {
            "item": item_shown(case.work_item),
            "voices": voices,
            "scales": _scales(case, voices),
            "violations": _violations(case, voices, sum(not rating.assignment.imported for rating in ratings)),
            **_said_by_experts(case, viewer),
        }
    if policy.may_see_origin(viewer, case):
        response = case.work_item.response
        origin = ShownOrigin(
            response.companion.name, str(response.get_condition_display()), case.work_item.scenario.key
        )
        seen["origin"] = origin
    return ShownCase(
        id=case.pk,
        campaign=case.campaign.slug,
        state=case.state,
        task=case.task,
        language=case.work_item.language,
        opened_at=case.opened_at,
        urgent=case.is_urgent,
        reasons=shown_reasons(case.reasons, case.campaign.rubric),
        mine=mine,
        may_take=not mine and policy.may_decide(viewer, case) and _is_free(case, viewer),
        lease_until=case.lease_expires_at,
        round=case.round,
        stage="awaited" if case.is_awaiting_opinions else "to_settle" if case.is_to_settle else "",
        may_escalate=_could_ask(case, viewer, mine) and others_able(case, viewer) > 0,
        **seen,
    )


def _could_ask(case: Case, viewer: User, mine: bool) -> bool:
    """The viewer could ask for another opinion, if there is somebody to give it."""
    return (mine and case.state == State.TAKEN) or policy.may_talk(viewer, case)


def _is_free(case: Case, viewer: User) -> bool:
    """Nobody holds it, or the lease is over and nothing has swept it yet; of several, where it is the viewer’s turn."""
    overdue = case.lease_expires_at is not None and case.lease_expires_at <= timezone.now()
    if case.state == State.SECOND_OPINION:
        in_turn = case.turn_of(spoke=case.has_opinion_of(viewer)) != ""
        return in_turn and (case.taken_by_id is None or overdue)
    return case.state == State.WAITING or (case.state == State.TAKEN and overdue)


def _ratings(case: Case) -> list[Rating]:
    counted = Rating.objects.counted().filter(work_item=case.work_item_id)
    return list(counted.select_related("assignment", "rubric").prefetch_related("scores", "marks", "notes"))


def _voices(case: Case, ratings: Sequence[Rating]) -> list[Voice]:
    rubric, text = case.campaign.rubric, case.work_item.response.text
    order = [dimension.key for dimension in rubric.dimensions]
    names = {kind.key: kind.name for kind in rubric.violation_types}
    letters = pseudonyms_of(Rating.objects.filter(work_item=case.work_item_id), overlap=case.campaign.overlap)
    voices = []
    for rating in ratings:
        rater = letters[rating.annotator_id]
        scores = {score.dimension: score.value for score in rating.scores.all()}
        marks = [
            Sighting(rater, mark.type, names.get(mark.type, mark.type), mark.start, mark.end, mark.quote, mark.note)
            for mark in rating.marks.all()
        ]
        voices.append(
            Voice(
                rater=rater,
                scores={key: scores[key] for key in order if key in scores},
                marks=marks,
                notes=[Remark(rater, note.start, note.end, note.quote, note.text) for note in rating.notes.all()],
                rationale=rating.rationale,
                seconds=None if rating.assignment.imported else rating.seconds,
                hurried=not rating.assignment.imported and is_hurried(seconds=rating.seconds, text=text),
                needs_expert=rating.needs_expert,
                rubric=rating.rubric.version,
            )
        )
    return sorted(voices, key=lambda voice: (len(voice.rater), voice.rater))


def _scales(case: Case, voices: Sequence[Voice]) -> list[ShownScale]:
    rubric = case.campaign.rubric
    required = required_values(rubric, case.disputed, case.split_marks)
    scales = []
    for dimension in rubric.dimensions:
        given = {voice.rater: voice.scores[dimension.key] for voice in voices if dimension.key in voice.scores}
        levels = [
            ShownLevel(value, anchor, [rater for rater, score in given.items() if score == value])
            for value, anchor in dimension.levels
        ]
        scores = sorted(given.values())
        scales.append(
            ShownScale(
                key=dimension.key,
                name=dimension.name,
                levels=levels,
                required=dimension.key in required,
                median=median(scores) if scores else None,
                low=scores[0] if scores else None,
                high=scores[-1] if scores else None,
            )
        )
    return scales


def _violations(case: Case, voices: Sequence[Voice], asked: int) -> list[ShownViolation]:
    raters: dict[str, list[str]] = {}
    for voice in voices:
        for kind in dict.fromkeys(mark.type for mark in voice.marks):
            raters.setdefault(kind, []).append(voice.rater)
    return [
        ShownViolation(kind.key, kind.name, kind.meaning, raters.get(kind.key, []), asked, kind.key in case.split_marks)
        for kind in case.campaign.rubric.violation_types
        if kind.key in raters or kind.key in case.split_marks
    ]


def _said_by_experts(case: Case, viewer: User) -> dict[str, Any]:
    """`decisions` and `talk`: of others, only what can no longer bend the viewer's own opinion."""
    sees_all, numbers = policy.may_see_opinions_of(viewer, case), _expert_numbers(case)
    decisions = case.decisions.order_by("-decided_at", "-pk").prefetch_related("values", "superseded_by")
    if not sees_all:
        decisions = decisions.exclude(~Q(expert=viewer), kind=Decision.Kind.OPINION, round=case.round)
    return {
        "decisions": _decisions(decisions, viewer, numbers),
        "talk": _talk(case, viewer, numbers) if sees_all else None,
    }


def _decisions(found: Decisions, viewer: User, numbers: Mapping[int, int]) -> list[ShownDecision]:
    """The latest first."""
    return [
        ShownDecision(
            id=decision.pk,
            kind=decision.kind,
            round=decision.round,
            expert=numbers[decision.expert_id],
            mine=decision.expert_id == viewer.pk,
            decided_at=decision.decided_at,
            values={
                given.dimension: AMBIGUOUS if given.value is None else given.value for given in decision.values.all()
            },
            marks=decision.marks,
            rationale=decision.rationale,
            quick_reason=decision.get_quick_reason_display(),
            standing=decision.kind == Decision.Kind.RULING and not hasattr(decision, "superseded_by"),
        )
        for decision in found
    ]


def _expert_numbers(case: Case) -> dict[int, int]:
    """{expert: 1 for the first to speak}: by what experts are called on the case, not by their names."""
    order = dict.fromkeys(case.decisions.order_by("pk").values_list("expert", flat=True))
    return {expert: place for place, expert in enumerate(order, start=1)}


def _talk(case: Case, viewer: User, numbers: Mapping[int, int]) -> list[ShownRemark]:
    return [
        ShownRemark(numbers.get(said.author_id, 0), said.author_id == viewer.pk, said.at, said.text)
        for said in case.remarks.all()
    ]
