from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Count, Q
from django.utils import timezone

from annotation.models import Rating, WorkItem

if TYPE_CHECKING:
    from annotation.models import Campaign, User

Status = Rating.Status


class RatingWithdrawals(models.QuerySet["RatingWithdrawal"]):
    def of(self, campaign: "Campaign", annotator: "User") -> "RatingWithdrawals":
        return self.filter(campaign=campaign, annotator=annotator)

    def with_counts(self) -> "RatingWithdrawals":
        """`total` ratings asked for, `counted` and `surplus` taken out, items `wanting` raters; `again` and
        `again_surplus` brought back. Ratings of check items are in none of them.
        """
        real = Q(rows__rating__work_item__purpose=WorkItem.Purpose.RATING)
        out = real & ~Q(rows__was="")
        return self.annotate(
            total=Count("rows", filter=real),
            counted=Count("rows", filter=real & Q(rows__was=Status.COUNTED)),
            surplus=Count("rows", filter=real & Q(rows__was=Status.SURPLUS)),
            wanting=Count("rows", filter=out & Q(rows__wants_raters=True)),
            again=Count("rows", filter=real & Q(rows__back_as=Status.COUNTED)),
            again_surplus=Count("rows", filter=real & Q(rows__back_as=Status.SURPLUS)),
        )


class RatingWithdrawal(models.Model):
    """A manager took what one rater gave from a moment on out of a campaign's figures; it can be brought back.

    The ratings themselves say whether they count (`Rating.status`): agreement, rule, gold and releases read that alone.
    """

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="rating_withdrawals")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # Ratings submitted from then on, up to `at`: what they give after it counts.
    since = models.DateTimeField()
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    # When the last of them was out.
    finished_at = models.DateTimeField(null=True)
    reverted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    reverted_at = models.DateTimeField(null=True)
    # When the last of them was back.
    restored_at = models.DateTimeField(null=True)

    objects = RatingWithdrawals.as_manager()

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["campaign", "annotator"], name="withdrawals_of_a_rater")]

    def __str__(self) -> str:
        return f"withdrawal {self.pk}"

    @property
    def is_under_way(self) -> bool:
        """Some of its ratings are still to be taken out, or to be brought back."""
        return self.restored_at is None if self.reverted_at else self.finished_at is None


class WithdrawnRating(models.Model):
    """A rating that belongs to a withdrawal: written down when it is asked for, filled in when its item is done."""

    withdrawal = models.ForeignKey(RatingWithdrawal, on_delete=models.CASCADE, related_name="rows")
    rating: Any = models.ForeignKey("annotation.Rating", on_delete=models.PROTECT, related_name="+")
    # Its status before; empty while it is still to be taken out.
    was = models.CharField(max_length=16, choices=Status.choices, blank=True)
    # Its item had all its raters, and wanted one more by this.
    wants_raters = models.BooleanField(default=False)
    # Its status once it was brought back; empty before.
    back_as = models.CharField(max_length=16, choices=Status.choices, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["withdrawal", "rating"], name="one_row_a_withdrawn_rating")]

    def __str__(self) -> str:
        return f"rating {self.rating_id} of {self.withdrawal_id}"
