"""A person's own ratings in a campaign: found again by their words, and which of them are final, and why.

A hidden check looks here as any other rating does: as its annotator was told when they submitted it.
"""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation import policy
from annotation.models import Assignment, Campaign, ItemBar, Mark, Membership, Note, Rating, WorkItem

Status = Rating.Status
EDITABLE, FINAL, SKIPPED = "editable", "final", "skipped"
# What the list can be narrowed to; the first is all that stands.
SHOW = {
    "": gettext_lazy("all that stand"),
    EDITABLE: gettext_lazy("can be edited"),
    FINAL: gettext_lazy("final"),
    Status.COUNTED.value: gettext_lazy("counted"),
    Status.SURPLUS.value: gettext_lazy("surplus"),
    Status.WITHDRAWN.value: gettext_lazy("withdrawn"),
    Status.SUPERSEDED.value: gettext_lazy("replaced by an edit"),
    SKIPPED: gettext_lazy("skipped"),
}


def own_ratings(
    membership: Membership, *, show: str = "", q: str = "", assignment: int | None = None
) -> QuerySet[Rating]:
    """The latest first. `show` is one of SHOW but the skipped; `q` is looked for in texts, rationale, marks, notes.

    assignment: the one rating that was given on it, where a letter or a link names it.
    """
    ratings = Rating.objects.of(membership.user).given_in(membership.campaign)
    if show in (EDITABLE, FINAL):
        open_still = _may_be_edited(membership.campaign)
        ratings = ratings.exclude(status=Status.SUPERSEDED)
        ratings = ratings.filter(open_still) if show == EDITABLE else ratings.exclude(open_still)
    elif show:
        ratings = ratings.told_as(show)
    else:
        ratings = ratings.exclude(status=Status.SUPERSEDED)
    if assignment is not None:
        ratings = ratings.filter(assignment=assignment)
    if q:
        ratings = ratings.filter(_says(q))
    related = ratings.select_related("work_item__response", "work_item__campaign", "assignment")
    said = related.prefetch_related("scores", "marks", "notes", "work_item__bars")
    return said.order_by("-submitted_at", "-pk")


def own_skips(membership: Membership, *, q: str = "") -> QuerySet[Assignment]:
    """The latest first; `q` is looked for in the texts and in what they said of the skip."""
    skips = Assignment.objects.of(membership.user).filter(campaign=membership.campaign, state=Assignment.State.SKIPPED)
    if q:
        skips = skips.filter(Q(work_item__response__text__icontains=q) | Q(skip_note__icontains=q))
    return skips.select_related("work_item__response").order_by("-ended_at", "-pk")


def active_seconds(membership: Membership) -> int:
    """Of all ratings that stand, the time of their edits in it."""
    ratings = Rating.objects.of(membership.user).given_in(membership.campaign).exclude(status=Status.SUPERSEDED)
    seconds: dict[str, Any] = ratings.aggregate(all=Sum("seconds"))
    return seconds["all"] or 0


def why_final(rating: Rating) -> str:
    """Why its annotator cannot edit it any more; empty while they can."""
    item = rating.work_item
    if policy.may_edit_rating(rating.annotator, rating):
        return ""
    if rating.status == Status.SUPERSEDED:
        return _("replaced by your edit")
    if rating.told == Status.WITHDRAWN:
        return _("withdrawn by a manager")
    if item.state == WorkItem.State.WITHDRAWN:
        return _("the item was taken out of the campaign")
    if item.campaign.state == Campaign.State.CLOSED:
        return _("the campaign is closed")
    if item.in_guideline:
        return _("it stands in the guideline as an example")
    if item.is_barred_to(rating.annotator_id):
        return _("you have seen since what others say of it")
    return _("an expert has taken it")


def _may_be_edited(campaign: Campaign) -> Q:
    """For many what `policy.may_edit_rating` asks of one of a person's own."""
    if campaign.state == Campaign.State.CLOSED:
        return Q(pk__in=[])
    open_items = Q(work_item__locked=False, work_item__in_guideline=False)
    told = ~Q(retold=Status.WITHDRAWN)
    standing = Q(status__in=[Status.COUNTED, Status.SURPLUS, Status.CHECK]) & told & open_items
    barred = ItemBar.objects.filter(work_item=OuterRef("work_item"), user=OuterRef("annotator"))
    return standing & ~Q(work_item__state=WorkItem.State.WITHDRAWN) & ~Q(Exists(barred))


def _says(q: str) -> Q:
    marks = Mark.objects.filter(Q(note__icontains=q) | Q(quote__icontains=q), rating=OuterRef("pk"))
    notes = Note.objects.filter(Q(text__icontains=q) | Q(quote__icontains=q), rating=OuterRef("pk"))
    words = Q(work_item__response__text__icontains=q) | Q(rationale__icontains=q)
    return words | Q(Exists(marks)) | Q(Exists(notes))
