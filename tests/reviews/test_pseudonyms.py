"""Rater A, B, C: the same at every look, and nothing can be read from the order."""

from collections import Counter

import pytest

from annotation.models import Rating
from annotation.services.items import ask_for_more, locked_item
from reviews.pseudonyms import letter_of, pseudonyms_of
from tests import factories


def test_letters_go_on_after_z():
    assert [letter_of(place) for place in (0, 25, 26, 27, 701, 702)] == ["A", "Z", "AA", "AB", "ZZ", "AAA"]


@pytest.mark.django_db
class TestOfAnItem:
    def letters(self, item):
        return pseudonyms_of(Rating.objects.filter(work_item=item), overlap=item.campaign.overlap)

    def test_the_order_is_not_that_of_submission(self):
        """Over forty items each of three raters is each letter; that one never is has a chance under one in 10^6."""
        raters = [factories.person() for _ in range(3)]
        campaign = factories.campaign(items=40)
        for rater in raters:
            factories.member(campaign, user=rater)
        seen = Counter()
        for item in factories.items_of(campaign):
            letters = self.letters(factories.rated_item(item=item, raters=raters))
            seen.update((place, letters[rater.pk]) for place, rater in enumerate(raters))
        assert len(seen) == 9

    def test_an_edit_keeps_the_letters(self):
        item = factories.rated_item([1, 5, 5])
        before = self.letters(item)
        factories.edit(Rating.objects.filter(work_item=item).first(), 4)
        assert self.letters(item) == before

    def test_a_rater_asked_for_later_comes_behind(self):
        from django.db import transaction

        item = factories.rated_item([1, 5, 5])
        before = self.letters(item)
        with transaction.atomic():
            ask_for_more(locked_item(item.pk), 1)
        item.refresh_from_db()
        late = factories.rating(item, 3)
        assert self.letters(item) == before | {late.annotator_id: "D"}
