from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from annotation.models.assignment import Assignments
    from annotation.models.membership import Membership
    from annotation.models.user import User


class WorkItems(models.QuerySet["WorkItem"]):
    def with_twin(self, **being: Any) -> "WorkItems":
        """Those with an item, itself or another, that asks the same of people: these words answer their scenario.

        being: what that item must be, as `filter` takes it.
        """
        other = "scenario__work_items__"
        same = {f"{other}campaign": F("campaign"), f"{other}response__content_hash": F("response__content_hash")}
        return self.filter(**same, **{f"{other}{name}": value for name, value in being.items()})

    def given_to(self, user: "User") -> "WorkItems":
        """Those whose words this person was given to rate, whatever became of it; under any companion."""
        return self.with_twin(assignments__annotator=user)

    def with_free_place(self) -> "WorkItems":
        return self.filter(state=WorkItem.State.OPEN, counted__lt=F("needed") - F("leased"))

    def suited_to(self, membership: "Membership") -> "WorkItems":
        """Items of the campaign in this annotator's languages of whose ratings they have seen nothing."""
        barred = ItemBar.objects.filter(work_item=OuterRef("pk"), user=membership.user_id)
        items = self.filter(~Exists(barred), campaign=membership.campaign_id, in_guideline=False)
        seen_why = WorkItem.everything.filter(pk=OuterRef("pk")).with_twin(was_in_review=True)
        items = items.filter(~membership.as_expert() | ~Exists(seen_why))
        return items.filter(language__in=membership.languages) if membership.languages else items

    def open_to(self, membership: "Membership") -> "WorkItems":
        """Items this annotator may be given now: suited to them, a free place, nothing of theirs on it yet.

        Nor may they have met its response as a check.
        """
        from annotation.models.assignment import Assignment

        theirs = Assignment.objects.filter(annotator=membership.user_id)
        checks = theirs.filter(campaign=membership.campaign_id, work_item__purpose=WorkItem.Purpose.CHECK)
        as_checks = checks.values("work_item__response")
        items = self.suited_to(membership).without(theirs).with_free_place()
        return items.exclude(response__in=as_checks)

    def without(self, assignments: "Assignments") -> "WorkItems":
        """Those that none of the assignments holds, has rated or has skipped.

        The assignments should not be narrowed to a campaign: each item would be looked up by the person, not by itself.
        """
        return self.filter(~Exists(assignments.consumed().filter(work_item=OuterRef("pk"))))

    def unused_checks(self, membership: "Membership") -> "WorkItems":
        """Check items this annotator may be given now; of `everything`.

        Suited to them, not met before, and of a response that they never met for real here, as a rater or a reader.
        """
        from annotation.models.assignment import Assignment
        from annotation.models.reference import ReferenceAnswer

        theirs = Assignment.objects.filter(annotator=membership.user_id)
        same = {"work_item__response": OuterRef("response"), "work_item__campaign": membership.campaign_id}
        met = theirs.filter(work_item__purpose=WorkItem.Purpose.RATING, **same)
        read = ItemBar.objects.filter(user=membership.user_id, **same)
        known = ReferenceAnswer.objects.values("work_item")
        checks = self.suited_to(membership).filter(purpose=WorkItem.Purpose.CHECK, pk__in=known)
        checks = checks.exclude(state=WorkItem.State.WITHDRAWN)
        return checks.without(theirs).filter(~Exists(met), ~Exists(read))


class ItemsToRate(models.Manager.from_queryset(WorkItems)):  # type: ignore[misc]
    """Items that are rated for real. The others have known answers: no count, no gold, no agreement may meet them."""

    def get_queryset(self) -> WorkItems:
        found: WorkItems = super().get_queryset().filter(purpose=WorkItem.Purpose.RATING)
        return found


class WorkItem(models.Model):
    """One Response in one Campaign: what it needs, has under way, has got.

    Its row is the lock for everything about the item: services take it first (`select_for_update`), then
    assignments, ratings and the case. The counters are kept exactly, so that no page counts ratings.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")  # wants raters
        COMPLETE = "complete", _("complete")  # has them; the rule is being asked, or extra raters were enough
        IN_REVIEW = "in_review", _("in review")  # a case is open
        SETTLED = "settled", _("settled")  # agreed or decided
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Purpose(models.TextChoices):
        RATING = "rating", _("rated for real")
        TRAINING = "training", _("for training")  # met in a training round, with the expert's answer shown after
        CHECK = "check", _("check")  # hidden among the others; its ratings are compared with the known answer

    # Nothing is asked of people about it any more, unless it opens again.
    DONE = (State.SETTLED, State.WITHDRAWN)
    # Every move there is; services/items.py moves items and refuses the rest.
    MOVES = {
        State.OPEN: {State.COMPLETE, State.WITHDRAWN},
        State.COMPLETE: {State.SETTLED, State.IN_REVIEW, State.OPEN, State.WITHDRAWN},
        State.IN_REVIEW: {State.SETTLED, State.COMPLETE, State.OPEN, State.WITHDRAWN},
        State.SETTLED: {State.OPEN, State.WITHDRAWN},
        State.WITHDRAWN: set(),
    }

    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="items")
    response = models.ForeignKey("scenarios.Response", on_delete=models.PROTECT, related_name="work_items")
    # Copied from the response's scenario: the queue filters and orders by them inside its lock.
    scenario = models.ForeignKey("scenarios.Scenario", on_delete=models.PROTECT, related_name="work_items")
    task = models.CharField(max_length=40)
    language = models.CharField(max_length=16)
    state = models.CharField(max_length=16, choices=State.choices, default=State.OPEN)
    # A training or check item has a ReferenceAnswer, needs nobody and never leaves `open`.
    purpose = models.CharField(max_length=16, choices=Purpose.choices, default=Purpose.RATING)
    # Hard to read: announced before its text shows, and skipped without a reason.
    heavy = models.BooleanField(default=False)
    needed = models.PositiveSmallIntegerField()
    # Of `needed`, how many were asked for beyond the overlap because the first raters disagreed.
    extra = models.PositiveSmallIntegerField(default=0)
    counted = models.PositiveSmallIntegerField(default=0)
    leased = models.PositiveSmallIntegerField(default=0)
    # An expert has taken its case: its ratings can no longer be edited.
    locked = models.BooleanField(default=False)
    # An expert could read once why it was a case: none who is or was one here is ever given its words to rate.
    was_in_review = models.BooleanField(default=False)
    # It stands in the guideline as an example, verdict and all: whoever could rate it has read it.
    in_guideline = models.BooleanField(default=False)
    # Place in the campaign's random order.
    priority = models.PositiveIntegerField()
    # When a rating first said: someone may be in danger here (safety at the lowest level, or an urgent mark).
    urgent_at = models.DateTimeField(null=True)

    objects = ItemsToRate()
    everything = models.Manager.from_queryset(WorkItems)()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "response", "purpose"], name="one_item_a_response"),
        ]
        indexes = [
            # Plain, not partial: SQLite ignores a partial index under bound parameters and would scan inside the lock.
            models.Index(fields=["campaign", "state", "priority", "id"], name="item_queue"),
            models.Index(fields=["campaign", "urgent_at"], name="item_urgent"),
            # Few among many; asked at each lease. PostgreSQL's: SQLite goes by the person's assignments there.
            models.Index(fields=["campaign"], condition=models.Q(purpose="check"), name="item_checks"),
            # The same: looked up at each lease of somebody who is an expert too.
            models.Index(fields=["campaign"], condition=models.Q(was_in_review=True), name="item_was_in_review"),
        ]

    def __str__(self) -> str:
        return f"item {self.pk}"

    def is_barred_to(self, user_id: int) -> bool:
        """They have seen the ratings of this item, its known answer, or what was decided of it."""
        return self.in_guideline or any(
            bar.user_id == user_id for bar in self.bars.all()
        )  # so that a list may bring all bars at once

    @property
    def has_free_place(self) -> bool:
        """For one item what `with_free_place` asks of many."""
        return self.state == self.State.OPEN and self.counted + self.leased < self.needed


class ItemBar(models.Model):
    """This person has seen the ratings of this item (as an expert): they can never rate it."""

    work_item = models.ForeignKey(WorkItem, on_delete=models.CASCADE, related_name="bars")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["work_item", "user"], name="one_bar_a_person")]
