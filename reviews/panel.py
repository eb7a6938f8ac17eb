"""Who else could judge a case on which several experts give their opinions."""

from annotation.models import Assignment, Membership, User
from annotation.services.items import twins_of
from reviews.models import Case, ReferenceReading

# Experts on one case, at most.
LARGEST_PANEL = 5


def others_able(case: Case, expert: User) -> int:
    """How many active experts of the campaign, beside this one, could still give an opinion on the case.

    Not who was given its words to rate or has read its reference, nor who has given one since it was last opened.
    """
    given = case.decisions.opinions().filter(round=case.round).values("expert")
    rated = Assignment.objects.filter(work_item__in=twins_of(case.work_item)).values("annotator")
    read = ReferenceReading.objects.filter(campaign=case.campaign_id, scenario=case.work_item.scenario_id)
    experts = Membership.objects.active().filter(campaign=case.campaign_id, role=Membership.Role.EXPERT)
    experts = experts.exclude(user=expert.pk).exclude(user__in=given).exclude(user__in=rated)
    return experts.exclude(user__in=read.values("user")).count()
