"""Taking out what one rater gave from a moment on, and bringing it back: asked for at once, done item by item."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from annotation.errors import MoveRefused
from annotation.models import Campaign, Rating, User, WorkItem
from annotation.policy import may_read_messages
from annotation.services.campaigns import log
from annotation.services.items import locked_item
from annotation.services.messages import send_message
from annotation.services.people import one_at_a_time
from annotation.services.ratings import restore_rating, retell_check, withdraw_rating
from annotation.validation import fault_of_reason
from reviews.errors import WithdrawalInvalid
from reviews.models import RatingWithdrawal, WithdrawnRating
from reviews.services.background import RESTORE_RATINGS, WITHDRAW_RATINGS, start

Progress = Callable[[int, int], None]
Status = Rating.Status
ASKED, REVERTED = "ratings withdrawn from a date on", "withdrawal of ratings taken back"
BATCH = 1000


def ratings_from(campaign: Campaign, annotator: User, since: datetime) -> QuerySet[Rating]:
    """What a withdrawal from then on takes out: counted or surplus, of items rated for real.

    An edit counts by the time when it was made. Not what another withdrawal is about to take out.
    """
    return _from(campaign, annotator, since).filter(status__in=[Status.COUNTED, Status.SURPLUS])


def _from(campaign: Campaign, annotator: User, since: datetime) -> QuerySet[Rating]:
    pending = WithdrawnRating.objects.filter(was="", withdrawal__reverted_at=None, withdrawal__campaign=campaign)
    theirs = Rating.objects.standing().of(annotator).given_in(campaign).filter(submitted_at__gte=since)
    return theirs.exclude(assignment__in=pending.values("rating__assignment"))


@transaction.atomic
def ask_withdrawal(
    *, campaign: Campaign, annotator: User, since: datetime, reason: str, by: User | None = None
) -> RatingWithdrawal:
    """Writes down which ratings it is about, tells their rater, and has a job take them out.

    What they submit from now on is none of it: a submit under way is waited for. Raises WithdrawalInvalid by field.
    """
    _refuse_faults(since, reason := reason.strip())
    one_at_a_time(annotator)
    if not ratings_from(campaign, annotator, since).exists():
        said = _("No rating of theirs from then on counts or is kept as surplus.")
        raise WithdrawalInvalid(said, fields={"since": [said]})
    withdrawal = RatingWithdrawal.objects.create(
        campaign=campaign, annotator=annotator, since=since, reason=reason, by=by
    )
    theirs = _from(campaign, annotator, since)
    rows = [WithdrawnRating(withdrawal=withdrawal, rating_id=pk) for pk in theirs.values_list("pk", flat=True)]
    WithdrawnRating.objects.bulk_create(rows, batch_size=BATCH)
    detail = {"withdrawal": withdrawal.pk, "user": annotator.username, "since": since.isoformat(), "reason": reason}
    log(campaign, ASKED, by, **detail)
    _tell_of_withdrawal(withdrawal)
    start(campaign, WITHDRAW_RATINGS, by=by, withdrawal=withdrawal.pk)
    return withdrawal


def _refuse_faults(since: datetime, reason: str) -> None:
    faults: dict[str, list[str]] = {}
    if since > timezone.now():
        faults["since"] = [_("This moment is still to come.")]
    if not reason:
        faults["reason"] = [_("Say why: it is kept in the campaign’s log.")]
    elif told := fault_of_reason(reason):
        faults["reason"] = [told]
    if faults:
        raise WithdrawalInvalid(fields=faults)


@transaction.atomic
def ask_revert(*, withdrawal_id: int, by: User | None = None) -> RatingWithdrawal:
    """Has a job bring back what this withdrawal took out; where that is still under way it stops.

    Raises MoveRefused where that was asked for before.
    """
    withdrawal = _locked(withdrawal_id)
    if withdrawal.reverted_at is not None:
        raise MoveRefused(_("These ratings were brought back already."))
    withdrawal.reverted_at, withdrawal.reverted_by = timezone.now(), by
    withdrawal.save(update_fields=["reverted_at", "reverted_by"])
    log(withdrawal.campaign, REVERTED, by, withdrawal=withdrawal.pk, user=withdrawal.annotator.username)
    _tell_of_revert(withdrawal)
    start(withdrawal.campaign, RESTORE_RATINGS, by=by, withdrawal=withdrawal.pk)
    return withdrawal


def go_on(*, withdrawal: RatingWithdrawal, by: User | None = None) -> None:
    """The job once more, where it was cancelled or has failed before its end. Raises MoveRefused at its end."""
    if not withdrawal.is_under_way:
        raise MoveRefused(_("Nothing of this is left to do."))
    kind = RESTORE_RATINGS if withdrawal.reverted_at else WITHDRAW_RATINGS
    start(withdrawal.campaign, kind, by=by, withdrawal=withdrawal.pk)


def take_out(*, withdrawal_id: int, progress: Progress = lambda done, total: None) -> dict[str, int]:
    """Takes the ratings out, each in its item's lock, in the order in which they were given.

    Killed and run again it goes on where it was; it stops where the withdrawal is reverted meanwhile.
    Returns {"withdrawal", "ratings", "counted", "surplus", "wanting"}, read from what is written down.
    """
    rows = WithdrawnRating.objects.filter(withdrawal=withdrawal_id)
    pending = list(_in_order(rows.filter(was="")))
    for done, pk in enumerate(pending, 1):
        if not _take_out(pk):
            break
        progress(done, len(pending))
    with transaction.atomic():
        withdrawal = _locked(withdrawal_id)
        if withdrawal.reverted_at is None and withdrawal.finished_at is None and not rows.filter(was="").exists():
            withdrawal.finished_at = timezone.now()
            withdrawal.save(update_fields=["finished_at"])
    return report_of(withdrawal_id)


@transaction.atomic
def _take_out(pk: int) -> bool:
    """False where there is to be no more of it."""
    found = WithdrawnRating.objects.filter(pk=pk).values_list("rating__work_item", "withdrawal").first()
    if found is None:
        return True
    item = locked_item(found[0])
    withdrawal = _locked(found[1])  # whoever reverts it waits for this one, and then finds it written down
    if withdrawal.reverted_at is not None:
        return False
    row = WithdrawnRating.objects.filter(pk=pk, was="").select_related("rating").first()
    if row is None:
        return True
    standing = Rating.objects.standing().filter(assignment=row.rating.assignment_id).first()
    if standing is None:  # withdrawn by itself meanwhile: no part of this
        row.delete()
        return True
    row.rating, row.was = standing, standing.status  # what an edit of meanwhile made of it
    if standing.status == Status.CHECK:
        retell_check(rating_id=standing.pk, as_status=Status.WITHDRAWN)
    else:
        withdraw_rating(rating_id=standing.pk, by=withdrawal.by, reason=withdrawal.reason)
        now = WorkItem.objects.values_list("state", flat=True).get(pk=item.pk)
        row.wants_raters = now == WorkItem.State.OPEN != item.state
    row.save()
    return True


def bring_back(*, withdrawal_id: int, progress: Progress = lambda done, total: None) -> dict[str, int]:
    """Brings back what the withdrawal took out: counted where it was and its item has a place, else as surplus.

    Killed and run again it goes on where it was. Returns what `take_out` returns, with "again" and "again_surplus".
    """
    rows = WithdrawnRating.objects.filter(withdrawal=withdrawal_id)
    rows.filter(was="").delete()
    pending = list(_in_order(rows.filter(back_as="")))
    for done, pk in enumerate(pending, 1):
        _bring_back(pk, last=False)
        progress(done, len(pending))
    for pk in _in_order(rows.filter(back_as="")):  # checks that nothing came back before
        _bring_back(pk, last=True)
    with transaction.atomic():
        withdrawal = _locked(withdrawal_id)
        if withdrawal.restored_at is None:
            withdrawal.restored_at = timezone.now()
            withdrawal.save(update_fields=["restored_at"])
    return report_of(withdrawal_id)


@transaction.atomic
def _bring_back(pk: int, *, last: bool) -> None:
    known = WithdrawnRating.objects.filter(pk=pk).values_list("rating__work_item", flat=True).first()
    if known is None:
        return
    locked_item(known)
    row = WithdrawnRating.objects.filter(pk=pk, back_as="").select_related("rating", "withdrawal").first()
    if row is None:
        return
    rating = row.rating
    if row.was == Status.CHECK:
        told = _told_around(row, last=last)
        if told is None:
            return
        if rating.status == Status.CHECK:
            retell_check(rating_id=rating.pk, as_status=told)
        row.back_as = told
    elif rating.status == Status.WITHDRAWN:
        row.back_as = restore_rating(rating_id=rating.pk, by=row.withdrawal.reverted_by, was=row.was).status
    else:
        row.back_as = rating.status
    row.save(update_fields=["back_as"])


def _told_around(row: WithdrawnRating, *, last: bool) -> str | None:
    """What a check is told as: what came of the rating before it, at `last` of the one after; None is not yet known.

    All else of theirs may come back as surplus: a check that alone is told as counted would be known by it.
    """
    real = row.withdrawal.rows.exclude(was=Status.CHECK).exclude(back_as="")
    at = row.rating.submitted_at
    before = real.filter(rating__submitted_at__lte=at).order_by("-rating__submitted_at").first()
    if before is None and last:
        before = real.order_by("rating__submitted_at").first()
    if before is not None:
        return before.back_as
    return row.rating.answered if last else None


def _in_order(rows: QuerySet[WithdrawnRating]) -> QuerySet[WithdrawnRating, int]:
    return rows.order_by("rating__submitted_at", "rating").values_list("pk", flat=True)


def report_of(withdrawal_id: int) -> dict[str, int]:
    """How many ratings, counted and surplus, were taken out, items that want raters by it; what was brought back."""
    found: Any = RatingWithdrawal.objects.with_counts().get(pk=withdrawal_id)
    report = {"withdrawal": withdrawal_id, "ratings": found.counted + found.surplus}
    report |= {name: getattr(found, name) for name in ("counted", "surplus", "wanting")}
    if found.reverted_at is not None:
        report |= {"again": found.again, "again_surplus": found.again_surplus}
    return report


def _locked(withdrawal_id: int) -> RatingWithdrawal:
    found = RatingWithdrawal.objects.select_for_update(of=("self",)).select_related("campaign", "annotator", "by")
    return found.get(pk=withdrawal_id)


def _tell_of_withdrawal(withdrawal: RatingWithdrawal) -> None:
    """That it was done, to whom it was done; without the reason, which is the managers’."""
    with translation.override(withdrawal.annotator.own_language):
        text = _(
            "A manager of this campaign has set aside the ratings that you submitted from %(since)s on: they no longer "
            "count in its results. Nothing is lost: you find them under “My ratings”, and your time counts as before. "
            "This can be taken back. If you would like to know more, answer here."
        )
        _tell(withdrawal, text)


def _tell_of_revert(withdrawal: RatingWithdrawal) -> None:
    with translation.override(withdrawal.annotator.own_language):
        text = _(
            "The ratings that you submitted from %(since)s on, which a manager had set aside, are brought back. Where "
            "others have rated an item in the meantime, yours is kept beside theirs, as surplus."
        )
        _tell(withdrawal, text)


def _tell(withdrawal: RatingWithdrawal, text: str) -> None:
    if may_read_messages(withdrawal.annotator, withdrawal.campaign):
        since = timezone.localtime(withdrawal.since)
        text %= {"since": f"{since:%Y-%m-%d %H:%M %Z}"}
        send_message(campaign=withdrawal.campaign, recipient=withdrawal.annotator, text=text)
