"""Messages as they are read: one conversation a person of the campaign, and what Concord says to the managers."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, Count, F, Max, Q, QuerySet, When
from django.db.models.functions import Coalesce

from annotation.models import Campaign, Membership, Message, User


@dataclass(frozen=True)
class Conversation:
    """With one person; without a person, Concord's own words to the managers. `unread` by the managers."""

    person: User | None
    last: Message
    unread: int


def conversations_of(campaign: Campaign) -> list[Conversation]:
    """All of the campaign, those with something unread first, then the latest. For managers. Three queries."""
    rows = list(
        Message.objects.filter(campaign=campaign)
        .annotate(person=Coalesce(F("recipient"), F("author")))
        .values("person")
        .annotate(last=Max("pk"), unread=Count("pk", filter=Q(recipient=None, read_at=None)))
        .order_by()
    )
    last = Message.objects.select_related("author").in_bulk({row["last"] for row in rows})
    people = User.objects.in_bulk({row["person"] for row in rows} - {None})
    found = [Conversation(people.get(row["person"]), last[row["last"]], row["unread"]) for row in rows]
    return sorted(found, key=lambda one: (one.unread == 0, -one.last.pk))


def conversation_with(campaign: Campaign, person: User | None) -> QuerySet[Message]:
    """Everything between the person and the campaign's managers, the latest first."""
    mine = Message.objects.filter(campaign=campaign).select_related("author", "recipient").order_by("-pk")
    return mine.of(person) if person else mine.filter(author=None, recipient=None)


def people_to_write_to(campaign: Campaign, written: Iterable[int]) -> list[User]:
    """Annotators and experts of the campaign with whom there is no conversation yet."""
    roles = campaign.memberships.filter(user__is_active=True).exclude(state=Membership.State.REMOVED)
    managers = roles.filter(role=Membership.Role.MANAGER, state=Membership.State.ACTIVE).values("user")
    people = User.objects.filter(memberships__in=roles).exclude(pk__in=managers).exclude(pk__in=set(written))
    return sorted(people.distinct(), key=str)


def received_by(user: User) -> QuerySet[Message]:
    """What they were sent, unread first, then the latest."""
    mine = Message.objects.filter(recipient=user).select_related("author", "campaign")
    return mine.alias(read=Case(When(read_at=None, then=0), default=1)).order_by("read", "-pk")
