"""Two at once of one person, on the database the tests run on."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import RatingInvalid
from annotation.models import Assignment, Campaign, Rating
from annotation.services.leases import lease_ahead
from annotation.services.ratings import submit_rating
from tests import factories
from tests.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("_time", range(3))
def test_one_client_id_on_two_items_is_saved_on_one_and_refused_by_its_field_on_the_other(_time):
    factories.default_rubric()
    campaign = factories.campaign(items=2)
    Campaign.objects.filter(pk=campaign.pk).update(ahead=1)
    user, client_id = factories.member(campaign), uuid.uuid4()

    def submit(assignment):
        scores = factories.full_scores(4)
        return submit_rating(assignment_id=assignment.pk, user=user, client_id=client_id, scores=scores)

    held = lease_ahead(campaign=campaign, user=user)
    outcomes = at_once(*(lambda one=one: submit(one) for one in held))
    refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert [type(error) for error in refused] == [RatingInvalid], outcomes
    assert list(refused[0].fields) == ["client_id"]
    assert Rating.objects.count() == 1


@pytest.mark.parametrize("_time", range(3))
def test_two_submits_at_once_share_one_clock(_time):
    factories.default_rubric()
    campaign = factories.campaign(items=2)
    Campaign.objects.filter(pk=campaign.pk).update(ahead=1)
    user = factories.member(campaign)
    held = lease_ahead(campaign=campaign, user=user)
    Assignment.objects.update(leased_at=timezone.now() - timedelta(seconds=600))

    def submit(assignment):
        given = {"client_id": uuid.uuid4(), "scores": factories.full_scores(4), "seconds": 500}
        return submit_rating(assignment_id=assignment.pk, user=user, **given)

    outcomes = at_once(*(lambda one=one: submit(one) for one in held))
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert sum(Rating.objects.values_list("seconds", flat=True)) <= 660
