"""The rule on hidden checks: who misses too many is paused, and told so; their managers too."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from annotation.check_items import answered_checks
from annotation.checks import pauses, rule_of
from annotation.models import Campaign, Membership, User
from annotation.services.campaigns import log
from annotation.services.messages import send_message
from annotation.services.people import change_membership


@transaction.atomic
def pause_by_rule(*, campaign: Campaign, user: User) -> bool:
    """Pauses the annotator where the campaign's rule says so; whether it did.

    Only checks answered since they were last let in, or asked to train again, are looked at: who goes on begins anew.
    What they rated stays as it is. The messages name no item: which one was a check stays hidden.
    """
    rule = rule_of(campaign.checks)
    if rule is None or not rule.pause_after:
        return False
    members = Membership.objects.active().select_for_update(of=("self",)).select_related("user", "campaign")
    membership = members.filter(campaign=campaign, user=user, role=Membership.Role.ANNOTATOR).first()
    if membership is None:
        return False
    since = max(filter(None, (_let_in_at(membership), membership.retrained_at)), default=None)
    answered = answered_checks(campaign, rule, user=user).get(user.pk, [])
    hits = [check.hit for check in answered if since is None or check.at > since]
    if not pauses(hits, rule):
        return False
    looked_at = hits[-rule.window :]
    change_membership(membership=membership, state=Membership.State.PAUSED)
    log(campaign, "checks missed", None, user=user.username, missed=looked_at.count(False), of=len(looked_at))
    _tell(membership, missed=looked_at.count(False), of=len(looked_at))
    return True


def _let_in_at(membership: Membership) -> datetime | None:
    """When they were added or made active last."""
    came = membership.campaign.events.filter(
        kind__in=["member added", f"member {Membership.State.ACTIVE}"],
        detail__user=membership.user.username,
        detail__role=membership.role,
    )
    return came.order_by("-at", "-id").values_list("at", flat=True).first()


def _tell(membership: Membership, *, missed: int, of: int) -> None:
    campaign, user = membership.campaign, membership.user
    with translation.override(user.own_language):
        text = _(
            "You are paused in this campaign: several of your latest ratings are far from what its experts give. "
            "All that you rated is kept, and your time counts. Please read the guideline again, then answer here: a "
            "manager of the campaign can let you go on."
        )
        send_message(campaign=campaign, recipient=user, text=text)
    with translation.override(_language_of_managers(campaign)):
        text = _(
            "%(person)s was paused by the rule on check items: %(missed)s of their last %(of)s were missed. They were "
            "told, without which items it was. Under “People” you can let them go on; the count then begins anew."
        )
        send_message(campaign=campaign, text=text % {"person": user, "missed": missed, "of": of})


def _language_of_managers(campaign: Campaign) -> str:
    """The first one's; they read one message together."""
    managers = campaign.memberships.active().filter(role=Membership.Role.MANAGER).order_by("pk")
    return managers.values_list("user__language", flat=True).first() or settings.LANGUAGE_CODE
