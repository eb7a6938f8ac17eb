"""Ratings made elsewhere, brought into a campaign: the whole file in one transaction, or nothing."""

import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import ports
from annotation.errors import CampaignNotOpen, ConcordError
from annotation.models import Assignment, Campaign, Membership, Rating, Score, User, WorkItem
from annotation.services.campaigns import log
from annotation.services.items import free_place, is_extra_place, locked_item, next_rank, recount
from annotation.validation import level_of
from scenarios.item_ids import make_item_id

BATCH = 2000
NAME_LENGTH = User._meta.get_field("username").max_length or 150


@dataclass(frozen=True)
class ImportedScore:
    """One line of a tidy file of ratings; `line` is where it stands."""

    line: int
    item_id: str
    rater_id: str
    dimension: str
    value: int


@dataclass(frozen=True)
class Fault:
    line: int
    reason: str


class RatingsRefused(ConcordError):
    """The file was not taken; every fault with its line."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = sorted(faults, key=lambda fault: fault.line)
        first = self.faults[0]
        more = len(faults) - 1
        text = _("line %(line)s: %(reason)s") % {"line": first.line, "reason": first.reason}
        super().__init__(text + (_(" (and %(more)s more)") % {"more": more} if more else ""))


@dataclass
class ImportedRatings:
    ratings: int = 0  # new ones
    scores: int = 0  # new ones
    unchanged: int = 0  # scores that were there with the same value
    raters_made: list[str] = field(default_factory=list)
    over_overlap: int = 0  # items with more counted ratings than the overlap


# (item pk, rater id) -> {dimension: line read}
Judgements = dict[tuple[int, str], dict[str, ImportedScore]]


@transaction.atomic
def import_ratings(*, campaign: Campaign, scores: Iterable[ImportedScore], by: User | None = None) -> ImportedRatings:
    """Keeps each (item, rater)'s scores as a counted rating, in the file's order.

    Unknown raters become accounts that cannot sign in. More ratings than the overlap are kept; agreement reads the
    first ones up to it. The same score again is unchanged; another value for it is refused.
    Raises CampaignNotOpen on a closed campaign, RatingsRefused with each faulty line.
    """
    campaign.refresh_from_db(fields=["state"])
    if campaign.state == Campaign.State.CLOSED:
        raise CampaignNotOpen(_("This campaign is closed: its ratings are final."))
    report, faults = ImportedRatings(), list[Fault]()
    judgements = _judgements(campaign, scores, faults)
    people = _people(campaign, judgements, faults)
    _lock_items({item for item, _rater in judgements})
    before = _last_said(campaign, people)
    fresh = _only_new(judgements, people, before, report, faults)
    if faults:
        raise RatingsRefused(faults)
    for rater_id in dict.fromkeys(rater for _item, rater in judgements):
        if rater_id not in people:
            people[rater_id] = _make_rater(rater_id)
            report.raters_made.append(rater_id)
    by_item: dict[int, list[tuple[User, dict[str, int], Rating | None]]] = defaultdict(list)
    for (item_pk, rater_id), values in fresh.items():
        user = people[rater_id]
        by_item[item_pk].append((user, values, before.get((item_pk, user.pk))))
    now = timezone.now()
    for item_pk, given in by_item.items():
        item = locked_item(item_pk)
        _add(item, given, now, report)
        report.over_overlap += item.counted > campaign.overlap
    if report.scores:
        log(campaign, "ratings imported", by, ratings=report.ratings, raters_made=len(report.raters_made))
    return report


def _judgements(campaign: Campaign, scores: Iterable[ImportedScore], faults: list[Fault]) -> Judgements:
    rows = WorkItem.objects.filter(campaign=campaign).values_list(
        "scenario__key", "response__companion__name", "response__condition", "pk"
    )
    items = {make_item_id(key, companion, condition): pk for key, companion, condition, pk in rows.iterator()}
    dimensions = {dimension.key: dimension for dimension in campaign.rubric.dimensions}
    read: Judgements = defaultdict(dict)
    for score in scores:
        if score.item_id not in items:
            faults.append(Fault(score.line, _("no item %(id)s in this campaign") % {"id": score.item_id}))
        elif score.dimension not in dimensions:
            faults.append(Fault(score.line, _("no dimension %(key)s in the rubric") % {"key": score.dimension}))
        elif level_of(dimensions[score.dimension], score.value) is None:
            faults.append(Fault(score.line, _("%(value)s is not on the scale") % {"value": score.value}))
        elif not score.rater_id.strip() or len(score.rater_id) > NAME_LENGTH:
            faults.append(Fault(score.line, _("a rater id has 1 to %(most)s characters") % {"most": NAME_LENGTH}))
        else:
            first = read[items[score.item_id], score.rater_id].setdefault(score.dimension, score)
            if first.value != score.value:
                reason = _("another value of this rating stands on line %(line)s") % {"line": first.line}
                faults.append(Fault(score.line, reason))
    return read


def _people(campaign: Campaign, judgements: Judgements, faults: list[Fault]) -> dict[str, User]:
    names = {rater for _item, rater in judgements}
    people = {user.username: user for user in User.objects.filter(username__in=names)}
    managers = set(
        campaign.memberships.filter(role=Membership.Role.MANAGER, user__in=people.values())
        .exclude(state=Membership.State.REMOVED)
        .values_list("user__username", flat=True)
    )
    for (_item, rater), scores in judgements.items():
        if rater in managers:
            line = next(iter(scores.values())).line
            faults.append(Fault(line, _("%(user)s manages this campaign and does not rate in it") % {"user": rater}))
    return people


def _lock_items(pks: set[int]) -> None:
    """All at once and in one order, before what stands is read: nobody rates them meanwhile."""
    ordered = sorted(pks)
    for start in range(0, len(ordered), BATCH):
        batch = WorkItem.objects.filter(pk__in=ordered[start : start + BATCH]).order_by("pk")
        list(batch.select_for_update(no_key=True).values_list("pk", flat=True))


def _last_said(campaign: Campaign, people: dict[str, User]) -> dict[tuple[int, int], Rating]:
    """What the file's raters last said here, by item and person; a withdrawn rating is known too."""
    ratings = Rating.objects.in_campaign(campaign).exclude(status=Rating.Status.SUPERSEDED)
    ratings = ratings.filter(annotator__in=people.values()).order_by("pk")
    return {(rating.work_item_id, rating.annotator_id): rating for rating in ratings.prefetch_related("scores")}


def _only_new(
    judgements: Judgements,
    people: dict[str, User],
    before: dict[tuple[int, int], Rating],
    report: ImportedRatings,
    faults: list[Fault],
) -> dict[tuple[int, str], dict[str, int]]:
    """The judgements that add something: all their scores, those that stood already included."""
    fresh: dict[tuple[int, str], dict[str, int]] = {}
    for (item_pk, rater_id), scores in judgements.items():
        rating = before.get((item_pk, people[rater_id].pk)) if rater_id in people else None
        stood = {score.dimension: score.value for score in rating.scores.all()} if rating else {}
        new: dict[str, int] = {}
        for dimension, score in scores.items():
            if dimension not in stood and rating is not None and rating.status == Rating.Status.WITHDRAWN:
                faults.append(
                    Fault(score.line, _("%(rater)s's rating of this item was withdrawn") % {"rater": rater_id})
                )
            elif dimension not in stood:
                new[dimension] = score.value
            elif stood[dimension] == score.value:
                report.unchanged += 1
            else:
                ids = {"rater": rater_id, "dimension": dimension, "stood": stood[dimension], "value": score.value}
                reason = _("%(rater)s rated %(dimension)s of this item %(stood)s before; %(value)s is refused") % ids
                faults.append(Fault(score.line, reason))
        if new:
            report.scores += len(new)
            fresh[item_pk, rater_id] = stood | new
    return fresh


def _make_rater(rater_id: str) -> User:
    user = User(username=rater_id, is_active=False)
    user.set_unusable_password()
    user.save()
    return user


def _add(
    item: WorkItem,
    given: list[tuple[User, dict[str, int], Rating | None]],
    now: datetime,
    report: ImportedRatings,
) -> None:
    free_rank = next_rank(item)
    for user, values, stood in given:
        status = Rating.Status(stood.status) if stood else Rating.Status.COUNTED
        if stood is not None:
            stood.status = Rating.Status.SUPERSEDED
            stood.save(update_fields=["status"])
            place = stood.place
        else:
            place = {"rank": free_rank, "is_extra": is_extra_place(item)}
            free_rank += 1
            item.counted += 1
            report.ratings += 1
        rating = Rating.objects.create(
            assignment=stood.assignment if stood else _assignment(item, user, now),
            work_item=item,
            annotator=user,
            rubric_id=item.campaign.rubric_id,
            client_id=uuid.uuid4(),
            status=status,
            answered=status,
            **place,
            supersedes=stood,
            submitted_at=now,
        )
        Score.objects.bulk_create(Score(rating=rating, dimension=key, value=value) for key, value in values.items())
    recount(item)
    ports.after_ratings_changed(item)


def _assignment(item: WorkItem, user: User, now: datetime) -> Assignment:
    """Where the person holds a lease of the item just now, the file is their answer to it."""
    held = Assignment.objects.live().of(user).filter(work_item=item).first()
    if held is not None:
        free_place(item)
        held.state, held.ended_at = Assignment.State.SUBMITTED, now
        held.save(update_fields=["state", "ended_at"])
        return held
    return Assignment.objects.create(
        campaign_id=item.campaign_id,
        work_item=item,
        annotator=user,
        state=Assignment.State.SUBMITTED,
        imported=True,
        leased_at=now,
        expires_at=now,
        ended_at=now,
    )
