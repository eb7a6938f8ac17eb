"""Words between a person of a campaign and its managers, and letters to raters. Sent once, never changed."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import policy
from annotation.errors import MessageRefused, NotAllowed
from annotation.models import Campaign, Membership, Message, User, WorkItem
from annotation.services.items import bar_from_item
from annotation.services.people import one_at_a_time
from annotation.validation import can_be_stored

LONGEST = 5_000
# The same words by the same person to the same one within this time are a second click, not a second message.
SAME_CLICK = timedelta(seconds=60)


@transaction.atomic
def send_message(
    *,
    campaign: Campaign,
    text: Any,
    author: User | None = None,
    recipient: User | None = None,
    reply_to: Message | None = None,
) -> Message:
    """A message. Without an author it is Concord's own word; without a recipient it goes to the campaign's managers.

    A person's reply is to something they were sent, a manager's to something of the recipient's thread; what is
    replied to counts as read. The same text again within a minute is the same message, and is answered with it.
    Raises NotAllowed (annotation/policy.py says who may write to whom), MessageRefused for the text or the reply.
    """
    checked = _checked(text)
    if author is not None:
        _refuse_strangers(campaign, author, recipient)
        one_at_a_time(author)
        if sent := _sent_just_now(campaign, author, checked).filter(recipient=recipient, reply_to=reply_to).first():
            return sent
    if reply_to is not None:
        _refuse_wrong_reply(campaign, reply_to, person=recipient or author)
        _read(reply_to, by_managers=recipient is not None)
    return Message.objects.create(
        campaign=campaign, author=author, recipient=recipient, reply_to=reply_to, text=checked
    )


@transaction.atomic
def send_to_annotators(*, campaign: Campaign, text: Any, author: User) -> int:
    """One message to each annotator of the campaign, active or paused, who has not left; returns how many they are.

    Whoever got the same text from the author within the last minute does not get it twice.
    Raises NotAllowed for all but the campaign's managers, MessageRefused for the text.
    """
    checked = _checked(text)
    if not policy.may_manage_campaign(author, campaign):
        raise NotAllowed
    one_at_a_time(author)
    members = campaign.memberships.filter(role=Membership.Role.ANNOTATOR, user__is_active=True)
    people = list(members.exclude(state=Membership.State.REMOVED).order_by("pk").values_list("user", flat=True))
    have = set(_sent_just_now(campaign, author, checked).values_list("recipient", flat=True))
    Message.objects.bulk_create(
        Message(campaign=campaign, author=author, recipient_id=person, text=checked)
        for person in people
        if person not in have
    )
    return len(people)


@transaction.atomic
def send_outcome(*, item: WorkItem, raters: Iterable[User], outcome: dict[str, Any], text: Any, author: User) -> int:
    """A letter to each of the item's raters who is here to read it: the author's words and what was decided.

    outcome: as Message.outcome; no name of anybody is in it. Whoever gets it knows the verdict, and is barred from the
    item. The same words of the author on the same item within a minute are the same letter. Returns how many have it.
    The caller has seen that the author may, holds the author's place (`one_at_a_time`) and the item's row lock.
    Raises MessageRefused for the text, or where nobody is left to read it.
    """
    checked = _checked(text)
    campaign = item.campaign
    readers = [rater for rater in raters if policy.may_write_to_managers(rater, campaign)]
    if not readers:
        raise MessageRefused(_("None of its raters is here to read a letter."))
    just_now = _sent_just_now(campaign, author, checked).filter(work_item=item)
    have = set(just_now.values_list("recipient", flat=True))
    for reader in readers:
        bar_from_item(item, reader)
    Message.objects.bulk_create(
        Message(campaign=campaign, author=author, recipient=reader, work_item=item, text=checked, outcome=outcome)
        for reader in readers
        if reader.pk not in have
    )
    return len(readers)


@transaction.atomic
def mark_read(*, message: Message, user: User) -> Message:
    """The person has it before their eyes. Managers read as one: what one of them read is read.

    Raises NotAllowed where it was not sent to them. Again changes nothing: the first reading stands.
    """
    if message.recipient_id is None:
        meant = policy.may_manage_campaign(user, message.campaign)
    else:
        meant = message.recipient_id == user.pk
    if not meant:
        raise NotAllowed
    _read(message, by_managers=message.recipient_id is None)
    message.refresh_from_db(fields=["read_at"])
    return message


def mark_thread_read(*, campaign: Campaign, user: User, up_to: int, person: User | None = None) -> int:
    """All that the person was sent here; to a manager, all that `person` wrote (None: what Concord said).

    `up_to` is the newest message they had before their eyes: what came after that is not read yet.
    """
    unread = Message.objects.filter(campaign=campaign, read_at=None, pk__lte=up_to)
    if policy.may_manage_campaign(user, campaign):
        mine = unread.filter(recipient=None, author=person)
    else:
        mine = unread.filter(recipient=user)
    return mine.update(read_at=timezone.now())


def unread_of(user: User, campaign: Campaign | None = None) -> int:
    """How many messages wait for the person: those sent to them, and to the managers where they manage. One query."""
    waiting = Message.objects.waiting_for(user)
    return waiting.count() if campaign is None else waiting.filter(campaign=campaign).count()


def _checked(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        said = _("Write something first.")
    elif len(text) > LONGEST:
        said = _("A message has at most %(most)s characters; this one has %(n)s.") % {"most": LONGEST, "n": len(text)}
    elif not can_be_stored(text):
        said = _("Contains a character that cannot be stored.")
    else:
        return text
    raise MessageRefused(said, fields={"text": [said]})


def _refuse_strangers(campaign: Campaign, author: User, recipient: User | None) -> None:
    if recipient is None:
        if not policy.may_write_to_managers(author, campaign):
            raise NotAllowed
    elif not policy.may_write_to(author, campaign, recipient):
        if not policy.may_manage_campaign(author, campaign):
            raise NotAllowed
        raise MessageRefused(_("%(person)s has no part here now and could not read it.") % {"person": recipient})


def _sent_just_now(campaign: Campaign, author: User, text: str) -> Any:
    return Message.objects.filter(
        campaign=campaign, author=author, text=text, sent_at__gt=timezone.now() - SAME_CLICK
    ).order_by("-pk")


def _refuse_wrong_reply(campaign: Campaign, reply_to: Message, *, person: User | None) -> None:
    """A thread is of one person: what is answered is theirs, or was sent to them."""
    of = reply_to.recipient_id or reply_to.author_id
    if reply_to.campaign_id != campaign.pk or person is None or of != person.pk:
        raise MessageRefused(_("The message that this answers is not of this conversation."))


def _read(message: Message, *, by_managers: bool) -> None:
    """Sets the first reading, by the side that it was sent to."""
    unread = Message.objects.filter(pk=message.pk, read_at=None, recipient__isnull=by_managers)
    unread.update(read_at=timezone.now())
