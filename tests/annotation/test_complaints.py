"""What people lost with other tools, tried here: one score a scale, time counted once, work that stays."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.models import Assignment, Rating, Score
from annotation.services.leases import lease_next, skip_item
from tests import factories as f
from tests.annotation.api import GOOD, rate

pytestmark = pytest.mark.django_db


def test_a_rating_has_one_score_a_dimension_whoever_writes_to_the_database(campaign) -> None:
    rating = f.rating(f.items_of(campaign)[0], 4)
    for save in (Score(rating=rating, dimension="empathy", value=2).save, lambda: copy_of(rating)):
        with pytest.raises(IntegrityError), transaction.atomic():
            save()
    assert list(rating.scores.filter(dimension="empathy").values_list("value", flat=True)) == [4]


def copy_of(rating: Rating) -> None:
    Score.objects.bulk_create(Score(rating=rating, dimension=name, value=3) for name in f.DIMENSIONS)


def test_a_drafts_seconds_are_carried_once(api, annotator, leased) -> None:
    Assignment.objects.update(leased_at=timezone.now() - timedelta(minutes=10))
    path = f"/api/v1/assignments/{leased['assignment']}/draft/"
    for seconds in (20, 40):
        kept = api.put(path, {"scores": {}, "seconds": seconds, "saved_at": timezone.now().isoformat()}, format="json")
        assert kept.status_code == 200
    assert rate(api, leased, scores=GOOD, seconds=45).status_code == 201
    assert Rating.objects.of(annotator).get().seconds == 45


def test_of_items_opened_together_none_counts_more_than_its_own_clock(campaign, annotator) -> None:
    """Three leases taken at once, each said to have taken the whole morning."""
    for item in f.items_of(campaign):
        f.lease(item, annotator)
    Assignment.objects.update(leased_at=timezone.now() - timedelta(minutes=2))
    for assignment in Assignment.objects.of(annotator):
        f.rating(assignment.work_item, user=annotator, assignment=assignment, seconds=4 * 60 * 60)
    assert all(rating.seconds <= 122 for rating in Rating.objects.of(annotator))


def test_one_persons_skip_leaves_the_item_for_every_other(campaign, annotator) -> None:
    """To hide it for all was what people complained of; so was completing it."""
    held = lease_next(campaign=campaign, user=annotator)
    assert held is not None
    skip_item(assignment_id=held.pk, user=annotator, reason="unsure")
    item = held.work_item
    item.refresh_from_db()
    assert (item.state, item.counted, item.leased) == ("open", 0, 0)
    given = set()
    for _person in range(2):
        other = f.member(campaign)
        while leased := lease_next(campaign=campaign, user=other):
            given.add((other.pk, leased.work_item_id))
            f.rating(leased.work_item, user=other, assignment=leased)
    assert sum(item_id == item.pk for _person, item_id in given) == 2
