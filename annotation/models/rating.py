from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from annotation.models.campaign import Campaign
    from annotation.models.user import User


class Ratings(models.QuerySet["Rating"]):
    def counted(self) -> "Ratings":
        """Those that agreement, rule and gold read."""
        return self.filter(status=Rating.Status.COUNTED)

    def base(self) -> "Ratings":
        """The counted ones without those of raters whom disagreement called: what agreement may read."""
        return self.counted().filter(is_extra=False)

    def standing(self) -> "Ratings":
        """What each person last said: counted, surplus or of a check item; nothing that they are told is withdrawn."""
        standing = self.filter(status__in=[Rating.Status.COUNTED, Rating.Status.SURPLUS, Rating.Status.CHECK])
        return standing.exclude(retold=Rating.Status.WITHDRAWN)

    def told_as(self, status: str) -> "Ratings":
        """Those whose annotator is told this status (`Rating.told`)."""
        of_checks = Q(retold=status) | Q(retold="", answered=status)
        return self.filter(Q(status=status) | Q(of_checks, status=Rating.Status.CHECK))

    def of(self, user: "User") -> "Ratings":
        return self.filter(annotator=user)

    def in_campaign(self, campaign: "Campaign") -> "Ratings":
        """Of the items rated for real: what a release may hold."""
        return self.filter(work_item__campaign=campaign, work_item__purpose="rating")

    def given_in(self, campaign: "Campaign") -> "Ratings":
        """All that was rated at its desk, check items among the others: for the raters' own lists and hours."""
        return self.filter(work_item__campaign=campaign)


class Rating(models.Model):
    """What one annotator submitted on one Assignment. Never changed: an edit is a new row that supersedes."""

    class Status(models.TextChoices):
        COUNTED = "counted", _("counted")
        SURPLUS = "surplus", _("surplus")  # came when the item was full: kept, outside agreement and gold
        SUPERSEDED = "superseded", _("superseded")
        WITHDRAWN = "withdrawn", _("withdrawn")
        CHECK = "check", _("check")  # of an item with a known answer: outside agreement, gold, rule and release

    MOVES = {
        Status.COUNTED: {Status.SUPERSEDED, Status.WITHDRAWN},
        Status.SURPLUS: {Status.SUPERSEDED, Status.WITHDRAWN},
        Status.WITHDRAWN: {Status.COUNTED, Status.SURPLUS},
        Status.SUPERSEDED: set(),
        Status.CHECK: {Status.SUPERSEDED},
    }

    assignment = models.ForeignKey("annotation.Assignment", on_delete=models.PROTECT, related_name="ratings")
    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.PROTECT, related_name="ratings")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings")
    rubric = models.ForeignKey("annotation.Rubric", on_delete=models.PROTECT, related_name="+")
    # Made by the client: the same submit sent twice is saved once.
    client_id = models.UUIDField()
    status = models.CharField(max_length=16, choices=Status.choices)
    # The status that the submit was answered with; the same client_id again is answered so, whatever came after.
    answered = models.CharField(max_length=16, choices=Status.choices, default=Status.COUNTED)
    # Of a check: what its annotator is told of it since their ratings were withdrawn, or brought back, from a date on.
    # Those around it are told of so: it would be known by being the one that stays as it was.
    retold = models.CharField(max_length=16, choices=Status.choices, blank=True, default="")
    # Which rater of the item this is, 1 for the first; an edit keeps the place of what it supersedes.
    rank = models.PositiveSmallIntegerField()
    # They were asked because the first raters disagreed, so that agreement never reads it. An edit keeps it.
    is_extra = models.BooleanField(default=False)
    supersedes = models.OneToOneField("self", on_delete=models.PROTECT, null=True, related_name="superseded_by")
    rationale = models.TextField(blank=True)
    needs_expert = models.BooleanField(default=False)
    # Seconds of active work, as the client counted them, never more than the clock between lease and submit.
    seconds = models.PositiveIntegerField(default=0)
    submitted_at = models.DateTimeField()

    objects = Ratings.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["annotator", "client_id"], name="one_rating_a_client_id"),
            models.UniqueConstraint(
                fields=["work_item", "annotator"],
                condition=Q(status__in=["counted", "surplus", "check"]),
                name="one_standing_rating_a_person",
            ),
        ]
        indexes = [
            models.Index(fields=["work_item", "status", "rank"], name="rating_of_item"),
            models.Index(fields=["annotator", "submitted_at"], name="rating_of_person"),
        ]

    def __str__(self) -> str:
        return f"rating {self.pk}"

    def marks_as_json(self) -> list[dict[str, Any]]:
        """As a client sent them: the violation marks, then the notes."""
        return [*(mark.as_json() for mark in self.marks.all()), *(note.as_json() for note in self.notes.all())]

    @property
    def place(self) -> dict[str, Any]:
        """Whose rating of the item it is: what an edit takes over."""
        return {"rank": self.rank, "is_extra": self.is_extra}

    @property
    def told(self) -> "Rating.Status":
        """The status for its annotator's eyes: a check's is what its submit was answered with, as any other's.

        Where those around it were withdrawn since, or brought back, it is told as they are.
        """
        return Rating.Status((self.retold or self.answered) if self.status == Rating.Status.CHECK else self.status)


class Score(models.Model):
    """The value of one dimension in one rating; one a dimension, by constraint."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="scores")
    dimension = models.CharField(max_length=50)
    value = models.SmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["rating", "dimension"], name="one_score_a_dimension")]


class Mark(models.Model):
    """A violation one annotator saw, with the passage that shows it.

    `start` and `end` are code points of the response's text as stored, and `text[start:end] == quote` always;
    both are null where a mark points at no passage.
    """

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="marks")
    type = models.CharField(max_length=50)
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    quote = models.TextField(blank=True)
    note = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]

    def as_json(self) -> dict[str, Any]:
        """As a client sends it and is sent it."""
        return {name: getattr(self, name) for name in ("type", "start", "end", "quote", "note")}


class Note(models.Model):
    """A remark on a passage that is no violation; no rule and no figure reads it. Places as a Mark's, never empty."""

    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="notes")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()
    text = models.TextField()

    class Meta:
        ordering = ["id"]

    def as_json(self) -> dict[str, Any]:
        """As a client sends it and is sent it: among the marks, of the type `note`."""
        return {"type": "note", "start": self.start, "end": self.end, "quote": self.quote, "note": self.text}
