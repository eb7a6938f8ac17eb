"""Rows of marks: what counts as a rating, what is missing, and what is refused."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from reviews.statistics.faults import RatingsRefused
from tests.reviews.statistics.marks_made import frame_of, report, table


def test_a_type_that_no_row_names_has_no_ratings() -> None:
    found = report(frame_of([(1, 0)]), types=["b", "a"]).to_json()["types"]
    assert list(found) == ["b", "a"]
    none = found["b"]
    for name in ("prevalence", "majority", "positive_agreement", "negative_agreement", "alpha"):
        assert (none[name]["value"], none[name]["reason"]) == (None, "no ratings")
    assert (none["units"], none["ratings"], none["dawid_skene"]["reason"]) == (0, 0, "no ratings")


def test_an_empty_frame_is_no_error() -> None:
    found = report(frame_of([]), bootstrap=100).to_json()["types"]["a"]
    assert (found["ratings"], found["prevalence"]["reason"]) == (0, "no ratings")


def test_a_rater_who_could_not_mark_a_type_is_missing_there_and_not_unmarked() -> None:
    frame = frame_of([(1, 1), (0, 1)])
    frame["marked"] = frame["marked"].astype("Int64")
    frame.loc[2, "marked"] = pd.NA
    found = table(frame)
    assert (found["ratings"], found["missing"], found["prevalence"]["value"]) == (3, 1, 1.0)
    assert found["pairable_units"] == 1


def test_the_same_row_twice_is_no_second_rating_and_no_lacking_row() -> None:
    both = pd.concat([frame_of([(1, 0), (0, 0)]), frame_of([(0, 0), (0, 1)], kind="b")], ignore_index=True)
    both["marked"] = both["marked"].astype("Int64")
    both.loc[0, "marked"] = pd.NA
    again = pd.concat([both, both.iloc[[0, 1]]], ignore_index=True)
    found, once = (report(frame, types=["a", "b"]).to_json()["types"]["a"] for frame in (again, both))
    assert (found["ratings"], found["marked"]) == (once["ratings"], once["marked"]) == (3, 0)


@pytest.mark.parametrize("kind", [bool, int, float, str, "boolean"])
def test_a_mark_may_be_written_in_several_ways(kind: Any) -> None:
    frame = frame_of([(1, 0), (0, 0), (1, 1)])
    assert table(frame.assign(marked=frame["marked"].astype(kind))) == table(frame)


def test_rows_of_marks_alone_are_refused() -> None:
    """Otherwise everybody would have marked everything."""
    both = pd.concat([frame_of([(1, 0), (0, 0)]), frame_of([(0, 0), (0, 1)], kind="b")], ignore_index=True)
    with pytest.raises(RatingsRefused, match="a rating of 'i00000' has no row of type 'b'"):
        report(both[both["marked"] == 1], types=["a", "b"])
    with pytest.raises(RatingsRefused, match="has no row of type"):
        report(both.drop(index=5), types=["a", "b"])
    with pytest.raises(RatingsRefused, match="has no row of type"):
        report(both.drop(columns="rater_id").drop(index=5), types=["a", "b"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"marked": 2}, "line 3: value '2' is not on the scale"),
        ({"marked": "yes"}, "line 3: value 'yes' is not on the scale"),
        ({"type": "c"}, "line 3: type 'c' is not declared"),
        ({"rater_id": ""}, "line 3: rater_id is empty"),
        ({"item_id": "i00000", "rater_id": "r0", "marked": 0}, "a second rating of 'i00000' by 'r0'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(change: dict[str, Any], reason: str) -> None:
    frame = frame_of([(1, 0), (0, 0)]).astype(object)
    for name, value in change.items():
        frame.loc[2, name] = value
    with pytest.raises(RatingsRefused, match=reason):
        report(frame)


def test_a_frame_without_a_column_is_refused() -> None:
    with pytest.raises(RatingsRefused, match="no column 'marked'"):
        report(frame_of([(1, 0)]).drop(columns="marked"))
