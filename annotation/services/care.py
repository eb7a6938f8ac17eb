"""What spares the people who rate: the note before the first item, heavy items; and the desk's settings."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import SettingsInvalid
from annotation.models import Campaign, Membership, User, WorkItem
from annotation.services.campaigns import log
from annotation.services.items import locked_item
from annotation.validation import LONGEST_NOTE, can_be_stored

# Lowest and highest.
BREAK_MINUTES, AHEAD = (0, 240), (0, 5)


@transaction.atomic
def read_note(*, membership: Membership) -> None:
    """They have read the campaign's content note: items are shown from now on. The first time stays on record."""
    unread = Membership.objects.filter(pk=membership.pk, note_read_at__isnull=True)
    unread.update(note_read_at=timezone.now())
    membership.refresh_from_db(fields=["note_read_at"])


@transaction.atomic
def flag_heavy(*, item: WorkItem, heavy: bool, by: User | None = None) -> WorkItem:
    """From now on the item is announced before its text shows, and skipped without a reason; or no more."""
    item = locked_item(item.pk)
    if item.heavy != heavy:
        item.heavy = heavy
        item.save(update_fields=["heavy"])
        log(item.campaign, "flagged heavy" if heavy else "no longer heavy", by, item=item.pk)
    return item


@transaction.atomic
def set_desk(
    *,
    campaign: Campaign,
    content_note: str,
    support_contact: str,
    break_minutes: int,
    ahead: int,
    by: User | None = None,
) -> Campaign:
    """The settings of the campaign's desk. A note that changed is read again by everyone before their next item.

    break_minutes: 0 is never, up to 240; ahead: items leased beside the one in hand, 0 to 5. Raises SettingsInvalid.
    """
    given: dict[str, Any] = {
        "content_note": content_note,
        "support_contact": support_contact,
        "break_minutes": break_minutes,
        "ahead": ahead,
    }
    faults = _faults(given)
    if faults:
        raise SettingsInvalid(fields=faults)
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    changed = {name: value for name, value in given.items() if getattr(campaign, name) != value}
    if not changed:
        return campaign
    for name, value in changed.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=list(changed))
    if "content_note" in changed:
        campaign.memberships.update(note_read_at=None)
    log(campaign, "desk settings", by, **changed)
    return campaign


def _faults(given: dict[str, Any]) -> dict[str, list[str]]:
    faults = {}
    for name in ("content_note", "support_contact"):
        if len(given[name]) > LONGEST_NOTE or not can_be_stored(given[name]):
            faults[name] = [_("At most %(most)s characters, and no NUL.") % {"most": LONGEST_NOTE}]
    for name, (lowest, highest) in {"break_minutes": BREAK_MINUTES, "ahead": AHEAD}.items():
        if not lowest <= given[name] <= highest:
            ends = {"lowest": lowest, "highest": highest}
            faults[name] = [_("A whole number, %(lowest)s to %(highest)s.") % ends]
    return faults
