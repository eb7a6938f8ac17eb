"""Base ratings coded straight away are what the frame's check makes of them, to the last code."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from reviews.services.agreement import scales_of
from reviews.services.base_ratings import ITEM_TAGS, RATING_TAGS, base_ratings
from reviews.services.coded_ratings import coded, item_tags, rating_tags
from reviews.statistics.columns import rating_tag, unit_tag
from reviews.statistics.faults import RatingsRefused
from reviews.statistics.tidy import code_ratings
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(study):
    """With a score that is not there, an item that nobody rated, and names in another order than their people's."""
    factories.items_of(study)[0].ratings.first().scores.filter(dimension="fluency").delete()
    people = base_ratings(study).people.tolist()
    names = {pk: f"r{len(people) - at:02d}" for at, pk in enumerate(people)}
    return base_ratings(study, names=names)


@pytest.mark.parametrize("level", ["ordinal", "nominal", "interval"])
@pytest.mark.parametrize("cluster", [None, "companion", "item_id"])
def test_the_codes_are_those_of_the_frame(base, study, level, cluster):
    here = coded(base, level=level, scale=scales_of(study), cluster=cluster)
    there = code_ratings(base.frame(), level=level, scale=scales_of(study), cluster=cluster)
    for field in dataclasses.fields(there):
        one, other = getattr(here, field.name), getattr(there, field.name)
        if isinstance(other, np.ndarray):
            np.testing.assert_array_equal(one, other, err_msg=field.name)
        else:
            assert one == other, field.name


def test_tags_are_those_of_the_frame(base, study):
    ratings, frame = coded(base, scale=scales_of(study)), base.frame()
    mood = pd.Categorical(["calm"] * len(base.items.tags["key"].names))
    found = item_tags(base, {"tag:mood": mood}) | rating_tags(base, ratings)
    expected = {name: unit_tag(ratings, frame[name]) for name in ITEM_TAGS}
    expected |= {name: rating_tag(ratings, frame[name]) for name in RATING_TAGS}
    for name, one in expected.items():
        assert found[name].keys == one.keys
        np.testing.assert_array_equal(found[name].code, one.code, err_msg=name)
    assert found["tag:mood"].keys == ["calm"]


def test_a_value_off_the_scale_is_refused_at_its_place(base):
    rows = base.frame()["value"].tolist()
    with pytest.raises(RatingsRefused, match=f"line {rows.index(5) + 1}: value '5' is not on the scale 1-4"):
        coded(base, scale="1-4")


def test_a_cluster_that_is_not_of_items_is_refused(base):
    with pytest.raises(RatingsRefused, match="no column 'rater_id' that is of items"):
        coded(base, cluster="rater_id")
