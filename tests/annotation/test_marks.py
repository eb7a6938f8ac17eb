"""Violation marks: offsets are code points of the text as stored, and `text[start:end] == quote` always."""

import json
import uuid
from pathlib import Path

import pytest

from annotation.errors import RatingInvalid
from annotation.models import Mark
from annotation.services.ratings import submit_rating
from tests import factories

pytestmark = pytest.mark.django_db

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "complaints" / "marks.jsonl").read_bytes().splitlines()
]


def item_with(text):
    return factories.items_of(factories.campaign(data=factories.dataset(scenarios=1, texts=[text])))[0]


def mark_of(case, **other):
    return {"type": "privacy", "start": case["start"], "end": case["end"], "quote": case["quote"], **other}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_a_passage_is_where_its_offsets_say(case):
    item = item_with(case["text"])
    factories.rating(item, marks=[mark_of(case)])
    mark = Mark.objects.get()
    assert item.response.text[mark.start : mark.end] == mark.quote == case["quote"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_offsets_counted_otherwise_are_refused(case):
    """In UTF-16 units or UTF-8 bytes, or one beside: the quote says what was meant."""
    before = case["text"][: case["start"]]
    for other in (len(before.encode("utf-16-le")) // 2, len(before.encode()), len(before) + 1):
        if other == case["start"]:
            continue
        mark = mark_of(case, start=other, end=other + len(case["quote"]))
        with pytest.raises(RatingInvalid) as error:
            factories.rating(item_with(case["text"]), marks=[mark])
        assert list(error.value.fields) == ["marks.0"]
    assert not Mark.objects.exists()


def test_a_mark_may_point_at_no_passage():
    factories.rating(item_with("Hello."), marks=[{"type": "privacy"}])
    assert (Mark.objects.get().start, Mark.objects.get().quote) == (None, "")


HELLO = {"type": "privacy", "start": 0, "end": 5, "quote": "Hello"}


@pytest.mark.parametrize(
    "mark",
    [
        HELLO | {"type": "rudeness"},
        HELLO | {"type": None},
        HELLO | {"type": ["privacy"]},
        HELLO | {"start": -5},
        HELLO | {"start": 5},
        HELLO | {"end": 700, "quote": "Hello."},
        HELLO | {"end": None},
        HELLO | {"start": None},
        HELLO | {"start": "0"},
        HELLO | {"start": False},
        HELLO | {"start": 0.0},
        HELLO | {"quote": "hello"},
        HELLO | {"quote": None},
        HELLO | {"quote": 5},
        HELLO | {"note": 5},
        HELLO | {"note": "a\x00b"},
        HELLO | {"note": "\udc00"},
        HELLO | {"note": "x" * 10_001},
        HELLO | {"type": "other", "note": "  "},
        {"type": "privacy", "quote": "Hello"},
        {"type": "privacy", "quote": 0},
        {"start": 0, "end": 5, "quote": "Hello"},
        "privacy",
        None,
        [],
    ],
)
def test_a_faulty_mark_is_named_by_its_place(mark):
    item = item_with("Hello.")
    user = factories.member(item.campaign)
    with pytest.raises(RatingInvalid) as error:
        submit_rating(
            assignment_id=factories.lease(item, user).pk,
            user=user,
            client_id=uuid.uuid4(),
            scores=factories.full_scores(4),
            marks=[HELLO, mark],
        )
    assert list(error.value.fields) == ["marks.1"]
    assert not Mark.objects.exists()


def test_a_mark_of_another_kind_needs_a_note():
    factories.rating(item_with("Hello."), marks=[HELLO | {"type": "other", "note": "It greets a minor at night."}])
    assert Mark.objects.get().note == "It greets a minor at night."


def test_more_than_fifty_marks_are_refused():
    with pytest.raises(RatingInvalid) as error:
        factories.rating(item_with("Hello."), marks=[HELLO] * 51)
    assert list(error.value.fields) == ["marks"]
