"""How far a person is with the hidden checks of a campaign, and which of those they answered they hit."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.checks import Course, Known, Rule, is_hit, rule_of, to_come
from annotation.models import Assignment, Campaign, Mark, Membership, Rating, Score, User, WorkItem


@dataclass(frozen=True)
class Answered:
    """A check that somebody answered: by their first answer, which no edit mends."""

    at: datetime
    hit: bool


def course_of(membership: Membership) -> Course:
    """Where the person stands; two queries."""
    mine = Assignment.objects.filter(campaign=membership.campaign_id, annotator=membership.user_id, imported=False)
    given: set[int] = set()
    back: set[int] = set()
    checks = mine.filter(work_item__purpose=WorkItem.Purpose.CHECK)
    for block, state in checks.values_list("check_block", "state"):
        if block is not None:
            (given if state in Assignment.CONSUMED else back).add(block)
    return Course(
        seed=membership.campaign.seed,
        person=membership.user.username,
        real=mine.consumed().exclude(work_item__purpose=WorkItem.Purpose.CHECK).count(),
        given=frozenset(given),
        back=frozenset(back),
    )


def checks_to_come(membership: Membership, *, left: int) -> int:
    """Checks among the `left` real items that the person can still be given and beside them."""
    rule = rule_of(membership.campaign.checks)
    if rule is None:
        return 0
    unused = WorkItem.everything.unused_checks(membership).count()
    return to_come(course_of(membership), left=left, unused=unused, rule=rule)


def answered_checks(campaign: Campaign, rule: Rule, *, user: User | None = None) -> dict[int, list[Answered]]:
    """By person, in the order answered; everyone's, or one person's. Three queries, however many there are.

    Without those of scenarios that were found defective since: missing them says nothing of a rater.
    """
    first = Rating.objects.given_in(campaign).filter(work_item__purpose=WorkItem.Purpose.CHECK, supersedes=None)
    first = first.exclude(work_item__state=WorkItem.State.WITHDRAWN)
    if user is not None:
        first = first.of(user)
    rows = first.filter(work_item__reference__isnull=False).order_by("submitted_at", "pk")
    names = ("pk", "annotator", "submitted_at", "work_item__reference__scores", "work_item__reference__marks")
    answers = list(rows.values_list(*names))
    scores: dict[int, dict[str, int]] = defaultdict(dict)
    for pk, dimension, value in Score.objects.filter(rating__in=first.order_by()).values_list(
        "rating", "dimension", "value"
    ):
        scores[pk][dimension] = value
    marks: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for pk, kind in Mark.objects.filter(rating__in=first.order_by()).values_list("rating", "type"):
        marks[pk].append({"type": kind})
    found: dict[int, list[Answered]] = defaultdict(list)
    for pk, annotator, at, known_scores, known_marks in answers:
        known = Known(scores=known_scores, marks=known_marks)
        found[annotator].append(Answered(at, is_hit(known, scores=scores[pk], marks=marks[pk], rule=rule)))
    return found
