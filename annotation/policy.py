"""Who may do what in the annotation room: plain predicates, used by pages, API and templates alike.

A role is a Membership of the campaign. A site manager is not by that a member: they manage campaigns and people, and
see no rating.
"""

from typing import Any

from annotation.models import Campaign, Membership, Rating, WorkItem

Role = Membership.Role


def has_role(user: Any, campaign: Campaign, *roles: str, states: tuple[str, ...] = ("active", "paused")) -> bool:
    """The person holds one of the roles here; a paused one still sees what is theirs."""
    if not user.is_authenticated or not user.is_active:
        return False
    return campaign.memberships.filter(user=user, role__in=roles, state__in=states).exists()


def may_create_campaign(user: Any) -> bool:
    return bool(user.is_authenticated and user.is_site_manager)


def may_manage_campaign(user: Any, campaign: Campaign) -> bool:
    """Everything of the campaign, names and agreement included."""
    return has_role(user, campaign, Role.MANAGER, states=("active",))


def may_run_campaign(user: Any, campaign: Campaign) -> bool:
    """Open, pause, close, add people; shows counts, no rating."""
    return user.is_authenticated and (user.is_site_manager or may_manage_campaign(user, campaign))


def may_rate(user: Any, campaign: Campaign) -> bool:
    return has_role(user, campaign, Role.ANNOTATOR)


def may_edit_rating(user: Any, rating: Rating) -> bool:
    """Their own standing rating, until an expert has its item, the campaign is closed, or they have seen more."""
    item = rating.work_item
    return (
        rating.annotator_id == user.pk
        and rating.told in (Rating.Status.COUNTED, Rating.Status.SURPLUS)
        and not item.locked
        and item.state != WorkItem.State.WITHDRAWN
        and item.campaign.state != Campaign.State.CLOSED
        and not item.is_barred_to(user.pk)
    )


def may_read_messages(user: Any, campaign: Campaign) -> bool:
    """Their own words with the managers; managers read everyone's (`may_manage_campaign`)."""
    return has_role(user, campaign, *Role.values)


def may_write_to_managers(user: Any, campaign: Campaign) -> bool:
    """Everyone with a part in the campaign but its managers themselves."""
    return may_read_messages(user, campaign) and not may_manage_campaign(user, campaign)


def may_write_to(user: Any, campaign: Campaign, person: Any) -> bool:
    """A manager, to one who has a part here and is still here to read it."""
    return may_manage_campaign(user, campaign) and may_write_to_managers(person, campaign)


def may_invite(user: Any, person: Any) -> bool:
    """A one-time link signs its holder in as the person: only for those who never came in, or by a site manager.

    A campaign's manager makes none for a person who is in campaigns of others too, and would come in there as well.
    """
    if person.is_superuser or person.is_site_manager:
        return bool(user.is_superuser)
    if user.is_site_manager:
        return True
    theirs = [membership for membership in user.memberships.all() if membership.role == Role.MANAGER]
    managed = {membership.campaign_id for membership in theirs if membership.state == Membership.State.ACTIVE}
    elsewhere = any(membership.campaign_id not in managed for membership in person.memberships.all())
    return not person.has_usable_password() and not elsewhere
