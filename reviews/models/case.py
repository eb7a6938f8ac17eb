from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from annotation.models import WorkItem
from reviews.models.reading import items_with_reference_read_by

if TYPE_CHECKING:
    from annotation.models import Campaign, User


def has_spoken(expert: "User") -> Exists:
    """Of a case: the expert gave an opinion on it, since it was last opened."""
    from reviews.models.decision import Decision

    return Exists(Decision.objects.opinions().filter(case=OuterRef("pk"), round=OuterRef("round"), expert=expert))


def not_to_be_judged_by(expert: "User") -> Q:
    """All cases of words that they were given to rate, or of a scenario whose reference they have read."""
    given = WorkItem.objects.given_to(expert).values("pk")
    return Q(work_item__in=given) | Q(work_item__in=items_with_reference_read_by(expert).values("pk"))


class Cases(models.QuerySet["Case"]):
    def in_campaign(self, campaign: "Campaign") -> "Cases":
        return self.filter(campaign=campaign)

    def standing(self) -> "Cases":
        """The one case an item has; fallen ones are history."""
        return self.exclude(state=Case.State.FALLEN)

    def in_play(self) -> "Cases":
        """The standing ones, without those that stay where a second opinion was asked on an item that is gone."""
        # A list of its own, made once: asked of each case, it would be looked up a hundred thousand times.
        gone = Case.objects.filter(state=Case.State.SECOND_OPINION, work_item__state=WorkItem.State.WITHDRAWN)
        return self.standing().exclude(pk__in=gone.values("pk"))

    def waiting(self) -> "Cases":
        """What an expert may take."""
        return self.filter(state=Case.State.WAITING)

    def open(self) -> "Cases":
        """Not decided yet."""
        return self.filter(state__in=[Case.State.WAITING, Case.State.TAKEN, Case.State.SECOND_OPINION])

    def held_by(self, expert: "User") -> "Cases":
        """On their lease: to be decided, or to be judged as one of several."""
        return self.filter(state__in=Case.HELD_IN, taken_by=expert)

    def overdue(self) -> "Cases":
        return self.filter(state__in=Case.HELD_IN, lease_expires_at__lte=timezone.now())

    def free_for(self, expert: "User") -> "Cases":
        """What this expert may be given: waiting, or wanting the independent opinion of one more."""
        return self.in_play().filter(Q(state=Case.State.WAITING) | self._wanting_opinion_of(expert))

    def _wanting_opinion_of(self, expert: "User") -> Q:
        wanting = Q(state=Case.State.SECOND_OPINION, taken_by=None, opinions_in__lt=F("opinions_needed"))
        return wanting & ~Q(has_spoken(expert))

    def to_settle_by(self, expert: "User") -> "Cases":
        """All opinions are in and differ; this expert gave one of them."""
        all_in = self.in_play().filter(state=Case.State.SECOND_OPINION, opinions_in__gte=F("opinions_needed"))
        return all_in.filter(has_spoken(expert))

    def without_conflict(self, expert: "User") -> "Cases":
        """Without those of words that they were given to rate, or of a scenario whose reference they have read."""
        # Asked of one case after another, where the first that is free is looked for.
        given = WorkItem.objects.filter(pk=OuterRef("work_item")).given_to(expert)
        return self.filter(~Exists(given)).exclude(work_item__in=items_with_reference_read_by(expert).values("pk"))

    def with_reason(self, kind: str) -> "Cases":
        return self.filter(kinds__contains=f" {kind} ")

    def with_item(self) -> "Cases":
        return self.select_related("campaign__rubric", "work_item__response", "work_item__scenario")


class Case(models.Model):
    """A WorkItem that the campaign's rule sent to an expert, with the reasons."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        TAKEN = "taken", _("taken")  # an expert holds it, on a lease
        DECIDED = "decided", _("decided")
        SECOND_OPINION = "second_opinion", _("second opinion")
        FALLEN = "fallen", _("fallen away")  # an edit removed every reason before an expert took it

    # Where an expert may hold it on a lease.
    HELD_IN = (State.TAKEN, State.SECOND_OPINION)
    # Every move that is not here is refused (`move`).
    MOVES = {
        State.WAITING: {State.TAKEN, State.FALLEN},
        State.TAKEN: {State.WAITING, State.DECIDED, State.SECOND_OPINION},
        State.SECOND_OPINION: {State.DECIDED},
        State.DECIDED: {State.WAITING},  # reopened with a reason; the old decision stays
        State.FALLEN: set(),
    }

    work_item = models.ForeignKey("annotation.WorkItem", on_delete=models.PROTECT, related_name="cases")
    campaign = models.ForeignKey("annotation.Campaign", on_delete=models.CASCADE, related_name="cases")
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    # [{"kind", "dimension" | null, "detail": {}}], as reviews/rules.py found them.
    reasons = models.JSONField(default=list)
    # Their kinds once more, " range safety ", which both databases can search.
    kinds = models.CharField(max_length=200)
    # Drawn at random from the agreed items: does not hold the consensus back.
    is_audit_only = models.BooleanField(default=False)
    rule_version = models.PositiveIntegerField()
    # Lowest first; an item where someone may be in danger comes before all (WorkItem.urgent_at).
    priority = models.PositiveSmallIntegerField()
    # Copied from the item: the queue filters by them.
    task = models.CharField(max_length=40)
    component = models.CharField(max_length=16)
    language = models.CharField(max_length=16)
    # Of the reasons: the dimensions they name, " empathy safety ", and the widest range of scores among all dimensions.
    dimensions = models.CharField(max_length=200, default=" ")
    spread = models.PositiveSmallIntegerField(default=0)
    # Experts who judge it independently before there is a decision: 1, or more where drawn or escalated.
    opinions_needed = models.PositiveSmallIntegerField(default=1)
    opinions_in = models.PositiveSmallIntegerField(default=0)
    # How often it was opened again: each time its opinions are asked for anew.
    round = models.PositiveSmallIntegerField(default=0)
    # Drawn to be decided twice, so that the agreement of experts is measured on no choice of theirs.
    drawn_twice = models.BooleanField(default=False)
    opened_at = models.DateTimeField(default=timezone.now)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="cases")
    taken_at = models.DateTimeField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)

    objects = Cases.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["work_item"], condition=~Q(state="fallen"), name="one_standing_case_an_item"
            )
        ]
        indexes = [
            # Plain, not partial: SQLite ignores a partial index under bound parameters.
            models.Index(fields=["campaign", "state", "priority", "id"], name="case_queue"),
            models.Index(fields=["state", "lease_expires_at"], name="case_overdue"),
            # All that lists are counted by, so that counting reads nothing else (reviews/tally.py).
            models.Index(fields=["campaign", "state", "component", "language", "task"], name="case_tally"),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def disputed(self) -> list[str]:
        """The dimensions that a reason names, in the rubric's order."""
        named = {reason["dimension"] for reason in self.reasons}
        return [dimension.key for dimension in self.campaign.rubric.dimensions if dimension.key in named]

    @property
    def split_marks(self) -> list[str]:
        """The violation types that some raters marked and others did not."""
        return sorted({kind for reason in self.reasons for kind in reason["detail"].get("types", [])})

    def let_go(self) -> None:
        """Nobody holds it any more; to be saved."""
        self.taken_by = self.taken_at = self.lease_expires_at = None

    @property
    def is_awaiting_opinions(self) -> bool:
        """Some experts have given theirs, others have still to: nobody is shown what has been said."""
        return self.state == self.State.SECOND_OPINION and self.opinions_in < self.opinions_needed

    @property
    def is_to_settle(self) -> bool:
        """The experts' opinions are all in and differ."""
        return self.state == self.State.SECOND_OPINION and self.opinions_in >= self.opinions_needed

    def turn_of(self, *, spoke: bool) -> str:
        """What is up to one of several experts, who `spoke` (gave an opinion) or not: "opinion", "settle", or ""."""
        if self.is_awaiting_opinions and not spoke:
            return "opinion"
        return "settle" if self.is_to_settle and spoke else ""

    def has_opinion_of(self, user: Any) -> bool:
        """Since it was last opened."""
        return self.decisions.opinions().filter(round=self.round, expert=user.pk).exists()

    @property
    def is_urgent(self) -> bool:
        return self.work_item.urgent_at is not None


class CaseEvent(models.Model):
    """The case's log: opened, taken, given back, decided, reopened with its reason. Only ever added to."""

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=40)
    detail: Any = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["at", "id"]
