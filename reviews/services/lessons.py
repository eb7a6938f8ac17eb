"""Making a training item or a guideline example of a decided case, each in one step."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import ExampleInvalid, NotAllowed
from annotation.models import ReferenceAnswer, User, WorkItem
from annotation.services.references import add_reference
from annotation.services.rubrics import Added, add_example
from annotation.validation import level_of
from reviews import policy
from reviews.errors import CaseNotDecided, ConflictOfInterest, LessonInvalid
from reviews.lessons import answer_of, as_example, decided
from reviews.models import Case, Decision
from reviews.services.cases import locked_case


def locked_lesson(case_id: int, by: User) -> tuple[WorkItem, Case, Decision]:
    """The item and the case, both locked, and what stands decided.

    Raises CaseNotFound, ConflictOfInterest (they were given the item), CaseNotDecided, NotAllowed.
    """
    item, case = locked_case(case_id, by)
    if policy.has_conflict(by, case):
        raise ConflictOfInterest(_("You were given this item to rate, so what it teaches is not yours to say."))
    if case.state != Case.State.DECIDED:
        raise CaseNotDecided
    if not policy.may_teach_from(by, case):
        raise NotAllowed
    return item, case, Decision.objects.standing().filter(case=case).latest("pk")


@transaction.atomic
def make_training_item(*, case_id: int, by: User, levels: Any = None) -> ReferenceAnswer:
    """A training item whose known answer is what stands of the item: the decision, else the raters' consensus.

    levels {dimension: level}: of those that have no whole level of their own, and of no others.
    Raises CaseNotDecided where the item is not settled, LessonInvalid by field where one is missing, what
    `locked_lesson` raises, and what `add_reference` does.
    """
    item, case, decision = locked_lesson(case_id, by)
    if item.state != WorkItem.State.SETTLED:
        raise CaseNotDecided(_("Its item is not settled: it wants raters again, or was taken out of the campaign."))
    answer = answer_of(item, decision)
    given: Mapping[str, Any] = levels if isinstance(levels, Mapping) else {}
    faults: dict[str, list[str]] = {}
    scores = dict(answer.levels)
    for dimension in answer.missing:
        level = level_of(dimension, given.get(dimension.key))
        if level is None:
            told = _("Neither the expert nor the raters settled on a level: give the one that is to be learned.")
            faults[f"levels.{dimension.key}"] = [told]
        else:
            scores[dimension.key] = level
    for key in given.keys() - {dimension.key for dimension in answer.missing}:
        faults[f"levels.{key}"] = [_("This is decided already; it is taken as it stands.")]
    if faults:
        raise LessonInvalid(fields=faults)
    return add_reference(
        campaign=item.campaign,
        response=item.response,
        purpose=WorkItem.Purpose.TRAINING,
        scores=scores,
        marks=answer.marks,
        reasons=answer.reasons,
        source=f"decision of case {case.pk}",
        by=by,
    )


@transaction.atomic
def make_example(*, case_id: int, by: User, **example: Any) -> Added:
    """A passage of the response into the campaign's guideline, which goes on with a new version.

    example: passage, dimension, violation, why {"en": ..., "zh-Hans": ...}; what is left out or None is taken from the
    case (`reviews.lessons.example_of`). Dimension and violation are ones that the expert decided; the level is theirs.
    Raises ExampleInvalid by field, what `locked_lesson` raises, and what `add_example` does.
    """
    item, _case, decision = locked_lesson(case_id, by)
    said, asked = decided(decision), as_example(item, decision, example)
    confirmed = [kind for kind, stands in said.marks.items() if stands]
    faults = {}
    if asked["dimension"] and asked["dimension"] not in list(said.values):
        faults["dimension"] = [_("The expert decided nothing on this scale.")]
    if asked["violation"] and asked["violation"] not in confirmed:
        faults["violation"] = [_("The expert did not confirm this violation.")]
    if faults:
        raise ExampleInvalid(fields=faults)
    return add_example(item=item, example=asked, by=by)
