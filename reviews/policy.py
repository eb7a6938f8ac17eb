"""Who may do what in the reviews room: plain predicates, used by pages, API and templates alike.

A manager sees everything of their campaign; an expert sees cases under pseudonyms and no agreement while it is open.
Model and condition stay hidden from both on a case until the campaign is closed.
"""

from typing import Any

from annotation.models import Assignment, Campaign, WorkItem
from annotation.policy import Role, has_role, may_manage_campaign
from jobs.models import Job
from reviews.models import Case, ReferenceReading


def is_expert(user: Any, campaign: Campaign) -> bool:
    return has_role(user, campaign, Role.EXPERT, states=("active",))


def has_conflict(user: Any, case: Case) -> bool:
    """They were given its words to rate, whatever became of it: no one judges their own."""
    given = WorkItem.everything.filter(pk=case.work_item_id).given_to(user)
    return bool(given.exists())


def may_adjudicate(user: Any, case: Case) -> bool:
    return is_expert(user, case.campaign) and not has_conflict(user, case)


def has_read_reference(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    return ReferenceReading.objects.filter(user=user.pk, campaign=campaign.pk, scenario=scenario_id).exists()


def may_decide(user: Any, case: Case) -> bool:
    """Not who has read the reference: it would bend what they say."""
    read = has_read_reference(user, case.campaign, case.work_item.scenario_id)
    return may_adjudicate(user, case) and not read


def may_see_cases(user: Any, campaign: Campaign) -> bool:
    return is_expert(user, campaign) or may_manage_campaign(user, campaign)


def looks_on(user: Any, campaign: Campaign) -> bool:
    """A manager, who sees the cases and decides none. One who is an expert too is as blind on a case as an expert."""
    return may_manage_campaign(user, campaign) and not is_expert(user, campaign)


def may_see_case(user: Any, case: Case) -> bool:
    return looks_on(user, case.campaign) or may_adjudicate(user, case)


def may_see_ratings_of(user: Any, case: Case) -> bool:
    """Scores, marks and rationales: who holds or decided the case, managers, and experts once it is decided.

    Not an expert who rates in the campaign too, unless they took the case: they could still be given the item.
    """
    if looks_on(user, case.campaign):
        return True
    if not may_adjudicate(user, case):
        return False
    if case.taken_by_id == user.pk or case.decisions.filter(expert=user.pk).exists():
        return True
    return case.state == Case.State.DECIDED and not has_role(user, case.campaign, Role.ANNOTATOR)


def may_see_opinions_of(user: Any, case: Case) -> bool:
    """What the others said of a case on which several experts give opinions: who gave one, once all are in.

    Whoever looks on sees them as they come; once the case is decided so do all who see its ratings.
    """
    if looks_on(user, case.campaign) or case.state == Case.State.DECIDED:
        return True
    return case.is_to_settle and case.has_opinion_of(user)


def may_talk(user: Any, case: Case) -> bool:
    """With the others who gave their opinions, once all are in."""
    return case.is_to_settle and case.has_opinion_of(user) and may_adjudicate(user, case)


def may_see_origin(user: Any, case: Case) -> bool:
    """Companion, condition and key: nobody, until the campaign is closed."""
    return case.campaign.state == Campaign.State.CLOSED and may_see_case(user, case)


def may_reopen(user: Any, case: Case) -> bool:
    """A decided one, whose item has not left the campaign."""
    if case.work_item.state == WorkItem.State.WITHDRAWN:
        return False
    return may_manage_campaign(user, case.campaign) or may_adjudicate(user, case)


def has_scenario_conflict(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    """They were given any response to it to rate in this campaign, whatever became of that."""
    given = Assignment.objects.filter(work_item__scenario=scenario_id, work_item__campaign=campaign.pk)
    return given.filter(annotator=user.pk).exists()


def may_rule_on(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    return is_expert(user, campaign) and not has_scenario_conflict(user, campaign, scenario_id)


def may_see_flags(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    """What annotators said of the scenario, and its rulings: who may rule on it, and managers who look on."""
    return looks_on(user, campaign) or may_rule_on(user, campaign, scenario_id)


def may_count_flags(user: Any, campaign: Campaign) -> bool:
    """How many said what of scenarios not opened yet: not for who rates here too, and could still be given one."""
    return may_see_cases(user, campaign) and not has_role(user, campaign, Role.ANNOTATOR)


def may_see_reference(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    """Experts who may read it and have said that they want to; managers who look on, once the campaign is closed."""
    if looks_on(user, campaign):
        return campaign.state == Campaign.State.CLOSED
    return has_read_reference(user, campaign, scenario_id) and may_read_reference(user, campaign, scenario_id)


def may_read_reference(user: Any, campaign: Campaign, scenario_id: int) -> bool:
    """Experts who may rule on the scenario and do not rate here, once no response to it is still to be judged.

    A reference would bend the decision of a case: an item of the scenario that waits for raters or an expert hides it,
    and who has read it decides no case of the scenario that is opened later (`may_decide`). A closed campaign has no
    more raters, but its cases are still decided, and it may be opened again.
    """
    if has_role(user, campaign, Role.ANNOTATOR) or not may_rule_on(user, campaign, scenario_id):
        return False
    items = WorkItem.objects.filter(campaign=campaign, scenario=scenario_id)
    if campaign.state == Campaign.State.CLOSED:
        return not items.filter(state=WorkItem.State.IN_REVIEW).exists()
    return not items.exclude(state__in=WorkItem.DONE).exists()


def may_teach_from(user: Any, case: Case) -> bool:
    """Write to its raters, make a training item or an example of it: who may read it, and was never given its item."""
    return may_see_ratings_of(user, case) and not has_conflict(user, case)


def may_manage_raters(user: Any, campaign: Campaign) -> bool:
    """One rater's own page, by name: write to them, pause, retrain, withdraw what they gave."""
    return may_manage_campaign(user, campaign)


def may_see_agreement(user: Any, campaign: Campaign) -> bool:
    """Managers; experts once the campaign is closed: a figure seen while deciding would bend the decisions."""
    if may_manage_campaign(user, campaign):
        return True
    return campaign.state == Campaign.State.CLOSED and is_expert(user, campaign)


def may_see_live_agreement(user: Any, campaign: Campaign) -> bool:
    """While rating goes on: managers only, who do not rate in it."""
    return may_manage_campaign(user, campaign)


def may_compute_agreement(user: Any, campaign: Campaign) -> bool:
    return may_manage_campaign(user, campaign)


def may_publish(user: Any, campaign: Campaign) -> bool:
    return may_manage_campaign(user, campaign)


def may_see_releases(user: Any, campaign: Campaign) -> bool:
    """A release names companions and holds every rating: managers only, until it is handed out."""
    return may_manage_campaign(user, campaign)


def may_see_rule(user: Any, campaign: Campaign) -> bool:
    """The rule in words and its version: who decides by it, and managers."""
    return may_see_cases(user, campaign)


def may_change_rule(user: Any, campaign: Campaign) -> bool:
    """And see what it would send: how many items raters disagree on is a figure of agreement."""
    return may_manage_campaign(user, campaign)


def may_compare_overlaps(user: Any, campaign: Campaign) -> bool:
    return may_manage_campaign(user, campaign)


def may_compare_agreement(user: Any, campaign: Campaign) -> bool:
    """Ask for two groups of its ratings to be compared; who may see the agreement reads what came of it."""
    return may_manage_campaign(user, campaign)


def may_plan(user: Any) -> bool:
    """Work out what a study would cost: who makes campaigns, and who manages one."""
    if not user.is_authenticated or not user.is_active:
        return False
    return bool(user.is_site_manager or Campaign.objects.managed_by(user).exists())


def may_take_as_pilot(user: Any, campaign: Campaign) -> bool:
    """A plan from its ratings shows their alpha."""
    return may_manage_campaign(user, campaign)


def may_see_plan(user: Any, plan: Job) -> bool:
    """Who asked for it; one from a pilot as long as they may see what it shows."""
    if not may_plan(user) or plan.created_by_id != user.pk:
        return False
    pilot = Campaign.objects.filter(slug=plan.arguments.get("pilot")).first()
    return plan.arguments.get("pilot") is None or (pilot is not None and may_take_as_pilot(user, pilot))
