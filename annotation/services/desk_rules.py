"""The rules of a campaign's desk: the training round and the hidden checks. Each change is in the campaign's log."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import CampaignNotOpen, RuleInvalid
from annotation.models import Assignment, Campaign, Membership, User, WorkItem
from annotation.qualification import Rule, rule_of
from annotation.services.campaigns import log
from annotation.training_round import training_items, unable_to_begin

Role = Membership.Role
MOST_ITEMS, MOST_ATTEMPTS = 200, 50
# one_in, pause_after, window: ends of what a checks rule may ask for.
RAREST, LONGEST_WINDOW = 1000, 200


@transaction.atomic
def save_training_rule(
    *, campaign: Campaign, rule: Rule | None, let_in_raters: bool = True, by: User | None = None
) -> Campaign:
    """None: no training round. An attempt under way keeps the rule it began with.

    let_in_raters: whoever has rated here before goes on without a round (only where there was none before).
    Raises CampaignNotOpen (closed), RuleInvalid where the rule cannot be met.
    """
    campaign = _locked(campaign)
    if rule_of(campaign.training) == rule:
        return campaign
    first = rule is not None and not campaign.training
    let_in = _let_in_raters(campaign) if first and let_in_raters else 0
    if rule is not None:
        _check_training(campaign, rule)
    campaign.training = rule.as_json() if rule else {}
    campaign.save(update_fields=["training"])
    log(campaign, "training rule", by, rule=campaign.training, let_in=let_in)
    return campaign


@transaction.atomic
def save_checks_rule(*, campaign: Campaign, rule: dict[str, int] | None, by: User | None = None) -> Campaign:
    """None: no checks. rule: {"one_in", "max_difference", "pause_after", "window"}; pause_after 0 pauses nobody.

    Raises CampaignNotOpen (closed), RuleInvalid by field.
    """
    campaign = _locked(campaign)
    if rule is not None:
        _check_checks(campaign, rule)
    if campaign.checks == (rule or {}):
        return campaign
    campaign.checks = rule or {}
    campaign.save(update_fields=["checks"])
    log(campaign, "checks rule", by, rule=campaign.checks)
    return campaign


def _locked(campaign: Campaign) -> Campaign:
    found = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if found.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its rules stay as they were."))
    return found


def _check_training(campaign: Campaign, rule: Rule) -> None:
    widest = _widest(campaign)
    faults: dict[str, list[str]] = {}
    _within(faults, "items", rule.items, 1, MOST_ITEMS)
    _within(faults, "max_mean_difference", rule.max_mean_difference, 0, widest)
    _within(faults, "max_missed", rule.max_missed, 0, 10_000)
    _within(faults, "attempts", rule.attempts, 1, MOST_ATTEMPTS)
    there = len(training_items(campaign))
    if not faults and there < rule.items:
        said = ngettext(
            "There is %(n)s training item; an attempt cannot ask for more. Upload more first.",
            "There are %(n)s training items; an attempt cannot ask for more. Upload more first.",
            there,
        )
        faults["items"] = [said % {"n": there}]
    elif not faults and (unable := unable_to_begin(campaign, rule)):
        names = ", ".join(str(member.user) for member in unable[:5])
        faults["items"] = [_("There are too few training items in the languages of: %(names)s.") % {"names": names}]
    if faults:
        raise RuleInvalid(fields=faults)


def _check_checks(campaign: Campaign, rule: dict[str, Any]) -> None:
    faults: dict[str, list[str]] = {}
    _within(faults, "one_in", rule.get("one_in"), 2, RAREST)
    _within(faults, "max_difference", rule.get("max_difference"), 0, _widest(campaign))
    _within(faults, "window", rule.get("window"), 1, LONGEST_WINDOW)
    _within(faults, "pause_after", rule.get("pause_after"), 0, LONGEST_WINDOW)
    if not faults and rule["pause_after"] > rule["window"]:
        faults["pause_after"] = [_("So many misses do not fit among the checks looked at.")]
    checks = WorkItem.everything.filter(campaign=campaign, purpose=WorkItem.Purpose.CHECK)
    if not faults and not checks.exists():
        faults["one_in"] = [_("There are no check items yet. Upload known answers for checks first.")]
    if faults:
        raise RuleInvalid(fields=faults)


def _widest(campaign: Campaign) -> int:
    return max(dimension.highest - dimension.lowest for dimension in campaign.rubric.dimensions)


def _within(faults: dict[str, list[str]], field: str, value: Any, lowest: float, highest: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value <= highest:
        ends = {"lowest": lowest, "highest": highest}
        faults[field] = [_("Must be a number from %(lowest)s to %(highest)s.") % ends]


def _let_in_raters(campaign: Campaign) -> int:
    rated = Assignment.objects.filter(
        campaign=campaign, annotator=OuterRef("user"), state=Assignment.State.SUBMITTED, imported=False
    )
    raters = campaign.memberships.filter(Exists(rated), role=Role.ANNOTATOR, qualified_at=None, retrained_at=None)
    return raters.update(qualified_at=timezone.now())
