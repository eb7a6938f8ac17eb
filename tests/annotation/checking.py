"""What the tests of hidden checks share: a campaign that has them, and the way to the next one."""

from annotation.checks import Rule
from annotation.models import Campaign, WorkItem
from annotation.services.leases import (
    lease_next,
)
from tests import factories

RULE = Rule(one_in=10, max_difference=1, pause_after=3, window=10)
CHECK = WorkItem.Purpose.CHECK


def with_checks(*, items=20, checks=5, slug="", rule=None, **options):
    made = factories.campaign(items=items, slug=slug, **options)
    Campaign.objects.filter(pk=made.pk).update(checks={**factories.CHECKS, **(rule or {})})
    made.refresh_from_db()
    for _ in range(checks):
        factories.check_item(made, 5)
    return made


def is_check(assignment):
    return assignment.work_item.purpose == CHECK


def to_the_next_check(campaign, user, *, scores=5):
    """Rates real items until a check is in hand."""
    while assignment := lease_next(campaign=campaign, user=user):
        if is_check(assignment):
            return assignment
        factories.rating(assignment.work_item, scores, user=user, assignment=assignment)
    raise AssertionError("no check came")


def answer_check(campaign, user, scores):
    assignment = to_the_next_check(campaign, user)
    return factories.rating(assignment.work_item, scores, user=user, assignment=assignment)
