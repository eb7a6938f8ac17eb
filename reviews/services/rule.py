"""Changing a campaign's rule, and going over its items with the new one."""

from collections import Counter
from collections.abc import Callable

from django.db import connection, transaction
from django.utils.translation import gettext as _

from annotation.errors import CampaignNotOpen
from annotation.models import Campaign, User, WorkItem
from annotation.services import items
from annotation.services.campaigns import log
from annotation.services.items import locked_item
from annotation.validation import fault_of_reason
from reviews.errors import OptionsInvalid, RuleOutdated
from reviews.forecast import CaseSeen, Fate, ItemSeen, fate_of
from reviews.models import Case
from reviews.rules import Rule, is_drawn
from reviews.services.background import APPLY_RULE, start
from reviews.services.review_item import ratings_seen, review_item, was_reopened
from reviews.services.seen import BATCH, rated_items, seen_in_batches

Progress = Callable[[int, int], None]
CHANGED = "rule changed"


@transaction.atomic
def change_rule(
    *, campaign: Campaign, rule: Rule, by: User | None = None, reason: str = "", seen: int | None = None
) -> Campaign:
    """The next version of the rule; a job goes over the items with it. The same rule again changes nothing.

    Read the rule with `reviews.rule_reading.read_rule`. seen: the version that whoever changes it has looked at.
    Raises CampaignNotOpen where the campaign is closed, RuleOutdated where the version is no longer the one seen,
    OptionsInvalid where the reason cannot be kept.
    """
    if told := fault_of_reason(reason):
        raise OptionsInvalid(told, fields={"reason": [told]})
    campaign = Campaign.objects.select_for_update(of=("self",)).select_related("rubric").get(pk=campaign.pk)
    if campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its rule stays as it was."))
    if seen is not None and seen != campaign.rule_version:
        raise RuleOutdated
    old, new = campaign.rule, rule.as_json()
    if Rule.of(old) == rule:
        return campaign
    campaign.rule, campaign.rule_version = new, campaign.rule_version + 1
    campaign.save(update_fields=["rule", "rule_version"])
    log(campaign, CHANGED, by, version=campaign.rule_version, old=old, new=new, reason=reason.strip())
    start_applying(campaign, by=by)
    return campaign


def start_applying(campaign: Campaign, *, by: User | None) -> None:
    """The job of this version, unless it is under way; one of an older version leaves the rest to it."""
    start(campaign, APPLY_RULE, by=by, version=campaign.rule_version)


def apply_rule(
    *, campaign: Campaign, version: int | None = None, progress: Progress = lambda done, total: None
) -> dict[str, int]:
    """Goes over the rated items with the campaign's rule; what an expert holds or has decided stays as it is.

    Many are looked at without a lock; where something is to change the item is locked and looked at once more. Killed
    and run again it ends in the same state. version: stops where the campaign's rule has a later one by now.
    Returns {"version", "looked_at", "opened", "fallen", "refreshed", "extra", "settled"}.
    """
    campaign = Campaign.objects.select_related("rubric").get(pk=campaign.pk)
    version = version or campaign.rule_version
    rule = Rule.of(campaign.rule)
    _wait_for_those_before(campaign)
    total = rated_items(campaign).count()
    counts: Counter[str] = Counter()
    looked_at = 0
    for batch in seen_in_batches(campaign, hurried=rule.hurried):
        now = Campaign.objects.get(pk=campaign.pk)
        if now.rule_version > version:
            break
        closed = now.state == Campaign.State.CLOSED
        for item in batch:
            fate = fate_of(item, rule, seed=campaign.seed, version=version, closed=closed)
            if fate != Fate.LEFT:
                counts[_apply_to(item.pk)] += 1
            looked_at += 1
            progress(looked_at, total)
    told = (Fate.OPENED, Fate.FALLEN, Fate.REFRESHED, Fate.EXTRA, Fate.SETTLED)
    return {"version": version, "looked_at": looked_at, **{str(fate): counts[fate] for fate in told}}


def _wait_for_those_before(campaign: Campaign) -> None:
    """Whoever locked an item before the rule was changed may still go by the old one: until they are done.

    Who locks an item from now on reads the new rule (`locked_item`). SQLite has one writer at a time: nobody is left.
    """
    if not connection.features.has_select_for_update:
        return
    items_left = WorkItem.objects.filter(campaign=campaign).exclude(state=WorkItem.State.WITHDRAWN)
    pks = list(items_left.order_by("pk").values_list("pk", flat=True))
    for at in range(0, len(pks), BATCH):
        batch = pks[at : at + BATCH]
        with transaction.atomic():
            found = WorkItem.objects.filter(pk__in=batch).select_for_update(skip_locked=True, no_key=True)
            free = set(found.values_list("pk", flat=True))
        for pk in batch:
            if pk not in free:  # waited for one at a time, so that two can never wait for each other
                with transaction.atomic():
                    locked_item(pk)


@transaction.atomic
def _apply_to(pk: int) -> Fate:
    """Looks at the item once more, under its lock, and does what the rule of now says."""
    item = locked_item(pk)
    campaign, rule = item.campaign, Rule.of(item.campaign.rule)
    case = Case.objects.standing().filter(work_item=item).first()
    closed = campaign.state == Campaign.State.CLOSED
    fate = fate_of(_seen(item, case), rule, seed=campaign.seed, version=campaign.rule_version, closed=closed)
    if fate == Fate.LEFT:
        return fate
    if item.state == WorkItem.State.OPEN:
        items.ask_for_no_more(item)
    elif item.state == WorkItem.State.SETTLED:
        items.recount(item)
    elif item.state == WorkItem.State.IN_REVIEW:
        items.return_from_review(item)
    review_item(item)
    if case is not None and fate == Fate.REFRESHED:
        _draw_anew(case.pk, item, rule)
    return fate


def _seen(item: WorkItem, case: Case | None) -> ItemSeen:
    standing: CaseSeen | None = None
    if case is not None:
        is_free = case.state == Case.State.WAITING and not case.opinions_in
        standing = CaseSeen(is_free, case.rule_version, was_reopened(case))
    return ItemSeen(
        pk=item.pk,
        item_id=item.response.item_id,
        cluster="",
        state=item.state,
        needed=item.needed,
        extra=item.extra,
        leased=item.leased,
        ratings=ratings_seen(item),
        case=standing,
    )


def _draw_anew(case_id: int, item: WorkItem, rule: Rule) -> None:
    """Whether two experts decide it, by the rule's share of now; not where more were asked for, or it was reopened."""
    case = Case.objects.get(pk=case_id)
    twice = is_drawn(item.response.item_id, seed=item.campaign.seed, share=rule.twice_share, what="twice")
    if case.drawn_twice == twice or case.round or case.opinions_needed != (2 if case.drawn_twice else 1):
        return
    case.drawn_twice, case.opinions_needed = twice, 2 if twice else 1
    case.save(update_fields=["drawn_twice", "opinions_needed"])
