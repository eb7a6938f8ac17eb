"""How many ratings units have, how far they lie apart, which levels are taken for which: counted by hand."""

import pandas as pd
import pytest

from reviews.statistics.patterns import dimension_of, pattern_table
from reviews.statistics.spread import Spread, spread_of
from reviews.statistics.tidy import code_ratings


def spread(units: dict[str, list[object]], **options) -> Spread:
    rows = [(unit, f"r{at}", value) for unit, values in units.items() for at, value in enumerate(values)]
    frame = pd.DataFrame(rows, columns=["item_id", "rater_id", "value"])
    level = options.pop("level", "ordinal")
    one = dimension_of(code_ratings(frame, level=level, **options), 0, level)
    return spread_of(one, pattern_table(one))


@pytest.fixture
def found():
    return spread({"a": [1, 3, 3], "b": [2, 2], "c": [4], "d": [5, 1, 5]}, scale="1-5")


def test_units_are_counted_by_how_many_rated_them(found):
    assert found.by_ratings == {1: 1, 2: 1, 3: 2}


def test_a_unit_with_one_rating_lies_nowhere_apart(found):
    assert found.ranges == {0: 1, 2: 1, 4: 1}


def test_levels_are_confused_in_ordered_pairs_of_ratings_of_one_unit(found):
    expected = [[0, 0, 2, 0, 2], [0, 2, 0, 0, 0], [2, 0, 2, 0, 0], [0, 0, 0, 0, 0], [2, 0, 0, 0, 2]]
    assert found.confusion.tolist() == expected
    assert found.confusion.sum() == 3 * 2 + 2 * 1 + 3 * 2


def test_a_range_counts_steps_of_the_scale_not_points():
    assert spread({"a": [1, 2]}, scale="1-5/0.5").ranges == {2: 1}


def test_names_have_no_range_but_are_confused():
    found = spread({"a": ["sad", "calm"]}, level="nominal")
    assert (found.ranges, found.confusion.tolist()) == ({}, [[0, 1], [1, 0]])


def test_any_number_may_occur_so_nothing_is_confused():
    found = spread({"a": [0.25, 0.5]}, level="interval")
    assert (found.ranges, found.confusion) == ({}, None)


def test_json_has_its_keys_as_text(found):
    assert found.to_json()["ranges"] == {"0": 1, "2": 1, "4": 1}
