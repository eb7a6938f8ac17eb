"""An annotator's word that a scenario itself is defective. No other annotator hears of it."""

from typing import Any

from django.db import transaction

from annotation import policy
from annotation.errors import NotYourLease
from annotation.models import Assignment, ScenarioFlag, User, WorkItem
from annotation.services.items import locked_item
from annotation.validation import check_flag


@transaction.atomic
def flag_scenario(*, assignment_id: int, user: User, fault: Any, note: Any = "") -> ScenarioFlag:
    """The person's flag on the scenario of an item that they were given, whatever became of it.

    One a person and scenario: another replaces it, the same again leaves it as it is. Their rating is a thing apart.
    Raises NotYourLease (also where they left the campaign), FlagInvalid (by field).
    """
    item = _given(assignment_id, user)
    check_flag(fault=fault, note=note)
    said = {"fault": fault, "note": note.strip()}
    place = {"campaign": item.campaign, "scenario_id": item.scenario_id, "by": user}
    flag, created = ScenarioFlag.objects.get_or_create(**place, defaults=said)
    if not created and (flag.fault, flag.note) != (said["fault"], said["note"]):
        flag.fault, flag.note = said["fault"], said["note"]
        flag.save()
    return flag


@transaction.atomic
def take_back_flag(*, assignment_id: int, user: User) -> None:
    """Nothing is wrong with it after all; where there is no flag, nothing happens. Raises NotYourLease."""
    item = _given(assignment_id, user)
    ScenarioFlag.objects.in_campaign(item.campaign).of(user).filter(scenario=item.scenario_id).delete()


def _given(assignment_id: int, user: User) -> WorkItem:
    """The item, locked: an expert who rules on its scenario has seen the flag, or it comes after the ruling."""
    known = Assignment.objects.of(user).filter(pk=assignment_id).select_related("campaign").first()
    if known is None or not policy.may_rate(user, known.campaign):
        raise NotYourLease
    return locked_item(known.work_item_id)
