"""Back to the training round: a manager asks an annotator to pass it once more before they are given items again."""

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from annotation.errors import CampaignNotOpen, NotAllowed, TrainingRefused
from annotation.models import Assignment, Campaign, Membership, User
from annotation.qualification import rule_of
from annotation.services.campaigns import log
from annotation.services.leases import end_leases
from annotation.services.messages import send_message
from annotation.training_round import in_languages, training_items

RETRAINED = "asked to train again"


def retrain(*, membership: Membership, by: User | None = None) -> Membership:
    """They get as many attempts as the rule gives anyone, and are told so; their leases end at once.

    What they rated stays as it is. Raises NotAllowed for another role, CampaignNotOpen where it is closed,
    TrainingRefused where there is no round that they could pass, or they are on their way through it.
    """
    with transaction.atomic():
        membership = _to_retrain(membership)
        membership.qualified_at, membership.retrained_at = None, timezone.now()
        membership.save(update_fields=["qualified_at", "retrained_at"])
        log(membership.campaign, RETRAINED, by, member=membership.pk, user=membership.user.username)
        with translation.override(membership.user.own_language):
            text = _(
                "A manager of this campaign asks you to go through the training once more before you are given new "
                "items. All that you rated is kept, and your time counts. If anything is unclear, answer here."
            )
            send_message(campaign=membership.campaign, recipient=membership.user, text=text)
    end_leases(campaign=membership.campaign, user=membership.user, state=Assignment.State.WITHDRAWN)
    return membership


def _to_retrain(membership: Membership) -> Membership:
    """Its row is locked, so that a lease is given before, and ends, or is refused after."""
    found = Membership.objects.select_for_update(of=("self",)).select_related("campaign", "user").get(pk=membership.pk)
    if found.role != Membership.Role.ANNOTATOR or found.state == Membership.State.REMOVED:
        raise NotAllowed(_("Only annotators have a training."))
    if found.campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its training is over."))
    rule = rule_of(found.campaign.training)
    if rule is None:
        raise TrainingRefused(_("This campaign has no training round."))
    if found.qualified_at is None:
        raise TrainingRefused(_("%(person)s has the training still to pass.") % {"person": found.user})
    if len(in_languages(training_items(found.campaign), found.languages)) < rule.items:
        said = _("There are too few training items in the languages of: %(names)s.")
        raise TrainingRefused(said % {"names": found.user})
    return found
