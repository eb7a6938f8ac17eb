"""Old and new side by side: each side whole to the code point, and only what differs marked."""

import pytest

from reviews.word_diff import MOST_WORDS, word_diff


def marked(pieces):
    return [piece.text for piece in pieces if piece.changed]


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("I like the tide", "I love the tide", ["like "], ["love "]),
        ("她怕高。", "她不怕高。", [], ["不"]),
        ("abc你好", "abc您好", ["你"], ["您"]),
        ("same", "same", [], []),
        ("", "new", [], ["new"]),
        ("a\r\nb", "a\nb", ["a\r\n"], ["a\n"]),
    ],
)
def test_what_differs_is_marked(old, new, gone, come):
    before, after = word_diff(old, new)
    assert (marked(before), marked(after)) == (gone, come)


@pytest.mark.parametrize("text", ["😔 \u2028x", "a" * (MOST_WORDS + 1), "a " * (MOST_WORDS + 1), "（笑）～é\u200b"])
def test_each_side_is_whole(text):
    before, after = word_diff(text, f"{text} and more")
    assert "".join(piece.text for piece in before) == text
    assert "".join(piece.text for piece in after) == f"{text} and more"
