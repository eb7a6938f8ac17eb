"""Reading the records of a campaign, a batch of items at a time, so that no campaign is too large for it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from annotation.models import Campaign, Mark, Note, Rating, Score, WorkItem
from reviews.models import Case, Decision, DecisionValue, ScenarioRuling
from reviews.records import DecisionRecord, ItemRecord, MarkRecord, NoteRecord, RatingRecord, RulingRecord
from scenarios.item_ids import make_item_id

# As the records hold them, behind what they belong to.
_MARK = ("rating", "type", "start", "end", "quote", "note")
_NOTE = ("rating", "start", "end", "quote", "text")
_RATING = (
    *("work_item", "pk", "annotator", "status", "rank", "is_extra", "rubric", "submitted_at", "seconds"),
    *("rationale", "needs_expert", "assignment__imported"),
)
BATCH = 500  # within SQLite's limit of bound parameters
Rows = dict[int, list[Any]]


def records_of(campaign: Campaign, *, among: QuerySet[Case] | None = None) -> Iterator[ItemRecord]:
    """Every item of the campaign with all that was said of it, in the order of the item ids' code points.

    among: only the items of these cases.
    """
    order = _order(campaign, among)
    for start in range(0, len(order), BATCH):
        yield from _batch([pk for _item_id, pk in order[start : start + BATCH]])


def rulings_of(campaign: Campaign) -> list[RulingRecord]:
    """The rulings on the campaign's scenarios, by key and time."""
    rulings = ScenarioRuling.objects.in_campaign(campaign).select_related("scenario", "revised_to").order_by("at", "pk")
    last = {ruling.scenario_id: ruling.pk for ruling in rulings}
    found = [
        RulingRecord(
            key=ruling.scenario.key,
            task=ruling.scenario.task,
            version=ruling.scenario.version,
            verdict=ruling.verdict,
            fault=ruling.fault,
            reason=ruling.reason,
            expert=ruling.by_id,
            revised_to=ruling.revised_to.version if ruling.revised_to else None,
            ruled_at=ruling.at,
            superseded=last[ruling.scenario_id] != ruling.pk,
        )
        for ruling in rulings
    ]
    return sorted(found, key=lambda ruling: (ruling.key, ruling.version))


def record_of(item: WorkItem) -> ItemRecord:
    """All that was said of one item."""
    return next(_batch([item.pk]))


def _order(campaign: Campaign, among: QuerySet[Case] | None) -> list[tuple[str, int]]:
    """Sorted here and not by the database, whose collation is its own."""
    names = ("scenario__key", "response__companion__name", "response__condition", "pk")
    items = WorkItem.objects.filter(campaign=campaign)
    if among is not None:
        items = items.filter(pk__in=among.order_by().values("work_item"))
    rows = items.order_by().values_list(*names)
    return sorted((make_item_id(key, companion, condition), pk) for key, companion, condition, pk in rows.iterator())


def _batch(pks: Sequence[int]) -> Iterator[ItemRecord]:
    items = WorkItem.objects.select_related("scenario", "response__companion", "response__arrival").in_bulk(pks)
    ratings, decisions = _ratings(pks), _decisions(pks)
    cases = {case.work_item_id: case for case in Case.objects.standing().filter(work_item__in=pks)}
    for pk in pks:
        item, case = items[pk], cases.get(pk)
        scenario, response = item.scenario, item.response
        yield ItemRecord(
            item_id=make_item_id(scenario.key, response.companion.name, response.condition),
            key=scenario.key,
            task=scenario.task,
            component=scenario.component,
            language=scenario.language,
            companion=response.companion.name,
            condition=response.condition,
            text=response.text,
            arrival=response.arrival.sha256,
            needed=item.needed,
            withdrawn=item.state == WorkItem.State.WITHDRAWN,
            case_open=case is not None and case.state != Case.State.DECIDED,
            audit=case is not None and case.is_audit_only,
            twice=case is not None and case.drawn_twice,
            ratings=ratings[pk],
            decisions=decisions[pk],
        )


def _ratings(pks: Sequence[int]) -> Rows:
    of_items = {"rating__work_item__in": pks}
    scores: dict[int, dict[str, int]] = defaultdict(dict)
    marks: Rows = defaultdict(list)
    notes: Rows = defaultdict(list)
    for rating, dimension, value in Score.objects.filter(**of_items).values_list("rating", "dimension", "value"):
        scores[rating][dimension] = value
    for rating, *mark in Mark.objects.filter(**of_items).order_by("pk").values_list(*_MARK):
        marks[rating].append(MarkRecord(*mark))
    for rating, *note in Note.objects.filter(**of_items).order_by("pk").values_list(*_NOTE):
        notes[rating].append(NoteRecord(*note))
    found: Rows = defaultdict(list)
    for item, *told in Rating.objects.filter(work_item__in=pks).order_by("rank", "pk").values_list(*_RATING):
        pk = told[0]
        record: list[Any] = [*told, scores[pk], marks[pk], notes[pk]]
        found[item].append(RatingRecord(*record))
    return found


def _decisions(pks: Sequence[int]) -> Rows:
    values: dict[int, dict[str, int | None]] = defaultdict(dict)
    given = DecisionValue.objects.filter(decision__case__work_item__in=pks)
    for number, dimension, value in given.values_list("decision", "dimension", "value"):
        values[number][dimension] = value
    found: Rows = defaultdict(list)
    decisions = Decision.objects.filter(case__work_item__in=pks).select_related("case", "superseded_by").order_by("pk")
    for decision in decisions:
        found[decision.case.work_item_id].append(
            DecisionRecord(
                number=decision.pk,
                expert=decision.expert_id,
                kind=decision.kind,
                round=decision.round,
                values=values[decision.pk],
                marks=decision.marks,
                rationale=decision.rationale,
                quick_reason=decision.quick_reason,
                decided_at=decision.decided_at,
                superseded=hasattr(decision, "superseded_by"),
            )
        )
    return found
