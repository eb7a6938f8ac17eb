"""What a decided case can teach: its full answer, as gold reads it, and the passage that shows it. Changes nothing."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Dimension, Rubric, WorkItem
from annotation.services.rubrics import LONGEST_PASSAGE
from annotation.validation import LONGEST_NOTE
from reviews.gold import Method, labels_of, violations_of
from reviews.models import Decision
from reviews.records import ItemRecord
from reviews.services.records import record_of

HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Decided:
    """The standing decision. values: None where it cannot be decided. marks: {type: confirmed}."""

    values: dict[str, int | None]
    marks: dict[str, bool]
    rationale: str


@dataclass(frozen=True)
class Answer:
    """A known answer to the item. levels: of the dimensions that have a whole one. missing: those that have none.

    Missing is what the expert called undecidable, and where the raters' median lies between two levels.
    marks, reasons: as `annotation.services.references.add_reference` takes them.
    """

    levels: dict[str, int]
    missing: list[Dimension]
    marks: list[dict[str, Any]]
    reasons: dict[str, str]


def decided(decision: Decision) -> Decided:
    values = {given.dimension: given.value for given in decision.values.all()}
    return Decided(values, dict(decision.marks), decision.rationale)


def answer_of(item: WorkItem, decision: Decision) -> Answer:
    """What gold says of the item, dimension by dimension and violation by violation, with the expert's reason."""
    rubric, record, said = item.campaign.rubric, record_of(item), decided(decision)
    keys = [dimension.key for dimension in rubric.dimensions]
    labels = labels_of(record.history(), dimensions=keys, closed=False)
    whole = [one for one in labels if one.method != Method.AMBIGUOUS and one.value is not None and one.value % 1 == 0]
    levels = {one.dimension: int(one.value or 0) for one in whole}
    stand = [one.type for one in violations_of(record.history(), closed=False) if one.gold]
    spoken = [key for key in said.values if key in levels]
    # A reason for one dimension stands beside it; one for several is said once, of the whole answer.
    reasons = {spoken[0] if len(spoken) == 1 else "": said.rationale}
    return Answer(
        levels=levels,
        missing=[dimension for dimension in rubric.dimensions if dimension.key not in levels],
        marks=[_mark(kind, record, rubric, said.rationale) for kind in stand],
        reasons=reasons,
    )


def _mark(kind: str, record: ItemRecord, rubric: Rubric, rationale: str) -> dict[str, Any]:
    """With the passage of the first rater who pointed at one. No word of a rater's goes with it."""
    passage = passage_of(record, kind) or {"start": None, "end": None, "quote": ""}
    noted = rubric.violation_type(kind).note_required
    note = (rationale.strip() or _("All raters marked it."))[:LONGEST_NOTE] if noted else ""
    return {"type": kind, **passage, "note": note}


def passage_of(record: ItemRecord, kind: str = "") -> dict[str, Any] | None:
    """The first passage that a counted rating marks: of this type of violation, of any where none is named."""
    for rating in record.ratings:
        for mark in rating.marks:
            if rating.counts and mark.start is not None and kind in ("", mark.type):
                return {"start": mark.start, "end": mark.end, "quote": mark.quote}
    return None


def example_of(item: WorkItem, decision: Decision) -> dict[str, Any]:
    """What stands in the form before anybody changes it: {"passage", "dimension", "violation", "why"}.

    The whole response where it is short, else the first marked passage, else its beginning; the first dimension and
    violation that the expert decided; the expert's reason, under the language that its script is of.
    """
    record, said = record_of(item), decided(decision)
    violation = next((kind for kind, confirmed in said.marks.items() if confirmed), "")
    passage = passage_of(record, violation) or passage_of(record)
    text = record.text if len(record.text) <= LONGEST_PASSAGE or passage is None else passage["quote"]
    why = said.rationale.strip()
    return {
        "passage": text[:LONGEST_PASSAGE].strip(),
        "dimension": next(
            (key for key, value in said.values.items() if value is not None), next(iter(said.values), "")
        ),
        "violation": violation,
        "why": {"zh-Hans" if HAN.search(why) else "en": why[:LONGEST_NOTE]} if why else {},
    }


def as_example(item: WorkItem, decision: Decision, given: Mapping[str, Any]) -> dict[str, Any]:
    """As `annotation.services.rubrics.add_example` takes it. The level is the decision's, never one's own choice."""
    asked = example_of(item, decision) | {name: value for name, value in given.items() if value is not None}
    return {
        "text": asked["passage"],
        "dimension": asked["dimension"],
        "level": decided(decision).values.get(asked["dimension"]) if isinstance(asked["dimension"], str) else None,
        "violation": asked["violation"],
        "why": asked["why"],
    }
