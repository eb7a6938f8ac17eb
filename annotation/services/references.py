"""Known answers: training and check items with what experts gave, and why.

Such an item is never one that is still rated for real here: who met it in training would know the answer. A response
whose real item is settled or withdrawn may be used (a decided case is the best lesson); whoever then answers it in
training is barred from the real item, should it ever open again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from annotation.errors import CampaignNotOpen, RatingInvalid, ReferenceRefused
from annotation.heavy import is_tagged_heavy
from annotation.models import (
    Assignment,
    Campaign,
    Rating,
    ReferenceAnswer,
    Rubric,
    TrainingAnswer,
    TrainingAttempt,
    User,
    WorkItem,
)
from annotation.services.campaigns import log
from annotation.services.rubrics import is_given_away
from annotation.validation import LONGEST_TEXT, NOTE, Judgement, can_be_stored, read_judgement
from scenarios.models import Response

Purpose, State = WorkItem.Purpose, WorkItem.State
PURPOSES = (Purpose.TRAINING, Purpose.CHECK)
SOURCE_LENGTH = ReferenceAnswer._meta.get_field("source").max_length or 0


@dataclass(frozen=True)
class Kept:
    answer: ReferenceAnswer
    outcome: Literal["created", "replaced", "unchanged"]


@transaction.atomic
def add_reference(
    *,
    campaign: Campaign,
    response: Response,
    purpose: str,
    scores: Any,
    marks: Any = (),
    reasons: Any = None,
    source: str = "",
    by: User | None = None,
) -> ReferenceAnswer:
    """The training or check item of this response, with its answer; see `keep_reference`."""
    kept = keep_reference(
        campaign=campaign,
        response=response,
        purpose=purpose,
        scores=scores,
        marks=marks,
        reasons=reasons,
        source=source,
    )
    if kept.outcome != "unchanged":
        log(campaign, f"known answer {kept.outcome}", by, item=kept.answer.work_item_id, purpose=purpose, source=source)
    return kept.answer


@transaction.atomic
def keep_reference(
    *,
    campaign: Campaign,
    response: Response,
    purpose: str,
    scores: Any,
    marks: Any = (),
    reasons: Any = None,
    source: str = "",
) -> Kept:
    """Makes the item, or finds it: the same answer again is unchanged, another replaces it while nobody answered.

    scores {dimension: level}, all of them; marks as a rating's; reasons {dimension: why}, "" for the whole answer.
    Writes no event: the caller knows whether this is one answer or one of a file.
    Raises CampaignNotOpen (closed), RatingInvalid (by field), ReferenceRefused.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: it takes no more known answers."))
    if purpose not in PURPOSES:
        raise ReferenceRefused(_("A known answer is used for training or as a check."))
    said = read_answer(rubric=campaign.rubric, text=response.text, scores=scores, marks=marks, reasons=reasons)
    said["source"] = source[:SOURCE_LENGTH]
    if response.scenario.dataset_id != campaign.dataset_id:
        raise ReferenceRefused(_("This response is of another dataset than the campaign's."))
    items = {item.purpose: item for item in WorkItem.everything.filter(campaign=campaign, response=response)}
    _refuse_known_to_raters(items, purpose)
    if is_given_away(campaign, response):
        raise ReferenceRefused(
            _("The guideline has these words as an example: everyone knows their answer. Use another response.")
        )
    _refuse_defective(response, items)
    item = items.get(purpose)
    if item is None:
        item = _make_item(campaign, response, purpose)
        return Kept(ReferenceAnswer.objects.create(work_item=item, **said), "created")
    before = ReferenceAnswer.objects.select_for_update().get(work_item=item)
    parts = ("scores", "marks", "reasons")
    if all(getattr(before, part) == said[part] for part in parts):
        return Kept(before, "unchanged")
    if _answered(item):
        raise ReferenceRefused(_("Somebody has answered this item by now: its known answer stays as it is."))
    for name, value in said.items():
        setattr(before, name, value)
    before.save()
    return Kept(before, "replaced")


@transaction.atomic
def remove_reference(*, answer: ReferenceAnswer, by: User | None = None) -> None:
    """The item with its answer, gone; refused where anybody has met it (ReferenceRefused)."""
    item = WorkItem.everything.select_for_update().select_related("campaign").get(pk=answer.work_item_id)
    if _met(item):
        raise ReferenceRefused(_("Somebody has met this item already: it stays."))
    log(item.campaign, "known answer removed", by, item=item.pk, purpose=item.purpose)
    item.delete()


def read_answer(*, rubric: Rubric, text: str, scores: Any, marks: Any, reasons: Any) -> dict[str, Any]:
    """Checked as a rating is: {"scores", "marks", "reasons"}. Raises RatingInvalid naming every fault."""
    faults = _faults_of_reasons(rubric, reasons)
    try:
        judgement = read_judgement(
            rubric=rubric, text=text, scores=scores, marks=marks, rationale="", seconds=0, needs_expert=False
        )
    except RatingInvalid as error:
        raise RatingInvalid(fields=error.fields | faults) from error
    if faults:
        raise RatingInvalid(fields=faults)
    kept = {key: reason.strip() for key, reason in (reasons or {}).items() if reason.strip()}
    return {"scores": judgement.scores, "marks": marks_as_sent(judgement), "reasons": kept}


def marks_as_sent(judgement: Judgement) -> list[dict[str, Any]]:
    """The marks and, among them as a client sends them, the notes."""
    notes = [
        {"type": NOTE, "start": note.start, "end": note.end, "quote": note.quote, "note": note.text}
        for note in judgement.notes
    ]
    return [asdict(mark) for mark in judgement.marks] + notes


def _faults_of_reasons(rubric: Rubric, reasons: Any) -> dict[str, list[str]]:
    if reasons is None:
        return {}
    if not isinstance(reasons, Mapping):
        return {"reasons": [_("Must be an object with a text for each dimension.")]}
    known = {"", *(dimension.key for dimension in rubric.dimensions)}
    faults: dict[str, list[str]] = {}
    for key, reason in reasons.items():
        if key not in known:
            faults[f"reasons.{key}"] = [_("The rubric has no such dimension.")]
        elif not isinstance(reason, str) or len(reason) > LONGEST_TEXT or not can_be_stored(reason):
            faults[f"reasons.{key}"] = [_("Must be text of at most %(most)s characters.") % {"most": LONGEST_TEXT}]
    return faults


def _refuse_known_to_raters(items: Mapping[str, WorkItem], purpose: str) -> None:
    real = items.get(Purpose.RATING)
    if real is not None and real.state not in WorkItem.DONE:
        raise ReferenceRefused(
            _("This response is still rated for real in this campaign. Use another, or wait until it is settled.")
        )
    if other := [use for use in PURPOSES if use != purpose and use in items]:
        names = {"use": other[0].label}
        raise ReferenceRefused(_("This response is %(use)s here already: one use only.") % names)


def _refuse_defective(response: Response, items: Mapping[str, WorkItem]) -> None:
    """An expert took its scenario out: nobody learns from it, and nobody is measured by it."""
    real, scenario = items.get(Purpose.RATING), response.scenario
    replaced = scenario.superseded and real is not None and real.state == State.WITHDRAWN
    if scenario.withdrawn or replaced:
        raise ReferenceRefused(_("The scenario of this response was found defective. Use another."))


def _make_item(campaign: Campaign, response: Response, purpose: str) -> WorkItem:
    scenario = response.scenario
    last = WorkItem.everything.filter(campaign=campaign).aggregate(last=Max("priority"))["last"]
    made: WorkItem = WorkItem.everything.create(
        campaign=campaign,
        response=response,
        scenario=scenario,
        task=scenario.task,
        language=scenario.language,
        purpose=purpose,
        heavy=is_tagged_heavy(scenario.tags),
        needed=0,
        priority=0 if last is None else last + 1,
    )
    return made


def _answered(item: WorkItem) -> bool:
    given: Sequence[Any] = (TrainingAnswer.objects, Rating.objects)
    return any(answers.filter(work_item=item).exists() for answers in given)


def _met(item: WorkItem) -> bool:
    """Given out, or drawn into somebody's attempt."""
    if _answered(item) or Assignment.objects.filter(work_item=item).exists():
        return True
    attempts = TrainingAttempt.objects.filter(membership__campaign=item.campaign_id)
    return any(item.pk in drawn for drawn in attempts.values_list("items", flat=True).iterator())
