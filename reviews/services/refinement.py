"""Ruling on a scenario itself: it is kept, revised or withdrawn, and what was rated of a defective one leaves gold.

Possible in every state of the campaign, closed too: its ratings are final then, but whether a scenario is fit to be in
the gold labels is often seen only at the end. What was published before stays as it is; the next release leaves it out.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Campaign, ScenarioFlag, User, WorkItem
from annotation.services.campaigns import log
from annotation.services.items import bar_from_items, locked_item, withdraw_item
from annotation.validation import fault_of_reason
from reviews import policy
from reviews.errors import (
    NotAnExpert,
    ReferenceHidden,
    RulingInvalid,
    RulingRefused,
    ScenarioConflict,
    ScenarioNotFound,
)
from reviews.models import ReferenceReading, ScenarioRuling
from scenarios.models import Scenario
from scenarios.models.scenario import Fault
from scenarios.services import (
    ImportBusy,
    RevisionInvalid,
    ScenarioGone,
    revise_scenario,
    withdraw_scenario,
)

Verdict = ScenarioRuling.Verdict
FINAL = (Verdict.REVISE, Verdict.WITHDRAW)
EVENTS = {
    Verdict.KEEP: "scenario kept",
    Verdict.REVISE: "scenario revised",
    Verdict.WITHDRAW: "scenario withdrawn",
}


@dataclass(frozen=True)
class Ruled:
    ruling: ScenarioRuling
    created: bool  # False: the same words of the same expert stand already; nothing was done


@transaction.atomic
def rule_on_scenario(
    *,
    campaign: Campaign,
    scenario: Scenario,
    expert: User,
    verdict: Any,
    reason: Any,
    fault: Any = "",
    changes: Any = None,
) -> Ruled:
    """What an expert rules about the scenario, in this campaign. The newest ruling stands.

    keep: it is sound; the flags so far are answered. A fault that was named is not kept.
    revise: `changes` (see `revise_scenario`) make a new version. withdraw: no campaign draws it any more.
    With either, every item of this version here is withdrawn, under every companion and condition, training and check
    items too: out of gold and agreement, its open cases fallen, its ratings kept. Neither is brought back by a later
    ruling. Other campaigns rule for themselves.
    Raises NotAnExpert, ScenarioNotFound, ScenarioConflict, RulingInvalid (by field), RulingRefused.
    """
    if not policy.is_expert(expert, campaign):
        raise NotAnExpert
    items = _locked_items(campaign, scenario)
    if policy.has_scenario_conflict(expert, campaign, scenario.pk):
        raise ScenarioConflict
    _check(verdict=verdict, fault=fault, reason=reason, changes=changes)
    said = {"verdict": verdict, "fault": "" if verdict == Verdict.KEEP else fault, "reason": reason.strip()}
    newest = ScenarioRuling.objects.in_campaign(campaign).filter(scenario=scenario.pk).last()
    if newest is not None and _is_said(newest, said, expert):
        return Ruled(newest, created=False)
    if newest is not None and newest.verdict in FINAL:
        raise RulingRefused
    revised = _carry_out(items[0].campaign, scenario, expert, verdict, changes)
    if verdict in FINAL:
        for item in [item for item in items if item.state != WorkItem.State.WITHDRAWN]:
            withdraw_item(item)
    bar_from_items(items, expert)  # they know by now what raters said of it
    ruling = ScenarioRuling.objects.create(
        campaign=campaign, scenario_id=scenario.pk, by=expert, revised_to=revised, **said
    )
    about = {"scenario": scenario.pk, "ruling": ruling.pk, "fault": ruling.fault, "items": len(items)}
    log(campaign, EVENTS[Verdict(verdict)], expert, **about, **({"revised_to": revised.pk} if revised else {}))
    return Ruled(ruling, created=True)


@transaction.atomic
def read_scenario(*, campaign: Campaign, scenario: Scenario, viewer: User) -> None:
    """Who has read what annotators said of a scenario can never rate a response to it here.

    Also where they do not rate in the campaign today: a role may be given later.
    Raises ScenarioNotFound, ScenarioConflict where they may not read it.
    """
    items = WorkItem.everything.filter(campaign=campaign, scenario=scenario.pk)
    if not items.exists():
        raise ScenarioNotFound
    if not policy.may_see_flags(viewer, campaign, scenario.pk):
        raise ScenarioConflict
    bar_from_items(items.exclude(bars__user=viewer).order_by("pk"), viewer)


@transaction.atomic
def read_reference(*, campaign: Campaign, scenario: Scenario, expert: User) -> None:
    """The expert wants to read the reference response: they decide no case of the scenario here from now on.

    Raises ScenarioNotFound, ReferenceHidden.
    """
    items = _locked_items(campaign, scenario)  # so that no case of them is taken meanwhile
    campaign = items[0].campaign
    if not policy.may_read_reference(expert, campaign, scenario.pk):
        raise ReferenceHidden
    _read, created = ReferenceReading.objects.get_or_create(campaign=campaign, scenario=scenario, user=expert)
    if created:
        bar_from_items(items, expert)
        log(campaign, "reference read", expert, scenario=scenario.pk)


def _locked_items(campaign: Campaign, scenario: Scenario) -> list[WorkItem]:
    """All of them, in the one order in which they are locked. Raises ScenarioNotFound where there is none."""
    found = WorkItem.everything.filter(campaign=campaign, scenario=scenario.pk).order_by("pk")
    items = [locked_item(pk) for pk in found.values_list("pk", flat=True)]
    if not items:
        raise ScenarioNotFound
    return items


def _check(*, verdict: Any, fault: Any, reason: Any, changes: Any) -> None:
    faults: dict[str, list[str]] = {}
    if verdict not in Verdict.values:
        faults["verdict"] = [_("Choose what is to become of it: keep, revise or withdraw.")]
    elif verdict != Verdict.KEEP and fault not in Fault.values:
        faults["fault"] = [_("Say what is wrong with the scenario.")]
    elif verdict != Verdict.REVISE and changes:
        faults["changes"] = [_("The text was changed: choose “revise” to make it the new version.")]
    if not isinstance(reason, str) or not reason.strip():
        faults["reason"] = [_("A reason is needed.")]
    elif told := fault_of_reason(reason):
        faults["reason"] = [told]
    if faults:
        raise RulingInvalid(fields=faults)


def _is_said(newest: ScenarioRuling, said: dict[str, Any], expert: User) -> bool:
    """A ruling that is sent twice. After newer flags the same words are a new answer."""
    if newest.by_id != expert.pk or any(getattr(newest, name) != value for name, value in said.items()):
        return False
    flags = ScenarioFlag.objects.in_campaign(newest.campaign).filter(scenario=newest.scenario_id)
    return newest.verdict in FINAL or not flags.filter(at__gt=newest.at).exists()


def _carry_out(campaign: Campaign, scenario: Scenario, expert: User, verdict: Any, changes: Any) -> Scenario | None:
    """The new version, where there is to be one."""
    if verdict == Verdict.WITHDRAW:
        withdraw_scenario(scenario=scenario)
    if verdict != Verdict.REVISE:
        return None
    changes = {} if changes is None else changes
    hidden = isinstance(changes, dict) and "reference" in changes
    if hidden and not policy.may_see_reference(expert, campaign, scenario.pk):
        told = _("The reference response is hidden from you here, so you cannot change it.")
        raise RulingInvalid(fields={"changes.reference": [told]})
    try:
        return revise_scenario(scenario=scenario, changes=changes, by=expert)
    except RevisionInvalid as error:
        named = {part if part == "changes" else f"changes.{part}": told for part, told in error.faults.items()}
        raise RulingInvalid(str(error), fields=named) from error
    except (ScenarioGone, ImportBusy) as error:
        raise RulingRefused(str(error)) from error
