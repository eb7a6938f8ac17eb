"""Marked passages laid over the text: pieces that put together are the text, whatever overlaps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.evidence import Passage, segments_of

TEXT = "You sound tired 😔 tonight."


def pieces(*passages, text=TEXT):
    return [(piece.text, piece.raters, piece.ends) for piece in segments_of(text, [Passage(*p) for p in passages])]


def test_a_text_without_passages_is_one_piece():
    assert pieces() == [(TEXT, (), ())]


def test_an_empty_text_has_no_piece():
    assert pieces(text="") == []


def test_offsets_are_code_points():
    assert pieces((16, 17, "A"))[1] == ("😔", ("A",), ("A",))


def test_two_raters_at_the_same_passage_stand_together():
    assert pieces((0, 9, "B"), (0, 9, "A"))[0] == ("You sound", ("A", "B"), ("A", "B"))


def test_an_overlap_is_a_piece_of_its_own():
    assert pieces((0, 9, "A"), (4, 15, "B"))[:3] == [
        ("You ", ("A",), ()),
        ("sound", ("A", "B"), ("A",)),
        (" tired", ("B",), ("B",)),
    ]


def test_a_rater_who_goes_on_pointing_does_not_end():
    assert [ends for _text, _raters, ends in pieces((0, 9, "A"), (4, 15, "A"), (4, 12, "A"))][:4] == [
        (),
        (),
        (),
        ("A",),
    ]


def test_more_than_twenty_six_raters_stay_in_order():
    assert pieces((0, 3, "AA"), (0, 3, "Z"))[0][1] == ("Z", "AA")


@pytest.mark.parametrize("passage", [(5, 5), (9, 4), (-1, 3), (99, 120)])
def test_what_points_at_nothing_is_left_out(passage):
    assert pieces((*passage, "A")) == [(TEXT, (), ())]


@given(
    st.text(max_size=40),
    st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45), st.sampled_from("ABC")), max_size=8),
)
def test_the_pieces_are_the_text_and_cover_what_was_marked(text, passages):
    found = segments_of(text, [Passage(*passage) for passage in passages])
    assert "".join(piece.text for piece in found) == text
    place = 0
    for piece in found:
        expected = {rater for start, end, rater in passages if start <= place < min(end, len(text))}
        assert set(piece.raters) == expected
        place += len(piece.text)
