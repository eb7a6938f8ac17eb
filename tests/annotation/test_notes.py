"""Remarks on passages: kept as evidence, sent among the marks, read by no rule and no figure."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotation.errors import RatingInvalid
from annotation.models import Note, Rating, WorkItem
from annotation.services.people import make_token
from reviews.models import Case
from reviews.services.cases import take_case
from reviews.services.records import records_of
from reviews.showing import shown_case
from tests import factories as f

pytestmark = pytest.mark.django_db
LINES = (Path(__file__).parent.parent / "data" / "complaints" / "marks.jsonl").read_bytes().splitlines()
TEXT = "Stay with me 👍🏿, 别怕。"
PASSAGE = {"type": "note", "start": 17, "end": 19, "quote": "别怕", "note": "soothing?"}


def item_with(text: str = TEXT, **options: Any) -> WorkItem:
    return f.items_of(f.campaign(data=f.dataset(scenarios=1, texts=[text]), **options))[0]


@pytest.mark.parametrize("line", LINES)
def test_a_note_keeps_its_place_to_the_code_point(line: bytes) -> None:
    case = json.loads(line)
    place = {name: case[name] for name in ("start", "end", "quote")}
    rating = f.rating(item_with(case["text"]), marks=[{"type": "note", "note": "hm", **place}])
    note = rating.notes.get()
    assert case["text"][note.start : note.end] == note.quote == case["quote"]
    assert not rating.marks.exists()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"start": None, "end": None, "quote": ""}, "A note needs the passage that it is about."),
        ({"note": "  "}, "Write the note."),
        ({"note": None}, "Write the note."),
        ({"quote": "不怕"}, "The quote is not what stands between start and end."),
        ({"end": 99}, "start and end must be places in the text, in code points."),
    ],
)
def test_a_note_needs_a_passage_and_words(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(RatingInvalid) as refused:
        f.rating(item_with(), marks=[PASSAGE | change])
    assert refused.value.fields == {"marks.0": [fault]}
    assert not Rating.objects.exists()


def test_an_edit_keeps_what_it_sends_and_the_old_notes_stay_with_the_old_rating() -> None:
    first = f.rating(item_with(), 4, marks=[PASSAGE])
    second = f.edit(first, 4, marks=[PASSAGE | {"note": "better"}])
    assert [note.text for note in first.notes.all()] == ["soothing?"]
    assert [note.text for note in second.notes.all()] == ["better"]


def test_the_form_and_the_api_give_it_back_among_the_marks() -> None:
    item = item_with()
    rating = f.rating(item, marks=["dependence", PASSAGE])
    client = Client()
    client.force_login(rating.annotator)
    page = client.get(f"/campaigns/{item.campaign.slug}/mine/{rating.assignment_id}/").content.decode()
    assert "soothing?" in page
    headers = {"Authorization": f"Bearer {make_token(user=rating.annotator, name='t')}"}
    answer = client.get(f"/api/v1/campaigns/{item.campaign.slug}/ratings/?mine=1", headers=headers).json()
    assert answer["results"][0]["marks"][1] == PASSAGE


def test_without_a_script_notes_made_before_are_kept() -> None:
    item = item_with()
    rating = f.rating(item, 4, marks=[PASSAGE])
    client = Client()
    client.force_login(rating.annotator)
    client.post(
        f"/campaigns/{item.campaign.slug}/rate/{rating.assignment_id}/",
        {
            "client_id": "7f2c0f0e-5d0e-4a51-9f3c-0f3f4ad5a111",
            "plain": "1",
            "supersedes": rating.pk,
            "marks": json.dumps([PASSAGE]),
            **{f"score.{dimension}": "4" for dimension in f.DIMENSIONS},
        },
    )
    assert Note.objects.get(rating__supersedes=rating).text == "soothing?"


def test_a_note_changes_no_rule_no_gold_and_no_violation() -> None:
    """The same ratings with and without: the same states, reasons, labels; nothing marked, nobody urgent."""
    plain, noted = (f.rated_item([(4), (5), (4)], item=item_with()) for _ in range(2))
    for rating in noted.ratings.all():
        f.edit(rating, {s.dimension: s.value for s in rating.scores.all()}, marks=[PASSAGE])
    plain.refresh_from_db()
    noted.refresh_from_db()
    assert Note.objects.count() == 3
    assert (noted.state, noted.urgent_at) == (plain.state, None) == (WorkItem.State.SETTLED, None)
    assert not Case.objects.exists()
    plain_history, noted_history = (next(records_of(item.campaign)).history() for item in (plain, noted))
    assert [rating.marks for rating in noted_history.ratings] == [frozenset()] * 3
    assert [r.scores for r in noted_history.ratings] == [r.scores for r in plain_history.ratings]


def test_an_expert_sees_it_as_evidence_under_a_pseudonym() -> None:
    item = item_with()
    raters = [f.member(item.campaign) for _ in range(3)]
    f.rating(item, 1, user=raters[0], marks=[PASSAGE])
    for user in raters[1:]:
        f.rating(item, 5, user=user)
    expert = f.member(item.campaign, "expert")
    case = take_case(case_id=Case.objects.get().pk, expert=expert)
    shown = shown_case(Case.objects.with_item().get(pk=case.pk), expert)
    (note,) = [note for voice in shown.voices or [] for note in voice.notes]
    assert (note.quote, note.text) == ("别怕", "soothing?")
    piece = next(piece for piece in shown.evidence if piece.remark)
    assert (piece.text, piece.raters) == ("别怕", (note.rater,))
    assert shown.violations == []
    client = Client()
    client.force_login(expert)
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "soothing?" in page
    assert raters[0].username not in page
