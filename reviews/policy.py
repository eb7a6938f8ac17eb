"""Who may do what in the reviews room: plain predicates, used by pages, API and templates alike.

A manager sees everything of their campaign; an expert sees cases under pseudonyms and no agreement while it is open.
Model and condition stay hidden from both on a case until the campaign is closed.
"""

from typing import Any

from annotation.models import Assignment, Campaign
from annotation.policy import Role, has_role, may_manage_campaign
from reviews.models import Case


def is_expert(user: Any, campaign: Campaign) -> bool:
    return has_role(user, campaign, Role.EXPERT, states=("active",))


def has_conflict(user: Any, case: Case) -> bool:
    """They were given the item to rate, whatever became of it: no one judges their own."""
    return Assignment.objects.filter(work_item=case.work_item_id, annotator=user.pk).exists()


def may_adjudicate(user: Any, case: Case) -> bool:
    return is_expert(user, case.campaign) and not has_conflict(user, case)


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


def may_see_origin(user: Any, case: Case) -> bool:
    """Companion, condition, key and reference: nobody, until the campaign is closed."""
    return case.campaign.state == Campaign.State.CLOSED and may_see_case(user, case)


def may_reopen(user: Any, case: Case) -> bool:
    return may_manage_campaign(user, case.campaign) or may_adjudicate(user, case)


def may_teach_from(user: Any, case: Case) -> bool:
    """Write to its raters, make a training item or an example of it: who may read it, and was never given its item."""
    return may_see_ratings_of(user, case) and not has_conflict(user, case)


def may_see_agreement(user: Any, campaign: Campaign) -> bool:
    """Managers; experts once the campaign is closed: a figure seen while deciding would bend the decisions."""
    if may_manage_campaign(user, campaign):
        return True
    return campaign.state == Campaign.State.CLOSED and is_expert(user, campaign)


def may_compute_agreement(user: Any, campaign: Campaign) -> bool:
    return may_manage_campaign(user, campaign)


def may_publish(user: Any, campaign: Campaign) -> bool:
    return may_manage_campaign(user, campaign)


def may_see_releases(user: Any, campaign: Campaign) -> bool:
    """A release names companions and holds every rating: managers only, until it is handed out."""
    return may_manage_campaign(user, campaign)
