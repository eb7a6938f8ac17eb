"""The confusion of every two raters: counted by hand, and adding up to the confusion of all."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from reviews.statistics.kappa import pair_table
from reviews.statistics.pair_confusion import MOST_RATERS, pair_confusions
from reviews.statistics.patterns import DimensionRatings, dimension_of, pattern_table
from reviews.statistics.spread import spread_of
from reviews.statistics.tidy import code_ratings
from tests.reviews.statistics.made import ratings, rows


def coded(frame: pd.DataFrame, *, level: str = "ordinal", scale: str | None = "1-5") -> DimensionRatings:
    return dimension_of(code_ratings(frame, level=level, scale=scale), 0, level)


def test_rows_are_the_levels_of_the_first_and_columns_those_of_the_second():
    found = pair_confusions(coded(rows(("a", "r1", 1), ("a", "r2", 3), ("b", "r1", 1), ("b", "r2", 3)), scale="1-3"))
    assert found is not None
    assert json.loads(json.dumps(found.to_json())) == {
        "levels": ["1", "2", "3"],
        "raters": 2,
        "of": 2,
        "pairs": [{"a": "r1", "b": "r2", "counts": [[0, 0, 2], [0, 0, 0], [0, 0, 0]]}],
    }


def test_they_add_up_to_the_confusion_of_all():
    one = coded(ratings(pool=6))
    spread = spread_of(one, pattern_table(one))
    both_ways = sum(pair.counts + pair.counts.T for pair in spread.pairs.pairs)
    assert np.array_equal(both_ways, spread.confusion)


def test_the_pairs_with_a_unit_in_common_stand_as_in_the_table_of_pairs():
    one = coded(
        rows(("a", "r1", 1), ("a", "r3", 2), ("b", "r2", 4), ("b", "r4", 4), ("c", "r1", 5), ("c", "r2", 5)),
        scale="1-5",
    )
    found = pair_confusions(one)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("r1", "r2"), ("r1", "r3"), ("r2", "r4")]
    assert [(pair.a, pair.b, pair.counts.sum()) for pair in found.pairs] == [
        (pair.a, pair.b, pair.n) for pair in pair_table(one) if pair.n
    ]


def test_of_very_many_raters_those_with_most_ratings_are_there():
    cells = [(f"u{unit}", f"r{rater:02}", 3) for rater in range(MOST_RATERS + 5) for unit in range(2 if rater else 1)]
    found = pair_confusions(coded(rows(*cells)))
    assert (found.raters, found.of, len(found.pairs)) == (30, 35, 30 * 29 // 2)
    named = {name for pair in found.pairs for name in (pair.a, pair.b)}
    assert named == {f"r{rater:02}" for rater in range(1, 31)}


@pytest.mark.parametrize(
    ("frame", "level", "scale"),
    [
        (rows(("a", "r1", 0.25), ("a", "r2", 0.5)), "interval", None),
        (rows(("a", "r1", 1), ("a", "r2", 2)), "ordinal", "1-26"),
        (rows(("a", "r1", 1), ("a", "r2", 2)).drop(columns="rater_id"), "ordinal", "1-5"),
        (rows(("a", "r1", 1), ("b", "r1", 2)), "ordinal", "1-5"),
    ],
    ids=["open", "fine", "anonymous", "one rater"],
)
def test_where_there_is_nothing_to_count_there_is_none(frame, level, scale):
    one = coded(frame, level=level, scale=scale)
    assert pair_confusions(one) is None
    assert spread_of(one, pattern_table(one)).to_json()["pair_confusions"] is None
