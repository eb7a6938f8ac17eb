"""What a release would hold if it were made now, counted from items and cases; the labels themselves are not made."""

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Least

from annotation.models import Campaign, WorkItem
from reviews.models import Case, Decision, DecisionValue


@dataclass(frozen=True)
class Outlook:
    """Items by what a release would do with them. held_back: an expert has still to decide; wanting: raters are
    missing; withdrawn: out of the campaign."""

    ready: int
    held_back: int
    wanting: int
    withdrawn: int
    dimensions: int

    @property
    def labels(self) -> int:
        """At most: imported ratings may lack a dimension."""
        return self.ready * self.dimensions


def outlook_of(campaign: Campaign) -> Outlook:
    """As `gold.labels_of` decides it, in one query."""
    undecided = Case.objects.open().filter(work_item=OuterRef("pk"))
    plain_audit = Q(is_audit_only=True) & ~Exists(Decision.objects.standing().filter(case=OuterRef("pk")))
    items = WorkItem.objects.filter(campaign=campaign).annotate(held=Exists(undecided.exclude(plain_audit)))
    withdrawn = Q(state=WorkItem.State.WITHDRAWN)
    rated = Q(counted__gte=F("needed"))
    if campaign.state == Campaign.State.CLOSED:
        given = DecisionValue.objects.filter(decision__in=Decision.objects.standing())
        items = items.annotate(valued=Exists(given.filter(decision__case__work_item=OuterRef("pk"))))
        rated |= Q(counted__gte=Least(F("needed"), 2)) | Q(valued=True)
    counted = items.aggregate(
        ready=Count("pk", filter=~withdrawn & Q(held=False) & rated),
        held_back=Count("pk", filter=~withdrawn & Q(held=True)),
        wanting=Count("pk", filter=~withdrawn & Q(held=False) & ~rated),
        withdrawn=Count("pk", filter=withdrawn),
    )
    return Outlook(**counted, dimensions=len(campaign.rubric.dimensions))
